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
import type { Team } from '../threads/team.js';

/** By the bytes of a residue. */
const SCHUR_COLUMNS = { 2: 'schurColumnsU16', 4: 'schurColumnsU32' } as const;

/** Unit vectors of a product: half a cache line, so that the vectors of many rows stay in the second cache. */
const WIDTH = 16;

/** Bytes that the threads' own vectors may take together; where they would take more, fewer threads work. */
const PLACES_BYTES = 2 ** 26;

/**
 * Words of the arguments of T's and B's rows, and the bytes before v in a place (kernels/schur/schur-columns.as.ts).
 */
const SPMM_WORDS = ARGUMENT_BYTES / 4;
const HEAD = 64 * Math.ceil((2 * 4 * SPMM_WORDS + 64) / 64);

/** Bytes of memory behind the last residue, as kernels read whole vectors. */
const OVERREAD = 64;

export class SchurColumns {
  /** Rows that keep all threads busy for a while. */
  readonly together: number;
  private readonly team: Team;
  private readonly bytes: 2 | 4;
  private readonly sizes: readonly number[]; // width, given, steps, length
  private readonly places: readonly number[]; // T's and B's arguments, then the threads' vectors
  private readonly work: readonly number[]; // workers, their places, bytes of one, y in it

  constructor(team: Team, field: WordPrime, substitution: CpuSubstitution, others: CpuOperator) {
    const { memory } = team;
    this.team = team;
    this.bytes = field.isU16 ? 2 : 4;
    const { given, steps } = substitution;
    this.sizes = [WIDTH, given, steps, others.rows];
    const vector = (length: number): number => 64 * Math.ceil((length * WIDTH * this.bytes + OVERREAD) / 64);
    const y = HEAD + vector(given + steps);
    const each = y + vector(others.rows);
    const workers = Math.max(1, Math.min(team.threads, Math.floor(PLACES_BYTES / each)));
    const sizes = [4 * SPMM_WORDS, 4 * SPMM_WORDS, workers * each];
    this.places = memory.orNothing(() => sizes.map((bytes) => memory.alloc(bytes)));
    [substitution, others].forEach(({ words }, t) => {
      const args = plainArguments(words, given + steps, WIDTH, this.bytes).subarray(0, SPMM_WORDS);
      memory.i32(this.places[t]!, SPMM_WORDS).set(args);
    });
    this.work = [workers, this.places[2]!, each, y];
    this.together = 8 * workers * WIDTH;
  }

  /** Rows place … place + count − 1 of `to`, which hold zeros if they are bits, for unit vectors from `first` on. */
  rows(first: number, count: number, to: DenseMatrix | BitMatrix, place: number): void {
    const [length, bits] = [this.sizes[3]!, to.bytes === 0 ? 1 : 0];
    if (length !== to.cols || place + count > to.rows || first + count > this.sizes[1]!) {
      throw new RangeError(
        `unit products: expected ${to.cols} columns and ${to.rows - place} rows or less, got ${length} and ${count}`,
      );
    }
    const target = [this.bytes, to.at + place * to.stride, to.stride, bits];
    const args = [first, count, ...this.sizes, this.places[0]!, this.places[1]!, ...this.work, ...target];
    this.team.run(SCHUR_COLUMNS[this.bytes], ...args);
  }

  release(): void {
    for (const at of this.places) this.team.memory.release(at);
  }
}
