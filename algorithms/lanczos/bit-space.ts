/**
 * Block Lanczos over F_2 by words of 64 columns, and its operator:
 *
 *   B = Eᵀ·Aᵀ·Lᵀ·L·A·E     A : M × N over F_2     L : M × M, E : N × N, random, sparse, nonsingular
 *
 * F_2 has one nonzero diagonal, so L and E stand for D and E of normal-operator.ts. Each is a product of FACTORS
 * factors 1 + P, P a path through all places in a random order: unipotent, with 2^FACTORS entries in most rows, so that
 * LᵀL has 4^FACTORS. A random symmetric matrix over F_2 is singular more often than not, but seldom lacks more than a
 * few of its rank: 64 columns have room for what B lacks (bit-kernel.ts).
 * Source: Montgomery 1995, for Aᵀ·A.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BitColumns, BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { compress, merge, type ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { dealingWords, dealOrder } from '../block-wiedemann/preconditioner.js';
import { bitAlgebra } from './bit-algebra.js';
import type { LanczosSpace } from './space.js';

const FACTORS = 3;

/** Entries in most rows of L and of E. */
export const MIXING_ENTRIES = 2 ** FACTORS;

export class BitSpace implements LanczosSpace {
  readonly size: number;
  readonly algebra = bitAlgebra;
  readonly e: Operator;
  private readonly l: Operator;
  private readonly a: Operator;
  private readonly columns: BitColumns;
  private readonly short: BlockVector;
  private readonly long: readonly BlockVector[];

  /** `a` stays the caller's. */
  constructor(executor: Executor, columns: BitColumns, a: Operator, seed: bigint) {
    this.size = a.cols;
    this.a = a;
    this.columns = columns;
    this.l = columns.operator(mixing(executor, a.rows, deriveSeed(seed, 'lanczos L')));
    this.e = columns.operator(mixing(executor, a.cols, deriveSeed(seed, 'lanczos E')));
    this.short = columns.vector(a.cols);
    this.long = [0, 1].map(() => columns.vector(a.rows));
  }

  vector(): BlockVector {
    return this.columns.vector(this.size);
  }

  release(v: BlockVector): void {
    this.columns.release(v);
  }

  async apply(y: BlockVector, x: BlockVector): Promise<void> {
    await this.e.apply(this.short, x);
    await this.adjoint(y, this.short);
  }

  /** y ← Eᵀ·Aᵀ·Lᵀ·L·A·x */
  async adjoint(y: BlockVector, x: BlockVector): Promise<void> {
    const { a, l, short, long } = this;
    const [image, mixed] = long;
    await a.apply(image, x);
    await l.apply(mixed, image);
    await l.applyTransposed(image, mixed);
    await a.applyTransposed(short, image);
    await this.e.applyTransposed(y, short);
  }

  async products(
    v: BlockVector,
    image: BlockVector,
    c: BlockVector,
  ): Promise<Readonly<Record<'g' | 'h' | 'r', Uint32Array>>> {
    const { columns } = this;
    const [g, h, r] = await Promise.all([columns.dot(v, image), columns.dot(image, image), columns.dot(v, c)]);
    return { g, h, r };
  }

  axpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    this.columns.axpy(y, x, a);
  }

  copy(to: BlockVector, from: BlockVector): void {
    this.columns.copy(to, from);
  }

  async read(v: BlockVector): Promise<Uint32Array> {
    return this.columns.read(v);
  }

  write(v: BlockVector, words: Uint32Array): void {
    this.columns.write(v, words);
  }

  free(): void {
    this.l.free?.();
    this.e.free?.();
    for (const v of [this.short, ...this.long]) this.columns.release(v);
  }
}

/** The product of the factors 1 + P. */
function mixing(executor: Executor, size: number, seed: bigint): ResidueMatrix {
  const steps = Array.from({ length: FACTORS }, (_, stream) => {
    const order = dealOrder(size, dealingWords(executor, size, seed, stream));
    const next = new Int32Array(size).fill(-1); // the end of the path has none
    for (let t = 0; t + 1 < size; t++) next[order[t]] = order[t + 1];
    return next;
  });
  const row = new Uint32Array(MIXING_ENTRIES * size);
  const col = new Uint32Array(MIXING_ENTRIES * size);
  let nnz = 0;
  const places: number[] = [];
  for (let i = 0; i < size; i++) {
    places.length = 0;
    places.push(i);
    for (const next of steps) {
      for (let k = 0, known = places.length; k < known; k++) if (next[places[k]] >= 0) places.push(next[places[k]]);
    }
    for (const place of places) {
      row[nnz] = i;
      col[nnz++] = place;
    }
  }
  const ones = new Uint32Array(nnz).fill(1);
  return merge(compress(size, size, row.subarray(0, nnz), col.subarray(0, nnz), ones), (x, y) => x ^ y);
}
