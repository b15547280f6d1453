/**
 * The fill of a Schur complement S, from a sample of its rows.
 *
 *   share : of the entries of the rows that were formed, those that are not 0
 *
 * The sample has a random row of each of as many equal parts of S, the same ones at every call. Where the first FEW,
 * spread as evenly, say that all take longer than LONG, they are the sample: rows that take long are full ones, whose
 * shares differ little.
 */
import { CounterRandom } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { SchurRows } from '../../kernels/schur/schur-rows.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Fill } from '../estimates.js';
import type { StructuralPivots } from '../presolve/structural-pivots.js';

export interface SampledFill extends Fill {
  readonly rows: number; // that were formed
  readonly of: number;
}

/** Bytes of an entry of a sparse S: column and value, and half as much while rows are joined. */
export const SPARSE_ENTRY = 12;

/**
 * Rows of S that are formed: a share of one in a hundred entries, spread evenly, is then right within a few percent.
 */
export const SAMPLE = 32;
const FEW = 8;

/** Seconds. */
const LONG = 1;

/**
 * Seconds in which one thread forms the rows again and again: the first time is that of code before its optimisation,
 * and other threads begin after a few rows.
 */
const RUNS = 3;
const QUICK = 2e-2;

export function sampleFill(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  structural: StructuralPivots,
  most = SAMPLE,
): SampledFill {
  const rest = rowsWithoutPivot(a, structural);
  const count = Math.min(most, rest.length);
  const random = new CounterRandom(0n, 0);
  const places = Array.from({ length: count }, (_, t) => {
    const [first, end] = [t, t + 1].map((part) => Math.floor((part * rest.length) / count));
    return first + random.residueAt(t, end - first);
  });
  const sample = Uint32Array.from(places, (place) => rest[place]);
  const few = sample.filter((_, t) => t % Math.ceil(count / FEW) === 0);
  return withSchur(team, field, a, structural, (schur) => {
    const form = (sample: Uint32Array): SampledFill => {
      const start = performance.now();
      const { values, rows, cols } = schur.sparse(sample, { alone: true });
      const secondsARow = (performance.now() - start) / 1000 / rows;
      return { share: values.length / rows / cols, rows, of: rest.length, secondsARow };
    };
    if (few.length < count) {
      const found = form(few);
      if (count * found.secondsARow > LONG) return found;
    }
    const begin = performance.now();
    let { secondsARow, ...found } = form(sample);
    for (let run = 1; run < RUNS && (performance.now() - begin) / 1000 < QUICK; run++) {
      secondsARow = Math.min(secondsARow, form(sample).secondsARow);
    }
    return { ...found, secondsARow };
  });
}

/** In words. */
export function fillLine({ share, rows, of }: SampledFill): string {
  return `${rows} of ${of} rows of the Schur complement are ${percent(share)} full`;
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** All of S, sparse. */
export function formSparseSchur(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  structural: StructuralPivots,
  check: () => void,
): ResidueMatrix {
  return withSchur(team, field, a, structural, (schur) => schur.sparse(rowsWithoutPivot(a, structural), { check }));
}

function withSchur<T>(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  { pivots }: StructuralPivots,
  use: (schur: SchurRows) => T,
): T {
  // The pivots' order has the last to be eliminated first.
  const order = { rows: pivots.rows.slice().reverse(), cols: pivots.cols.slice().reverse() };
  const schur = new SchurRows(team, field, a, order);
  try {
    return use(schur);
  } finally {
    schur.release();
  }
}

function rowsWithoutPivot(a: ResidueMatrix, { matching }: StructuralPivots): Uint32Array {
  return Uint32Array.from({ length: a.rows }, (_, i) => i).filter((i) => matching.colOf[i] < 0);
}
