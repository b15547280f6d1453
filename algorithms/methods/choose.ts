/**
 * The choice of a method for a rank, and of a GPU for the rest of a run.
 *
 *   presolved : the matrix with its structural pivots
 *   costs : seconds of one thread for what the pivots leave (costs.ts)
 *
 * The choice is the cheapest method that there is room for (feasible.ts). Elimination is also chosen where it costs
 * PROOF more than the others, because its answer has no probability of error. A GPU has no random vectors, so that its
 * methods are elimination and block Wiedemann, on the implicit Schur complement or on the whole matrix. Several GPUs
 * share sequences alone, so that they take no elimination.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { Executor } from '../../kernels/executor.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import type { Team } from '../../kernels/threads/team.js';
import type { RankOptions, RunContext } from '../block-wiedemann/rank.js';
import { fillLine, sampleFill } from '../elimination/fill.js';
import { cheapest, type GpuCosts, type Measurements } from '../estimates.js';
import { MethodError } from '../method-error.js';
import { isComplete, whyPivots } from '../presolve/pivots-alone.js';
import type { Presolved } from '../presolve/presolve.js';
import { costsLeft } from './costs.js';
import { type Feasible, feasibleCosts, mostUnkept } from './feasible.js';
import { gpuCosts, USUAL_GPU } from './gpu-costs.js';
import { pivotsForGpu, substitutionOf } from './gpu-pivots.js';
import { probe } from './probe.js';

/** Seconds until a GPU computes: Dawn, its driver, the first kernels. */
const OPENING = 0.7;

/** A GPU may be slower than the one that the rates are of by this factor. */
const DOUBT = 1.5;

/** Seconds that a proof without probability is worth. */
const PROOF = 0.1;

export interface Choice {
  readonly method: 'elimination' | 'hybrid' | 'wiedemann' | null; // null: there is room for none
  readonly reason: string;
  /** The reasons of the choice, a line each. */
  readonly explanation: readonly string[];
}

/** The choice for a run, of the methods whose memory is known beforehand. */
export async function chooseMethod(context: RunContext, presolved: Presolved, options: RankOptions): Promise<Choice> {
  const { executor, team } = context;
  const { field } = executor;
  const gpu = gpuOf(context);
  const isShared = context.sequenceDevices !== undefined;
  const why = whyPivots(presolved, options.atLeast);
  if (why !== null) {
    const eliminates = gpu && isComplete(presolved) && !isShared;
    return { method: eliminates ? 'elimination' : 'hybrid', reason: why, explanation: [] };
  }
  let measurements: Measurements = gpu ? { gpu, substitution: substitutionOf(pivotsForGpu(field, presolved)) } : {};
  let explanation: readonly string[] = [];
  if (isShared) return chooseVectors(field, presolved, measurements, options);
  // A GPU has no random vectors that could show a small rank first.
  if (gpu && team) ({ measurements, explanation } = await probe(context, team, presolved, measurements));
  let feasible = feasibleCosts(field, presolved, measurements, options);
  if (!isFeasible(feasible) && team && measurements.fill === undefined) {
    const fill = sampleFill(team, field, presolved.a, presolved); // a sparse Schur complement takes less room
    measurements = { ...measurements, fill };
    explanation = [...explanation, fillLine(fill)];
    feasible = feasibleCosts(field, presolved, measurements, options);
  }
  if (!isFeasible(feasible)) return { method: null, reason: feasible.obstacles.join('; '), explanation };
  const { eliminates, reason } = prefer(feasible, gpu);
  return { method: eliminates ? 'elimination' : byVectors(feasible, gpu), reason, explanation };
}

/** The choice without elimination: where usual blocks have no room, block Wiedemann looks for narrower ones itself. */
function chooseVectors(
  field: WordPrime,
  presolved: Presolved,
  measurements: Measurements,
  options: RankOptions,
): Choice {
  const { gpu } = measurements;
  const { costs, obstacles } = feasibleCosts(field, presolved, measurements, options);
  if (!Number.isFinite(costs.wiedemann)) return { method: 'wiedemann', reason: obstacles.join('; '), explanation: [] };
  const feasible = { costs: { ...costs, elimination: Number.POSITIVE_INFINITY }, obstacles: [] };
  return { method: byVectors(feasible, gpu), reason: prefer(feasible, gpu).reason, explanation: [] };
}

function byVectors({ costs }: Feasible, gpu: GpuCosts | undefined): 'hybrid' | 'wiedemann' {
  return gpu && !costs.isImplicit ? 'wiedemann' : 'hybrid';
}

/** Whether there is room for any method. */
export function isFeasible({ costs }: Feasible): boolean {
  return Number.isFinite(cheapest(costs));
}

/** Elimination, or the better of the methods by vectors. */
export function prefer({ costs, obstacles }: Feasible, gpu?: GpuCosts): { eliminates: boolean; reason: string } {
  const { elimination, sampling, wiedemann } = costs;
  const estimates = [
    { seconds: elimination, by: 'by elimination' },
    { seconds: sampling, by: 'by samples' },
    { seconds: wiedemann, by: `by block Wiedemann${gpu && !costs.isImplicit ? ' on all of the matrix' : ''}` },
  ]
    .filter(({ seconds }) => Number.isFinite(seconds))
    .map(({ seconds, by }) => `${(seconds / (gpu?.worth ?? 1)).toPrecision(2)} s ${by}`);
  const what = `what the pivots leave should take ${estimates.join(', ')}${gpu ? `, with ${gpu.gpu.name}` : ''}`;
  return {
    eliminates: elimination <= Math.min(sampling, wiedemann) + PROOF,
    reason: [what, ...obstacles].join('; '),
  };
}

