/** What the encoders of rows of vectors have in common. */
import type { RowPart } from './row-code.js';

export const ZERO: readonly number[] = new Array<number>(16).fill(0);

/** The entries of a part by value: those that are 1, then those that are −1, and the others; `plus` are 1. */
export function sortByClass(
  { first, end, values }: RowPart,
  p: number,
): { readonly units: readonly number[]; readonly plus: number; readonly general: readonly number[] } {
  const [units, minus, general]: [number[], number[], number[]] = [[], [], []];
  for (let k = first; k < end; k++) (values[k] === 1 ? units : values[k] === p - 1 ? minus : general).push(k);
  const plus = units.length;
  units.push(...minus);
  return { units, plus, general };
}
