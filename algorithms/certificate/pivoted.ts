/**
 * Systems with M = P·A·Q where P and Q keep the pivots of A: one substitution, and a system on the Schur complement.
 *
 *   A = [L A12; A21 A22] up to order, L : k × k triangular     P = [I 0; 0 P2], Q = [I 0; 0 Q2]     R = r − k
 *   M·[z1; z2] = [b1; b2]   ⇔   P2·S·Q2·z2 = b2 − P2·A21·L⁻¹·b1,   z1 = L⁻¹·(b1 − A12·Q2·z2)      S = A22 − A21·L⁻¹·A12
 *
 * S' is the Schur complement of [A | −I], the identity in the pivots' rows: S'·[x; b1] = S·x + A21·L⁻¹·b1, and the
 * vector that it makes on its way ends with L⁻¹·(b1 − A12·x).
 */
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { compressed, merged, type ResidueMatrix, transposed } from '../../kernels/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { Matching, Pivots } from '../elimination/pattern.js';
import { SchurComplement, type SubstitutingExecutor } from '../hybrid/schur-complement.js';
import { solveNonsingular } from '../solve/nonsingular.js';
import { Compression } from './compressed-operator.js';
import { type LineMap, lineMap } from './compression.js';
import type { Commitment } from './format.js';

/** A and its pivots, as the commitment has them. */
export interface Pivoted {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix;
  readonly matching: Matching;
  readonly pivots: Pivots;
}

export function canSubstitute(executor: Executor): executor is SubstitutingExecutor {
  return executor.substitution !== undefined;
}

/** The columns z of M·z = b, r residues each; null when this randomness found none. */
export async function solvePivoted(
  context: RunContext & { readonly executor: SubstitutingExecutor },
  { a, at, matching, pivots }: Pivoted,
  c: Commitment,
  b: readonly Uint32Array[],
  seed: bigint,
): Promise<Uint32Array[] | null> {
  const { executor } = context;
  const k = matching.size;
  const [given, R, t] = [a.cols - k, c.rank - k, b.length];
  const free: (() => void)[] = [];
  const operator = (which: 'rows' | 'cols'): Operator => {
    const made = executor.operator(otherLines(lineMap(c, which), c, which));
    free.push(() => made.free?.());
    return made;
  };
  const vector = (rows: number): BlockVector => {
    const made = executor.vector(rows, t);
    free.push(() => executor.release(made));
    return made;
  };
  try {
    const [p2, q2t] = [operator('rows'), operator('cols')];
    const s1 = new SchurComplement(executor, ...augmented(a, at, matching, pivots, executor.field.p));
    free.push(() => s1.free());
    const b1 = rowsOf(b, 0, k);
    const x = vector(given + k);
    executor.write(x, b1, given);
    // b2 − P2·A21·L⁻¹·b1
    const [below, right] = [vector(a.rows - k), vector(R)];
    executor.write(right, rowsOf(b, k, R));
    await s1.apply(below, x);
    await p2.apply(right, below, executor.field.p - 1, 1);
    const rightSides = columnsOf(await executor.read(right), R, t);
    const z2 = await solveSchur(context, { a, at, matching }, p2, q2t, rightSides, seed);
    if (z2 === null) return null;
    // z1 = L⁻¹·(b1 − A12·Q2·z2)
    const [small, spread, v] = [vector(R), vector(given), vector(given + 2 * k)];
    executor.write(small, rowsOf(z2, 0, R));
    await q2t.applyTransposed(spread, small);
    executor.write(x, await executor.read(spread));
    await s1.extend(v, x);
    const z1 = (await executor.read(v)).subarray((given + k) * t);
    return z2.map((column, j) => {
      const z = new Uint32Array(c.rank);
      for (let i = 0; i < k; i++) z[i] = z1[i * t + j];
      z.set(column, k);
      return z;
    });
  } finally {
    for (const release of free) release();
  }
}

async function solveSchur(
  context: RunContext & { readonly executor: SubstitutingExecutor },
  { a, at, matching }: Pick<Pivoted, 'a' | 'at' | 'matching'>,
  p2: Operator,
  q2t: Operator,
  rightSides: readonly Uint32Array[],
  seed: bigint,
): Promise<Uint32Array[] | null> {
  if (p2.rows === 0) return rightSides.map(() => new Uint32Array(0));
  const s = new SchurComplement(context.executor, a, at, matching);
  const m = new Compression(context.executor, p2, s, q2t);
  try {
    return await solveNonsingular(context, m, rightSides, seed);
  } finally {
    m.free();
    s.free();
  }
}

/** [A | −I], its transpose, and the same pivots. */
function augmented(
  a: ResidueMatrix,
  at: ResidueMatrix,
  matching: Matching,
  { rows: pivotRows }: Pivots,
  p: number,
): [ResidueMatrix, ResidueMatrix, Matching] {
  const k = pivotRows.length;
  const cols = a.cols + k;
  // Of the transpose: the rows of Aᵀ, then one entry a row.
  const nnz = at.colIdx.length;
  const rowPtr = new Uint32Array(cols + 1);
  rowPtr.set(at.rowPtr);
  for (let i = 0; i < k; i++) rowPtr[a.cols + i + 1] = nnz + i + 1;
  const colIdx = new Uint32Array(nnz + k);
  colIdx.set(at.colIdx);
  colIdx.set(pivotRows, nnz);
  const values = new Uint32Array(nnz + k).fill(p - 1, nnz);
  values.set(at.values);
  const widened = { rows: cols, cols: a.rows, rowPtr, colIdx, values };
  const rowOf = new Int32Array(cols).fill(-1);
  rowOf.set(matching.rowOf);
  return [transposed(widened) as ResidueMatrix, widened, { ...matching, rowOf }];
}

/** The map's part beside the pivots, R × (lines without pivots, renumbered in order). */
function otherLines({ place, line, factor }: LineMap, c: Commitment, which: 'rows' | 'cols'): ResidueMatrix {
  const [size, pivots] = which === 'rows' ? [c.rows, c.pivotRows] : [c.cols, c.pivotCols];
  const k = pivots.length;
  const number = new Int32Array(size);
  for (const pivot of pivots) number[pivot] = -1;
  let others = 0;
  for (let i = 0; i < size; i++) if (number[i] >= 0) number[i] = others++;
  // The pivots' entries come first.
  const rows = place.subarray(k).map((at) => at - k);
  const cols = line.subarray(k).map((i) => number[i]);
  return merged(compressed(c.rank - k, others, rows, cols, factor.subarray(k)), c.p);
}

/** Entries first … first + count − 1 of the columns, row by row. */
function rowsOf(columns: readonly Uint32Array[], first: number, count: number): Uint32Array {
  const t = columns.length;
  const out = new Uint32Array(count * t);
  columns.forEach((column, j) => {
    for (let i = 0; i < count; i++) out[i * t + j] = column[first + i];
  });
  return out;
}

function columnsOf(rows: Uint32Array, length: number, t: number): Uint32Array[] {
  return Array.from({ length: t }, (_, j) => Uint32Array.from({ length }, (_, i) => rows[i * t + j]));
}
