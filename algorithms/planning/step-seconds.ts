/**
 * What steps should take at a size, from those that were timed (machine-rates.ts).
 *
 *   L × N, nnz entries, blocks of n columns on a device
 *
 * A size that was timed counts as it is. Else an entry and a row have a price each, by two matrices of the same sides,
 * and the price at N lies between those of the sides timed; beyond the largest it grows on as it did before, since more
 * of X is out of the caches. For the same reason an entry is no cheaper at larger sides than at smaller ones, whatever
 * was measured. Sides whose steps are the launches of a GPU's dispatches say nothing of entries. The time is linear in
 * n.
 */
import { between, type Estimated, powerOf } from './estimated.js';
import type { MachineRates, Size, TimedSteps } from './machine-rates.js';

export type StepNumbers = Readonly<Record<'setup' | 'step' | 'verifying' | 'gpuBytes', number>>;

const QUANTITIES = ['setup', 'step', 'verifying', 'gpuBytes'] as const;

/** Entries of a random matrix that fall on one place are one. */
const SAME = 0.02;

/**
 * Steps on a GPU are launches of dispatches up to so many times the shortest one: what tells them apart there is by
 * chance (test/bench/RESULTS.md#gpu-plans).
 */
const LAUNCHES = 2;

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
    const all = pricesBySides(rates, width, name);
    const told = all.filter(({ isTold }) => isTold);
    const prices = told.length > 0 ? told : all;
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
  if (last === undefined || !before!.isTold || N <= last.N) return 1;
  if (!(before!.entry > 0 && last.entry > 0)) return 1;
  const power = powerOf([before!.N, last.N], [before!.entry, last.entry]);
  return (N / last.N) ** Math.min(STEEPEST, Math.max(0, power));
}

interface Prices {
  readonly N: number;
  readonly entry: number;
  readonly row: number;
  readonly isTold: boolean; // the steps are more than launches
}

/** At the sides that were timed, from the smallest on. */
function pricesBySides(rates: MachineRates, width: number, name: (typeof QUANTITIES)[number]): Prices[] {
  let least = 0;
  const shortest = Math.min(...rates.steps.filter(({ n }) => n === width).map(({ step }) => step));
  return sidesOf(rates, width).map((N) => {
    const timed = timedAt(rates, width, N);
    const isTold = rates.device !== 'gpu' || timed.some(({ step }) => step > LAUNCHES * shortest);
    const prices = pricesOf(timed, name, least);
    if (isTold) least = Math.max(least, prices.entry);
    return { N, ...prices, isTold };
  });
}

function sidesOf({ steps }: MachineRates, width: number): number[] {
  return [...new Set(steps.filter(({ n }) => n === width).map(({ cols }) => cols))].sort((a, b) => a - b);
}

function timedAt({ steps }: MachineRates, width: number, N: number): TimedSteps[] {
  return steps.filter(({ n, cols }) => n === width && cols === N);
}

/** What an entry, `least` or more, and a row cost, from matrices of the same sides. */
function pricesOf(
  timed: readonly TimedSteps[],
  name: (typeof QUANTITIES)[number],
  least: number,
): Pick<Prices, 'entry' | 'row'> {
  const byEntries = [...timed].sort((a, b) => a.nnz - b.nnz);
  const [few, many] = [byEntries[0]!, byEntries.at(-1)!];
  const [low, high] = [few[name] ?? 0, many[name] ?? 0];
  if (many.nnz < 1.2 * few.nnz) return { entry: high / many.nnz, row: 0 };
  const entry = Math.max(least, (high - low) / (many.nnz - few.nnz));
  const row = (high - entry * many.nnz) / many.rows;
  // Measurements err: no price is negative.
  return row >= 0 ? { entry, row } : { entry: high / many.nnz, row: 0 };
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
