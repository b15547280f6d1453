/**
 * Words that products of a matrix can be asked to calculate in, by name.
 *
 *   u16, u32   the kernels' own integers (storage.ts): p < 2^16, p > 2^16
 *   f32, f64   floating-point numbers with residues 0 … p − 1, or, -balanced, −(p − 1)/2 … (p − 1)/2
 *
 * A name holds a prime where a sum has room for one product beside a residue (floatEntriesBeforeReduction of
 * fields/reduction.ts). Source: Boyer, Dumas, Giorgi 2010, section 3.
 */
import { FloatPrime } from '../../fields/float-prime.js';
import { floatEntriesBeforeReduction, type Residues } from '../../fields/reduction.js';

export const WORDS = ['u16', 'u32', 'f32', 'f64', 'f32-balanced', 'f64-balanced'] as const;

export type Words = (typeof WORDS)[number];

export type FloatName = Exclude<Words, 'u16' | 'u32'>;

export function isFloat(words: Words): words is FloatName {
  return words.startsWith('f');
}

/** Throws RangeError for words that hold no F_p. */
export function checkWords(words: Words, p: number): void {
  if (!wordsHold(words, p)) throw new RangeError(`words ${words}: expected a prime that they hold, got ${p}`);
}

/** Whether products mod p can be made in these words; p = 2 has codes of GF(2^k) beside residues, and no floats. */
export function wordsHold(words: Words, p: number): boolean {
  if (words === 'u16') return p > 1 && p < 2 ** 16;
  if (words === 'u32') return p > 2 ** 16 && p < 2 ** 31;
  const { accumulator, residues } = floatFormat(words);
  return p > 2 && p < 2 ** 31 && floatEntriesBeforeReduction(p, accumulator, residues).general > 0;
}

export interface FloatFormat {
  readonly accumulator: 'f32' | 'f64';
  readonly residues: Residues;
}

export function floatFormat(words: FloatName): FloatFormat {
  const [accumulator, balanced] = words.split('-') as ['f32' | 'f64', string?];
  return { accumulator, residues: balanced ? 'balanced' : 'classical' };
}

/** Canonical residues as bytes of these words. */
export function floatBytes(words: FloatName, p: number, residues: Uint32Array): Uint8Array {
  const { accumulator, residues: representation } = floatFormat(words);
  const field = new FloatPrime(p, accumulator === 'f32' ? 'float32' : 'float64', representation);
  const floats = new (accumulator === 'f32' ? Float32Array : Float64Array)(residues.length);
  for (let k = 0; k < residues.length; k++) floats[k] = field.fromCanonical(residues[k]);
  return new Uint8Array(floats.buffer);
}
