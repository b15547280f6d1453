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
 *
 * A bit that flips in memory during a product makes Y too large or too small in rank, so Y is compared with a second
 * product before it is believed: D·T = 0 for D = Y − S·X and T : w × s uniform, as S·(X·T) − Y·T. T is independent of
 * D, a row of D that is not 0 is orthogonal to a uniform column with probability 1/p, and the s columns are
 * independent: an error passes with probability p^−s ≤ 2^−60. An error in the second product alone is a false alarm.
 * After an alarm the same samples are made again. What errs alike in both products (the stored matrix), and the
 * elimination of the samples, are outside of this.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';

/** Executors that can eliminate vectors. */
export type RankingExecutor = Executor & Required<Pick<Executor, 'columnRank'>>;

export interface Sampled {
  readonly rank: number; // of the samples: never above the operator's
  /** log2 of the probability that the operator's is larger; null where the samples are too few to say. */
  readonly errorLog2: number | null;
  /** Times that products disagreed with each other and were made again. */
  readonly repeated: number;
}

/** log2 of the error that remains at most, and log2 of 112. */
const WANTED_LOG2 = -60;
const UNION_LOG2 = 6.81;

/** The rank up to which claims speak in any case. */
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

/** Times that samples are made before the device is given up. */
const TRIES = 3;

/** Takes up to `most` samples, and at least so many that a small rank is found. */
export async function sampleRank(executor: RankingExecutor, s: Operator, seed: bigint, most: number): Promise<Sampled> {
  const { p } = executor.field;
  const spare = Math.ceil((UNION_LOG2 - WANTED_LOG2) / Math.log2(p));
  const sufficient = roundUp(s.rows + spare);
  const usual = roundUp(FEW + spare);
  // Half of the samples often say that S is zero; where X is beyond the caches they take half of the time.
  const first = usual === 2 * LANES && NARROWEST * s.cols > CACHED ? LANES : usual;
  const together = Math.min(WIDEST, Math.max(NARROWEST, roundUp(CACHED / s.cols)));
  const samples: BlockVector[] = [];
  let repeated = 0;
  try {
    let width = 0;
    for (let wanted = first; ; wanted = width * GROWTH) {
      wanted = Math.min(wanted, sufficient);
      const kept = samples.length;
      for (let tries = 1; !(await takeSamples(executor, s, samples, width, wanted, together, seed, tries)); tries++) {
        if (tries === TRIES) throw new DeviceError(`products of a matrix disagreed with each other ${TRIES} times`);
        for (const v of samples.splice(kept)) executor.release(v);
        repeated++;
      }
      width = wanted;
      const rank = await executor.columnRank(samples);
      if (rank === s.rows) return { rank, errorLog2: Number.NEGATIVE_INFINITY, repeated };
      if (rank + spare <= width) return { rank, errorLog2: UNION_LOG2 - spare * Math.log2(p), repeated };
      if (width === sufficient || width * GROWTH > Math.max(most, usual)) return { rank, errorLog2: null, repeated };
    }
  } finally {
    for (const v of samples) executor.release(v);
  }
}

function roundUp(columns: number): number {
  return Math.ceil(columns / LANES) * LANES;
}

/** Samples `from` … `to` − 1 behind `samples`, and whether a product with their combinations agrees with them. */
async function takeSamples(
  executor: Executor,
  s: Operator,
  samples: BlockVector[],
  from: number,
  to: number,
  together: number,
  seed: bigint,
  tries: number,
): Promise<boolean> {
  const { p } = executor.field;
  const checks = Math.ceil(-WANTED_LOG2 / Math.log2(p));
  const xt = executor.vector(s.cols, checks);
  const difference = executor.vector(s.rows, checks);
  const parts: { y: BlockVector; t: Uint32Array }[] = [];
  try {
    for (let width = from; width < to; ) {
      const columns = Math.min(together, to - width);
      const x = uniform(executor, s.cols, columns, deriveSeed(seed, 'samples', width));
      const y = executor.vector(s.rows, columns);
      samples.push(y);
      const t = new Uint32Array(columns * checks);
      new CounterRandom(deriveSeed(seed, 'sample checks', width), tries).fillResidues(t, p);
      try {
        await s.apply(y, x);
        executor.blockAxpy(xt, x, t);
      } finally {
        executor.release(x);
      }
      parts.push({ y, t });
      width += columns;
    }
    await s.apply(difference, xt);
    for (const { y, t } of parts) {
      // − Y·T
      executor.blockAxpy(
        difference,
        y,
        t.map((value) => (value === 0 ? 0 : p - value)),
      );
    }
    return (await executor.read(difference)).every((value) => value === 0);
  } finally {
    executor.release(xt);
    executor.release(difference);
  }
}

/** A uniform vector. */
function uniform(executor: Executor, length: number, columns: number, seed: bigint): BlockVector {
  const x = executor.vector(length, columns);
  if (executor.random) executor.random(x, seed, 0);
  else {
    const values = new Uint32Array(length * columns);
    executor.write(x, new CounterRandom(seed, 0).fillResidues(values, executor.field.p));
  }
  return x;
}
