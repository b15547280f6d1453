/**
 * What order bases should take at a size, from those that were timed (machine-rates.ts).
 *
 *   N unknowns, R rows and σ orders of the series, n columns
 *
 * Between sizes timed they go with a power of N; beyond them, and for other shapes, with R²·n·σ·log² σ, or more slowly
 * where two sizes or the looks of one did so. Self-check and relations go with R²·n·σ. A search that ends early takes
 * the share that the looks before it took.
 */
import { type BlockShape, sequenceLengths, stopGap } from '../block-wiedemann/block-shape.js';
import { between, type Estimated, powerOf } from './estimated.js';
import type { MachineRates, TimedBasis } from './machine-rates.js';
import type { RunLengths } from './run-lengths.js';

/** A power that nothing shows. */
const UNKNOWN = Number.POSITIVE_INFINITY;

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
  const same = rates.bases.filter(({ m, n }) => m === shape.m && n === shape.n).sort((a, b) => a.unknowns - b.unknowns);
  const base = nearestOf(same.length > 0 ? same : rates.bases, N, shape);
  const bound = boundOf(N);
  const reached = looks.at(-1)!;
  const whole = (quantity: (timed: TimedBasis) => number, ofWork: typeof basisWork, byLooks: number): number => {
    const points = same.map((timed) => [timed.unknowns, quantity(timed)] as const);
    if (same.length > 1 && N <= same.at(-1)!.unknowns) return between(points, N);
    const work = (unknowns: number, of: BlockShape): number => ofWork(unknowns, of, s, log2q);
    const byWork = (quantity(base) * work(N, shape)) / work(base.unknowns, base);
    // A device that small searches do not fill grows more slowly, but no more slowly than N.
    const before = points.at(-2);
    const isKnown = before !== undefined && before[1] > 0 && quantity(base) > 0;
    const bySizes = isKnown ? powerOf([before[0], base.unknowns], [before[1], quantity(base)]) : byLooks;
    const power = Math.max(1, Math.min(bySizes, byLooks));
    return power === UNKNOWN ? byWork : Math.min(byWork, quantity(base) * (N / base.unknowns) ** power);
  };
  const all = whole(
    ({ looks: timed }) => timed.at(-1)!.seconds,
    basisWork,
    same.length > 0 ? growthOfLooks(base) : UNKNOWN,
  );
  const [basis, checking, combining] = [
    rates.basisStart + all * shareOf(base, reached / bound),
    whole((timed) => timed.checking, relationWork, UNKNOWN) * (reached / bound),
    whole((timed) => timed.combining, relationWork, UNKNOWN) * (reached / bound),
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
  return relationWork(N, shape, s, log2q) * Math.log2(2 + bound) ** 2;
}

/** And what is done with its columns behind it with this. */
function relationWork(N: number, shape: BlockShape, s: number, log2q: number): number {
  const { bound } = sequenceLengths(N, shape, s, stopGap(shape, log2q));
  return (shape.m + shape.n + s) ** 2 * shape.n * bound;
}

/** The power of its orders with which a search grew from half of them on. */
function growthOfLooks({ looks }: TimedBasis): number {
  const last = looks.at(-1)!;
  const half = looks.filter(({ order }) => 2 * order <= last.order).at(-1);
  if (half === undefined || !(half.seconds > 0)) return UNKNOWN;
  return powerOf([half.order, last.order], [half.seconds, last.seconds]);
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
