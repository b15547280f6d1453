/**
 * What of a machine's rates is measured within some seconds, for a plan: steps and order bases at the sizes asked for
 * where time allows it, else as near to them as it allows, and at smaller ones, so that they show how times grow.
 *
 * Steps are timed with the matrix itself where there is one. Random ones keep the sides before the entries, because
 * vectors out of the caches are what a large run waits for; two of the same sides price a row and an entry.
 *
 * The least is made whatever it takes: a tiny matrix; the one that is there, or up to three random ones of FIRST
 * entries at most, or of LEAST_SIDE rows where these have more; and the smallest order basis of the first shape, twice.
 * The rest is made where what was made before says that there is time for it, and on a GPU the smallest order basis of
 * each other shape, for what narrower blocks do not fill says little of it.
 */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { workingDegree } from '../block-wiedemann/extension-degree.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import { basisWork } from './basis-seconds.js';
import type { MachineRates, Size, TimedBasis, TimedSteps } from './machine-rates.js';

/** A block shape, and the columns of it that one device has. */
export interface PlannedShape extends BlockShape {
  readonly columns: number;
}

/** A device, and the clock by which it is timed. */
export interface Timers {
  readonly kind: 'cpu' | 'gpu';
  readonly p: number;
  now(): number; // seconds
  make(size: Size): ResidueMatrix;
  /** `seconds` for all shapes together, beside their setup. */
  steps(matrix: ResidueMatrix, shapes: readonly BlockShape[], seconds: number): Promise<TimedSteps[]>;
  /** By the engine that serves `of` unknowns. */
  basis(unknowns: number, shape: BlockShape, of: number): Promise<TimedBasis>;
}

/** Shares of the budget: the steps of a matrix at most, of small ones; and all of steps. */
const TIMING = 1 / 8;
const SMALL = { cpu: 1 / 48, gpu: 1 / 32 };
const STEPS = 0.6;

/**
 * Entries of the first random matrix, unless LEAST_SIDE rows have more; what a third of them takes then says how many
 * can be afforded. What a GPU takes to store a matrix of few is not to count as theirs.
 */
const FIRST = { cpu: 1e5, gpu: 1e6 };

/** Entries at most: the memory of threads is bounded, and vectors are far out of the caches. */
const MOST_ENTRIES = 5e7;

/** Steps of each kind that are timed at least (seconds-each.ts). */
const LEAST_STEPS = 3;

/** Entries of the second of two matrices of the same sides, times those of the first; below that it says little. */
const TIMES = 3;
const ALIKE = 1.3;

/** Entries that take as long as a row to be made and set up: a GPU stores entries quickly. */
const ROW = { cpu: 2, gpu: 12 };

/** Entries a row at least where the sides could not be kept otherwise, of a dense matrix the root of its own. */
const FEW = 6;
const LEAST_SIDE = 2048;
const TINY = { rows: 256, cols: 256, nnz: 1024 };

/** Orders of a basis at least, so that its products are those of a long one: on a GPU beyond gpu-crossover.ts. */
const LEAST_ORDERS = { cpu: 96, gpu: 288 };

export async function ratesWithin(
  budget: number,
  timers: Timers,
  size: Size,
  shapes: readonly PlannedShape[],
  matrix: ResidueMatrix | null,
): Promise<Pick<MachineRates, 'start' | 'basisStart' | 'steps' | 'bases'>> {
  const begun = timers.now();
  const left = (share: number): number => begun + share * budget - timers.now();
  const widths = outermost(shapes).map(({ m, columns }) => ({ m, n: columns }));
  const [{ setup: start }] = await timers.steps(timers.make(TINY), [{ m: 8, n: 4 }], 0);
  const steps =
    matrix === null
      ? await timeRandom(timers, size, widths, budget, () => left(STEPS))
      : await timers.steps(matrix, widths, TIMING * budget);
  const kinds = distinct(shapes, ({ m, n }) => `${m}x${n}`).sort((a, b) => a.n - b.n);
  const end = timers.now() + Math.min(budget / 2, left(1));
  const bases: TimedBasis[] = [];
  let basisStart = 0;
  let last: Spent | null = null;
  for (const [at, shape] of kinds.entries()) {
    const share = (end - timers.now()) / (kinds.length - at);
    const found: Bases = await timeBases(timers, size.cols, shape, share, last);
    bases.push(...found.bases.map(({ timed }) => timed));
    basisStart += found.start;
    last = found.bases.at(-1) ?? last;
  }
  return { start, basisStart, steps, bases };
}

