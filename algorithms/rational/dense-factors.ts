/**
 * P·A = L·U modulo a prime below 2^24 in doubles, for A of any shape and rank: the slow and simple factors for lifting.
 *
 *   R, C : the rows and columns of the pivots, M = A[R, C] = L·U, r × r     G : M^-1 in places C × R, 0 elsewhere
 *
 * A·G·A ≡ A, so that G·b solves A·x ≡ b wherever there is a solution. Products of residues are below 2^48, so that 16
 * of them and a residue add up exactly below 2^53.
 */
import type { ModularFactors } from './context.js';
import type { IntegerSystem } from './integer-system.js';

const TERMS = 16;

export class DenseFactors implements ModularFactors {
  readonly p: number;
  readonly rank: number;
  readonly #shape: readonly [rows: number, cols: number];
  readonly #lu: Float64Array; // r × r: U, and L below the diagonal without its ones
  readonly #pivotRows: Uint32Array;
  readonly #pivotCols: Uint32Array;
  readonly #inverses: Float64Array; // of U's diagonal

  constructor(system: IntegerSystem, p: number, check: () => void) {
    const { rows, cols } = system;
    const a = residues(system, p);
    const order = Uint32Array.from({ length: rows }, (_, i) => i);
    const [pivotCols, inverses]: [number[], number[]] = [[], []];
    for (let c = 0; c < cols && pivotCols.length < rows; c++) {
      check();
      const top = pivotCols.length;
      let pivot = top;
      while (pivot < rows && a[pivot * cols + c] === 0) pivot++;
      if (pivot === rows) continue;
      if (pivot !== top) swapRows(a, order, cols, pivot, top);
      const inverse = invert(a[top * cols + c], p);
      pivotCols.push(c);
      inverses.push(inverse);
      for (let i = top + 1; i < rows; i++) {
        if (a[i * cols + c] === 0) continue;
        const factor = (a[i * cols + c] * inverse) % p;
        a[i * cols + c] = factor;
        subtractRow(a, i * cols, a, top * cols, c + 1, cols, factor, p);
      }
    }
    const r = pivotCols.length;
    [this.p, this.rank, this.#shape] = [p, r, [rows, cols]];
    this.#pivotRows = order.slice(0, r);
    this.#pivotCols = Uint32Array.from(pivotCols);
    this.#inverses = Float64Array.from(inverses);
    this.#lu = r === rows && r === cols ? a : new Float64Array(r * r);
    if (this.#lu === a) return;
    for (let t = 0; t < r; t++) for (let s = 0; s < r; s++) this.#lu[t * r + s] = a[t * cols + pivotCols[s]];
  }

  /** Bytes that the factors of such a matrix take, the smaller copy of them included. */
  static bytes(rows: number, cols: number): number {
    return 8 * (rows * cols + (rows === cols ? 0 : Math.min(rows, cols) ** 2));
  }

  async apply(columns: readonly Float64Array[], transposed: boolean): Promise<Float64Array[]> {
    return columns.map((b) => (transposed ? this.#applyTransposed(b) : this.#apply(b)));
  }

  free(): void {}

  #apply(b: Float64Array): Float64Array {
    const [r, p, lu, inverses] = [this.rank, this.p, this.#lu, this.#inverses];
    const x = new Float64Array(r);
    for (let t = 0; t < r; t++) {
      const y = b[this.#pivotRows[t]] - dotModulo(lu, t * r, x, 0, t, p);
      x[t] = y < 0 ? y + p : y;
    }
    for (let t = r - 1; t >= 0; t--) {
      const y = x[t] - dotModulo(lu, t * r, x, t + 1, r, p);
      x[t] = ((y < 0 ? y + p : y) * inverses[t]) % p;
    }
    return scatter(x, this.#pivotCols, this.#shape[1]);
  }

  #applyTransposed(b: Float64Array): Float64Array {
    const [r, p, lu, inverses] = [this.rank, this.p, this.#lu, this.#inverses];
    const x = Float64Array.from(this.#pivotCols, (j) => b[j]);
    for (let t = 0; t < r; t++) {
      x[t] = (x[t] * inverses[t]) % p;
      if (x[t] !== 0) subtractRow(x, 0, lu, t * r, t + 1, r, x[t], p);
    }
    for (let t = r - 1; t > 0; t--) if (x[t] !== 0) subtractRow(x, 0, lu, t * r, 0, t, x[t], p);
    return scatter(x, this.#pivotRows, this.#shape[0]);
  }
}

/** A mod p, dense. */
function residues({ rows, cols, rowPtr, colIdx, values, big }: IntegerSystem, p: number): Float64Array {
  const a = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      const residue = values === null ? Number(big[k] % BigInt(p)) : values[k] % p;
      a[i * cols + colIdx[k]] = residue < 0 ? residue + p : residue;
    }
  }
  return a;
}

function scatter(x: Float64Array, places: Uint32Array, length: number): Float64Array {
  const out = new Float64Array(length);
  for (let t = 0; t < x.length; t++) out[places[t]] = x[t];
  return out;
}

/** Σ lu[base + j]·x[j] mod p for from ≤ j < to. */
function dotModulo(lu: Float64Array, base: number, x: Float64Array, from: number, to: number, p: number): number {
  let sum = 0;
  for (let j = from; j < to; ) {
    const end = Math.min(to, j + TERMS);
    for (; j < end; j++) sum += lu[base + j] * x[j];
    sum %= p;
  }
  return sum;
}

/** x[to + j] −= factor·a[pivot + j] for from ≤ j < end. */
function subtractRow(
  x: Float64Array,
  to: number,
  a: Float64Array,
  pivot: number,
  from: number,
  end: number,
  factor: number,
  p: number,
): void {
  const [negative, inverse] = [p - factor, 1 / p];
  for (let j = from; j < end; j++) {
    const sum = x[to + j] + negative * a[pivot + j]; // < 2^49
    const rest = sum - Math.floor(sum * inverse) * p; // the quotient is right or one off
    x[to + j] = rest < 0 ? rest + p : rest >= p ? rest - p : rest;
  }
}

function swapRows(a: Float64Array, order: Uint32Array, n: number, i: number, j: number): void {
  const row = a.slice(i * n, i * n + n);
  a.copyWithin(i * n, j * n, j * n + n);
  a.set(row, j * n);
  [order[i], order[j]] = [order[j], order[i]];
}

/** a^-1 mod p, by Euclid. */
function invert(a: number, p: number): number {
  let [r0, r1, t0, t1] = [p, a, 0, 1];
  while (r1 !== 0) {
    const q = Math.floor(r0 / r1);
    [r0, r1, t0, t1] = [r1, r0 - q * r1, t1, t0 - q * t1];
  }
  return t0 < 0 ? t0 + p : t0;
}
