/**
 * Combinations of the vectors of a Krylov space by Horner's rule, and what a generator shows by them.
 *
 *   B = C·A, N × N over GF(q)      V : N × n uniform      F : rows of relations, n × n (vector-generator.ts)
 *   X = Σ_j B^j·V·C_j, N × s      C_j : n × s over GF(q)
 *
 * `annihilates` and `showsKernel` make one X each, in products of width s.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import type { Generator } from './generator.js';
import { arraysOf } from './kept-attempt.js';
import { CombinationKeeper } from './kept-combination.js';
import { writeRandom } from './random-vectors.js';
import type { RunContext } from './run-context.js';
import { leftKernelVector } from './small-matrix.js';
import type { LeftFactor } from './sparse-factor.js';
import type { VectorGeneratorRun } from './vector-generator.js';
import { verificationWords } from './verification.js';
import type { WorkingField } from './working-field.js';

/** Whether Σ_j B^j·V·F_jᵀ·t = 0 for `s` uniform columns t over GF(q). */
export async function annihilates(
  context: CombinationContext,
  a: Operator,
  c: LeftFactor,
  run: VectorGeneratorRun,
  { coefficients }: Generator,
  s: number,
): Promise<boolean> {
  const { working, shape, seed } = run;
  const t = verificationWords(working.elements, s * shape.n, deriveSeed(seed, 't'));
  const combined = combineRows(working.elements, coefficients, shape.n, t, s);
  const x = await combineVectors(context, a, c, run, combined, s);
  try {
    return await isZero(context.executor, x);
  } finally {
    context.executor.release(x);
  }
}

/**
 * Whether there is an x ≠ 0 with A·x = 0 to be seen: y·F(0) = 0 makes y·F(x) a multiple of x, so that B annihilates
 * Σ_j B^j·V·(y·F_(j+1))ᵀ; C is nonsingular.
 */
export async function showsKernel(
  context: CombinationContext,
  a: Operator,
  c: LeftFactor,
  run: VectorGeneratorRun,
  { coefficients }: Generator,
): Promise<boolean> {
  const { executor } = context;
  const { working, shape } = run;
  const { n } = shape;
  const y = leftKernelVector(working.elements, coefficients.subarray(0, n * n), n);
  if (y === null) return false;
  const combined = combineRows(working.elements, coefficients.subarray(n * n), n, y, 1);
  const x = await combineVectors(context, a, c, run, combined, 1);
  try {
    if (await isZero(executor, x)) return false;
    const ax = executor.vector(a.rows, x.width);
    try {
      await a.apply(ax, x);
      return await isZero(executor, ax);
    } finally {
      executor.release(ax);
    }
  } finally {
    executor.release(x);
  }
}

type CombinationContext = Pick<RunContext, 'executor' | 'checkpoint' | 'check' | 'onProgress'>;

async function isZero(executor: Executor, v: BlockVector): Promise<boolean> {
  return (await executor.read(v)).every((value) => value === 0);
}

/** Σ_j B^j·V·C_j as a new vector of `s` columns; C_j : n × s. Horner's rule, a product of width s each. */
async function combineVectors(
  context: CombinationContext,
  a: Operator,
  c: LeftFactor,
  run: VectorGeneratorRun,
  combined: Uint32Array,
  s: number,
): Promise<BlockVector> {
  const { executor, checkpoint } = context;
  const { working, seed, attempt } = run;
  const { n } = run.shape;
  const steps = combined.length / (n * s);
  const vectors: BlockVector[] = [];
  const vector = (width: number): BlockVector => {
    const made = executor.vector(a.rows, working.k * width);
    vectors.push(made);
    return made;
  };
  const name = `${arraysOf(attempt)}-combination`;
  const keeper = checkpoint && new CombinationKeeper(checkpoint, name, combined, executor, working, s);
  let answer: BlockVector | undefined;
  try {
    const [x, v, ax] = [vector(s), vector(n), vector(s)];
    writeRandom(executor, v, n, working, deriveSeed(seed, 'V'));
    const done = (await keeper?.recall(x)) ?? 0;
    for (let j = steps - 1 - done; j >= 0; j--) {
      context.check();
      await keeper?.pass(steps - 1 - j, x);
      // X ← B·X + V·C_j
      if (j < steps - 1) {
        await a.apply(ax, x);
        await c.apply(x, ax);
      }
      executor.blockAxpy(x, v, coordinateBlock(working, combined.subarray(j * n * s, (j + 1) * n * s), n, s));
      const event = { phase: 'verification' as const, attempt, done: steps - j, total: steps };
      checkpoint?.note(event);
      if (j % 64 === 0) context.onProgress(event);
    }
    answer = x;
    return x;
  } finally {
    for (const each of vectors) if (each !== answer) executor.release(each);
  }
}

/** F_jᵀ·tᵀ for j = 0, 1, …, each n × s; t : s × n. */
function combineRows(
  F: WorkingField['elements'],
  coefficients: Uint32Array,
  n: number,
  t: Uint32Array,
  s: number,
): Uint32Array {
  const out = new Uint32Array((coefficients.length / n) * s);
  for (let j = 0; j * n * n < coefficients.length; j++) {
    const block = coefficients.subarray(j * n * n, (j + 1) * n * n);
    for (let r = 0; r < n; r++) {
      for (let i = 0; i < n; i++) {
        const x = block[r * n + i];
        if (x === 0) continue;
        const at = j * n * s + i * s;
        for (let b = 0; b < s; b++) out[at + b] = F.add(out[at + b], F.mul(t[b * n + r], x));
      }
    }
  }
  return out;
}

/** n × s codes as the (k·n) × (k·s) matrix by which rows of coordinates are multiplied (working-field.ts). */
function coordinateBlock(working: WorkingField, codes: Uint32Array, n: number, s: number): Uint32Array {
  const { k } = working;
  if (k === 1) return codes;
  const out = new Uint32Array(codes.length * k * k);
  let power = 1;
  for (let a = 0; a < k; a++) {
    const multiples = codes.map((code) => working.elements.mul(power, code));
    out.set(working.toResidues(multiples, s), a * n * k * s);
    power = working.elements.mul(power, working.base.p);
  }
  return out;
}
