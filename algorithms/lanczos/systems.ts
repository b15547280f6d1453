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
import {
  ATTEMPTS,
  kernelOf,
  LanczosCounts,
  type LanczosSystem,
  type RandomKernelVectors,
  takeColumn,
} from './answers.js';
import { type Attempt, attemptLanczos, lanczosWidth, TOGETHER } from './attempt.js';
import { randomKernelOfBits, solveByBits } from './bit-systems.js';
import type { LoopKeeper } from './kept-loop.js';
import { keepRun, type RunOutcome } from './kept-outcome.js';

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
  const counts = countsOf(context, working, matrix);
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
      const found = await repeat(context, a, working, counts, first, {
        columns,
        random,
        seed: deriveSeed(seed, 'lanczos', first),
        judge: (run) => judge(executor.field, matrix, columns, run),
        holds: (known) => holdsFor(executor.field, matrix, columns, known),
      });
      if (found === null)
        return answer({ solution: null, inconsistent: null, reason: `lanczos: no solution found in ${ATTEMPTS} runs` });
      if (found.refuted !== null) {
        const inconsistent = { column: first + found.refuted, certificate: found.vectors[0] };
        return answer({ solution: null, inconsistent });
      }
      found.vectors.forEach((x, j) => {
        for (let i = 0; i < x.length; i++) solution[i * s + first + j] = x[i];
      });
    }
    return answer({ solution, inconsistent: null });
  } finally {
    a.free?.();
  }
}

/**
 * `count` independently uniform vectors of the kernel; fewer where no attempt finds more. A run makes about `together`,
 * but no more than TOGETHER elements of GF(q) in a row.
 */
export function randomKernel(
  context: RunContext,
  matrix: ResidueMatrix,
  count: number,
  together = TOGETHER,
): RandomKernelVectors {
  const bits = context.executor.bitColumns?.();
  if (bits) return disposing(bits, randomKernelOfBits(context, bits, matrix, count));
  const working = new WorkingField(context.executor, 'column');
  const counts = countsOf(context, working, matrix);
  const width = Math.min(TOGETHER, Math.ceil(Math.min(together, count) / working.k));
  return kernelOf(() => makeBatches(context, matrix, count, width, counts, working), counts);
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

function countsOf({ timesKernels }: RunContext, working: WorkingField, { cols, colIdx }: ResidueMatrix): LanczosCounts {
  const blocks = `${lanczosWidth(cols, working)} columns over GF(${working.field.order})`;
  return new LanczosCounts(blocks, timesKernels ? colIdx.length : null);
}

async function* makeBatches(
  context: RunContext,
  matrix: ResidueMatrix,
  count: number,
  width: number,
  counts: LanczosCounts,
  working: WorkingField,
): AsyncGenerator<SparseVectors> {
  const { executor, seed } = context;
  const a = await storedOperator(context, matrix);
  try {
    for (let first = 0; first < count; first += width * working.k) {
      const holds = ({ vectors }: Judged): boolean => isKernel(executor.field, matrix, vectors);
      const found = await repeat(context, a, working, counts, first, {
        columns: width,
        random: true,
        seed: deriveSeed(seed, 'lanczos kernel', first),
        judge: async ({ x }) => {
          const made = { vectors: x, refuted: null };
          return holds(made) ? made : null;
        },
        holds,
      });
      if (found === null) return;
      const vectors = found.vectors.slice(0, count - first);
      yield compressColumns(interleave(vectors), vectors.length);
    }
  } finally {
    a.free?.();
  }
}

/** What an attempt has shown: solutions or vectors of the kernel, or u that refutes a column. */
interface Judged {
  readonly vectors: readonly Uint32Array[];
  readonly refuted: number | null; // the column
}

interface Wanted {
  readonly columns: readonly Uint32Array[] | number;
  readonly random: boolean;
  readonly seed: bigint;
  judge(run: Attempt): Promise<Judged | null>;
  /** Whether products say so, of what was kept. */
  holds(known: Judged): boolean;
}

/** What `judge` makes of the first attempt that serves; `first` numbers the columns that it is about. */
async function repeat(
  { executor, checkpoint, check, onProgress }: RunContext,
  a: Operator,
  working: WorkingField,
  counts: LanczosCounts,
  first: number,
  { columns, random, seed, judge, holds }: Wanted,
): Promise<Judged | null> {
  const total = Math.min(a.rows, a.cols);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const onStep = (done: number): void => {
      check();
      const event = { phase: 'sequence' as const, attempt, done, total };
      checkpoint?.note(event);
      onProgress(event);
    };
    const runSeed = deriveSeed(seed, 'attempt', attempt);
    const make = async (keeper?: LoopKeeper): Promise<RunOutcome> => {
      const run = await attemptLanczos(executor, a, working, columns, random, runSeed, onStep, keeper, counts.timing);
      try {
        const judged = await judge(run);
        const more = { served: judged !== null, refuted: judged?.refuted ?? null };
        return { run, more, vectors: judged?.vectors ?? [] };
      } finally {
        run.free();
      }
    };
    const isKept = (outcome: RunOutcome): boolean => {
      const known = judgedOf(outcome);
      return known === null || holds(known);
    };
    const outcome = await keepRun(checkpoint, ATTEMPTS * first + attempt, isKept, make);
    const found = judgedOf(outcome);
    counts.add(outcome.run, found !== null);
    if (found !== null) return found;
  }
  return null;
}

