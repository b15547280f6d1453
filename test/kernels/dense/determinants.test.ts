import { describe, expect, test } from 'vitest';
import { denseDeterminant } from '../../../algorithms/reference/dense-elimination.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { determinants } from '../../../kernels/dense/determinants.js';
import { Team } from '../../../kernels/threads/team.js';

const PRIMES = [2, 3, 5, 7, 101, 2039, 32749, 65521, 65537, 2147483629, 2147483647];
const SIZES = [0, 1, 2, 3, 4, 5, 8, 9, 17, 32];

describe('determinants of many matrices', () => {
  test('the kernel agrees with elimination over the table of primes and sizes around whole vectors', async () => {
    const team = await Team.create(1);
    for (const p of PRIMES) {
      const F = WordPrime.of(p);
      for (const s of SIZES) {
        const random = new CounterRandom(3, s);
        const count = s === 0 ? 0 : 6;
        const matrices = random.fillResidues(new Uint32Array(count * s * s), p);
        // row exchanges, a singular matrix, the largest residues
        if (s > 1) {
          matrices.fill(0, 0, s - 1);
          matrices.copyWithin(s * s, s * s + s, s * s + 2 * s);
          matrices.fill(p - 1, 2 * s * s, 2 * s * s + s * (s - 1));
        }
        const kept = matrices.slice();
        const expected = Array.from({ length: count }, (_, k) =>
          denseDeterminant(
            F,
            Array.from({ length: s }, (_, i) => [...matrices.subarray((k * s + i) * s, (k * s + i + 1) * s)]),
          ),
        );
        expect([...determinants(team, F, matrices, s)], `p = ${p}, s = ${s}`).toEqual(expected);
        expect(matrices).toEqual(kept);
        if (s > 1) expect(expected[1]).toBe(0);
      }
    }
    await team.dispose();
  });

  test('nothing stays allocated, and half a matrix is refused', async () => {
    const team = await Team.create(1);
    const F = WordPrime.of(101);
    determinants(team, F, new Uint32Array(50), 5);
    const peak = team.memory.peakBytes;
    for (let i = 0; i < 20; i++) determinants(team, F, new Uint32Array(50), 5);
    expect(team.memory.peakBytes).toBe(peak);
    expect(() => determinants(team, F, new Uint32Array(30), 5)).toThrow('expected whole 5 × 5 matrices');
    await team.dispose();
  });
});
