/**
 * Arrays of numbers alone are compared number by number. What `toEqual` does by itself lists the keys of both, which
 * takes most of the time of a test that compares a million residues; where they differ it does so, and shows what
 * differs.
 */
import { expect } from 'vitest';

type Numbers = ArrayLike<number | bigint>;

function isNumbers(x: unknown): x is Numbers {
  return Array.isArray(x) || (ArrayBuffer.isView(x) && !(x instanceof DataView));
}

/** true of equal ones of one class; undefined leaves the answer to others. */
function equalNumbers(a: unknown, b: unknown): true | undefined {
  if (!isNumbers(a) || !isNumbers(b) || a.constructor !== b.constructor || a.length !== b.length) return undefined;
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    if ((typeof x !== 'number' && typeof x !== 'bigint') || !Object.is(x, b[i])) return undefined;
  }
  return true;
}

expect.addEqualityTesters([equalNumbers]);
