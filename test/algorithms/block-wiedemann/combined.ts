import type { Generator, GeneratorShape } from '../../../algorithms/block-wiedemann/generator.js';
import type { Field } from '../../../fields/field.js';

/** c_j + t·F_j for j from 0 to the larger degree, entry by entry. */
export function combinedByDefinition(
  F: Field<number>,
  { coefficients }: Generator,
  c: Uint32Array,
  { m, s }: GeneratorShape,
  t: Uint32Array,
): Uint32Array {
  const steps = Math.max(c.length / (s * m), coefficients.length / (m * m));
  const out = new Uint32Array(steps * s * m);
  out.set(c);
  for (let j = 0; j * m * m < coefficients.length; j++) {
    for (let a = 0; a < s; a++) {
      for (let i = 0; i < m; i++) {
        for (let l = 0; l < m; l++) {
          const at = (j * s + a) * m + l;
          out[at] = F.add(out[at], F.mul(t[a * m + i], coefficients[(j * m + i) * m + l]));
        }
      }
    }
  }
  return out;
}
