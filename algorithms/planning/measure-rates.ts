/**
 * The rates of a machine, measured for a plan: at the sizes asked for where `budget` seconds allow it, else as near to
 * them as they allow, and at an eighth, so that it shows how times grow.
 *
 * Steps are timed with the matrix itself where there is one. Random ones keep the sides before the entries, because
 * vectors out of the caches are what a large run waits for; two of the same sides price a row and an entry.
 */
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { workingDegree } from '../block-wiedemann/extension-degree.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import { basisWork, type Size } from './estimated-seconds.js';
import type { MachineRates, TimedBasis, TimedSteps } from './machine-rates.js';
import { randomResidues } from './random-residues.js';
import { timeBasis } from './timed-basis.js';
import { timeSteps } from './timed-steps.js';

/** A block shape, and the columns of it that one device has. */
export interface PlannedShape extends BlockShape {
  readonly columns: number;
}

/**
 * Entries of the first random matrix, whose making says how many can be afforded; it does so slowly. What a GPU takes
 * to store a matrix of few is not to count as theirs.
 */
const FIRST = { cpu: 1e5, gpu: 1e6 };
const SLOWER = 1.5;

/** The share of its time that goes into making matrices. */
const MAKING = 0.6;

/** Entries a row at least where the sides could not be kept otherwise, of a dense matrix the root of its own. */
const FEW = 6;
const LEAST_SIDE = 2048;
const TINY = { rows: 256, cols: 256, nnz: 1024 };

/** Orders of a basis at least, so that its products are those of a long one: on a GPU beyond gpu-crossover.ts. */
const LEAST_ORDERS = { cpu: 96, gpu: 288 };

export async function measureRates(
  context: RunContext,
  size: Size,
  shapes: readonly PlannedShape[],
  matrix: ResidueMatrix | null,
  budget: number,
  onPart: (done: number, total: number) => void,
): Promise<MachineRates> {
  const { executor, team } = context;
  const { p } = executor.field;
  const kind = executor.name === 'gpu' ? 'gpu' : 'cpu';
  const widths = distinct(shapes, ({ columns }) => columns);
  const kinds = distinct(shapes, ({ m, n }) => `${m}x${n}`);
  const total = (matrix === null ? 5 : 2) + kinds.length;
  let done = 0;
  const part = <T>(work: Promise<T>): Promise<T> => {
    onPart(Math.min(done++, total - 1), total);
    context.check();
    return work;
  };
  const tiny = randomResidues(TINY.rows, TINY.cols, TINY.nnz, p);
  const [{ setup: start }] = await part(timeSteps(context, tiny, [{ m: 8, n: 4 }], 0));
  const narrow = widths.map(({ m, columns }) => ({ m, n: columns }));
  const each = budget / 8 / narrow.length;
  const time = (of: ResidueMatrix): Promise<TimedSteps[]> => part(timeSteps(context, of, narrow, each));
  const steps = matrix === null ? await timeRandom(size, budget / 2, p, FIRST[kind], time) : await time(matrix);
  const bases: TimedBasis[] = [];
  let basisStart = 0;
  for (const shape of [...kinds].sort((a, b) => a.n - b.n)) {
    const share = budget / 2 / kinds.length;
    const found = await part(basesFor(context, size.cols, shape, share, bases));
    bases.push(...found.bases);
    basisStart += found.start;
  }
  const gpu = executor.name === 'gpu' ? (executor as GpuExecutor).gpu : null;
  return {
    ...{ p, device: executor.name, adapter: gpu?.name ?? null, threads: team?.threads ?? 1 },
    ...{ bindingBytes: gpu === null || gpu.software ? null : gpu.maxBindingBytes, start, basisStart, steps, bases },
  };
}

