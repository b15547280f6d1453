/**
 * An approximate inverse G of A that costs little to apply: exact where the diagonal is weak, the diagonal elsewhere.
 *
 *   W : lines whose diagonal does not dominate     C ≈ A_WW^-1 in doubles     D : the diagonal of the other lines
 *   G·r = (C·(r_W − A_WS·D^-1·r_S), D^-1·r_S)      E = I − A·G
 *
 * Lines are put in the order W, S. `contraction` bounds ‖E‖ in the norm max |r_i|/w_i with w_i = |a_ii| on S and
 * w_i = 1 + Σ_(j in S) |a_ij| on W, rounding of this bound included; below 1 it proves that A is nonsingular and
 *
 *   |(A^-1·r)_i| ≤ reach_i·‖r‖ / (1 − ‖E‖)
 */
import type { IntegerSystem } from './integer-system.js';

export interface Splitting {
  readonly weak: number; // |W|
  readonly order: Uint32Array; // line i of the order is line order[i] of A
  readonly rowPtr: Uint32Array; // of A in that order
  readonly middle: Uint32Array; // where the columns of S begin in a row
  readonly colIdx: Uint32Array;
  readonly values: Float64Array;
  readonly inverse: Float64Array; // C, weak × weak
  readonly diagonal: Float64Array; // of A, in the order
  readonly norm: Float64Array; // w
  readonly reach: Float64Array;
  readonly contraction: number;
}

/** Lines with a weaker diagonal belong to W, as many as a dense inverse pays for. */
const DOMINANCE = 128;
const LARGEST_BLOCK = 1500;
const ROUNDING = 2 ** -52;

/** Null where the diagonal has zeros among the strong lines, or the block of the weak ones has no inverse. */
export function splitSystem(system: IntegerSystem, values: Float64Array, check: () => void): Splitting | null {
  const { rows: n } = system;
  const { ratios, diagonal } = dominances(system, values);
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((i, j) => ratios[j] - ratios[i] || i - j);
  const weak = order.findIndex((i, at) => at >= LARGEST_BLOCK || ratios[i] * DOMINANCE <= 1);
  const k = n <= LARGEST_BLOCK / 3 || weak < 0 ? Math.min(n, LARGEST_BLOCK) : weak;
  for (let i = k; i < n; i++) if (diagonal[order[i]] === 0) return null;
  const rows = permute(system, values, order, k);
  const inverse = invertBlock(rows, k, check);
  if (inverse === null) return null;
  const parts = { weak: k, order, ...rows, inverse, diagonal: Float64Array.from(order, (i) => diagonal[i]) };
  return { ...parts, ...boundContraction(n, parts) };
}

/** Σ_(j≠i) |a_ij| / |a_ii| and a_ii. */
function dominances({ rows: n, rowPtr, colIdx }: IntegerSystem, values: Float64Array) {
  const [ratios, diagonal] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    let others = 0;
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      if (colIdx[k] === i) diagonal[i] = values[k];
      else others += Math.abs(values[k]);
    }
    ratios[i] = diagonal[i] === 0 ? Number.MAX_VALUE : others / Math.abs(diagonal[i]);
  }
  return { ratios, diagonal };
}

type Rows = Pick<Splitting, 'rowPtr' | 'middle' | 'colIdx' | 'values'>;

function permute(system: IntegerSystem, values: Float64Array, order: Uint32Array, weak: number): Rows {
  const { rows: n, rowPtr, colIdx } = system;
  const place = new Uint32Array(n);
  order.forEach((line, at) => {
    place[line] = at;
  });
  const rows = {
    ...{ rowPtr: new Uint32Array(n + 1), middle: new Uint32Array(n) },
    ...{ colIdx: new Uint32Array(values.length), values: new Float64Array(values.length) },
  };
  let filled = 0;
  for (let i = 0; i < n; i++) {
    const row: number[] = [];
    for (let k = rowPtr[order[i]]; k < rowPtr[order[i] + 1]; k++) row.push(k);
    row.sort((a, b) => place[colIdx[a]] - place[colIdx[b]]);
    rows.middle[i] = filled + row.filter((k) => place[colIdx[k]] < weak).length;
    for (const k of row) {
      rows.colIdx[filled] = place[colIdx[k]];
      rows.values[filled++] = values[k];
    }
    rows.rowPtr[i + 1] = filled;
  }
  return rows;
}

