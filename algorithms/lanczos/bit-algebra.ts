/**
 * 64 × 64 matrices over F_2, two words of 32 bits a row, for block Lanczos of bits; and elimination of rows of two
 * words.
 */
import type { BlockAlgebra } from './block-algebra.js';
import type { Selection } from './selection.js';

/** Columns of bits. */
export const BITS = 64;

const WORDS = 2 * BITS;

export const bitAlgebra: BlockAlgebra = {
  n: BITS,
  multiply: multiplyBits,
  add: (x, y) => x.map((word, at) => word ^ y[at]),
  negate: (x) => x,
  complement: (x) => x.map((word, at) => word ^ unit(at >> 1, at & 1)),
  select: (x, isSelected) => {
    const mask = maskOf(isSelected);
    return x.map((word, at) => word & mask[at & 1]);
  },
  projection: (isSelected) => {
    const out = new Uint32Array(WORDS);
    for (let j = 0; j < BITS; j++) if (isSelected[j]) out[2 * j + (j >> 5)] = 1 << (j & 31);
    return out;
  },
  selectColumns: selectBits,
};

export function bitAt(x: Uint32Array, row: number, column: number): number {
  return (x[2 * row + (column >> 5)] >>> (column & 31)) & 1;
}

/** X·Y for rows of 64 bits, as many as X has. */
export function multiplyBits(x: Uint32Array, y: Uint32Array): Uint32Array {
  const out = new Uint32Array(x.length);
  for (let at = 0; at < x.length; at++) {
    const row = at & ~1;
    const first = (at & 1) << 5;
    for (let bits = x[at]; bits !== 0; bits &= bits - 1) {
      const t = first + 31 - Math.clz32(bits & -bits);
      out[row] ^= y[2 * t];
      out[row + 1] ^= y[2 * t + 1];
    }
  }
  return out;
}

/**
 * T, 64 × 64, whose first `count` columns are a basis of {t : X·t = 0}, the others 0, for X of any number of rows.
 *
 * Column operations [X; 1] → [X'; T'] leave 0 or columns of echelon form on top: where X' is 0 T' is the basis.
 */
export function rightKernel(x: Uint32Array): { readonly t: Uint32Array; readonly count: number } {
  // Reduced rows of the row space: 1 at their pivots, 0 at all others'.
  const pivots: { readonly column: number; low: number; high: number }[] = [];
  for (let at = 0; at < x.length && pivots.length < BITS; at += 2) {
    let [low, high] = [x[at], x[at + 1]];
    for (const pivot of pivots) {
      if (!hasBit(low, high, pivot.column)) continue;
      low ^= pivot.low;
      high ^= pivot.high;
    }
    const column = firstBit(low, high);
    if (column < 0) continue;
    for (const pivot of pivots) {
      if (!hasBit(pivot.low, pivot.high, column)) continue;
      pivot.low ^= low;
      pivot.high ^= high;
    }
    pivots.push({ column, low, high });
  }
  // A free column f is 1, and each pivot is what its row has at f.
  const t = new Uint32Array(WORDS);
  const taken = new Set(pivots.map(({ column }) => column));
  let count = 0;
  for (let f = 0; f < BITS; f++) {
    if (taken.has(f)) continue;
    setBit(t, f, count);
    for (const { column, low, high } of pivots) if (hasBit(low, high, f)) setBit(t, column, count);
    count++;
  }
  return { t, count };
}

function setBit(x: Uint32Array, row: number, column: number): void {
  x[2 * row + (column >> 5)] |= 1 << (column & 31);
}

function hasBit(low: number, high: number, column: number): boolean {
  return (((column < 32 ? low : high) >>> (column & 31)) & 1) === 1;
}

/** The first column with a bit; −1 of a row of zeros. */
function firstBit(low: number, high: number): number {
  if (low !== 0) return 31 - Math.clz32(low & -low);
  return high === 0 ? -1 : 63 - Math.clz32(high & -high);
}

/** Word `half` of row `row` of 1. */
function unit(row: number, half: number): number {
  return row >> 5 === half ? 1 << (row & 31) : 0;
}

function maskOf(isSelected: readonly boolean[]): readonly [low: number, high: number] {
  let [low, high] = [0, 0];
  for (let j = 0; j < BITS; j++) {
    if (!isSelected[j]) continue;
    if (j < 32) low |= 1 << j;
    else high |= 1 << (j - 32);
  }
  return [low, high];
}

/**
 * As selection.ts has it. [G 1], its rows brought to echelon form in the order of preference, says which rows are
 * independent; the inverse is that of Gauss and Jordan on those rows and columns alone.
 */
function selectBits(g: Uint32Array, before: readonly boolean[] = []): Selection | null {
  const all = Array.from({ length: BITS }, (_, j) => j);
  const order = [...all.filter((j) => before[j] === false), ...all.filter((j) => before[j] !== false)];
  const reduced: { readonly column: number; readonly low: number; readonly high: number }[] = [];
  const isSelected = new Array<boolean>(BITS).fill(false);
  for (const j of order) {
    let [low, high] = [g[2 * j], g[2 * j + 1]];
    for (const other of reduced) {
      if (!hasBit(low, high, other.column)) continue;
      low ^= other.low;
      high ^= other.high;
    }
    const column = firstBit(low, high);
    if (column < 0) continue;
    reduced.push({ column, low, high });
    isSelected[j] = true;
  }
  const inverse = invertWithin(g, isSelected);
  return inverse && { isSelected, count: reduced.length, inverse };
}

/** S·(SᵀGS)⁻¹·Sᵀ; null where that is singular, as of a G that is not symmetric. */
function invertWithin(g: Uint32Array, isSelected: readonly boolean[]): Uint32Array | null {
  const inner = bitAlgebra.select(g, isSelected);
  const inverse = bitAlgebra.projection(isSelected);
  const rows = Array.from({ length: BITS }, (_, j) => j).filter((j) => isSelected[j]);
  // Row t of the pair [inner inverse] gets its pivot in column rows[t].
  for (const [t, column] of rows.entries()) {
    const found = rows.findIndex((row, u) => u >= t && bitAt(inner, row, column) === 1);
    if (found < 0) return null;
    for (const matrix of [inner, inverse]) exchange(matrix, rows[t], rows[found]);
    for (const row of rows) {
      if (row === rows[t] || bitAt(inner, row, column) === 0) continue;
      for (const matrix of [inner, inverse]) {
        matrix[2 * row] ^= matrix[2 * rows[t]];
        matrix[2 * row + 1] ^= matrix[2 * rows[t] + 1];
      }
    }
  }
  return inverse;
}

function exchange(x: Uint32Array, i: number, j: number): void {
  for (let half = 0; half < 2; half++) {
    const kept = x[2 * i + half];
    x[2 * i + half] = x[2 * j + half];
    x[2 * j + half] = kept;
  }
}
