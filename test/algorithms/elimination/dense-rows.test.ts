/** Batches of dense rows against one elimination of all of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FormRows, rankOfDenseRows } from '../../../algorithms/elimination/dense-rows.js';
import { MethodError } from '../../../algorithms/method-error.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { BitMatrix, bytesOfRow } from '../../../kernels/gf2/bit-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** 1500 rows of 60 columns: multiples of 20 rows first, then of 45. */
function row(F: WordPrime, i: number): Uint32Array {
  const random = new CounterRandom(4, i % (i < 1200 ? 20 : 45));
  const factor = 1 + (i % (F.p - 1));
  return random.fillResidues(new Uint32Array(60), F.p).map((x) => F.mul(x, factor));
}

test.each([2, 65521, 2147483647])('the rank of rows in batches mod %i', async (p) => {
  const F = WordPrime.of(p);
  const taken: number[] = [];
  const form: FormRows = (first, rows, to, at) => {
    taken.push(rows);
    for (let t = 0; t < rows; t++) {
      const values = row(F, first + t);
      const place = to.row(at + t);
      if (!(to instanceof BitMatrix)) place.set(values);
      else for (let j = 0; j < 60; j++) place[j >> 5] |= values[j] << (j & 31);
    }
  };
  const all = await rankOfDenseRows(team, F, 1500, 60, form, 2 ** 24);
  expect(taken).toEqual([1500]);
  taken.length = 0;
  // room for 300 rows
  const few = await rankOfDenseRows(team, F, 1500, 60, form, 300 * bytesOfRow(F, 60));
  expect(taken.length).toBeGreaterThan(4);
  expect(few).toBe(all);
  expect(all).toBeGreaterThanOrEqual(p === 2 ? 35 : 45);
  await expect(rankOfDenseRows(team, F, 1500, 60, form, 100 * bytesOfRow(F, 60))).rejects.toThrow(MethodError);
});
