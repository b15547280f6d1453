/**
 * The rank as structural pivots and the rank of their Schur complement.
 *
 *   rank A = r + rank S      r : pivots, proved by the triangle they form      S : schur-complement.ts, never formed
 *
 * S has rank A − r, often a percent of rank A and sometimes 0: a few random vectors of its column space say so
 * (sampling.ts), and where they do not block Wiedemann finds the rest, in rank S steps instead of rank A. All bounds of S
 * move up by r.
 */
import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import type { Team } from '../../kernels/threads/team.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { blockWiedemannRank, enough, type RankOptions, transposedOperator } from '../block-wiedemann/rank.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { overBlockField } from '../block-wiedemann/working-field.js';
import { type Costs, cheapest, costsLeft, productSeconds } from '../methods/costs.js';
import { leastSeconds } from '../methods/stopwatch.js';
import { isComplete, pivotsLine } from '../presolve/pivots-alone.js';
import type { Reduced } from '../presolve/presolve.js';
import { type RankingExecutor, type Sampled, sampledRank } from './sampling.js';
import { SchurComplement, type SubstitutingExecutor } from './schur-complement.js';

/** Bounds as in block-wiedemann/rank.ts. */
export interface HybridResult {
  readonly rank: number;
  readonly lowerBound: number; // proved
  readonly upperBound: number | null;
  readonly errorLog2: number | null;
  readonly reason?: string | undefined;
  readonly method: 'hybrid';
  readonly block: BlockShape | null; // null where block Wiedemann was not needed
  readonly seconds: Readonly<Record<string, number>>;
  readonly explanation: readonly string[];
}

export interface HybridContext extends RunContext {
  readonly executor: SubstitutingExecutor & RankingExecutor;
}

/** What an answer found otherwise has in common with this one. */
interface Told {
  readonly seconds: Readonly<Record<string, number>>;
  readonly explanation: readonly string[];
}

/** Seconds that are left by the cheapest method from which on a product is timed. */
const LONG = 0.1;

const WIDTH = 16;

/** Of what is left, what timing a product may take. */
const TIMING = 1 / 100;

/** What there is to say where a few random vectors have not given the answer: one found in another way, or what is left to expect. */
export interface Reconsidered<T> {
  readonly answer?: T | undefined;
  readonly costs: Costs;
  readonly explanation: readonly string[];
}

/** `reconsider` is told what a product with 16 vectors takes on one thread, where that was worth measuring. */
export async function hybridRank<T extends Told = never>(
  context: HybridContext,
  { a, at, matching, pivots, ...known }: Reduced,
  options: RankOptions,
  reconsider: (product?: number) => Promise<Reconsidered<T>>,
): Promise<HybridResult | T> {
  const { executor, seed } = context;
  const { atLeast = Number.POSITIVE_INFINITY } = options;
  const seconds: Record<string, number> = { pivots: known.seconds };
  const explanation = [...known.explanation];
  const sampled = async (s: Operator, most: number): Promise<Sampled> => {
    const phase = 'sampling';
    context.check();
    context.onProgress({ phase, attempt: 1, done: 0, total: 1 });
    const start = performance.now();
    const result = await sampledRank(executor, s, deriveSeed(seed, 'sampling'), most);
    context.onProgress({ phase, attempt: 1, done: 1, total: 1 });
    seconds[phase] = (seconds[phase] ?? 0) + (performance.now() - start) / 1000;
    return result;
  };
  const found = (
    rank: number,
    upperBound: number | null,
    errorLog2: number | null,
    rest: Pick<HybridResult, 'reason' | 'block'> = { block: null },
  ): HybridResult => {
    return { rank, lowerBound: rank, upperBound, errorLog2, ...rest, method: 'hybrid', seconds, explanation };
  };

  const r = known.taken + matching.size;
  explanation.push(pivotsLine({ a, matching, pivots }));
  if (isComplete({ a, matching })) return found(r, r, Number.NEGATIVE_INFINITY);
  if (r >= atLeast) return found(r, null, null, { reason: enough(atLeast), block: null });
  const s = new SchurComplement(executor, a, at, pivots);
  try {
    // Samples are as short as they can be: in the space of the shorter side.
    const short = s.rows <= s.cols ? s : transposedOperator(s);
    const expected = costsLeft(executor.field, { a, matching });
    let some = await sampled(short, expected.samples);
    if (some.errorLog2 === null && r + some.rank < atLeast) {
      const left = cheapest(expected);
      const product = left < LONG ? undefined : await productTime(executor, context.team, short, TIMING * left);
      if (product !== undefined) explanation.push(timing(product, productSeconds(executor.field, a.colIdx.length)));
      const { answer, costs, ...said } = await reconsider(product);
      explanation.push(...said.explanation);
      if (answer !== undefined) {
        explanation.push(...answer.explanation);
        return { ...answer, seconds: sums(seconds, answer.seconds), explanation };
      }
      const { sampling, wiedemann } = costs;
      if (sampling <= wiedemann) some = await sampled(short, Number.POSITIVE_INFINITY);
    }
    const lower = r + some.rank;
    if (some.errorLog2 !== null) {
      explanation.push(`random vectors show that the ${s.rows} x ${s.cols} Schur complement has rank ${some.rank}`);
      return found(lower, lower, some.errorLog2);
    }
    if (lower >= atLeast) return found(lower, null, null, { reason: enough(atLeast), block: null });
    explanation.push(
      `block Wiedemann on the implicit ${s.rows} x ${s.cols} Schur complement, of rank ${some.rank} or more`,
    );
    const rest = await overBlockField(context, async (context) => {
      const over = s.on(context.executor);
      try {
        return await blockWiedemannRank(context, over, { ...options, atLeast: atLeast - r });
      } finally {
        if (over !== s) over.free();
      }
    });
    Object.assign(seconds, rest.seconds);
    const { upperBound, errorLog2, reason, block } = rest;
    const rank = r + Math.max(rest.lowerBound, some.rank);
    return found(rank, upperBound === null ? null : r + upperBound, errorLog2, { reason, block });
  } finally {
    s.free();
  }
}

/** Seconds of a product with 16 vectors, as they would be on one thread. */
async function productTime(
  executor: SubstitutingExecutor,
  team: Team | undefined,
  s: Operator,
  budget: number,
): Promise<number> {
  await team?.gathered();
  const [x, y] = [executor.vector(s.cols, WIDTH), executor.vector(s.rows, WIDTH)];
  try {
    return executor.threads * (await leastSeconds(budget, () => s.apply(y, x)));
  } finally {
    executor.release(x);
    executor.release(y);
  }
}

function timing(product: number, expected: number): string {
  const [is, was] = [product, expected].map((seconds) => `${(1000 * seconds).toPrecision(2)} ms`);
  return `a product with ${WIDTH} vectors takes ${is} of one thread, ${was} were expected`;
}

function sums(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const sum = { ...a };
  for (const [phase, seconds] of Object.entries(b)) sum[phase] = (sum[phase] ?? 0) + seconds;
  return sum;
}
