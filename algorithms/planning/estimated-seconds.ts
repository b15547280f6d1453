/**
 * What steps and order bases should take at a size, from those that were timed (machine-rates.ts).
 *
 *   L × N, nnz entries, blocks of n columns on a device
 *
 *   steps   a size that was timed counts as it is. Else an entry and a row have a price each, by two matrices of the
 *           same sides, and the price at N lies between those of the sides timed; beyond the largest it grows on as it
 *           did before, since more of X is out of the caches. For the same reason an entry is no cheaper at larger
 *           sides than at smaller ones, whatever was measured. The time is linear in n.
 *   bases   between sizes timed by a power of N; beyond them, and for other shapes, with R²·n·σ·log² σ, R rows and σ
 *           orders of the series, or more slowly where they did so. A search that ends early takes the share that the
 *           looks before it took.
 */
import { type BlockShape, sequenceLengths, stopGap } from '../block-wiedemann/block-shape.js';
import type { MachineRates, TimedBasis, TimedSteps } from './machine-rates.js';
import type { RunLengths } from './run-lengths.js';

/** A matrix or its transpose, with no fewer rows than columns. */
export interface Size {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
}

export type StepNumbers = Readonly<Record<'setup' | 'step' | 'verifying' | 'gpuBytes', number>>;

export interface Estimated<T> {
  readonly value: T;
  /** How far from what was timed: 'measured' at this size, 'between' sizes, or 'beyond' them. */
  readonly origin: Origin;
  readonly nearest: string; // the size timed that it rests on, in words
}

export type Origin = 'measured' | 'between' | 'beyond';

const QUANTITIES = ['setup', 'step', 'verifying', 'gpuBytes'] as const;

/** Entries of a random matrix that fall on one place are one. */
const SAME = 0.02;

/** The price of an entry grows with this power of N at most where it is carried on. */
const STEEPEST = 1 / 3;

export function stepNumbers(rates: MachineRates, size: Size, n: number): Estimated<StepNumbers> {
  const own = rates.steps.find((timed) => timed.n === n && isSame(timed, size));
  if (own !== undefined) return { value: numbersOf(own), origin: 'measured', nearest: wordsOf(own) };
  const widths = [...new Set(rates.steps.map((timed) => timed.n))].sort((a, b) => a - b);
  const below = widths.filter((width) => width <= n).at(-1);
  const above = widths.find((width) => width >= n);
  const atOne = (width: number): StepNumbers => {
    const exact = rates.steps.find((timed) => timed.n === width && isSame(timed, size));
    return exact === undefined ? atWidth(rates, size, width) : numbersOf(exact);
  };
  // Measurements err: fewer columns take no longer than more.
  const at = (width: number): StepNumbers => {
    const wider = widths.filter((other) => other >= width).map(atOne);
    return numbersBy((name) => Math.min(...wider.map((numbers) => numbers[name])));
  };
  const [largest] = [...rates.steps].sort((a, b) => b.cols - a.cols || b.nnz - a.nnz);
  const isWithin = size.cols <= 1.05 * largest!.cols && size.rows <= 1.05 * largest!.rows;
  const isInside = isWithin && below !== undefined && above !== undefined;
  const how = { origin: isInside ? ('between' as const) : ('beyond' as const), nearest: wordsOf(largest!) };
  if (below !== undefined && above !== undefined && below === above) return { value: at(below), ...how };
  const [first, second] =
    below === undefined
      ? [widths[0]!, widths[1]]
      : above === undefined
        ? [widths.at(-1)!, widths.at(-2)]
        : [below, above];
  const one = at(first!);
  // Half of what a step of n columns takes goes with n where nothing else is known.
  const other = second === undefined ? scaled(one, 0.5) : at(second);
  const share = (n - first!) / ((second ?? 0) - first!);
  const value = (name: (typeof QUANTITIES)[number]): number =>
    Math.max(0.1 * one[name], one[name] + share * (other[name] - one[name]));
  return { value: numbersBy(value), ...how };
}

