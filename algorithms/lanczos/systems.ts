/**
 * A·X = B and random vectors of the kernel of A by block Lanczos: any shape and any rank, every answer checked.
 *
 *   A : rows × cols     B : rows × s     u : uᵀ·A = 0, uᵀ·b ≠ 0, refutes column b
 *
 * An attempt that dies, or whose answer the check refuses, is followed by one with other randomness. Products on the
 * host check (factor/products.ts), not those of the device that has found the answer.
 */
import { deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import { compressColumns } from '../factor/compress-columns.js';
import { multiply, vanishesOn } from '../factor/products.js';
import type { SparseVectors, SystemResult } from '../factor/types.js';
import { type Attempt, attemptLanczos, lanczosWidth, TOGETHER } from './attempt.js';

/** Tries with fresh randomness; a second one is seldom needed. */
const ATTEMPTS = 4;

/** Runs so far: what --explain says of them. */
class LanczosCounts {
  readonly #working: WorkingField;
  readonly #cols: number;
  readonly #counts = { runs: 0, steps: 0, narrowed: 0, ended: 0, refused: 0 };
  dimension = 0; // proved: rank A is no less

  constructor(working: WorkingField, cols: number) {
    this.#working = working;
    this.#cols = cols;
  }

  add({ steps, dimension, narrowed, isComplete }: Attempt, serves: boolean): void {
    const counts = this.#counts;
    counts.runs++;
    counts.steps += steps;
    counts.narrowed += narrowed;
    if (!isComplete) counts.ended++;
    else if (!serves) counts.refused++;
    this.dimension = Math.max(this.dimension, dimension);
  }

  explanation(): string[] {
    const { runs, steps, narrowed, ended, refused } = this.#counts;
    const { field } = this.#working;
    const n = lanczosWidth(this.#cols, this.#working);
    return [
      `lanczos: blocks of ${n} columns over GF(${field.order}), rank ${this.dimension} or more`,
      `lanczos: runs ${runs}, steps ${steps}; singular blocks ${narrowed}, runs that they ended ${ended}, ` +
        `answers refused ${refused}`,
    ];
  }
}

export interface LanczosSystem extends SystemResult {
  readonly explanation: readonly string[];
}

/** X, or u; neither, with a reason, where no attempt has found one. `b`: B row-major. */
export async function solveByLanczos(
  context: RunContext,
  matrix: ResidueMatrix,
  b: Uint32Array,
  s: number,
  random: boolean,
): Promise<LanczosSystem> {
  const { executor, seed } = context;
  const start = performance.now();
  const working = new WorkingField(executor, 'column');
  const counts = new LanczosCounts(working, matrix.cols);
  const a = executor.operator(matrix, { storage: context.storage });
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

export interface RandomKernelVectors {
  batches(): AsyncGenerator<SparseVectors>;
  /** A lower bound of rank A, once there are vectors. */
  rankBound(): number;
  explanation(): readonly string[];
}

/** `count` independently uniform vectors of the kernel; fewer where no attempt finds more. */
export function randomKernel(context: RunContext, matrix: ResidueMatrix, count: number): RandomKernelVectors {
  const working = new WorkingField(context.executor, 'column');
  const counts = new LanczosCounts(working, matrix.cols);
  return {
    batches: () => makeBatches(context, matrix, count, counts, working),
    rankBound: () => counts.dimension,
    explanation: () => counts.explanation(),
  };
}

async function* makeBatches(
  context: RunContext,
  matrix: ResidueMatrix,
  count: number,
  counts: LanczosCounts,
  working: WorkingField,
): AsyncGenerator<SparseVectors> {
  const { executor, seed } = context;
  const a = executor.operator(matrix, { storage: context.storage });
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

function takeColumn(b: Uint32Array, s: number, j: number): Uint32Array {
  return Uint32Array.from({ length: b.length / s }, (_, i) => b[i * s + j]);
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