function judgedOf({ more, vectors }: RunOutcome): Judged | null {
  return more['served'] === true ? { vectors, refuted: more['refuted'] as number | null } : null;
}

/** The columns of X if A·X = B, or a column that is refuted. */
async function judge(
  F: WordPrime,
  matrix: ResidueMatrix,
  columns: readonly Uint32Array[],
  run: Attempt,
): Promise<Judged | null> {
  const x = run.x.slice(0, columns.length); // coordinate 0
  const isSolved = solvedBy(F, matrix, columns, x);
  if (isSolved.every(Boolean)) return { vectors: x, refuted: null };
  const u = await run.u();
  for (let j = 0; j < columns.length; j++) {
    if (isSolved[j]) continue;
    for (let at = j; at < u.length; at += columns.length) {
      if (refutes(F, matrix, columns[j], u[at])) return { vectors: [u[at]], refuted: j };
    }
  }
  return null;
}

function holdsFor(
  F: WordPrime,
  matrix: ResidueMatrix,
  columns: readonly Uint32Array[],
  { vectors, refuted }: Judged,
): boolean {
  if (refuted !== null) return vectors[0]?.length === matrix.rows && refutes(F, matrix, columns[refuted], vectors[0]);
  if (vectors.length !== columns.length || vectors.some(({ length }) => length !== matrix.cols)) return false;
  return solvedBy(F, matrix, columns, vectors).every(Boolean);
}

/** The columns of B that A·X has. */
function solvedBy(
  F: WordPrime,
  matrix: ResidueMatrix,
  columns: readonly Uint32Array[],
  x: readonly Uint32Array[],
): boolean[] {
  const product = multiply(F, matrix, interleave(x), x.length);
  return columns.map((b, j) => b.every((value, i) => value === product[i * x.length + j]));
}

/** Whether uᵀ·A = 0 and uᵀ·b ≠ 0. */
function refutes(F: WordPrime, matrix: ResidueMatrix, b: Uint32Array, u: Uint32Array): boolean {
  return dot(F, u, b) !== 0 && vanishesOn(F, u, matrix);
}

/** Whether A·v = 0 for all of them. */
export function isKernel(F: WordPrime, matrix: ResidueMatrix, vectors: readonly Uint32Array[]): boolean {
  if (vectors.some(({ length }) => length !== matrix.cols)) return false;
  return multiply(F, matrix, interleave(vectors), vectors.length).every((value) => value === 0);
}

function dot(F: WordPrime, x: Uint32Array, y: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum = F.add(sum, F.mul(x[i], y[i]));
  return sum;
}

/** Columns as the rows of a matrix. */
export function interleave(columns: readonly Uint32Array[]): Uint32Array {
  const s = columns.length;
  const out = new Uint32Array(s === 0 ? 0 : s * columns[0].length);
  columns.forEach((column, j) => {
    for (let i = 0; i < column.length; i++) out[i * s + j] = column[i];
  });
  return out;
}