/**
 * The costs of a system or a determinant for what pivots leave: elimination keeps to the threads, and vectors to the
 * run's executor, on S or, where a GPU has `isImplicit` false, on the whole matrix. There are no samples.
 */
export function costsOfVectors(
  context: RunContext,
  presolved: Pick<Presolved, 'a' | 'matching' | 'pivots'>,
  measurements: Measurements,
  maxBytes: number | undefined,
): Feasible {
  const { field } = context.executor;
  const options = { maxBytes, mostUnkept: mostUnkept(context) };
  const here = feasibleCosts(field, presolved, measurements, options);
  const gpu = gpuOf(context);
  const there = gpu
    ? feasibleCosts(field, presolved, { ...measurements, gpu, substitution: substitutionOf(presolved) }, options)
    : here;
  const costs = { ...there.costs, elimination: here.costs.elimination, sampling: Number.POSITIVE_INFINITY };
  return { costs, obstacles: there.obstacles };
}

/** Whether a GPU pays for the rest of the run, and why, in words. */
export function weighGpu(
  field: WordPrime,
  team: Team,
  presolved: Presolved,
  measurements: Measurements,
  options: RankOptions,
): { readonly pays: boolean; readonly reason: string } {
  const why = whyPivots(presolved, options.atLeast);
  if (why !== null) return { pays: false, reason: `by threads: ${why}` };
  const compare = (known: Measurements) => secondsHereAndThere(field, team.threads, presolved, known, options);
  let [here, there] = compare(measurements);
  if (here > OPENING && measurements.fill === undefined) {
    const fill = sampleFill(team, field, presolved.a, presolved);
    [here, there] = compare({ ...measurements, fill });
  }
  const pays = there !== Number.POSITIVE_INFINITY && here >= OPENING + DOUBT * there;
  const [onThreads, onGpu] = [here, there].map((estimate) => `${estimate.toPrecision(2)} s`);
  const reason = pays
    ? `on the GPU: what is left should take ${onGpu} there, ${onThreads} by threads`
    : `by threads: what is left should take ${onThreads} there, ${onGpu} on a GPU behind ${OPENING} s of its start`;
  return { pays, reason };
}

/** Seconds of a run that goes on by these threads, and of one that moves to a GPU. */
function secondsHereAndThere(
  field: WordPrime,
  threads: number,
  presolved: Presolved,
  measurements: Measurements,
  options: RankOptions,
): [number, number] {
  const gpu = gpuCosts(USUAL_GPU, threads);
  const { fill } = measurements;
  const here = feasibleCosts(field, presolved, measurements, options).costs;
  const substitution = substitutionOf(pivotsForGpu(field, presolved));
  const there = feasibleCosts(field, presolved, { fill, gpu, substitution }, options).costs;
  return [cheapest(here) / gpu.worth, cheapest(there) / gpu.worth];
}

/**
 * Samples that are cheap beside what the pivots leave: by these threads, or, where a run may move to a GPU from so many
 * threads (null: it may not), there.
 */
export function samplesWorth(field: WordPrime, presolved: Presolved, threads: number | null): number {
  const { a, matching } = presolved;
  const { samples, wiedemann } = costsLeft(field, a, matching.size);
  if (threads === null) return samples;
  const gpu = gpuCosts(USUAL_GPU, threads);
  const substitution = substitutionOf(pivotsForGpu(field, presolved));
  const there = costsLeft(field, a, matching.size, { gpu, substitution }).wiedemann;
  return samples * Math.min(1, there / wiedemann);
}

/** Why block Wiedemann runs on the matrix itself without regard to costs; null where there is a choice. */
export function reasonForWiedemann(context: RunContext, { block }: RankOptions): string | null {
  if (block) return 'a block shape was asked for';
  if (canSubstitute(context.executor) || gpuOf(context) !== undefined) return null;
  return `${context.executor.name} has no substitution`;
}

/** Whether the device has what the hybrid method runs on. */
function canSubstitute(executor: Executor): boolean {
  return executor.substitution !== undefined && executor.columnRank !== undefined;
}

/** The matrix with the pivots that the run's device takes. */
export function pivotsFor(context: RunContext, presolved: Presolved, atLeast?: number): Presolved {
  const isThere = gpuOf(context) !== undefined && whyPivots(presolved, atLeast) === null;
  return isThere ? pivotsForGpu(context.executor.field, presolved) : presolved;
}

/** The costs of the run's GPU beside its threads. */
export function gpuOf({ executor, team }: RunContext): GpuCosts<GpuDevice> | undefined {
  if (executor.name !== 'gpu' || team === undefined) return undefined;
  return gpuCosts((executor as GpuExecutor).gpu, team.threads);
}

/** Refuses a run that there is no room for, before it begins. */
export function refuseMethod(method: string, obstacle: string | null): void {
  if (obstacle !== null) throw new MethodError(`method ${method}: ${obstacle}`);
}
