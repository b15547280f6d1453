/** The entries of a solution as they are written: residues, or fractions as integers and strings. */
import { gcd } from '../../fields/inverse.js';
import type { Values } from '../io/write-dense.js';
import type { Fractions, Residues } from './outcome.js';

/** Bits of a denominator up to which coordinates are brought to lowest terms one by one; larger ones stay common. */
const LOWEST_TERMS = 1n << 4096n;

export function valuesOf(value: Residues | Fractions): Values {
  if (!('denominators' in value)) return value;
  const { numerators, denominators } = value;
  return numerators.map((numerator, k) => {
    const denominator = denominators[k % denominators.length]!;
    if (numerator % denominator === 0n) return numerator / denominator;
    const divisor = denominator < LOWEST_TERMS ? gcd(numerator < 0n ? -numerator : numerator, denominator) : 1n;
    return `${numerator / divisor}/${denominator / divisor}`;
  });
}
