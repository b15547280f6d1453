/**
 * The rank of an operator that has few independent columns, from random vectors of its column space.
 *
 *   S : m × n over F_p of rank R      Y = S·X, X : n × w uniform: the columns of Y are uniform in im S, and independent
 *
 * rank Y ≤ R whatever X is, and the claim is R = rank Y where that is at most w − spare. A uniform R × w matrix has
 * rank r with probability at most c·p^−((R−r)(w−r)), c = Π_(i≥1) 1/(1 − p^−i) ≤ 3.47. The sum over all r < R with r ≤ w
 * − spare is at most twice its last term, since (R−r)(w−r) grows by 1 + (R−r) + (w−r) ≥ 3 from each r to the one below,
 * and that one is at most c·p^−spare: the claim is wrong with probability at most 7·p^−spare, for p = 2 as it is. Where
 * it cannot be made yet, w grows; it doubles: fewer than 16 claims, which 112·p^−spare covers. rank Y = m leaves no
 * doubt at all.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';

/** Executors that can eliminate vectors. */
export type RankingExecutor = Executor & Required<Pick<Executor, 'columnRank'>>;

export interface Sampled {
  readonly rank: number; // of the samples: never above the operator's
  /** log2 of the probability that the operator's is larger; null where the samples are too few to say. */
  readonly errorLog2: number | null;
}

/** log2 of the error that remains at most, and log2 of 112. */
const WANTED_LOG2 = -60;
const UNION_LOG2 = 6.81;

/** The rank up to which the first claim can speak. */
const FEW = 11;

/** Samples are whole vectors of the kernels. */
const LANES = 8;

/**
 * Columns of one product: more columns share what is read of S, as long as X stays in the caches
 * (test/bench/RESULTS.md#samples).
 */
const CACHED = 2 ** 21; // residues
const [NARROWEST, WIDEST] = [16, 64];

const GROWTH = 2;

/** Takes up to `most` samples, and at least so many that a small rank is found. */
export async function sampleRank(executor: RankingExecutor, s: Operator, seed: bigint, most: number): Promise<Sampled> {
  const { p } = executor.field;
  const spare = Math.ceil((UNION_LOG2 - WANTED_LOG2) / Math.log2(p));
  const sufficient = roundUp(s.rows + spare);
  const together = Math.min(WIDEST, Math.max(NARROWEST, roundUp(CACHED / s.cols)));
  const samples: BlockVector[] = [];
  try {
    let width = 0;
    for (let wanted = roundUp(FEW + spare); ; wanted = width * GROWTH) {
      wanted = Math.min(wanted, sufficient);
      while (width < wanted) {
        const columns = Math.min(together, wanted - width);
        samples.push(await sample(executor, s, columns, deriveSeed(seed, 'samples', width)));
        width += columns;
      }
      const rank = await executor.columnRank(samples);
      if (rank === s.rows) return { rank, errorLog2: Number.NEGATIVE_INFINITY };
      if (rank + spare <= width) return { rank, errorLog2: UNION_LOG2 - spare * Math.log2(p) };
      if (width === sufficient || width * GROWTH > most) return { rank, errorLog2: null };
    }
  } finally {
    for (const v of samples) executor.release(v);
  }
}

function roundUp(columns: number): number {
  return Math.ceil(columns / LANES) * LANES;
}

/** S·X for uniform X. */
async function sample(executor: Executor, s: Operator, columns: number, seed: bigint): Promise<BlockVector> {
  const x = executor.vector(s.cols, columns);
  const y = executor.vector(s.rows, columns);
  if (executor.random) executor.random(x, seed, 0);
  else {
    const values = new Uint32Array(s.cols * columns);
    executor.write(x, new CounterRandom(seed, 0).fillResidues(values, executor.field.p));
  }
  await s.apply(y, x);
  executor.release(x);
  return y;
}
