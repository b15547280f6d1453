/**
 * Systems A·X = B with A square and nonsingular by structural pivots and block Wiedemann on what they leave.
 *
 *   A = [A12 L; A22 A21] up to the order of rows and columns, L lower triangular, the pivots on its diagonal
 *   S = A22 − A21·L⁻¹·A12, never formed      S·X₂ = B₂ − A21·L⁻¹·B₁      X₁ = L⁻¹·(B₁ − A12·X₂)
 *
 * Without pivots S is A. The dense columns of X are checked by who asks for them.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { Operator } from '../../kernels/executor.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import { chooseBlocks } from '../block-wiedemann/block-shape.js';
import { arraysOf } from '../block-wiedemann/kept-attempt.js';
import { holdOnDevices } from '../block-wiedemann/krylov-columns.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import { type Pivots, reversePivots } from '../presolve/pattern.js';
import { type KeptAttempt, type SystemPreconditioner, solveNonsingular, solveSeed } from '../solve/nonsingular.js';
import { SchurComplement, type SubstitutingExecutor } from './schur-complement.js';

/** Columns that one run of block Wiedemann solves for. */
export const TOGETHER = 8;

export interface PivotedMatrix {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix; // its transpose
  readonly pivots: Pivots;
}

/** X, cols × s residues row-major; null where no attempt finds it, as for every singular A. */
export async function solveByVectors(
  context: RunContext,
  { a, at, pivots }: PivotedMatrix,
  b: Uint32Array,
  s: number,
  attempts: number,
): Promise<Uint32Array | null> {
  const { executor } = context;
  const F = executor.field;
  const x = new Uint32Array(a.cols * s);
  const others = {
    rows: linesOutside(a.rows, pivots.rows),
    cols: linesOutside(a.cols, pivots.cols),
  };
  substitutePivots(F, a, pivots, b, x, s);
  const rest = Array.from({ length: s }, () => new Uint32Array(others.rows.length));
  others.rows.forEach((row, i) => {
    for (let j = 0; j < s; j++) rest[j][i] = F.sub(b[row * s + j], rowProduct(F, a, row, x, s, j));
  });
  const isWhole = pivots.rows.length === 0;
  const operator = isWhole
    ? executor.operator(a, { storage: context.storage })
    : new SchurComplement(executor as SubstitutingExecutor, a, at, pivots);
  const devices = context.sequenceDevices;
  try {
    const { n } = chooseBlocks(operator.rows, new WorkingField(executor, 'column').degree);
    // Their sequence is that of the transpose.
    const sequenceDevices =
      devices &&
      (isWhole
        ? await holdOnDevices(devices, n, transpose(a) as ResidueMatrix, F)
        : await holdOnDevices(devices, n, at, F, { at: a, pivots: reversePivots(pivots) }));
    for (let first = 0; first < s; first += TOGETHER) {
      const own = { ...context, sequenceDevices };
      const columns = await solveColumns(own, operator, rest.slice(first, first + TOGETHER), first, attempts);
      if (columns === null) return null;
      columns.forEach((column, j) => {
        others.cols.forEach((line, i) => {
          x[line * s + first + j] = column[i];
        });
      });
    }
  } finally {
    operator.free?.();
  }
  substitutePivots(F, a, pivots, b, x, s);
  return x;
}

async function solveColumns(
  context: RunContext,
  operator: Operator,
  columns: readonly Uint32Array[],
  first: number,
  attempts: number,
): Promise<Uint32Array[] | null> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const number = attempts * first + attempt;
    const preconditioner: SystemPreconditioner = attempt === 1 ? 'diagonal' : 'mixing';
    const solveOnce = (kept?: KeptAttempt): Promise<Uint32Array[] | null> =>
      solveNonsingular(context, operator, columns, solveSeed(context.seed, number), kept, preconditioner);
    const { checkpoint } = context;
    const kept = checkpoint && { checkpoint, attempt: number };
    const found = kept ? await keepColumns(kept, operator.rows, columns.length, solveOnce) : await solveOnce();
    if (found !== null) return found;
  }
  return null;
}

/** The s columns of an attempt that were kept, or those of `make`, which are then kept in place of its arrays. */
async function keepColumns(
  kept: KeptAttempt,
  N: number,
  s: number,
  make: (kept: KeptAttempt) => Promise<Uint32Array[] | null>,
): Promise<Uint32Array[] | null> {
  const { checkpoint, attempt } = kept;
  const name = `outcome-${attempt}`;
  const before = await checkpoint.recall(name);
  if (before !== null) {
    const words = wordsOf(before.bytes);
    if (before.fields['columns'] === 0) return null;
    if (before.fields['columns'] === s && words.length === s * N)
      return Array.from({ length: s }, (_, j) => words.slice(j * N, (j + 1) * N));
    checkpoint.remark(`${name} has other sizes than this run: the attempt is made again`);
  }
  const made = await make(kept);
  const words = new Uint32Array((made ?? []).reduce((sum, { length }) => sum + length, 0));
  made?.forEach((column, j) => {
    words.set(column, j * column.length);
  });
  await checkpoint.keep(name, { columns: made?.length ?? 0 }, bytesOf(words));
  await checkpoint.removeAll(`${arraysOf(attempt)}-`);
  return made;
}

/** Rows of X at the pivots' columns ← what makes the pivots' rows of A·X those of B, given the other rows of X. */
function substitutePivots(
  F: WordPrime,
  a: ResidueMatrix,
  { rows, cols }: Pivots,
  b: Uint32Array,
  x: Uint32Array,
  s: number,
): void {
  for (const column of cols) x.fill(0, column * s, (column + 1) * s);
  const pivots = Uint32Array.from(rows, (row, k) => {
    let at = a.rowPtr[row];
    while (a.colIdx[at] !== cols[k]) at++;
    return a.values[at];
  });
  const inverses = F.batchInv(pivots);
  for (let k = 0; k < rows.length; k++) {
    for (let j = 0; j < s; j++) {
      const left = F.sub(b[rows[k] * s + j], rowProduct(F, a, rows[k], x, s, j));
      x[cols[k] * s + j] = F.mul(left, inverses[k]);
    }
  }
}

/** Row i of A times column j of X. */
function rowProduct(
  F: WordPrime,
  { rowPtr, colIdx, values }: ResidueMatrix,
  i: number,
  x: Uint32Array,
  s: number,
  j: number,
): number {
  let sum = 0;
  for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) sum = F.add(sum, F.mul(values[k], x[colIdx[k] * s + j]));
  return sum;
}

function linesOutside(size: number, lines: ArrayLike<number>): Uint32Array {
  const isPivot = new Uint8Array(size);
  for (let k = 0; k < lines.length; k++) isPivot[lines[k]] = 1;
  return Uint32Array.from({ length: size }, (_, i) => i).filter((i) => isPivot[i] === 0);
}
