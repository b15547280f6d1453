/** How products are computed: by the definition only where that costs less than any transform. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import { schedule, type Transforms } from '../../../kernels/poly/mul-plan.js';
import { Transforms14Bit } from '../../../kernels/poly/ntt-primes-14bit.js';
import { Transforms21Bit } from '../../../kernels/poly/ntt-primes-21bit.js';
import type { PolyMatrix } from '../../../kernels/poly/poly-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const matrix = (rows: number, cols: number, length: number): PolyMatrix => ({
  at: 0,
  rows,
  cols,
  length,
  stride: length,
});

function plan(p: number, a: PolyMatrix, b: PolyMatrix, from: number, count: number) {
  const field = WordPrime.of(p);
  const transforms: Transforms[] = [new Transforms21Bit(team.memory, field)];
  if (Transforms14Bit.fits(field)) transforms.push(new Transforms14Bit(team.memory, field));
  const total = a.length + b.length - 1;
  const found = schedule({ a, b, from, count, total, modulus: field.modulus }, transforms);
  for (const each of transforms) each.dispose();
  return found;
}

// Blocks of 128 x 64 and 512 x 256, with rows that verify: transforms of P take more memory than most products have.
test.each([
  [132, 64],
  [516, 256],
])('an order basis of %i + %i rows of any length is multiplied by transforms', (m, n) => {
  const R = m + n;
  for (const p of [65521, 2147483629]) {
    for (const length of [64, 280, 500, 1000]) {
      const basis = matrix(R, R, length);
      for (const count of [100, length])
        expect(plan(p, basis, matrix(R, n, 7 * length), 3 * length, count), `residual ${p} ${length}`).toMatchObject({
          kind: 'transforms',
        });
      expect(plan(p, basis, basis, 0, 2 * length - 1), `product ${p} ${length}`).toMatchObject({ kind: 'transforms' });
    }
  }
});

test('few coefficients, and those of short factors, come by the definition', () => {
  expect(plan(65521, matrix(48, 48, 400), matrix(48, 16, 900), 500, 1)).toEqual({ kind: 'direct' });
  expect(plan(65521, matrix(2, 2, 4), matrix(2, 2, 4), 0, 7)).toEqual({ kind: 'direct' });
});
