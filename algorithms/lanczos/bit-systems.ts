/**
 * A·X = B and random vectors of the kernel of A over F_2, by runs of 64 columns of bits (bit-kernel.ts).
 *
 *   [A B] : M × (N + s)     K : 64 uniform vectors of its kernel, as columns     L : the last s rows of K
 *
 * Column j has a solution where L·q = e_j has: K·q has it on top. The columns of L are uniform among those possible, so
 * 64 of them mostly have every possible e_j in their span. Else vectors u of the left kernel of A are made likewise:
 * uᵀ·b_j ≠ 0 refutes the column.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BitColumns } from '../../kernels/executor.js';
import { splitBits } from '../../kernels/executors/split-rows.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { compressColumns } from '../factor/compress-columns.js';
import type { SparseVectors, SystemResult } from '../factor/types.js';
import { ATTEMPTS, kernelOf, LanczosCounts, type LanczosSystem, type RandomKernelVectors } from './answers.js';
import { BITS, bitAt, multiplyBits } from './bit-algebra.js';
import { attemptBits, type BitKernel, multiplyOnHost } from './bit-kernel.js';
import type { LoopKeeper } from './kept-loop.js';
import { keepRun, type RunOutcome } from './kept-outcome.js';
import type { KernelTiming } from './step-clock.js';

/** Right sides of one run: the other half of its 64 columns makes up for what a run lacks. */
export const BIT_RIGHT_SIDES = 32;

const BLOCKS = `${BITS} columns of bits`;

/** X, uniform among all, or u; neither, with a reason, where no attempt has found one. `b`: B row-major. */
export async function solveByBits(
  context: RunContext,
  columns: BitColumns,
  matrix: ResidueMatrix,
  b: Uint32Array,
  s: number,
): Promise<LanczosSystem> {
  const start = performance.now();
  const counts = new LanczosCounts(BLOCKS, context.timesKernels ? matrix.colIdx.length : null);
  const solution = new Uint32Array(matrix.cols * s);
  const answer = (found: Pick<SystemResult, 'solution' | 'inconsistent' | 'reason'>): LanczosSystem => ({
    ...found,
    explanation: counts.explanation(),
    seconds: { vectors: (performance.now() - start) / 1000 },
  });
  for (let first = 0; first < s; first += BIT_RIGHT_SIDES) {
    const width = Math.min(BIT_RIGHT_SIDES, s - first);
    const wide = appendColumns(matrix, b, s, first, width);
    const seed = deriveSeed(context.seed, 'lanczos', first);
    let isSolved = false;
    for (let attempt = 1; attempt <= ATTEMPTS && !isSolved; attempt++) {
      const number = 2 * (ATTEMPTS * first + attempt);
      const run = (a: ResidueMatrix, label: string, which: 0 | 1): Promise<BitKernel> =>
        runOnce(context, columns, a, deriveSeed(seed, label, attempt), attempt, number + which, counts.timing);
      const kernel = await run(wide, 'attempt', 0);
      const { q, solved } = combinationsOf(kernel.vectors.subarray(2 * matrix.cols), width);
      isSolved = solved.every(Boolean);
      // Of [A B] the rank is A's where all columns of B are combinations of A's.
      counts.add({ ...kernel, dimension: isSolved ? kernel.rankBound : 0 }, isSolved);
      if (isSolved) {
        const x = multiplyBits(kernel.vectors.subarray(0, 2 * matrix.cols), q);
        checkSolution(matrix, x, b, s, first, width);
        for (let i = 0; i < matrix.cols; i++) {
          for (let j = 0; j < width; j++) solution[i * s + first + j] = bitAt(x, i, j);
        }
        continue;
      }
      const left = await run(transpose(matrix), 'refutation', 1);
      const refuted = refutationIn(left, b, s, first, solved);
      counts.add({ ...left, dimension: left.rankBound }, refuted !== null);
      if (refuted !== null) return answer({ solution: null, inconsistent: refuted });
    }
    if (!isSolved)
      return answer({ solution: null, inconsistent: null, reason: `lanczos: no solution found in ${ATTEMPTS} runs` });
  }
  return answer({ solution, inconsistent: null });
}

/** `count` independently uniform vectors of the kernel; fewer where no attempt finds more. */
export function randomKernelOfBits(
  context: RunContext,
  columns: BitColumns,
  matrix: ResidueMatrix,
  count: number,
): RandomKernelVectors {
  const counts = new LanczosCounts(BLOCKS, context.timesKernels ? matrix.colIdx.length : null);
  async function* batches(): AsyncGenerator<SparseVectors> {
    let made = 0;
    for (let attempt = 1; made < count && attempt <= ATTEMPTS; attempt++) {
      const seed = deriveSeed(deriveSeed(context.seed, 'lanczos kernel', made), 'attempt', attempt);
      const number = ATTEMPTS * made + attempt;
      const kernel = await runOnce(context, columns, matrix, seed, attempt, number, counts.timing);
      counts.add({ ...kernel, dimension: kernel.rankBound }, kernel.count > 0);
      if (kernel.count === 0) continue;
      attempt = 0;
      const taken = Math.min(kernel.count, count - made);
      made += taken;
      const residues = new Uint32Array(taken * matrix.cols);
      for (let at = 0; at < residues.length; at++)
        residues[at] = bitAt(kernel.vectors, Math.floor(at / taken), at % taken);
      yield compressColumns(residues, taken);
    }
  }
  return kernelOf(batches, counts);
}

