/**
 * C ← C − A·B on blocks of dense matrices: nearly all the work of PLUQ. Both factors are packed first, so C may overlap
 * them.
 *
 *   C : rows × width     A : rows × depth, its columns listed     B : depth × width     all canonical residues
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import { type GemmBounds, gemmBoundsOf } from './gemm-bounds.js';
import * as L from './gemm-layout.js';

/** A block by the address of its first residue and the bytes of a row of its matrix. */
export interface DenseBlock {
  readonly at: number;
  readonly stride: number;
}

/** By the bytes of a residue. */
const GEMM = { 2: 'gemmU16', 4: 'gemmU32' } as const;

// Deeper products run in parts, so that the packed factors take no more memory than two such strips.
const DEPTH = 2048;

/** Multiplications below which one thread is as fast as fork and join beside other programs. */
const SHARED_WORK = 2 ** 20;

export class DenseProduct {
  readonly bounds: GemmBounds;
  private readonly team: Team;
  private readonly p: number;
  private readonly packedA: Buffer;
  private readonly packedB: Buffer;

  constructor(team: Team, field: WordPrime) {
    this.team = team;
    this.p = field.p;
    this.bounds = gemmBoundsOf(field);
    this.packedA = new Buffer(team);
    this.packedB = new Buffer(team);
  }

  /** `columns` : the address of `depth` column numbers of A; `width` a multiple of 8. `fresh` takes C for 0. */
  subtract(
    c: DenseBlock,
    a: DenseBlock,
    columns: number,
    b: DenseBlock,
    rows: number,
    depth: number,
    width: number,
    fresh = false,
  ): void {
    if (rows === 0 || width === 0) return;
    for (let k = 0; k < depth; k += DEPTH) {
      const part = { at: b.at + k * b.stride, stride: b.stride };
      this.part(c, a, columns + 4 * k, part, rows, Math.min(DEPTH, depth - k), width, fresh && k === 0);
    }
  }

  release(): void {
    this.packedA.release();
    this.packedB.release();
  }

  private part(
    c: DenseBlock,
    a: DenseBlock,
    columns: number,
    b: DenseBlock,
    rows: number,
    depth: number,
    width: number,
    fresh: boolean,
  ): void {
    const { bytes, plain, wordBytesA, wordBytesB, words: terms } = this.bounds;
    const words = plain ? Math.ceil(depth / 2) : depth;
    const toA = this.packedA.ensure(4 * Math.ceil(rows / 4) * words * wordBytesA);
    const toB = this.packedB.ensure(width * words * wordBytesB);
    const [flag, overwrite] = [plain ? 1 : 0, fresh ? 1 : 0];
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.FROM, a.at], [L.STRIDE, a.stride], [L.COUNT, rows], [L.COLUMNS, columns],
      [L.DEPTH, depth], [L.PLAIN, flag], [L.MODULUS, this.p], [L.TO, toA],
      [L.PACK_B + L.FROM, b.at], [L.PACK_B + L.STRIDE, b.stride], [L.PACK_B + L.COUNT, width],
      [L.PACK_B + L.DEPTH, depth], [L.PACK_B + L.PLAIN, flag], [L.PACK_B + L.MODULUS, this.p], [L.PACK_B + L.TO, toB],
      [L.PRODUCT + L.C, c.at], [L.PRODUCT + L.C_STRIDE, c.stride], [L.PRODUCT + L.C_ROWS, rows],
      [L.PRODUCT + L.C_COLUMNS, width], [L.PRODUCT + L.A, toA], [L.PRODUCT + L.B, toB], [L.PRODUCT + L.WORDS, words],
      [L.PRODUCT + L.TERMS, terms], [L.PRODUCT + L.FRESH, overwrite], [L.PRODUCT + L.C_MODULUS, this.p],
      [L.PRODUCT + L.SPIN, this.team.spin],
    );
    this.team.launch(GEMM[bytes], args, rows * depth * width < SHARED_WORK);
  }
}

/** Memory that grows when more is asked for. */
class Buffer {
  private readonly team: Team;
  private at = 0;
  private bytes = 0;

  constructor(team: Team) {
    this.team = team;
  }

  ensure(bytes: number): number {
    if (bytes <= this.bytes) return this.at;
    this.release();
    this.at = this.team.memory.alloc(bytes);
    this.bytes = bytes;
    return this.at;
  }

  release(): void {
    if (this.bytes > 0) this.team.memory.release(this.at);
    this.bytes = 0;
  }
}
