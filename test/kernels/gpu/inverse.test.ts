/** Inverses on a GPU (kernels/residues/inverse.wgsl): a·a⁻¹ = 1. */
import { beforeEach, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { skipOf } from '../../gpu.js';
import { evaluate } from './evaluate.js';

/** 433494437 is one of Fibonacci’s numbers, whose neighbour has the longest chain of quotients. */
const PRIMES = [2, 3, 101, 65521, 65537, 433494437, 2147483629, 2147483647];

describe.each(PRIMES)('mod %i', (p) => {
  beforeEach(skipOf('gpu'));
  const field = WordPrime.of(p);

  test('of small and large residues, of quotients up to p, of chains of ones, and of random residues', async () => {
    const near = (x: number): number[] => [-2, -1, 0, 1, 2].map((d) => Math.round(x) + d);
    const golden = Array.from({ length: 30 }, (_, i) => p / 1.618033988749895 ** (i + 1)).flatMap(near);
    const powers = Array.from({ length: 32 }, (_, i) => 2 ** i).flatMap(near);
    const parts = Array.from({ length: 40 }, (_, i) => p / (i + 1)).flatMap(near);
    const random = new CounterRandom(7, 0);
    const some = Array.from({ length: 4096 }, (_, i) => random.residueAt(i, p));
    const residues = [...golden, ...powers, ...parts, ...some].filter((a) => a > 0 && a < p);
    const words = new Uint32Array(16 * Math.ceil(residues.length / 4)).fill(1);
    for (const [n, a] of residues.entries()) words[16 * Math.floor(n / 4) + (n % 4)] = a;
    const each = 'for (var k = 0u; k < 4u; k++) { out[id.x][k] = inverse(g[0][k]); }';
    const found = await evaluate(field, words, each, [field.isU16 ? 'u16' : 'u32', 'inverse']);
    for (const [n, a] of residues.entries()) {
      expect(found[n], `1/${a}`).toBeLessThan(p);
      expect(field.mul(a, found[n]!), `1/${a}`).toBe(1 % p);
    }
  });
});