/** At a width that was timed. */
function atWidth(rates: MachineRates, size: Size, width: number): StepNumbers {
  return numbersBy((name) => {
    const prices = pricesBySides(rates, width, name);
    const at = (price: 'entry' | 'row'): number =>
      between(
        prices.map((each) => [each.N, each[price]]),
        size.cols,
      );
    const growth = name === 'gpuBytes' ? 1 : growthBeyond(rates, size.cols);
    return growth * at('entry') * size.nnz + at('row') * size.rows;
  });
}

/** How much more an entry takes at N than at the largest sides timed, by the steps that moved most columns. */
function growthBeyond(rates: MachineRates, N: number): number {
  const widest = Math.max(...rates.steps.map(({ n }) => n));
  const [before, last] = pricesBySides(rates, widest, 'step').slice(-2);
  if (last === undefined || N <= last.N) return 1;
  if (!(before!.entry > 0 && last.entry > 0)) return 1;
  const power = Math.log(last.entry / before!.entry) / Math.log(last.N / before!.N);
  return (N / last.N) ** Math.min(STEEPEST, Math.max(0, power));
}

interface Prices {
  readonly N: number;
  readonly entry: number;
  readonly row: number;
}

/** At the sides that were timed, from the smallest on. */
function pricesBySides(rates: MachineRates, width: number, name: (typeof QUANTITIES)[number]): Prices[] {
  let least = 0;
  return sidesOf(rates, width).map((N) => {
    const prices = pricesOf(timedAt(rates, width, N), name, least);
    least = Math.max(least, prices.entry);
    return { N, ...prices };
  });
}

function sidesOf({ steps }: MachineRates, width: number): number[] {
  return [...new Set(steps.filter(({ n }) => n === width).map(({ cols }) => cols))].sort((a, b) => a - b);
}

function timedAt({ steps }: MachineRates, width: number, N: number): TimedSteps[] {
  return steps.filter(({ n, cols }) => n === width && cols === N);
}

/** What an entry, `least` or more, and a row cost, from matrices of the same sides. */
function pricesOf(timed: readonly TimedSteps[], name: (typeof QUANTITIES)[number], least: number): Omit<Prices, 'N'> {
  const byEntries = [...timed].sort((a, b) => a.nnz - b.nnz);
  const [few, many] = [byEntries[0]!, byEntries.at(-1)!];
  const [low, high] = [few[name] ?? 0, many[name] ?? 0];
  if (many.nnz < 1.2 * few.nnz) return { entry: high / many.nnz, row: 0 };
  const entry = Math.max(least, (high - low) / (many.nnz - few.nnz));
  const row = (high - entry * many.nnz) / many.rows;
  // Measurements err: no price is negative.
  return row >= 0 ? { entry, row } : { entry: high / many.nnz, row: 0 };
}

/** At N by the points (N_i, y_i): a power of N between two, the nearest beyond them. */
function between(points: readonly (readonly [number, number])[], N: number): number {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (N <= first[0]) return first[1];
  if (N >= last[0]) return last[1];
  const next = points.findIndex(([at]) => at > N);
  const [a, b] = [points[next - 1]!, points[next]!];
  const share = Math.log(N / a[0]) / Math.log(b[0] / a[0]);
  return a[1] > 0 && b[1] > 0 ? a[1] * (b[1] / a[1]) ** share : a[1] + share * (b[1] - a[1]);
}

/** Of a whole run: order basis, its self-check, and the relations. */
export interface BasisSeconds {
  readonly basis: number;
  readonly checking: number;
  readonly combining: number;
}

