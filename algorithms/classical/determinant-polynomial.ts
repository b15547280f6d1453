/**
 * det F(z) of an s × s polynomial matrix by evaluation and interpolation: degree + 1 determinants over the field.
 *
 *   F : coefficients F_0, F_1, …, each s × s row-major       D ≥ deg det F, and D + 1 < q points
 *
 * det(t_k·F(g^k)) = t_k^s·det F(g^k): the points' scaling leaves the matrices alone and is divided out of s × s at
 * once.
 */
import type { Field } from '../../fields/field.js';
import { determinants } from '../../kernels/dense/determinants.js';
import type { BlockingOrderBasisEngine } from '../sigma-basis/order-basis.js';
import { PolyEngine } from '../sigma-basis/pm-basis.js';
import { GeometricPoints } from './geometric-points.js';

/** The coefficients of det F, constant term first, `degree` + 1 of them. Throws FieldError when q ≤ degree + 1. */
export function determinantPolynomial(
  engine: BlockingOrderBasisEngine,
  field: Field<number>,
  coefficients: Uint32Array,
  s: number,
  degree: number,
  check: () => void = () => {},
): Uint32Array {
  const points = new GeometricPoints(field, degree + 1);
  const values = new Uint32Array(degree + 1);
  points.evaluate(engine, coefficients, s * s, (first, scaled) => {
    check();
    determinantsOf(engine, field, scaled, s).forEach((value, k) => {
      values[first + k] = field.mul(value, field.pow(points.unscale(first + k), s));
    });
  });
  check();
  return points.interpolate(engine, values);
}

/** det of each s × s block: by the kernel where there is one. */
function determinantsOf(
  engine: BlockingOrderBasisEngine,
  field: Field<number>,
  blocks: Uint32Array,
  s: number,
): Uint32Array {
  if (engine instanceof PolyEngine) return determinants(engine.team, engine.field, blocks, s);
  const size = s * s;
  return Uint32Array.from({ length: blocks.length / size }, (_, k) =>
    determinantInPlace(field, blocks.slice(k * size, (k + 1) * size), s),
  );
}

/** The determinant of a dense s × s matrix, which is overwritten. */
export function determinantInPlace(F: Field<number>, a: Uint32Array, s: number): number {
  let determinant = F.one;
  for (let c = 0; c < s; c++) {
    let pivot = c;
    while (pivot < s && a[pivot * s + c] === 0) pivot++;
    if (pivot === s) return F.zero;
    if (pivot !== c) {
      for (let j = c; j < s; j++) {
        const kept = a[c * s + j];
        a[c * s + j] = a[pivot * s + j];
        a[pivot * s + j] = kept;
      }
      determinant = F.neg(determinant);
    }
    const head = a[c * s + c];
    determinant = F.mul(determinant, head);
    const inverse = F.neg(F.inv(head));
    for (let i = c + 1; i < s; i++) {
      if (a[i * s + c] === 0) continue;
      const factor = F.mul(a[i * s + c], inverse);
      for (let j = c + 1; j < s; j++) a[i * s + j] = F.add(a[i * s + j], F.mul(factor, a[c * s + j]));
    }
  }
  return determinant;
}
