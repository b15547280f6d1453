/** Estimates by sizes that were timed: between two of them, and beyond. */

export interface Estimated<T> {
  readonly value: T;
  /** How far from what was timed: 'measured' at this size, 'between' sizes, or 'beyond' them. */
  readonly origin: Origin;
  readonly nearest: string; // the size timed that it rests on, in words
}

export type Origin = 'measured' | 'between' | 'beyond';

/** At N by the points (N_i, y_i): a power of N between two, the nearest beyond them. */
export function between(points: readonly (readonly [number, number])[], N: number): number {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (N <= first[0]) return first[1];
  if (N >= last[0]) return last[1];
  const next = points.findIndex(([at]) => at > N);
  const [a, b] = [points[next - 1]!, points[next]!];
  const share = Math.log(N / a[0]) / Math.log(b[0] / a[0]);
  return a[1] > 0 && b[1] > 0 ? a[1] * (b[1] / a[1]) ** share : a[1] + share * (b[1] - a[1]);
}

/** e where y goes with x^e. */
export function powerOf([x0, x1]: readonly [number, number], [y0, y1]: readonly [number, number]): number {
  return Math.log(y1 / y0) / Math.log(x1 / x0);
}
