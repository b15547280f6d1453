/** Options of benches of products: words that may come several times, and matrices of the study of formats by name. */
import { MATRICES, overModulus, residuesOf } from './formats-matrices.mjs';

/** An option of parseArgs that may come several times, and what it is without. */
export const many = (values) => ({ type: 'string', multiple: true, default: values.map(String) });

/** Each matrix that is asked for, over each modulus: { name, p, a }. */
export function* matricesOf({ matrix, mod }) {
  for (const name of matrix) {
    const known = MATRICES.find((each) => each.name === name);
    if (!known) throw new Error(`--matrix: expected a matrix of the study of formats, got ${name}`);
    const of65521 = residuesOf(known);
    for (const p of mod.map(Number)) yield { name, p, a: overModulus(of65521, p) };
  }
}
