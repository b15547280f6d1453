/** The constants of p for the residue preludes (kernels/residues/u16.wgsl, u16x2.wgsl, u32.wgsl). */
import { negativeInverseModWord } from '../../fields/inverse.js';
import { gpuTermsBeforeFolding } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Constants } from './device.js';

/** Longer sums gain nothing. */
const MOST_TERMS = 2 ** 16;

export function fieldConstants(field: WordPrime): Constants {
  const { p } = field;
  const TERMS = Math.min(MOST_TERMS, gpuTermsBeforeFolding(p));
  if (field.isU16) return { P: p, TERMS };
  const M = (power: number): number => field.pow(2, power);
  return { P: p, NEGATIVE_INVERSE: negativeInverseModWord(p), M0: M(32), M1: M(48), M2: M(64), M3: M(80), TERMS };
}
