/** What the field preludes (kernels/residues/u16.wgsl, u16x2.wgsl, u32.wgsl) are told about p. */
import { negativeInverseModWord } from '../../fields/inverse.js';
import { termsBeforeReduction } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Constants } from './device.js';

export function fieldConstants(field: WordPrime): Constants {
  const { p } = field;
  const TERMS = termsBeforeFolding(p);
  if (field.isU16) return { P: p, TERMS };
  const M = (power: number): number => field.pow(2, power);
  return { P: p, NEGATIVE_INVERSE: negativeInverseModWord(p), M0: M(32), M1: M(48), M2: M(64), M3: M(80), TERMS };
}

/**
 * Products that a sum holds; a ±1 entry is less than a product. p < 2^16: a product is 255·(p − 1) at most in each word,
 * beside a folded value, and 256·(p − 1) more when the words are put together. Else 65535 in each word, beside as much.
 */
export function termsBeforeFolding(p: number): number {
  if (p >= 2 ** 16) return termsBeforeReduction('u32', 65535n, 65535n);
  const r = BigInt(p - 1);
  return Math.min(2 ** 16, termsBeforeReduction('u32', 255n * (r === 0n ? 1n : r), 257n * r));
}