/** Run number `number` of a kept question. */
async function runOnce(
  { executor, rowSplit, checkpoint, check, onProgress }: RunContext,
  columns: BitColumns,
  matrix: ResidueMatrix,
  seed: bigint,
  attempt: number,
  number: number,
  timing: KernelTiming | null,
): Promise<BitKernel> {
  const total = Math.min(matrix.rows, matrix.cols);
  const onStep = (done: number): void => {
    check();
    const event = { phase: 'sequence' as const, attempt, done, total };
    checkpoint?.note(event);
    onProgress(event);
  };
  const make = async (keeper?: LoopKeeper): Promise<RunOutcome> => {
    const a = rowSplit ? await splitBits(columns, matrix, executor.field, rowSplit) : columns.operator(matrix);
    try {
      const { vectors, count, rankBound, ...run } = await attemptBits(
        ...([executor, columns, a, matrix, seed, onStep, keeper, timing] as const),
      );
      return { run, more: { count, rankBound }, vectors: [vectors] };
    } finally {
      a.free?.();
    }
  };
  const holds = ({ vectors: [vectors] }: RunOutcome): boolean =>
    vectors?.length === 2 * matrix.cols && multiplyOnHost(matrix, vectors).every((word) => word === 0);
  const { run, more, vectors } = await keepRun(checkpoint, number, holds, make);
  const { count, rankBound } = more as unknown as Pick<BitKernel, 'count' | 'rankBound'>;
  return { ...run, vectors: vectors[0], count, rankBound };
}

/** [A B], B's columns first … first + width − 1. */
function appendColumns(
  { rows, cols, rowPtr, colIdx }: ResidueMatrix,
  b: Uint32Array,
  s: number,
  first: number,
  width: number,
): ResidueMatrix {
  let more = 0;
  for (let i = 0; i < rows; i++) for (let j = 0; j < width; j++) more += b[i * s + first + j];
  const outPtr = new Uint32Array(rows + 1);
  const outIdx = new Uint32Array(colIdx.length + more);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) outIdx[at++] = colIdx[k];
    for (let j = 0; j < width; j++) if (b[i * s + first + j] !== 0) outIdx[at++] = cols + j;
    outPtr[i + 1] = at;
  }
  return { rows, cols: cols + width, rowPtr: outPtr, colIdx: outIdx, values: new Uint32Array(at).fill(1) };
}

/** Columns q_j of Q with L·q_j = e_j, for the j that have one. L: `width` rows of 64 bits. */
function combinationsOf(l: Uint32Array, width: number): { readonly q: Uint32Array; readonly solved: boolean[] } {
  // [L 1] by rows in reduced echelon form: `units` has the right half.
  const rows = Array.from({ length: width }, (_, j) => ({
    words: l.slice(2 * j, 2 * j + 2),
    units: 2 ** j,
    pivot: -1,
  }));
  let rank = 0;
  for (let c = 0; c < BITS && rank < width; c++) {
    const found = rows.findIndex(({ words }, i) => i >= rank && bitAt(words, 0, c) === 1);
    if (found < 0) continue;
    [rows[rank], rows[found]] = [rows[found], rows[rank]];
    const pivot = rows[rank];
    pivot.pivot = c;
    rows.forEach((row, i) => {
      if (i === rank || bitAt(row.words, 0, c) === 0) return;
      row.words[0] ^= pivot.words[0];
      row.words[1] ^= pivot.words[1];
      row.units ^= pivot.units;
    });
    rank++;
  }
  const q = new Uint32Array(2 * BITS);
  for (const { units, pivot } of rows) if (pivot >= 0) q[2 * pivot] = units;
  const vain = rows.slice(rank).reduce((bits, { units }) => bits | units, 0);
  return { q, solved: Array.from({ length: width }, (_, j) => ((vain >>> j) & 1) === 0) };
}

/** Throws unless A·X = B for these columns. */
function checkSolution(
  matrix: ResidueMatrix,
  x: Uint32Array,
  b: Uint32Array,
  s: number,
  first: number,
  width: number,
): void {
  const product = multiplyOnHost(matrix, x);
  for (let i = 0; i < matrix.rows; i++) {
    for (let j = 0; j < width; j++) {
      if (bitAt(product, i, j) !== b[i * s + first + j]) throw new Error('lanczos: expected a solution: a bug');
    }
  }
}

/** A column without a solution, and u. */
function refutationIn(
  { vectors, count }: BitKernel,
  b: Uint32Array,
  s: number,
  first: number,
  solved: readonly boolean[],
): { readonly column: number; readonly certificate: Uint32Array } | null {
  const rows = vectors.length / 2;
  for (let j = 0; j < solved.length; j++) {
    if (solved[j]) continue;
    // Bits t of the sum: u_tᵀ·b_j.
    const sum = new Uint32Array(2);
    for (let i = 0; i < rows; i++) {
      if (b[i * s + first + j] === 0) continue;
      sum[0] ^= vectors[2 * i];
      sum[1] ^= vectors[2 * i + 1];
    }
    for (let t = 0; t < count; t++) {
      if (bitAt(sum, 0, t) === 0) continue;
      return { column: first + j, certificate: Uint32Array.from({ length: rows }, (_, i) => bitAt(vectors, i, t)) };
    }
  }
  return null;
}
