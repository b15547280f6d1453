/**
 * A rank planned: rates measured on the devices of the question, or those given, and what they make of its sizes.
 */
import { type BlockShape, fitBlocks } from '../../algorithms/block-wiedemann/block-shape.js';
import { numbersAnElement } from '../../algorithms/block-wiedemann/extension-degree.js';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { prefer } from '../../algorithms/methods/choose.js';
import { costs, estimatesOver } from '../../algorithms/methods/costs.js';
import { feasibleCosts } from '../../algorithms/methods/feasible.js';
import { gpuCosts, USUAL_GPU } from '../../algorithms/methods/gpu-costs.js';
import type { MachineRates, Size } from '../../algorithms/planning/machine-rates.js';
import { measureRates } from '../../algorithms/planning/measure-rates.js';
import { plannedShape, planOnDevices, quickerPlan } from '../../algorithms/planning/plan.js';
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { whyPivots } from '../../algorithms/presolve/pivots-alone.js';
import { presolve } from '../../algorithms/presolve/presolve.js';
import { WordPrime } from '../../fields/word-prime.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import type { Settings } from '../questions/options.js';
import type { PlanData } from '../questions/plan.js';
import { boundedRank } from '../questions/plan-settings.js';
import type { Caller } from './caller.js';
import type { Sizes } from './devices.js';

/** Seconds in which rates are measured: on threads for blocks of one shape, and of several shapes or on a GPU. */
const BUDGET = { one: 12, more: 24 };

/** Unless asked for, and as far as there are columns for them. */
const DEVICES = [1, 8, 64];

/** Does `work` on the executor that a matrix of these sizes would be on. */
type RunOn = <T>(size: Sizes, work: (context: RunContext) => Promise<T>) => Promise<T>;

/** `reading`: seconds in which the matrix was read. */
export async function planMatrix(
  given: SparseMatrix,
  settings: Settings,
  caller: Caller,
  runOn: RunOn,
  reading: number,
): Promise<PlanData> {
  const start = performance.now();
  const field = WordPrime.of(Number(settings.mod));
  const { nnz: entries, rank: known, rates: kept, pricePerHour } = settings.plan!;
  const matrix = entries === null ? dropEmptyLines(withoutIdleLines(given).residues(field.p)) : null;
  const nnz = matrix?.colIdx.length ?? entries!;
  if (nnz === 0) throw new StructureError('plan: expected a matrix with entries mod p, its rank is 0');
  const { rows, cols } = matrix ?? given;
  // Lines with entries are no more than these.
  const size: Size = { rows: Math.min(Math.max(rows, cols), nnz), cols: Math.min(rows, cols, nnz), nnz };
  const rank = boundedRank(known, size.cols);
  const block = blockOf(settings, size.cols);
  const most = block?.n ?? size.cols;
  const devices = settings.plan!.devices ?? DEVICES.filter((count) => count <= most);
  const tooMany = devices.find((count) => count > most);
  if (tooMany !== undefined)
    throw new OptionError(`devices: expected at most ${most}, the columns of a block, got ${tooMany}`);
  const measure = async (context: RunContext): Promise<MachineRates> => {
    const { executor } = context;
    const binding = executor.name === 'gpu' ? bindingOf(executor as GpuExecutor) : null;
    const shapes = devices.map((count) => plannedShape(field, size, count, binding, block));
    const onPart = (done: number, total: number): void => caller.progress({ phase: 'rates', done, total });
    const isOne = executor.name !== 'gpu' && shapes.every(({ n }) => n === shapes[0]!.n);
    const usual = isOne ? BUDGET.one : BUDGET.more;
    return measureRates(context, size, shapes, matrix, settings.budget ?? usual, onPart);
  };
  const rates = kept ?? (await runOn(size, measure));
  const { method, reason } = chooseMethod(field, rates, size, matrix, settings.seed);
  // What a full rank does without, its verification, is planned where it is not known.
  const planned = known ?? Math.max(1, rank - 1);
  const plans = devices.map((count) => {
    const first = matrix === null ? 0 : reading;
    const plan = planOnDevices(field, rates, size, planned, count, first, block);
    const quicker = block === null && count > 1 ? quickerPlan(field, rates, size, planned, plan, first) : null;
    return { ...plan, quicker, price: pricePerHour === null ? null : pricePerHour * plan.deviceHours };
  });
  return {
    ...{ rows: given.rows, cols: given.cols, nnz: entries ?? given.nnz, mod: settings.mod, rank },
    ...{ isBound: known === null, method, plans, rates },
    doubts: [
      `rates are those of ${kept === null ? 'this machine, measured now' : 'a machine where they were measured before'}`,
      ...(matrix === null
        ? [
            'the matrix is taken for a random one of full values: a pattern with locality, or entries of 1 and -1, takes less',
            'reading is left out',
          ]
        : []),
      ...(method === 'wiedemann' ? [] : [`method auto should take ${method}, which is not planned: ${reason}`]),
      ...(known === null
        ? ['the rank is taken for the shorter side, its bound, and is verified: a smaller one takes less']
        : []),
      'the first attempt is taken to succeed, and devices to wait for nothing but each other',
    ],
    seconds: { reading, total: reading + (performance.now() - start) / 1000 },
  };
}

/** The blocks asked for, of no more columns than unknowns. */
function blockOf({ block }: Settings, N: number): BlockShape | null {
  return block === null ? null : fitBlocks({ m: block.m ?? 2 * block.n, n: block.n }, N);
}

/** A GPU in software serves nothing but tests. */
function bindingOf({ gpu }: GpuExecutor): number | null {
  return gpu.software ? null : gpu.maxBindingBytes;
}

interface Chosen {
  readonly method: PlanData['method'];
  readonly reason: string;
}

/** The choice of `auto`: by sizes alone, or behind the pivots of a matrix that is there. */
function chooseMethod(
  field: WordPrime,
  { device, threads }: MachineRates,
  { rows, cols, nnz }: Size,
  matrix: ResidueMatrix | null,
  seed: bigint,
): Chosen {
  const gpu = device === 'gpu' ? gpuCosts(USUAL_GPU, threads) : undefined;
  if (matrix === null) {
    const known = costs(field, rows, cols, nnz, numbersAnElement(field.p, 'block'), { gpu });
    const { eliminates, reason } = prefer({ costs: known, obstacles: [] }, gpu);
    return { method: eliminates ? 'elimination' : 'wiedemann', reason };
  }
  const presolved = presolve(field, matrix, estimatesOver(field), { seed });
  const why = whyPivots(presolved);
  if (why !== null) return { method: 'hybrid', reason: why };
  const feasible = feasibleCosts(field, presolved, { gpu }, {});
  const { eliminates, reason } = prefer(feasible, gpu);
  const byVectors = gpu && !feasible.costs.isImplicit ? 'wiedemann' : 'hybrid';
  return { method: eliminates ? 'elimination' : byVectors, reason };
}
