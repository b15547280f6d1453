/**
 * A·X = B and random vectors of the kernel of A by block Lanczos: any shape and any rank, every answer checked. Over
 * F_2 bit-systems.ts answers.
 *
 *   A : rows × cols     B : rows × s     u : uᵀ·A = 0, uᵀ·b ≠ 0, refutes column b
 *
 * An attempt that dies, or whose answer the check refuses, is followed by one with other randomness. Products on the
 * host check (factor/products.ts), not those of the device that has found the answer.
 */
import { deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { BitColumns, Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { storedOperator } from '../block-wiedemann/stored-operator.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import { compressColumns } from '../factor/compress-columns.js';
import { multiply, vanishesOn } from '../factor/products.js';
import type { SparseVectors, SystemResult } from '../factor/types.js';
import { ATTEMPTS, LanczosCounts, type LanczosSystem, type RandomKernelVectors, takeColumn } from './answers.js';
import { type Attempt, attemptLanczos, lanczosWidth, TOGETHER } from './attempt.js';
import { randomKernelOfBits, solveByBits } from './bit-systems.js';

/** X, or u; neither, with a reason, where no attempt has found one. `b`: B row-major. */
export async function solveByLanczos(
  context: RunContext,
  matrix: ResidueMatrix,
  b: Uint32Array,
  s: number,
  random: boolean,
): Promise<LanczosSystem> {
  const { executor, seed } = context;
  const bits = executor.bitColumns?.();
  if (bits) return solveByBits(context, bits, matrix, b, s).finally(() => bits.dispose());
  const start = performance.now();
  const working = new WorkingField(executor, 'column');
  const counts = countsOf(working, matrix.cols);
  const a = await storedOperator(context, matrix);
  const solution = new Uint32Array(matrix.cols * s);
  const answer = (found: Pick<SystemResult, 'solution' | 'inconsistent' | 'reason'>): LanczosSystem => ({
    ...found,
    explanation: counts.explanation(),
    seconds: { vectors: (performance.now() - start) / 1000 },
  });
  try {
    for (let first = 0; first < s; first += TOGETHER) {
      const width = Math.min(TOGETHER, s - first);
      const columns = Array.from({ length: width }, (_, j) => takeColumn(b, s, first + j));
      const found = await repeat(
        context,
        a,
        working,
        counts,
        columns,
        random,
        deriveSeed(seed, 'lanczos', first),
        (run) => judge(executor.field, matrix, columns, run),
      );
      if (found === null)
        return answer({ solution: null, inconsistent: null, reason: `lanczos: no solution found in ${ATTEMPTS} runs` });
      if ('column' in found) {
        const { column, certificate } = found;
        return answer({ solution: null, inconsistent: { column: first + column, certificate } });
      }
      found.forEach((x, j) => {
        for (let i = 0; i < x.length; i++) solution[i * s + first + j] = x[i];
      });
    }
    return answer({ solution, inconsistent: null });
  } finally {
    a.free?.();
  }
}

/** `count` independently uniform vectors of the kernel; fewer where no attempt finds more. */
export function randomKernel(context: RunContext, matrix: ResidueMatrix, count: number): RandomKernelVectors {
  const bits = context.executor.bitColumns?.();
  if (bits) return disposing(bits, randomKernelOfBits(context, bits, matrix, count));
  const working = new WorkingField(context.executor, 'column');
  const counts = countsOf(working, matrix.cols);
  return {
    batches: () => makeBatches(context, matrix, count, counts, working),
    rankBound: () => counts.dimension,
    explanation: () => counts.explanation(),
  };
}

/** Batches whose end disposes of the columns. */
function disposing(bits: BitColumns, kernel: RandomKernelVectors): RandomKernelVectors {
  async function* batches(): AsyncGenerator<SparseVectors> {
    try {
      yield* kernel.batches();
    } finally {
      bits.dispose();
    }
  }
  return { ...kernel, batches };
}

function countsOf(working: WorkingField, cols: number): LanczosCounts {
  return new LanczosCounts(`${lanczosWidth(cols, working)} columns over GF(${working.field.order})`);
}

async function* makeBatches(
  context: RunContext,
  matrix: ResidueMatrix,
  count: number,
  counts: LanczosCounts,
  working: WorkingField,
): AsyncGenerator<SparseVectors> {
  const { executor, seed } = context;
  const a = await storedOperator(context, matrix);
  try {
    const width = Math.ceil(Math.min(TOGETHER, count) / working.k);
    for (let first = 0; first < count; first += width * working.k) {
      const runSeed = deriveSeed(seed, 'lanczos kernel', first);
      const found = await repeat(context, a, working, counts, width, true, runSeed, async ({ x }) => {
        const isKernel = !multiply(executor.field, matrix, interleave(x), x.length).some((value) => value !== 0);
        return isKernel ? x : null;
      });
      if (found === null) return;
      const vectors = found.slice(0, count - first);
      yield compressColumns(interleave(vectors), vectors.length);
    }
  } finally {
    a.free?.();
  }
}

/** What `judge` makes of the first attempt that serves. */
async function repeat<T>(
  { executor, check, onProgress }: RunContext,
  a: Operator,
  working: WorkingField,
  counts: LanczosCounts,
  columns: readonly Uint32Array[] | number,
  random: boolean,
  seed: bigint,
  judge: (run: Attempt) => Promise<T | null>,
): Promise<T | null> {
  const total = Math.min(a.rows, a.cols);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const onStep = (done: number): void => {
      check();
      onProgress({ phase: 'sequence', attempt, done, total });
    };
    const runSeed = deriveSeed(seed, 'attempt', attempt);
    const run = await attemptLanczos(executor, a, working, columns, random, runSeed, onStep);
    try {
      const found = await judge(run);
      counts.add(run, found !== null);
      if (found !== null) return found;
    } finally {
      run.free();
    }
  }
  return null;
}

type Refutation = { readonly column: number; readonly certificate: Uint32Array };

/** The columns of X if A·X = B, or a column that is refuted. */
async function judge(
  F: WordPrime,
  matrix: ResidueMatrix,
  columns: readonly Uint32Array[],
  run: Attempt,
): Promise<Uint32Array[] | Refutation | null> {
  const x = run.x.slice(0, columns.length); // coordinate 0
  const product = multiply(F, matrix, interleave(x), x.length);
  const isSolved = columns.map((b, j) => b.every((value, i) => value === product[i * x.length + j]));
  if (isSolved.every(Boolean)) return x;
  const u = await run.u();
  for (let j = 0; j < columns.length; j++) {
    if (isSolved[j]) continue;
    for (let at = j; at < u.length; at += columns.length) {
      if (dot(F, u[at], columns[j]) !== 0 && vanishesOn(F, u[at], matrix)) return { column: j, certificate: u[at] };
    }
  }
  return null;
}

function dot(F: WordPrime, x: Uint32Array, y: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum = F.add(sum, F.mul(x[i], y[i]));
  return sum;
}

/** Columns as the rows of a matrix. */
function interleave(columns: readonly Uint32Array[]): Uint32Array {
  const s = columns.length;
  const out = new Uint32Array(s === 0 ? 0 : s * columns[0].length);
  columns.forEach((column, j) => {
    for (let i = 0; i < column.length; i++) out[i * s + j] = column[i];
  });
  return out;
}
