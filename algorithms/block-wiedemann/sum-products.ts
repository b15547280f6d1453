/**
 * Σ_i E_i·S_i over GF(q), E_i : rows × inner and S_i : inner × cols codes, on the host.
 *
 * Over F_p factors are cut in 16 bits: 32 products of at most 2^16·2^31 are below 2^53, so that doubles add them
 * exactly.
 */
import type { WorkingField } from './working-field.js';

const TERMS = 32;
const CUT = 2 ** 16;

export interface SumShape {
  readonly count: number;
  readonly rows: number;
  readonly inner: number;
  readonly cols: number;
}

/** `factors` are E_0, E_1, … one after another. */
export function sumProducts(
  working: WorkingField,
  factors: Uint32Array,
  blockAt: (i: number) => Uint32Array,
  shape: SumShape,
): Uint32Array {
  return working.degree === 1
    ? sumModulo(working.base.p, factors, blockAt, shape)
    : sumOver(working, factors, blockAt, shape);
}

function sumModulo(
  p: number,
  factors: Uint32Array,
  blockAt: (i: number) => Uint32Array,
  { count, rows, inner, cols }: SumShape,
): Uint32Array {
  const out = new Uint32Array(rows * cols);
  const low = new Float64Array(cols);
  const high = new Float64Array(cols);
  for (let i = 0; i < count; i++) {
    const block = blockAt(i);
    for (let a = 0; a < rows; a++) {
      const at = (i * rows + a) * inner;
      for (let first = 0; first < inner; first += TERMS) {
        low.fill(0);
        high.fill(0);
        for (let r = first; r < Math.min(inner, first + TERMS); r++) {
          const factor = factors[at + r];
          const [f0, f1] = [factor % CUT, Math.floor(factor / CUT)];
          for (let j = 0; j < cols; j++) low[j] += f0 * block[r * cols + j];
          if (f1 !== 0) for (let j = 0; j < cols; j++) high[j] += f1 * block[r * cols + j];
        }
        for (let j = 0; j < cols; j++) {
          out[a * cols + j] = (out[a * cols + j] + (low[j] % p) + (((high[j] % p) * CUT) % p)) % p;
        }
      }
    }
  }
  return out;
}

function sumOver(
  { elements: F }: WorkingField,
  factors: Uint32Array,
  blockAt: (i: number) => Uint32Array,
  { count, rows, inner, cols }: SumShape,
): Uint32Array {
  const out = new Uint32Array(rows * cols);
  for (let i = 0; i < count; i++) {
    const block = blockAt(i);
    for (let a = 0; a < rows; a++) {
      for (let r = 0; r < inner; r++) {
        const factor = factors[(i * rows + a) * inner + r];
        if (factor === 0) continue;
        for (let j = 0; j < cols; j++) {
          const x = block[r * cols + j];
          if (x !== 0) out[a * cols + j] = F.add(out[a * cols + j], F.mul(factor, x));
        }
      }
    }
  }
  return out;
}
