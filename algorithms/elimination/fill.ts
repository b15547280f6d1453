/**
 * The fill of a Schur complement S, seen on some of its rows.
 *
 *   share : of the entries of the rows that were formed, those that are not 0
 *
 * One row is taken at random of each of as many equal parts of S, the same ones whenever they are asked for.
 */
import { CounterRandom } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';
import { SchurRows } from '../../kernels/schur-rows.js';
import type { Team } from '../../kernels/team.js';
import type { StructuralPivots } from './structural-pivots.js';

export interface Fill {
  readonly share: number;
  readonly rows: number; // that were formed
  readonly of: number;
  readonly secondsARow: number; // of one thread
}

/** Rows of S that say enough: the share of one in a hundred entries, spread evenly, is then right within a few percent. */
export const SAMPLE = 32;

/**
 * The rows are formed again for their time, as long as that is quick: the first time it is that of new code and sleeping
 * threads, 1 ms, which made ch8-8-b4 on 16 of them 150 s of 0.5. Seconds, of which those until all threads are at it count once.
 */
const RUNS = 3;
const QUICK = 5e-3;
const WAKING = 2e-4;

export function sampledFill(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  structural: StructuralPivots,
  most = SAMPLE,
): Fill {
  const rest = withoutPivot(a, structural);
  const count = Math.min(most, rest.length);
  const random = new CounterRandom(0n, 0);
  const places = Array.from({ length: count }, (_, t) => {
    const [first, end] = [t, t + 1].map((part) => Math.floor((part * rest.length) / count));
    return first + random.residueAt(t, end - first);
  });
  const sample = Uint32Array.from(places, (place) => rest[place]);
  return withSchur(team, field, a, structural, (schur) => {
    const timed = (): [ResidueMatrix, number] => {
      const start = performance.now();
      return [schur.sparse(sample), (performance.now() - start) / 1000];
    };
    let [{ values, rows, cols }, least] = timed();
    for (let run = 0; run < RUNS && least < QUICK; run++) least = Math.min(least, timed()[1]);
    const seconds = least + Math.max(0, least - WAKING) * (team.threads - 1);
    return { share: values.length / rows / cols, rows, of: rest.length, secondsARow: seconds / rows };
  });
}

/** In words. */
export function fillLine({ share, rows, of }: Fill): string {
  return `${rows} of ${of} rows of the Schur complement are ${percent(share)} full`;
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** All of S, sparse. */
export function sparseSchur(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  structural: StructuralPivots,
  check: () => void,
): ResidueMatrix {
  return withSchur(team, field, a, structural, (schur) => schur.sparse(withoutPivot(a, structural), check));
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

function withoutPivot(a: ResidueMatrix, { matching }: StructuralPivots): Uint32Array {
  return Uint32Array.from({ length: a.rows }, (_, i) => i).filter((i) => matching.colOf[i] < 0);
}
