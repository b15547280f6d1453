/**
 * Systems with M = P·A·Q where P and Q keep the pivots of A: one substitution, and a system on the Schur complement.
 *
 *   A = [L A12; A21 A22] up to order, L : k × k triangular     P = [I 0; 0 P2], Q = [I 0; 0 Q2]     R = r − k
 *   M·[z1; z2] = [b1; b2]   ⇔   P2·S·Q2·z2 = b2 − P2·A21·L⁻¹·b1,   z1 = L⁻¹·(b1 − A12·Q2·z2)      S = A22 − A21·L⁻¹·A12
 *
 * Where S is eliminated (dense-system.ts) P2 and Q2 pick rows and columns of it and its factors solve the system on it,
 * else they compress it and block Wiedemann does. S' is the Schur complement of [A | −I], the identity in the pivots'
 * rows: S'·[x; b1] = S·x + A21·L⁻¹·b1, and the vector that it makes on its way ends with L⁻¹·(b1 − A12·x). A has its
 * entries in F_p, so S acts on each coordinate of an element of GF(q) alone.
 */
import type { BlockVector, Executor } from '../../kernels/executor.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { type Entries, type LeftFactor, sparseFactor } from '../block-wiedemann/sparse-factor.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import type { DenseSystem } from '../elimination/dense-system.js';
import type { Pivots } from '../presolve/pattern.js';
import { SchurComplement, type SubstitutingExecutor } from '../schur/schur-complement.js';
import { columnsVector, solveNonsingular, vectorColumns } from '../solve/nonsingular.js';
import { Compression } from './compressed-operator.js';
import { lineMap } from './compression.js';
import type { Commitment } from './format.js';

/** A, without zero rows and columns, and its pivots, as the commitment has them. */
export interface Pivoted {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix;
  readonly pivots: Pivots;
}

export function canSubstitute(executor: Executor): executor is SubstitutingExecutor {
  return executor.substitution !== undefined;
}

/** The columns z of M·z = b, r codes each; null when this randomness found none. */
export async function solvePivoted(
  context: RunContext & { readonly executor: SubstitutingExecutor },
  { a, at, pivots }: Pivoted,
  c: Commitment,
  b: readonly Uint32Array[],
  seed: bigint,
  dense: DenseSystem | null = null,
): Promise<Uint32Array[] | null> {
  const { executor } = context;
  const working = new WorkingField(executor, 'column');
  const F = working.elements;
  const k = pivots.rows.length;
  const [given, R, t] = [a.cols - k, c.rank - k, b.length];
  const free: (() => void)[] = [];
  const factor = (which: 'rows' | 'cols'): LeftFactor => {
    const size = (which === 'rows' ? a.rows : a.cols) - k;
    const entries =
      dense === null ? otherLines(c, which, which === 'rows' ? a.rows : a.cols) : selection(dense[which], size);
    const made = sparseFactor(executor, entries, working);
    free.push(() => made.free());
    return made;
  };
  const keep = (made: BlockVector): BlockVector => {
    free.push(() => executor.release(made));
    return made;
  };
  const vector = (rows: number): BlockVector => keep(executor.vector(rows, working.k * t));
  try {
    const [p2, q2t] = [factor('rows'), factor('cols')];
    const s1 = new SchurComplement(executor, ...augment(a, at, pivots, executor.field.p), pivots);
    free.push(() => s1.free());
    const b1 = keep(
      columnsVector(
        executor,
        working,
        b.map((column) => column.subarray(0, k)),
        k,
      ),
    );
    const x = vector(given + k);
    executor.write(x, await executor.read(b1), given);
    // P2·A21·L⁻¹·b1
    const [below, product] = [vector(a.rows - k), vector(R)];
    await s1.apply(below, x);
    await p2.apply(product, below);
    const images = vectorColumns(working, await executor.read(product), t);
    const rightSides = b.map((column, j) => column.subarray(k).map((value, i) => F.sub(value, images[j][i])));
    const z2 =
      dense === null
        ? await solveSchur(context, { a, at, pivots }, p2, q2t, rightSides, seed)
        : solveDense(dense, working, rightSides);
    if (z2 === null) return null;
    // z1 = L⁻¹·(b1 − A12·Q2·z2)
    const small = keep(columnsVector(executor, working, z2, R));
    const [spread, v] = [vector(given), vector(given + 2 * k)];
    await q2t.applyTransposed(spread, small);
    executor.write(x, await executor.read(spread));
    await s1.extend(v, x);
    const z1 = vectorColumns(working, (await executor.read(v)).subarray((given + k) * v.width), t);
    return z2.map((column, j) => concat(z1[j], column));
  } finally {
    for (const release of free) release();
  }
}

function concat(first: Uint32Array, second: Uint32Array): Uint32Array {
  const all = new Uint32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

async function solveSchur(
  context: RunContext & { readonly executor: SubstitutingExecutor },
  { a, at, pivots }: Pick<Pivoted, 'a' | 'at' | 'pivots'>,
  p2: LeftFactor,
  q2t: LeftFactor,
  rightSides: readonly Uint32Array[],
  seed: bigint,
): Promise<Uint32Array[] | null> {
  const R = rightSides[0]?.length ?? 0;
  if (R === 0) return rightSides.map(() => new Uint32Array(0));
  const s = new SchurComplement(context.executor, a, at, pivots);
  const m = new Compression(context.executor, p2, s, q2t, R);
  try {
    return await solveNonsingular(context, m, rightSides, seed);
  } finally {
    m.free();
    s.free();
  }
}

/** The same with the factors of S: each coordinate of an element is a system over F_p. */
function solveDense(dense: DenseSystem, working: WorkingField, rightSides: readonly Uint32Array[]): Uint32Array[] {
  const [R, s] = [dense.rows.length, rightSides.length];
  const codes = Uint32Array.from({ length: R * s }, (_, at) => rightSides[at % s][Math.floor(at / s)]);
  return vectorColumns(working, dense.solve(working.toResidues(codes, s), s * working.k), s);
}

/** The map that keeps these of `size` lines, one a row. */
function selection(lines: Uint32Array, size: number): Entries {
  const row = Uint32Array.from(lines.keys());
  return { rows: lines.length, cols: size, row, col: lines, code: new Uint32Array(lines.length).fill(1) };
}

/** [A | −I], the identity in the pivots' rows, and its transpose. */
function augment(
  a: ResidueMatrix,
  at: ResidueMatrix,
  { rows: pivotRows }: Pivots,
  p: number,
): [ResidueMatrix, ResidueMatrix] {
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
  return [transpose(widened) as ResidueMatrix, widened];
}

/** The map's part beside the pivots, R × (lines without pivots, renumbered in order). */
function otherLines(c: Commitment, which: 'rows' | 'cols', size: number): Entries {
  const pivots = which === 'rows' ? c.pivotRows : c.pivotCols;
  const { place, line, factor } = lineMap(c, which, size);
  const k = pivots.length;
  const number = new Int32Array(size);
  for (const pivot of pivots) number[pivot] = -1;
  let others = 0;
  for (let i = 0; i < size; i++) if (number[i] >= 0) number[i] = others++;
  // The pivots' entries come first.
  return {
    rows: c.rank - k,
    cols: others,
    row: place.subarray(k).map((at) => at - k),
    col: line.subarray(k).map((i) => number[i]),
    code: factor.subarray(k),
  };
}
