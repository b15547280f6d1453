import type { Generator } from '../../../algorithms/block-wiedemann/generator.js';
import type { Field } from '../../../fields/field.js';

/** (t·F)_j for j = 0, 1, …, each s × m, entry by entry. */
export function combinedByDefinition(
  F: Field<number>,
  { coefficients }: Generator,
  { m, s }: { readonly m: number; readonly s: number },
  t: Uint32Array,
): Uint32Array {
  const steps = coefficients.length / (m * m);
  const out = new Uint32Array(steps * s * m);
  for (let j = 0; j < steps; j++) {
    for (let a = 0; a < s; a++) {
      for (let i = 0; i < m; i++) {
        for (let l = 0; l < m; l++) {
          const at = (j * s + a) * m + l;
          out[at] = F.add(out[at]!, F.mul(t[a * m + i]!, coefficients[(j * m + i) * m + l]!));
        }
      }
    }
  }
  return out;
}
