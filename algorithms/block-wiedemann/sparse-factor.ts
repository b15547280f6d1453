/**
 * A sparse N × m matrix C over GF(q), q = p^k, the left factor of A, on executors of F_p, which do not know q.
 *
 * A vector of elements is one of k coordinates each (kernels/executor.ts); an entry of C is a k × k matrix over F_p.
 */
import type { BlockVector, Call, Executor, LinearMap, Operator } from '../../kernels/executor.js';
import { performAll } from '../../kernels/executors/interpreter.js';
import { compress, merge, type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { WorkingField } from './working-field.js';

/** C and its transpose on vectors over GF(q) (k coordinates a column). */
export interface LeftFactor extends LinearMap {
  /** v ← C·y, v: N × (k·n), y: m × (k·n). */
  apply(v: BlockVector, y: BlockVector): Promise<void>;
  /** z ← Cᵀ·x, z: m × (k·n), x: N × (k·n). */
  applyTransposed(z: BlockVector, x: BlockVector): Promise<void>;
  free(): void;
}

/** C by the calls that its products consist of. */
export function factorOf(
  executor: Executor,
  calls: (to: BlockVector, from: BlockVector, transposed: boolean) => readonly Call[],
  free: () => void,
): LeftFactor {
  return {
    calls,
    apply: async (v, y) => performAll(executor, calls(v, y, false)),
    applyTransposed: async (z, x) => performAll(executor, calls(z, x, true)),
    free,
  };
}

/** Entries of a matrix over GF(q) as codes, in any order; equal positions add up. */
export interface Entries {
  readonly rows: number;
  readonly cols: number;
  readonly row: Uint32Array;
  readonly col: Uint32Array;
  readonly code: Uint32Array;
}

/** The matrix of these entries; the first use of its transpose stores it. */
export function sparseFactor(executor: Executor, entries: Entries, working: WorkingField): LeftFactor {
  const { k } = working;
  const matrix = residues(entries, working);
  const h = executor.operator(matrix, { use: 'apply' });
  const rowsOfCt = k === 1 ? transposeLater(matrix) : swapLater(entries, working);
  let ht: Operator | undefined;
  const calls = (to: BlockVector, from: BlockVector, transposed: boolean): Call[] => {
    if (transposed) ht ??= executor.operator(rowsOfCt(), { use: 'apply' });
    const map = transposed ? ht! : h;
    return [{ do: 'apply', map, y: elements(executor, to, k), x: elements(executor, from, k) }];
  };
  return factorOf(executor, calls, () => {
    h.free?.();
    ht?.free?.();
  });
}

// A function of its own, so that its arrays are free afterwards.
function transposeLater(matrix: ResidueMatrix): () => ResidueMatrix {
  return () => transpose(matrix);
}

/** Over an extension Cᵀ is not the transpose over F_p: the k × k blocks change places but stay as they are. */
function swapLater({ rows, cols, row, col, code }: Entries, working: WorkingField): () => ResidueMatrix {
  return () => residues({ rows: cols, cols: rows, row: col, col: row, code }, working);
}

/** An N × (k·n) vector as (N·k) × n: coordinates of an element become rows of their own. */
function elements(executor: Executor, v: BlockVector, k: number): BlockVector {
  return k === 1 ? v : executor.view(v, v.length * k, v.width / k);
}

/** A matrix over GF(q) as compressed rows over F_p, (rows·k) × (cols·k): an entry a becomes the k × k matrix of a. */
function residues(entries: Entries, working: WorkingField): ResidueMatrix {
  const F = working.elements;
  const { row, col, code } = entries;
  const codes = merge(compress(entries.rows, entries.cols, row, col, code), (x, y) => F.add(x, y));
  const { k } = working;
  if (k === 1) return codes;
  const { rows, cols } = codes;
  const rowPtr = new Uint32Array(rows * k + 1);
  const colIdx = new Uint32Array(codes.colIdx.length * k * k);
  const values = new Uint32Array(codes.colIdx.length * k * k);
  let nnz = 0;
  for (let i = 0; i < rows; i++) {
    const matrices = Array.from(codes.values.subarray(codes.rowPtr[i], codes.rowPtr[i + 1]), (a) =>
      working.mulMatrix(a),
    );
    for (let c = 0; c < k; c++) {
      matrices.forEach((matrix, t) => {
        for (let b = 0; b < k; b++) {
          if (matrix[c * k + b] === 0) continue;
          colIdx[nnz] = codes.colIdx[codes.rowPtr[i] + t] * k + b;
          values[nnz++] = matrix[c * k + b];
        }
      });
      rowPtr[i * k + c + 1] = nnz;
    }
  }
  return { rows: rows * k, cols: cols * k, rowPtr, colIdx: colIdx.subarray(0, nnz), values: values.subarray(0, nnz) };
}

/** C = 1: B is A itself. */
export function identityFactor(executor: Executor): LeftFactor {
  return factorOf(
    executor,
    (to, from) => [{ do: 'copy', to, from }],
    () => {},
  );
}
