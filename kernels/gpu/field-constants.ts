/** The constants of p for the residue preludes (kernels/residues/u16.wgsl, u16x2.wgsl, u32.wgsl and u32-sums.wgsl). */
import { inverseModWord } from '../../fields/inverse.js';
import { gpuTermsBeforeFolding } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Constants } from './device.js';

/** Longer sums gain nothing. */
const MOST_TERMS = 2 ** 16;

export function fieldConstants(field: WordPrime): Constants {
  const { p } = field;
  const TERMS = Math.min(MOST_TERMS, gpuTermsBeforeFolding(p));
  if (field.isU16) return { P: p, TERMS };
  const [POWER_64, POWER_80] = [64, 80].map((power) => field.pow(2, power)) as [number, number];
  return { P: p, P_INVERSE: inverseModWord(p), POWER_64, POWER_80, TERMS };
}
