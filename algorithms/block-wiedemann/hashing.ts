/**
 * The left factor C of the square operator B = C·A that block Wiedemann iterates: A is m × N with m ≥ N, C is N × m.
 *
 *   hash : C = H. Each row of A goes, with a random nonzero coefficient, to 2 of the N rows: in each of 2 layers all rows
 *          are dealt out evenly in a random order. One product with A a step; heuristic: rank(H·A) = rank(A) is not
 *          proved, but verification.ts holds whatever C is.
 *   gram : C = E·Aᵀ·D, E and D random nonzero diagonals over GF(q): two products with A a step; the provable choice.
 *
 * A diagonal E to the right of A, as in H·A·E, is left out on purpose: E·(H·A·E)·E⁻¹ = (E·H)·A is similar to it, and
 * E·H is distributed as H, whose coefficients are independent and nonzero already.
 * Sources: Eberly and Kaltofen 1997 and Chen et al. 2002 for diagonal preconditioners.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';
import type { WorkingField } from './working-field.js';

export type Preconditioner = 'hash' | 'gram';

/** C and its transpose on vectors over GF(q) (k coordinates a column). */
export interface LeftFactor {
  /** v ← C·y, v: N × (k·n), y: m × (k·n). */
  apply(v: BlockVector, y: BlockVector): Promise<void>;
  /** z ← Cᵀ·x, z: m × (k·n), x: N × (k·n). */
  applyTransposed(z: BlockVector, x: BlockVector): Promise<void>;
  free(): void;
}

const LAYERS = 2;

/** H as a matrix over F_p, (N·k) × (m·k): each coefficient is the k × k matrix of multiplication by it. */
export function hashMatrix(N: number, m: number, working: WorkingField, seed: bigint): ResidueMatrix {
  const target = new Uint32Array(LAYERS * m); // row of H that row j of A goes to
  const coefficient = new Uint32Array(LAYERS * m);
  const order = new Uint32Array(m);
  for (let layer = 0; layer < LAYERS; layer++) {
    const shuffle = new CounterRandom(deriveSeed(seed, 'hash shuffle'), layer);
    const values = new CounterRandom(deriveSeed(seed, 'hash values'), layer);
    for (let j = 0; j < m; j++) order[j] = j;
    for (let j = m - 1; j > 0; j--) {
      const i = shuffle.residueAt(j, j + 1);
      const swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    // Position t of the shuffled rows goes to row floor(t·N/m): every row of H gets ⌊m/N⌋ or ⌈m/N⌉ of them.
    for (let t = 0; t < m; t++) target[layer * m + order[t]] = Math.floor((t * N) / m);
    for (let j = 0; j < m; j++) coefficient[layer * m + j] = working.randomNonzero(values, j);
  }
  return expandEntries(N, m, target, coefficient, working);
}

/** diag(d) over GF(q) as a block-diagonal matrix over F_p; d nonzero, drawn from `seed`. */
export function diagonalMatrix(length: number, working: WorkingField, seed: bigint): ResidueMatrix {
  const source = new CounterRandom(seed, 0);
  const target = Uint32Array.from({ length }, (_, i) => i);
  const coefficient = Uint32Array.from({ length }, (_, i) => working.randomNonzero(source, i));
  return expandEntries(length, length, target, coefficient, working);
}

export function hashFactor(executor: Executor, N: number, m: number, working: WorkingField, seed: bigint): LeftFactor {
  const h = executor.operator(hashMatrix(N, m, working, seed));
  return {
    async apply(v, y) {
      await h.apply(elements(executor, v, working.k), elements(executor, y, working.k));
    },
    async applyTransposed(z, x) {
      await h.applyTransposed(elements(executor, z, working.k), elements(executor, x, working.k));
    },
    free: () => h.free?.(),
  };
}

export function gramFactor(executor: Executor, a: Operator, working: WorkingField, seed: bigint): LeftFactor {
  const { k } = working;
  const d = executor.operator(diagonalMatrix(a.rows, working, deriveSeed(seed, 'gram D')));
  const e = executor.operator(diagonalMatrix(a.cols, working, deriveSeed(seed, 'gram E')));
  return {
    async apply(v, y) {
      const scaled = executor.vector(y.length, y.width);
      const folded = executor.vector(v.length, v.width);
      await d.apply(elements(executor, scaled, k), elements(executor, y, k));
      await a.applyTransposed(folded, scaled);
      await e.apply(elements(executor, v, k), elements(executor, folded, k));
      executor.release(scaled);
      executor.release(folded);
    },
    async applyTransposed(z, x) {
      const scaled = executor.vector(x.length, x.width);
      const spread = executor.vector(z.length, z.width);
      await e.applyTransposed(elements(executor, scaled, k), elements(executor, x, k));
      await a.apply(spread, scaled);
      await d.applyTransposed(elements(executor, z, k), elements(executor, spread, k));
      executor.release(scaled);
      executor.release(spread);
    },
    free() {
      d.free?.();
      e.free?.();
    },
  };
}

/** An N × (k·n) vector as (N·k) × n: coordinates of an element become rows of their own. */
function elements(executor: Executor, v: BlockVector, k: number): BlockVector {
  return k === 1 ? v : executor.view(v, v.length * k, v.width / k);
}

/** Entries (target[e], e mod cols) with coefficients in GF(q), as compressed rows over F_p; equal positions add up. */
function expandEntries(
  rows: number,
  cols: number,
  target: Uint32Array,
  coefficient: Uint32Array,
  working: WorkingField,
): ResidueMatrix {
  const { k } = working;
  const F = working.elements;
  const start = new Uint32Array(rows + 1);
  for (const row of target) start[row + 1]++;
  for (let i = 0; i < rows; i++) start[i + 1] += start[i];
  const next = start.slice(0, rows);
  const source = new Uint32Array(target.length); // entry numbers grouped by row, columns ascending
  for (let j = 0; j < cols; j++) for (let e = j; e < target.length; e += cols) source[next[target[e]]++] = e;

  const rowPtr = new Uint32Array(rows * k + 1);
  const colIdx = new Uint32Array(target.length * k * k);
  const values = new Uint32Array(target.length * k * k);
  let nnz = 0;
  for (let i = 0; i < rows; i++) {
    const columns: number[] = [];
    const matrices: ArrayLike<number>[] = [];
    for (let at = start[i]; at < start[i + 1]; ) {
      const column = source[at] % cols;
      let sum = coefficient[source[at++]];
      while (at < start[i + 1] && source[at] % cols === column) sum = F.add(sum, coefficient[source[at++]]);
      if (sum === 0) continue;
      columns.push(column);
      matrices.push(working.mulMatrix(sum));
    }
    for (let c = 0; c < k; c++) {
      for (let t = 0; t < columns.length; t++) {
        for (let b = 0; b < k; b++) {
          const value = matrices[t][c * k + b];
          if (value === 0) continue;
          colIdx[nnz] = columns[t] * k + b;
          values[nnz++] = value;
        }
      }
      rowPtr[i * k + c + 1] = nnz;
    }
  }
  return { rows: rows * k, cols: cols * k, rowPtr, colIdx: colIdx.subarray(0, nnz), values: values.subarray(0, nnz) };
}
