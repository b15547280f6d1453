/** verifyCertificate: its verdict answers what the caller asked, and nothing that could be taken for it. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  EntryError,
  OptionError,
  rank,
  SparseMatrix,
  StructureError,
  type VerifyOptions,
  verifyCertificate,
} from '../../src/index.js';

// Rank 2: row 2 is twice row 1. Mod 5 the last entry is 0.
const A = SparseMatrix.fromTriplets(3, 4, [
  [0, 0, 1],
  [0, 2, -1],
  [1, 0, 2],
  [1, 2, -2],
  [2, 3, 5],
]);
const P = 65521;
let both = '';
let lower = ''; // only rank ≥ 2 of a matrix of 3 rows that are not 0
beforeAll(async () => {
  both = (await rank(A, { mod: P, certificate: true })).certificate!;
  lower = both.replace(/"upper": \[[^\]]*\]/, '"upper": null');
  expect(lower).not.toBe(both);
});

describe('holds only where what is asked is shown', () => {
  const shown = { rank: 2, mod: 65521n, lowerBound: 2, upperBound: 2, errorLog2: -64 };
  const lowerShown = { ...shown, upperBound: null };
  const nothing = { ...shown, lowerBound: null, upperBound: null };

  test.each<[VerifyOptions | undefined, string]>([
    [undefined, ''],
    [{}, ''],
    [{ mod: P, rank: 2 }, ''],
    [{ mod: 65521n, atLeast: 1 }, ''],
    [{ mod: '65521' }, ''],
    [{ rank: 3 }, 'it shows rank 2, not 3'],
    [{ rank: 1 }, 'it shows rank 2, not 1'],
    [{ rank: 0 }, 'it shows rank 2, not 0'],
    [{ atLeast: 3 }, 'it shows rank 2, not 3 or more'],
  ])('both bounds, %o', (options, reason) => {
    expect(verifyCertificate(both, A, options)).toEqual({ ...shown, holds: reason === '', reason });
  });

  test.each<[VerifyOptions | undefined, string]>([
    [undefined, 'it shows no more than rank ≥ 2'],
    [{ rank: 2 }, 'it shows no more than rank ≥ 2'],
    [{ rank: 0 }, 'it shows rank 2 or more, not 0'],
    [{ atLeast: 0 }, ''],
    [{ atLeast: 2 }, ''],
    [{ atLeast: 3 }, 'it shows rank 2, not 3 or more'],
  ])('the lower bound alone, %o', (options, reason) => {
    expect(verifyCertificate(lower, A, options)).toEqual({ ...lowerShown, holds: reason === '', reason });
  });

  test('another modulus, sizes or matrix show nothing', () => {
    const other = SparseMatrix.fromTriplets(3, 4, [[0, 0, 1]]);
    const wider = SparseMatrix.fromTriplets(3, 5, [[0, 0, 1]]);
    expect(verifyCertificate(both, A, { mod: 7 })).toEqual({
      ...{ ...nothing, holds: false },
      reason: 'it is about the rank mod 65521, not 7',
    });
    expect(verifyCertificate(both, wider)).toMatchObject({ ...nothing, holds: false });
    for (const atLeast of [0, 1]) {
      expect(verifyCertificate(both, other, { atLeast })).toMatchObject({ ...nothing, holds: false });
    }
  });

  test('of a structured clone of the matrix, too', () => {
    expect(verifyCertificate(both, structuredClone(A.toParts()), { rank: 2 })).toMatchObject({ ...shown, holds: true });
  });

  test('rank 0, without a bound above it, is not shown by a wrong answer', async () => {
    const zero = SparseMatrix.fromTriplets(2, 2, [[0, 0, 5]]);
    const text = (await rank(zero, { mod: 5, certificate: true })).certificate!;
    expect(verifyCertificate(text, zero)).toMatchObject({ holds: true, rank: 0, lowerBound: 0, upperBound: 0 });
    const claimed = both.replace('"rank": 2', '"rank": 0').replace(/"pivot(....)": "[^"]*"/g, '"pivot$1": ""');
    const none = claimed.replace(/"[A-Za-z0-9+/]{6,}=*"(?=[,\n])(?!,\n "(?:polynomial|lower))/g, '""');
    const forged = none.replace(/"sha256": "[^"]*"/, /"sha256": "[^"]*"/.exec(both)![0]);
    const verdict = verifyCertificate(forged.replace(/"seed": "[^"]*"/, '"seed": "1"'), A);
    expect(verdict).toMatchObject({ holds: false, rank: 0, lowerBound: null, upperBound: null });
    expect(verdict.reason).toContain('challenge 0 of the upper bound');
  });
});

describe('one line for what cannot be asked', () => {
  test.each<[unknown, RegExp]>([
    [{ mode: 7 }, /^verifyCertificate: no option named 'mode'; there are mod, rank, atLeast$/],
    [{ 'a\u001b[2K': 7 }, /named 'a\\x1b\[2K'/],
    [7, /^verifyCertificate: expected options, got 7$/],
    [null, /^verifyCertificate: expected options, got null$/],
    [{ mod: 1.5 }, /^mod: expected a prime, got 1.5$/],
    [{ mod: 'seven\n' }, /^mod: expected a prime, got 'seven\\x0a'$/],
    [{ mod: {} }, /^mod: expected a prime, got an object with nothing in it$/],
    [{ rank: '2' }, /^rank: expected a rank, got '2'$/],
    [{ rank: -1 }, /^rank: expected a rank, got -1$/],
    [{ rank: 2n }, /^rank: expected a rank, got 2$/],
    [{ atLeast: Number.NaN }, /^atLeast: expected a rank, got NaN$/],
    [{ rank: null }, /^rank: expected a rank, got null$/],
    [{ rank: 2, atLeast: 1 }, /^verifyCertificate: expected rank or atLeast, got both$/],
  ])('options %o', (options, message) => {
    const ask = (): unknown => verifyCertificate(both, A, options as VerifyOptions);
    expect(ask).toThrow(OptionError);
    expect(ask).toThrow(message);
  });

  test('a matrix that is none, a text that is none, an entry without a residue', () => {
    for (const matrix of [undefined, null, 'm.sms', [[1]], { rows: 3, cols: 4 }]) {
      expect(() => verifyCertificate(both, matrix as never)).toThrow(OptionError);
    }
    expect(() => verifyCertificate(both, { ...A.toParts(), rowIdx: Uint32Array.of(9) })).toThrow(StructureError);
    for (const text of [undefined, null, 7, {}, new Uint8Array(3)]) {
      expect(() => verifyCertificate(text as never, A)).toThrow(/^certificate: text: expected a string, got/);
    }
    const fraction = SparseMatrix.fromTriplets(3, 4, [[0, 0, '1/65521']]);
    expect(() => verifyCertificate(both, fraction)).toThrow(EntryError);
  });
});
