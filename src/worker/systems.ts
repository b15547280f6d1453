/**
 * Systems and kernels in the engine's thread: answers mod a word prime, and vectors of a kernel on their way to the
 * caller.
 */
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { basisByLanczos, nullspace, nullspaceByLanczos } from '../../algorithms/nullspace.js';
import { solve } from '../../algorithms/solve.js';
import { checkLines } from '../../kernels/sparse/residue-matrix.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Residues } from '../questions/outcome.js';
import type { Caller } from './caller.js';
import type { Found } from './found.js';
import type { DenseRightSides } from './right-sides.js';

const PROVED = { errorLog2: Number.NEGATIVE_INFINITY, block: null };

export async function solveWord(
  context: RunContext,
  matrix: SparseMatrix,
  { values, s }: DenseRightSides,
  { mod, method, random, maxMemory }: Settings,
): Promise<Found> {
  const options = { method, random, maxBytes: maxMemory ?? undefined };
  const result = await solve(timed(context), matrix.residues(Number(mod)), values as Uint32Array, s, options);
  return { ...result, ...foundSolution(result.solution, result.inconsistent, s) };
}

function timed(context: RunContext): RunContext {
  return { ...context, timesKernels: true };
}

export function foundSolution(value: Residues | null, inconsistent: object | null, s: number) {
  // Either is checked before it is given, so proved; neither claims nothing.
  const errorLog2 = value === null && inconsistent === null ? null : Number.NEGATIVE_INFINITY;
  return { value, lowerBound: null, upperBound: null, errorLog2, block: null, own: { rightSides: s, inconsistent } };
}

export async function nullspaceWord(
  context: RunContext,
  matrix: SparseMatrix,
  settings: Settings,
  caller: Caller,
): Promise<Found> {
  const { mod, left, vectors, maxMemory } = settings;
  if (settings.method === 'lanczos')
    return vectors === null
      ? lanczosBasisOf(context, matrix, settings, caller)
      : nullspaceLanczos(context, matrix, settings, caller);
  checkLines(matrix.cols, matrix.nnz); // of its transpose, which comes after long work
  const options = { left, vectors: vectors ?? undefined, maxBytes: maxMemory ?? undefined };
  const kernel = await nullspace(context, matrix.residues(Number(mod)), options);
  try {
    const start = performance.now();
    const found = await sendVectors(kernel, matrix, { left, vectors }, caller);
    const seconds = { ...kernel.seconds, vectors: (performance.now() - start) / 1000 };
    return { ...found, method: kernel.method, explanation: kernel.explanation, seconds };
  } finally {
    kernel.free();
  }
}

/** Random vectors without the rank; fewer than asked for, with the reason, where every attempt was unlucky. */
async function nullspaceLanczos(
  context: RunContext,
  matrix: SparseMatrix,
  { mod, left, vectors, maxMemory }: Settings,
  caller: Caller,
): Promise<Found> {
  const start = performance.now();
  const total = vectors!;
  const options = { left, vectors: total, maxBytes: maxMemory ?? undefined };
  const kernel = nullspaceByLanczos(timed(context), matrix.residues(Number(mod)), options);
  const length = left ? matrix.rows : matrix.cols;
  const made = await sendBatches(kernel.batches(), total, length, caller);
  const missing = made === total ? null : `lanczos: ${made} of ${total} vectors found`;
  return {
    ...{ value: null, lowerBound: null, upperBound: length - kernel.rankBound(), block: null, method: 'block-lanczos' },
    errorLog2: missing === null ? Number.NEGATIVE_INFINITY : null,
    ...(missing === null ? {} : { reason: missing }),
    own: { rank: null, dimension: null, vectors: made, freeLines: new Uint32Array(0) },
    explanation: kernel.explanation(),
    seconds: { vectors: (performance.now() - start) / 1000 },
  };
}

/** A basis and the rank, both proved; neither, with the reason, where the runs do not come to them. */
async function lanczosBasisOf(
  context: RunContext,
  matrix: SparseMatrix,
  { mod, left, maxMemory }: Settings,
  caller: Caller,
): Promise<Found> {
  const start = performance.now();
  const options = { left, maxBytes: maxMemory ?? undefined };
  const basis = await basisByLanczos(timed(context), matrix.residues(Number(mod)), options);
  const { kernel, reason, rankBound, found, explanation } = basis;
  const told = { method: 'block-lanczos', explanation };
  const seconds = () => ({ vectors: (performance.now() - start) / 1000 });
  if (kernel !== null) {
    const sent = await sendVectors(kernel, matrix, { left, vectors: null }, caller);
    return { ...sent, ...told, seconds: seconds() };
  }
  const most = (left ? matrix.rows : matrix.cols) - rankBound;
  return {
    ...{ value: null, lowerBound: found, upperBound: most, errorLog2: null, block: null, ...told },
    reason,
    own: { rank: null, dimension: null, vectors: 0, freeLines: new Uint32Array(0) },
    seconds: seconds(),
  };
}

interface Batch {
  readonly count: number;
  readonly ptr: Uint32Array;
  readonly index: Uint32Array;
  readonly values: Residues;
}

interface Kernel {
  readonly rank: number;
  readonly dimension: number;
  readonly freeLines: Uint32Array;
  batches(): AsyncIterable<Batch>;
}

/** Hands the vectors to the caller, who takes a batch before the next one is made; returns how many there were. */
async function sendBatches(
  batches: AsyncIterable<Batch>,
  total: number,
  length: number,
  caller: Caller,
): Promise<number> {
  let from = 0;
  for await (const { count, ptr, index, values } of batches) {
    const batch = { from, total, length, count, rowPtr: ptr, colIdx: index, values };
    await caller.call({ what: 'vectors', batch });
    from += count;
    caller.progress({ phase: 'vectors', done: from, total });
  }
  return from;
}

/** A basis, or as many vectors as were asked for. */
export async function sendVectors(
  { rank, dimension, freeLines, batches }: Kernel,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  { left, vectors }: Pick<Settings, 'left' | 'vectors'>,
  caller: Caller,
) {
  const total = vectors ?? dimension;
  const from = total > 0 ? await sendBatches(batches(), total, left ? rows : cols, caller) : 0;
  if (from !== total) throw new Error(`nullspace: expected ${total} vectors, got ${from}: a bug`);
  const bounds = { lowerBound: dimension, upperBound: dimension };
  return { value: null, ...bounds, ...PROVED, own: { rank, dimension, vectors: total, freeLines } };
}