/** A matrix of `entries`, then the size itself or as large a one as can be afforded, each at two densities. */
async function timeRandom(
  size: Size,
  seconds: number,
  p: number,
  entries: number,
  time: (matrix: ResidueMatrix) => Promise<TimedSteps[]>,
): Promise<TimedSteps[]> {
  const { rows, nnz } = size;
  let making = 0;
  const timeSize = async (of: Size): Promise<TimedSteps[]> => {
    const start = performance.now();
    const matrix = randomResidues(of.rows, of.cols, of.nnz, p);
    making = (performance.now() - start) / 1000;
    return time(matrix);
  };
  const first = scaledSize(size, Math.min(1, entries / nnz), nnz / rows);
  const steps = await timeSize(first);
  if (first.rows === rows) return steps;
  const made = making + Math.min(...steps.map(({ setup }) => setup));
  const affordable = Math.max(2 * first.nnz, (SLOWER * MAKING * seconds * first.nnz) / made);
  if (nnz / rows > 2) steps.push(...(await timeSize(scaledSize(first, 1, first.nnz / first.rows / 3))));
  const dense = Math.max(1, Math.min(nnz / rows, Math.max(FEW, Math.sqrt(nnz / rows), affordable / rows)));
  const share = Math.min(1, affordable / (dense * rows));
  const isWhole = share === 1 && dense === nnz / rows;
  if (!isWhole && dense > 2) steps.push(...(await timeSize(scaledSize(size, share, Math.max(1, dense / 3)))));
  steps.push(...(await timeSize(scaledSize(size, share, dense))));
  return steps;
}

/**
 * The share of each side, but no less than LEAST_SIDE of it: few columns of many rows stay.
 *
 *   density : entries of a row, at most one for each column
 */
function scaledSize({ rows, cols }: Size, share: number, density: number): Size {
  const side = (of: number): number => Math.max(Math.min(of, LEAST_SIDE), Math.round(of * share));
  const [R, C] = [side(rows), side(cols)];
  return { rows: R, cols: C, nnz: Math.round(R * Math.min(density, C)) };
}

/**
 * A small search and larger ones, the largest that should end within what is left of `seconds` each time: a device that
 * a small one does not fill shows only by a larger one what it can do. Memory is made anew, as in a run. Of the first
 * shape the small one is made twice, and `start` is what the first took longer.
 */
async function basesFor(
  context: RunContext,
  N: number,
  shape: PlannedShape,
  seconds: number,
  before: readonly TimedBasis[],
): Promise<{ readonly bases: readonly TimedBasis[]; readonly start: number }> {
  const { m, n } = shape;
  const { p } = context.executor.field;
  const log2q = workingDegree(p, 'block') * Math.log2(p);
  const work = (unknowns: number, of: BlockShape): number => basisWork(unknowns, of, verificationWidth(log2q), log2q);
  const took = ({ looks }: TimedBasis): number => looks.at(-1)!.seconds;
  const orders = context.executor.name === 'gpu' ? LEAST_ORDERS.gpu : LEAST_ORDERS.cpu;
  const least = Math.min(N, Math.ceil((orders * m * n) / (m + n)));
  const other = before.at(-1);
  if (other && (took(other) * work(least, shape)) / work(other.unknowns, other) > 2 * seconds)
    return { bases: [], start: 0 };
  const first = await timeBasis(context, least, shape, N);
  const start = performance.now();
  const bases = [other === undefined ? await timeBasis(context, least, shape, N) : first];
  for (;;) {
    const last = bases.at(-1)!;
    const left = seconds - (performance.now() - start) / 1000;
    let unknowns = N;
    while (unknowns > last.unknowns && (took(last) * work(unknowns, shape)) / work(last.unknowns, shape) > left)
      unknowns /= 2;
    if (Math.floor(unknowns) <= 1.5 * last.unknowns) break;
    bases.push(await timeBasis(context, Math.floor(unknowns), shape, N));
  }
  return { bases, start: Math.max(0, took(first) - took(bases[0]!)) };
}

function distinct<T>(items: readonly T[], key: (item: T) => unknown): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
