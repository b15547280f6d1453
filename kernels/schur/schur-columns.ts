/**
 * Products of a substitution and a matrix behind it with unit vectors, as rows of a dense matrix, on the team: the
 * host's side of kernels/schur/schur-columns.as.ts.
 *
 *   row `place` + t of the matrix ← B·v, v the extension of e_(first + t) by T
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { DenseMatrix } from '../dense/dense-matrix.js';
import type { BitMatrix } from '../gf2/bit-matrix.js';
import { type CpuOperator, plainArguments } from '../spmm/cpu-operator.js';
import { ARGUMENT_BYTES } from '../spmm/spmm-layout.js';
import type { CpuSubstitution } from '../spmm/triangular-solve.js';
import { type Argument, argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './schur-columns-layout.js';

/** By the bytes of a residue. */
const SCHUR_COLUMNS = { 2: 'schurColumnsU16', 4: 'schurColumnsU32' } as const;

/** Unit vectors of a product: half a cache line, so that the vectors of many rows stay in the second cache. */
const WIDTH = 16;

/** Bytes that the threads' own vectors may take together; where they would take more, fewer threads work. */
const PLACES_BYTES = 2 ** 26;

/** Bytes before v in a place: the arguments of T's and B's rows. */
const HEAD = 64 * Math.ceil((2 * ARGUMENT_BYTES) / 64);

/** Bytes of memory behind the last residue, as kernels read whole vectors. */
const OVERREAD = 64;

export class SchurColumns {
  /** Rows that keep all threads busy for a while. */
  readonly together: number;
  private readonly team: Team;
  private readonly bytes: 2 | 4;
  private readonly given: number;
  private readonly length: number; // columns of the matrix
  private readonly places: readonly number[]; // T's and B's arguments, then the threads' vectors
  private readonly fixed: readonly Argument[]; // arguments that all commands have in common

  constructor(team: Team, field: WordPrime, substitution: CpuSubstitution, others: CpuOperator) {
    const { memory } = team;
    this.team = team;
    this.bytes = field.isU16 ? 2 : 4;
    const { given, steps } = substitution;
    this.given = given;
    this.length = others.rows;
    const vector = (length: number): number => 64 * Math.ceil((length * WIDTH * this.bytes + OVERREAD) / 64);
    const y = HEAD + vector(given + steps);
    const each = y + vector(others.rows);
    const workers = Math.max(1, Math.min(team.threads, Math.floor(PLACES_BYTES / each)));
    const sizes = [ARGUMENT_BYTES, ARGUMENT_BYTES, workers * each];
    this.places = memory.orNothing(() => sizes.map((bytes) => memory.alloc(bytes)));
    const [t, b, own] = this.places as [number, number, number];
    for (const [at, { words }] of [
      [t, substitution],
      [b, others],
    ] as const) {
      const args = plainArguments(words, given + steps, WIDTH, this.bytes).subarray(0, ARGUMENT_BYTES / 4);
      memory.i32(at, args.length).set(args);
    }
    // biome-ignore format: a line a group of words
    this.fixed = [
      [L.WIDTH, WIDTH], [L.GIVEN, given], [L.STEPS, steps], [L.LENGTH, others.rows], [L.T, t], [L.B, b],
      [L.WORKERS, workers], [L.PLACES, own], [L.PLACE_BYTES, each], [L.V_AT, HEAD], [L.Y_AT, y], [L.BYTES, this.bytes],
    ];
    this.together = 8 * workers * WIDTH;
  }

  /** Rows place … place + count − 1 of `to`, which hold zeros if they are bits, for unit vectors from `first` on. */
  rows(first: number, count: number, to: DenseMatrix | BitMatrix, place: number): void {
    const { length } = this;
    if (length !== to.cols || place + count > to.rows || first + count > this.given) {
      throw new RangeError(
        `unit products: expected ${to.cols} columns and ${to.rows - place} rows or less, got ${length} and ${count}`,
      );
    }
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.FIRST, first], [L.COUNT, count], ...this.fixed,
      [L.TO, to.at + place * to.stride], [L.STRIDE, to.stride], [L.BITS, to.bytes === 0 ? 1 : 0],
    );
    this.team.launch(SCHUR_COLUMNS[this.bytes], args, false);
  }

  release(): void {
    for (const at of this.places) this.team.memory.release(at);
  }
}
