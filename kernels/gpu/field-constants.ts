/** What the field preludes (kernels/wgsl/narrow.wgsl, pairs.wgsl, wide.wgsl) are told about p. */
import { termsBeforeReduction } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Constants } from './gpu-device.js';

// A term adds at most 65535 to each u32 of a sum, and a folded value is as small.
const TERMS = termsBeforeReduction('u32', 65535n, 65535n);

export function fieldConstants(field: WordPrime): Constants {
  const { p } = field;
  if (field.narrow) return { P: p, R16: 65536 % p, TERMS };
  const M = (power: number): number => field.pow(2, power);
  return { P: p, NEGATIVE_INVERSE: negativeInverse(p), M0: M(32), M1: M(48), M2: M(64), M3: M(80), TERMS };
}

/** −1/p mod 2^32 for odd p by Newton's iteration: x ← x·(2 − p·x) doubles the correct bits, and p·p ≡ 1 mod 8. */
function negativeInverse(p: number): number {
  let x = p;
  for (let bits = 3; bits < 32; bits *= 2) x = Math.imul(x, 2 - Math.imul(p, x));
  return -x >>> 0;
}