export function basisSecondsOf(
  rates: MachineRates,
  N: number,
  shape: BlockShape,
  s: number,
  log2q: number,
  { looks }: Pick<RunLengths, 'looks'>,
): Estimated<BasisSeconds> {
  const boundOf = (unknowns: number): number => sequenceLengths(unknowns, shape, s, stopGap(shape, log2q)).bound;
  const work = (unknowns: number, of: BlockShape): number => basisWork(unknowns, of, s, log2q);
  const same = rates.bases.filter(({ m, n }) => m === shape.m && n === shape.n).sort((a, b) => a.unknowns - b.unknowns);
  const base = nearestOf(same.length > 0 ? same : rates.bases, N, shape);
  const bound = boundOf(N);
  const reached = looks.at(-1)!;
  const whole = (quantity: (timed: TimedBasis) => number): number => {
    const points = same.map((timed) => [timed.unknowns, quantity(timed)] as const);
    if (same.length > 1 && N <= same.at(-1)!.unknowns) return between(points, N);
    const byWork = (quantity(base) * work(N, shape)) / work(base.unknowns, base);
    const before = points.at(-2);
    if (before === undefined || !(before[1] > 0 && quantity(base) > 0)) return byWork;
    // A device that small searches do not fill grows more slowly, but no more slowly than N.
    const power = Math.log(quantity(base) / before[1]) / Math.log(base.unknowns / before[0]);
    return Math.min(byWork, quantity(base) * (N / base.unknowns) ** Math.max(1, power));
  };
  const all = whole(({ looks: timed }) => timed.at(-1)!.seconds);
  const [basis, checking, combining] = [
    rates.basisStart + all * shareOf(base, reached / bound),
    whole((timed) => timed.checking) * (reached / bound),
    whole((timed) => timed.combining),
  ];
  const origin =
    base.m === shape.m && base.n === shape.n && base.unknowns === N
      ? 'measured'
      : same.length > 1 && N <= same.at(-1)!.unknowns
        ? 'between'
        : 'beyond';
  return {
    value: { basis, checking, combining },
    origin,
    nearest: `${base.unknowns} unknowns in blocks of ${base.m} x ${base.n}`,
  };
}

/** What an order basis takes goes with this. */
export function basisWork(N: number, shape: BlockShape, s: number, log2q: number): number {
  const { bound } = sequenceLengths(N, shape, s, stopGap(shape, log2q));
  return (shape.m + shape.n + s) ** 2 * shape.n * bound * Math.log2(2 + bound) ** 2;
}

function nearestOf(bases: readonly TimedBasis[], N: number, { n }: BlockShape): TimedBasis {
  const distance = (timed: TimedBasis): number =>
    4 * Math.abs(Math.log2(timed.n / n)) + Math.abs(Math.log2(timed.unknowns / N));
  return bases.reduce((best, timed) => (distance(timed) < distance(best) ? timed : best));
}

/** The share of the whole search that the looks up to a share of its orders take. */
function shareOf({ looks }: TimedBasis, orders: number): number {
  const last = looks.at(-1)!;
  let [before, taken] = [0, 0];
  for (const look of looks) {
    const [at, seconds] = [look.order / last.order, look.seconds / last.seconds];
    if (at >= orders) return taken + ((seconds - taken) * (orders - before)) / (at - before);
    [before, taken] = [at, seconds];
  }
  return orders;
}

function isSame(timed: Size, { rows, cols, nnz }: Size): boolean {
  return timed.rows === rows && timed.cols === cols && Math.abs(timed.nnz - nnz) <= SAME * nnz;
}

function numbersOf({ setup, step, verifying, gpuBytes }: TimedSteps): StepNumbers {
  return { setup, step, verifying, gpuBytes: gpuBytes ?? 0 };
}

function numbersBy(value: (name: (typeof QUANTITIES)[number]) => number): StepNumbers {
  return {
    setup: value('setup'),
    step: value('step'),
    verifying: value('verifying'),
    gpuBytes: value('gpuBytes'),
  };
}

function scaled(numbers: StepNumbers, factor: number): StepNumbers {
  return numbersBy((name) => factor * numbers[name]);
}

function wordsOf({ rows, cols, nnz, n }: TimedSteps): string {
  return `${rows} x ${cols} with ${nnz} entries, ${n} columns`;
}