/** A matrix of FIRST entries, then the size itself or as large a one as can be afforded, each at two densities. */
async function timeRandom(
  timers: Timers,
  size: Size,
  widths: readonly BlockShape[],
  budget: number,
  left: () => number,
): Promise<TimedSteps[]> {
  const { rows, nnz } = size;
  const row = ROW[timers.kind];
  // Seconds of the last matrix: to be made and set up, and of the steps that are timed at least.
  let [making, stepping, last] = [0, 0, 0];
  const timeSize = async (of: Size, seconds: number): Promise<TimedSteps[]> => {
    const start = timers.now();
    const matrix = timers.make(of);
    making = timers.now() - start;
    last = of.nnz + row * of.rows;
    const timed = await timers.steps(matrix, widths, seconds);
    making += timed.reduce((sum, { setup }) => sum + setup, 0);
    stepping = LEAST_STEPS * timed.reduce((sum, { step }) => sum + step, timed[0]!.verifying);
    return timed;
  };
  // Seconds of steps of each of `count` matrices more: little where little is left, so that they are large.
  const timing = (count: number): number => Math.max(0, Math.min(TIMING * budget, left() / (2 * (count + 1))));
  // What can be afforded, `count` matrices more, in entries and `row` for each row.
  const affordable = (count: number): number => {
    const times = Math.min((left() - count * timing(count)) / making, left() / (making + stepping));
    return Math.max(0, times) * last;
  };
  const density = nnz / rows;
  const first = scaledSize(size, Math.min(1, FIRST[timers.kind] / nnz), density);
  const small = SMALL[timers.kind] * budget;
  const steps = await timeSize(first, small);
  if (first.rows === rows) return steps;
  if (density > 2) steps.push(...(await timeSize(scaledSize(first, 1, first.nnz / first.rows / TIMES), small)));
  if (nnz <= MOST_ENTRIES && affordable(1) >= nnz + row * rows) return [...steps, ...(await timeSize(size, timing(1)))];
  // Two matrices of as many rows, the second of `dense` entries each: dense + dense / TIMES and 2·row a row.
  const perRow = affordable(2) / rows;
  const entries = 1 + 1 / TIMES;
  const dense = Math.max(1, Math.min(density, Math.max(FEW, Math.sqrt(density), (perRow - 2 * row) / entries)));
  const share = Math.min(
    1,
    MOST_ENTRIES / (dense * rows),
    Math.max((2 * first.nnz) / (dense * rows), perRow / (2 * row + entries * dense)),
  );
  let most = dense;
  if (dense > 2) {
    const least = Math.max(1, dense / TIMES);
    steps.push(...(await timeSize(scaledSize(size, share, least), timing(2))));
    most = Math.min(density, MOST_ENTRIES / (share * rows), affordable(1) / (share * rows) - row);
    if (most < ALIKE * least) return steps;
  }
  steps.push(...(await timeSize(scaledSize(size, share, most), timing(1))));
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

/** An order basis, and all that it took to time it. */
interface Spent {
  readonly timed: TimedBasis;
  readonly seconds: number;
}

interface Bases {
  readonly bases: readonly Spent[];
  readonly start: number;
}

/**
 * A small search and larger ones, the largest that should end within what is left of `seconds` each time: a device that
 * a small one does not fill shows only by a larger one what it can do. Memory is made anew, as in a run. Of the first
 * shape the small one is made twice, and `start` is what the first took longer.
 */
async function timeBases(
  timers: Timers,
  N: number,
  shape: PlannedShape,
  seconds: number,
  before: Spent | null,
): Promise<Bases> {
  const { m, n } = shape;
  const log2q = workingDegree(timers.p, 'block') * Math.log2(timers.p);
  const s = verificationWidth(log2q);
  const expected = (unknowns: number, { timed, seconds: took }: Spent): number =>
    (took * basisWork(unknowns, shape, s, log2q)) / basisWork(timed.unknowns, timed, s, log2q);
  const begun = timers.now();
  const time = async (unknowns: number): Promise<Spent> => {
    const start = timers.now();
    const timed = await timers.basis(unknowns, shape, N);
    return { timed, seconds: timers.now() - start };
  };
  const least = Math.min(N, Math.ceil((LEAST_ORDERS[timers.kind] * m * n) / (m + n)));
  if (before !== null && timers.kind === 'cpu' && expected(least, before) > seconds) return { bases: [], start: 0 };
  const first = await time(least);
  const bases = [before === null ? await time(least) : first];
  for (;;) {
    const last = bases.at(-1)!;
    const left = seconds - (timers.now() - begun);
    let unknowns = N;
    while (unknowns > last.timed.unknowns && expected(unknowns, last) > left) unknowns /= 2;
    if (Math.floor(unknowns) <= 1.5 * last.timed.unknowns) break;
    bases.push(await time(Math.floor(unknowns)));
  }
  const [long, short] = [first, bases[0]!].map(({ timed }) => timed.looks.at(-1)!.seconds);
  return { bases, start: Math.max(0, long! - short!) };
}

/** The most and the fewest columns of a device: between them steps are linear in these. */
function outermost(shapes: readonly PlannedShape[]): PlannedShape[] {
  const widths = distinct(shapes, ({ columns }) => columns).sort((a, b) => b.columns - a.columns);
  return widths.filter((_, at) => at === 0 || at === widths.length - 1);
}

function distinct<T>(items: readonly T[], key: (item: T) => unknown): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
