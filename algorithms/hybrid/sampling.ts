/**
 * The rank of an operator that has few independent columns, from random vectors of its column space.
 *
 *   S : m × n over F_p of rank R      Y = S·X, X : n × w uniform: the columns of Y are uniform in im S, and independent
 *
 * rank Y ≤ R whatever X is, and the claim is R = rank Y where that is at most w − spare. A uniform R × w matrix has rank
 * r with probability at most c·p^−((R−r)(w−r)), c = Π_(i≥1) 1/(1 − p^−i) ≤ 3.47. The sum over all r < R with r ≤ w − spare
 * is at most twice its last term, since (R−r)(w−r) grows by 1 + (R−r) + (w−r) ≥ 3 from each r to the one below, and that
 * one is at most c·p^−spare: the claim is wrong with probability at most 7·p^−spare, for p = 2 as it is. Where it cannot
 * be made yet, w grows; at most 8 times, so 56·p^−spare covers all of them. rank Y = m leaves no doubt at all.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Executor, Operator } from '../../kernels/executor.js';

export interface Sampled {
  readonly rank: number; // of the samples: never above the operator's
  /** log2 of the probability that the operator's is larger; null where the samples are too few to say. */
  readonly errorLog2: number | null;
}

/** What is to be left of doubt, and log2 of 56. */
const WANTED_LOG2 = -60;
const UNION_LOG2 = 5.81;

/** The first claims speak of ranks up to here; samples are rounded up to whole vectors of the kernels. */
const FEW = 11;
const LANES = 8;
const GROWTH = 4;

/** Columns of one product: a row of it is then a few cache lines. */
const WIDEST = 64;

/** `work`: multiplications that elimination of the samples may take before it is given up. */
export async function sampledRank(executor: Executor, s: Operator, seed: bigint, work: number): Promise<Sampled> {
  const { field } = executor;
  const spare = Math.ceil((UNION_LOG2 - WANTED_LOG2) / Math.log2(field.p));
  const enough = roundedUp(s.rows + spare);
  const samples: Uint32Array[] = []; // of LANES columns each
  for (let width = roundedUp(FEW + spare); ; width *= GROWTH) {
    width = Math.min(width, enough);
    while (samples.length * LANES < width) {
      const columns = Math.min(WIDEST, width - samples.length * LANES);
      samples.push(...(await sampled(executor, s, columns, deriveSeed(seed, 'samples', samples.length))));
    }
    const rank = columnRank(field, samples, s.rows);
    if (rank === s.rows) return { rank, errorLog2: Number.NEGATIVE_INFINITY };
    if (rank + spare <= width) return { rank, errorLog2: UNION_LOG2 - spare * Math.log2(field.p) };
    const next = Math.min(width * GROWTH, enough);
    if (next === width || s.rows * next * next > work) return { rank, errorLog2: null };
  }
}

function roundedUp(columns: number): number {
  return Math.ceil(columns / LANES) * LANES;
}

/** Y ← S·X for `columns` columns X, LANES of them after another. */
async function sampled(executor: Executor, s: Operator, columns: number, seed: bigint): Promise<Uint32Array[]> {
  const x = executor.vector(s.cols, columns);
  const y = executor.vector(s.rows, columns);
  try {
    executor.write(x, new CounterRandom(seed, 0).fillResidues(new Uint32Array(s.cols * columns), executor.field.p));
    await s.apply(y, x);
    const values = await executor.read(y);
    return Array.from({ length: columns / LANES }, (_, part) =>
      new Uint32Array(s.rows * LANES).map(
        (_, t) => values[Math.floor(t / LANES) * columns + part * LANES + (t % LANES)],
      ),
    );
  } finally {
    executor.release(x);
    executor.release(y);
  }
}

/**
 * The rank of the samples: row by row on a basis of row vectors, which are few and short. It ends as soon as the rank is
 * full, and a row that vanishes costs no more than looking at it.
 */
function columnRank(F: WordPrime, samples: readonly Uint32Array[], rows: number): number {
  const width = samples.length * LANES;
  const basis: (Uint32Array | undefined)[] = new Array(width); // by first column, where it is 1
  const row = new Uint32Array(width);
  let rank = 0;
  for (let i = 0; i < rows && rank < width; i++) {
    samples.forEach((part, t) => {
      row.set(part.subarray(i * LANES, (i + 1) * LANES), t * LANES);
    });
    for (let c = 0; c < width; c++) {
      if (row[c] === 0) continue;
      const pivot = basis[c];
      if (pivot === undefined) {
        const inverse = F.inv(row[c]);
        basis[c] = row.map((value) => F.mul(value, inverse));
        rank++;
        break;
      }
      // row ← row − row[c]·pivot
      const factor = F.neg(row[c]);
      for (let d = c; d < width; d++) row[d] = F.add(row[d], F.mul(factor, pivot[d]));
    }
  }
  return rank;
}
