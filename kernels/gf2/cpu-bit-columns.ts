/**
 * 64 columns over F_2 on the threads: vectors of 8 codes of GF(2^8), whose sums are those of their bits, so that the
 * products of that field with a matrix of ones serve; DOT and AXPY of bits by bit-columns.as.ts.
 */
import { Arena, cpuVector, Scratch } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type { BitColumns, BlockVector, Executor, Operator } from '../executor.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './bit-columns-layout.js';

/** Codes of a row. */
const WIDTH = 8;

/** 32-bit words of a small matrix. */
const BLOCK = L.BLOCK_BYTES / 4;

/** Rows that one thread takes before another wakes up. */
const SHARED_ROWS = 2 ** 13;

export class CpuBitColumns implements BitColumns {
  private readonly codes: Executor;
  private readonly team: Team;
  private readonly arena: Arena;
  private readonly places: Scratch;

  /** `codes`: an executor over GF(2^8) on this team; it ends with the columns. */
  constructor(codes: Executor, team: Team) {
    this.codes = codes;
    this.team = team;
    this.arena = new Arena(team.memory);
    this.places = new Scratch(this.arena);
  }

  vector(length: number): BlockVector {
    return this.codes.vector(length, WIDTH);
  }

  write(v: BlockVector, words: Uint32Array): void {
    shapes.checkBits('write', v, words);
    this.words(v).set(words);
  }

  read(v: BlockVector): Uint32Array {
    return this.words(v).slice();
  }

  copy(to: BlockVector, from: BlockVector): void {
    this.codes.copy(to, from);
  }

  release(v: BlockVector): void {
    this.codes.release(v);
  }

  operator(matrix: ResidueMatrix): Operator {
    return this.codes.operator(matrix);
  }

  axpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    const [to, from] = [cpuVector(y).at, cpuVector(x).at];
    shapes.checkSameShape('axpy', y, x);
    const [tables, block] = this.room(1);
    this.team.memory.u32(block, BLOCK).set(a);
    this.launch('bitAxpy', to, from, y.length, tables, block);
  }

  dot(x: BlockVector, z: BlockVector): Uint32Array {
    shapes.checkSameShape('dot', x, z);
    const { threads, memory } = this.team;
    const [tables, parts] = this.room(threads);
    // A thread that gets no rows writes no part.
    memory.u32(parts, BLOCK * threads).fill(0);
    this.launch('bitDot', parts, cpuVector(x).at, x.length, tables, cpuVector(z).at);
    const words = memory.u32(parts, BLOCK * threads);
    const out = words.slice(0, BLOCK);
    for (let k = BLOCK; k < words.length; k++) out[k % BLOCK] ^= words[k]!;
    return out;
  }

  dispose(): void {
    this.arena.releaseAll();
    this.codes.dispose();
  }

  private launch(name: 'bitDot' | 'bitAxpy', to: number, x: number, length: number, tables: number, factor: number) {
    const args = argumentList([L.TO, to], [L.X, x], [L.LENGTH, length], [L.TABLES, tables], [L.FACTOR, factor]);
    this.team.launch(name, args, length < SHARED_ROWS);
  }

  /** Places of the tables and, behind them, of so many small matrices. */
  private room(blocks: number): [tables: number, blocks: number] {
    const bytes = L.TABLE_BYTES * this.team.threads;
    const tables = this.places.ensure(bytes + L.BLOCK_BYTES * Math.max(blocks, this.team.threads));
    return [tables, tables + bytes];
  }

  private words(v: BlockVector): Uint32Array {
    return this.team.memory.u32(cpuVector(v).at, 2 * v.length);
  }
}
