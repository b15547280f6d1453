/**
 * The codegree of det F (its order of vanishing at 0) without computing det F: for fields with too few points.
 *
 *   F : nonsingular s × s polynomial matrix; Smith form at 0: z^e_1, …, z^e_s; codeg det F = Σ e_i
 *
 * The rows p with p·F ≡ 0 mod z^σ form a module of determinant z^(Σ max(0, σ − e_i)), and that exponent is the sum of
 * what an order basis raises its row degrees by. So c(σ) = σ·s − Σ raises = Σ min(e_i, σ), and c(σ + 1) = c(σ) says
 * that no e_i exceeds σ. Source: Beckermann and Labahn 1994 for the order basis.
 */
import type { BlockingOrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';

/** codeg det F; `degree` bounds it. Coefficients are F_0, F_1, …, each s × s. */
export function codegree(
  engine: BlockingOrderBasisEngine,
  coefficients: Uint32Array,
  s: number,
  degree: number,
): number {
  const size = s * s;
  const series = (length: number): PolyMatrix => {
    const f = engine.create(s, s, length);
    engine.write(f, coefficients.subarray(0, Math.min(coefficients.length, length * size)));
    return f;
  };
  for (let sigma = 1; ; sigma = Math.min(2 * sigma, degree + 1)) {
    const degrees = new Int32Array(s);
    const f = series(sigma);
    const longer = series(sigma + 1);
    const basis = engine.sigmaBasis(f, degrees, 0);
    const found = sigma * s - sum(degrees);
    const residual = engine.residual(basis, longer, sigma, 1);
    const step = engine.sigmaBasis(residual, degrees, 0);
    for (const matrix of [f, longer, basis, residual, step]) engine.release(matrix);
    if ((sigma + 1) * s - sum(degrees) === found) return found;
    if (sigma > degree)
      throw new RangeError(`codegree: expected a nonsingular matrix with determinant of degree ≤ ${degree}`);
  }
}

function sum(values: Int32Array): number {
  return values.reduce((a, b) => a + b, 0);
}
