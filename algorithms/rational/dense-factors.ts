/**
 * P·A = L·U modulo a prime below 2^24 in doubles: the slow and simple factors for lifting.
 *
 * Products of residues are below 2^48, so that 16 of them and a residue add up exactly below 2^53.
 */
import type { IntegerSystem } from './integer-system.js';

const TERMS = 16;

export class DenseFactors {
  readonly #n: number;
  readonly #p: number;
  readonly #lu: Float64Array; // U, and L below the diagonal without its ones
  readonly #order: Uint32Array; // row i of P·A is row order[i] of A
  readonly #inverses: Float64Array; // of U's diagonal

  private constructor(n: number, p: number, lu: Float64Array, order: Uint32Array, inverses: Float64Array) {
    [this.#n, this.#p, this.#lu, this.#order, this.#inverses] = [n, p, lu, order, inverses];
  }

  /** Bytes of the factors of an n × n matrix. */
  static bytes(n: number): number {
    return 8 * n * (n + 2);
  }

  /** The factors, or null for a matrix that is singular mod p. */
  static of(system: IntegerSystem, p: number, check: () => void): DenseFactors | null {
    const { n, rowPtr, colIdx, values, big } = system;
    const lu = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
        const residue = values === null ? Number(big[k] % BigInt(p)) : values[k] % p;
        lu[i * n + colIdx[k]] = residue < 0 ? residue + p : residue;
      }
    }
    const order = Uint32Array.from({ length: n }, (_, i) => i);
    const inverses = new Float64Array(n);
    for (let c = 0; c < n; c++) {
      check();
      let pivot = c;
      while (pivot < n && lu[pivot * n + c] === 0) pivot++;
      if (pivot === n) return null;
      if (pivot !== c) swapRows(lu, order, n, pivot, c);
      inverses[c] = invert(lu[c * n + c], p);
      for (let i = c + 1; i < n; i++) {
        if (lu[i * n + c] === 0) continue;
        const factor = (lu[i * n + c] * inverses[c]) % p;
        lu[i * n + c] = factor;
        subtractRow(lu, i * n, c * n, c + 1, n, factor, p);
      }
    }
    return new DenseFactors(n, p, lu, order, inverses);
  }

  /** x with A·x ≡ b (mod p), canonical, for canonical b. */
  solveInto(x: Float64Array, b: Float64Array): void {
    const [n, p, lu, order, inverses] = [this.#n, this.#p, this.#lu, this.#order, this.#inverses];
    for (let i = 0; i < n; i++) {
      const y = b[order[i]] - dotModulo(lu, i * n, x, 0, i, p);
      x[i] = y < 0 ? y + p : y;
    }
    for (let i = n - 1; i >= 0; i--) {
      const y = x[i] - dotModulo(lu, i * n, x, i + 1, n, p);
      x[i] = ((y < 0 ? y + p : y) * inverses[i]) % p;
    }
  }
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

/** Row `to` −= factor·row `pivot`, columns from `from` on. */
function subtractRow(
  lu: Float64Array,
  to: number,
  pivot: number,
  from: number,
  n: number,
  factor: number,
  p: number,
): void {
  const [negative, inverse] = [p - factor, 1 / p];
  for (let j = from; j < n; j++) {
    const sum = lu[to + j] + negative * lu[pivot + j]; // < 2^49
    const rest = sum - Math.floor(sum * inverse) * p; // the quotient is right or one off
    lu[to + j] = rest < 0 ? rest + p : rest >= p ? rest - p : rest;
  }
}

function swapRows(lu: Float64Array, order: Uint32Array, n: number, i: number, j: number): void {
  const row = lu.slice(i * n, i * n + n);
  lu.copyWithin(i * n, j * n, j * n + n);
  lu.set(row, j * n);
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