/** The inverse of the leading k × k block in doubles, by Gauss and Jordan with partial pivoting. */
function invertBlock({ rowPtr, middle, colIdx, values }: Rows, k: number, check: () => void): Float64Array | null {
  const width = 2 * k;
  const a = new Float64Array(k * width);
  for (let i = 0; i < k; i++) {
    for (let e = rowPtr[i]; e < middle[i]; e++) a[i * width + colIdx[e]] = values[e];
    a[i * width + k + i] = 1;
  }
  for (let c = 0; c < k; c++) {
    check();
    let pivot = c;
    for (let i = c + 1; i < k; i++) if (Math.abs(a[i * width + c]) > Math.abs(a[pivot * width + c])) pivot = i;
    if (a[pivot * width + c] === 0) return null;
    const row = a.slice(pivot * width, pivot * width + width);
    a.copyWithin(pivot * width, c * width, c * width + width);
    const scale = 1 / row[c];
    // Of the right half only columns up to the pivots' are filled, but rows are exchanged: all are taken.
    for (let j = c; j < width; j++) row[j] *= scale;
    a.set(row, c * width);
    for (let i = 0; i < k; i++) {
      const factor = a[i * width + c];
      if (i !== c && factor !== 0) subtractMultiple(a, i * width, row, c, width, factor);
    }
  }
  const inverse = new Float64Array(k * k);
  for (let i = 0; i < k; i++) inverse.set(a.subarray(i * width + k, i * width + width), i * k);
  return inverse;
}

function subtractMultiple(
  a: Float64Array,
  base: number,
  row: Float64Array,
  from: number,
  to: number,
  factor: number,
): void {
  for (let j = from; j < to; j++) a[base + j] -= factor * row[j];
}

type Parts = Omit<Splitting, 'norm' | 'reach' | 'contraction'>;

function boundContraction(n: number, parts: Parts): Pick<Splitting, 'norm' | 'reach' | 'contraction'> {
  const { weak, rowPtr, middle, colIdx, values, inverse, diagonal } = parts;
  const norm = Float64Array.from(diagonal, Math.abs);
  const reach = new Float64Array(n).fill(1);
  // h bounds |r_W − A_WS·D^-1·r_S| for ‖r‖ = 1.
  const h = new Float64Array(weak);
  for (let i = 0; i < weak; i++) {
    let strong = 0;
    for (let e = middle[i]; e < rowPtr[i + 1]; e++) strong += Math.abs(values[e]);
    norm[i] = strong + 1;
    h[i] = 2 * strong + 1;
  }
  let contraction = 0;
  const [product, sizes] = [new Float64Array(weak), new Float64Array(weak)];
  for (let i = 0; i < n; i++) {
    product.fill(0);
    sizes.fill(0);
    if (i < weak) product[i] = -1;
    // Rows of A_WW·C − I and of A_SW·C, with the sum of the magnitudes that rounding is relative to.
    for (let e = rowPtr[i]; e < middle[i]; e++) addMultiple(product, sizes, inverse, colIdx[e] * weak, values[e]);
    let sum = 0;
    if (i < weak || middle[i] > rowPtr[i]) {
      const relative = (middle[i] - rowPtr[i] + 2) * ROUNDING;
      for (let j = 0; j < weak; j++) sum += (Math.abs(product[j]) + relative * (sizes[j] + 1)) * h[j];
    }
    if (i >= weak) for (let e = middle[i]; e < rowPtr[i + 1]; e++) if (colIdx[e] !== i) sum += Math.abs(values[e]);
    contraction = Math.max(contraction, sum / norm[i]);
  }
  for (let i = 0; i < weak; i++) {
    let sum = 0;
    for (let j = 0; j < weak; j++) sum += Math.abs(inverse[i * weak + j]) * h[j];
    reach[i] = sum * (1 + 2 ** -30);
  }
  // Sums of fewer than 2^20 nonnegative doubles are right to 2^-32.
  return {
    norm,
    reach,
    contraction: Number.isNaN(contraction) ? Number.POSITIVE_INFINITY : contraction * (1 + 2 ** -30),
  };
}

function addMultiple(
  product: Float64Array,
  sizes: Float64Array,
  inverse: Float64Array,
  base: number,
  value: number,
): void {
  for (let j = 0; j < product.length; j++) {
    const term = value * inverse[base + j];
    product[j] += term;
    sizes[j] += Math.abs(term);
  }
}
