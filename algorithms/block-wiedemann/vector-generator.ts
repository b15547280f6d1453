/**
 * The minimal generator of the vectors B^k·V: what block Wiedemann knows of B itself, not of a rank.
 *
 *   B = C·A, N × N over GF(q)      V : N × n uniform      U : m × N      S_k = U·B^k·V      D = deg det F
 *   F(x) = Σ F_j x^j, n × n, its rows the relations Σ_j B^j·V·(row of F_j)ᵀ = 0
 *
 * F is the left generator of the transposed sequence S_kᵀ, found by generator.ts; K = span of the columns of B^k·V.
 * Of the relations among the S_kᵀ, which contain those among the B^k·V, let F* be a reduced basis: its degrees add up
 * to at most dim K ≤ N, and generator.ts shows that those of F, in order, are at most those of F*.
 *   D = N, and every other row of the order basis of higher degree: then the degrees are those of F*, whose rows have
 *   no other rows to be combined of; so F and F* are the same up to a unimodular factor, F generates the B^k·V, and
 *   K is everything. No probability is involved (`complete`).
 *   D < N: suppose F annihilates V, Σ_j B^j·V·F_jᵀ = 0. Then F is a multiple of the generator of the B^k·V, of which
 *   deg det is dim K ≥ D: so F is that generator. `annihilates` shows it, wrong with probability at most q^−s.
 *
 * U deals the coordinates out to its rows, one each, which costs little and mostly serves. Where vectors with few
 * nonzero coordinates span an eigenspace it sees less than V; `dense` takes a U of uniform elements instead.
 * Source: Coppersmith 1994; Kaltofen, Villard 2005, section 2.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { generatorEngine, type OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { timePhase } from '../stopwatch.js';
import { type BlockShape, checkpoints, stopGap } from './block-shape.js';
import { type Generator, GeneratorSearch } from './generator.js';
import type { GrowingBlocks } from './growing-blocks.js';
import { KrylovSequence } from './krylov.js';
import { Projections } from './projections.js';
import { writeRandom } from './random-vectors.js';
import type { RunContext } from './run-context.js';
import { leftKernelVector } from './small-matrix.js';
import type { LeftFactor } from './sparse-factor.js';
import { verificationWords } from './verification.js';
import type { WorkingField } from './working-field.js';

export interface VectorGenerator extends Generator {
  /** D = N and F is the generator of the B^k·V, without any doubt. */
  readonly complete: boolean;
}

/** What one attempt at a generator runs on. */
export interface VectorGeneratorRun {
  readonly working: WorkingField;
  readonly shape: BlockShape; // m rows of U, n columns of V
  readonly dense: boolean; // U
  readonly seed: bigint;
  readonly attempt: number; // from 1; later attempts wait longer before they believe F
  readonly seconds: Record<'sequence' | 'generator' | 'verification', number>;
}

/** Why there is no generator. */
export interface NoGenerator {
  readonly reason: string;
  /** The operator has shown that it is none: fresh randomness is of no use. */
  readonly broken?: boolean;
}

/** F for B = c·a; `a` is square, with at least a row. */
export async function findVectorGenerator(
  context: RunContext,
  a: Operator,
  c: LeftFactor,
  run: VectorGeneratorRun,
): Promise<VectorGenerator | NoGenerator> {
  const { executor } = context;
  const { working, shape, seed, attempt, seconds } = run;
  const { m, n } = shape;
  const N = a.rows;
  const gap = stopGap(shape, working.log2q) * attempt;
  const bound = Math.ceil(N / m) + Math.ceil(N / n) + gap + 2;
  const capacity = bound + 3 * gap;
  let left: Projections | undefined;
  let krylov: KrylovSequence | undefined;
  let engine: OrderBasisEngine | undefined;
  let search: GeneratorSearch | undefined;
  try {
    left = await leftSide(executor, a, run);
    const rows = run.dense ? { m: 1, s: m } : { m, s: 0 };
    krylov = new KrylovSequence(executor, a, c, working, { ...rows, n, shift: 0 }, seed, left);
    const blocks = run.dense ? krylov.t : krylov.s;
    engine = await generatorEngine(context, working.field, { rows: m + n, cols: m, orders: bound });
    search = new GeneratorSearch(engine, { m: n, n: m, s: 0 }, [], capacity);
    const F = working.elements;
    const transposed = { at: (i: number): Uint32Array => transpose(blocks.at(i), m, n) };
    for (const to of [...checkpoints(bound), capacity]) {
      if (to <= search.order) continue;
      const progress = (done: number): void => context.onProgress({ phase: 'sequence', attempt, done, total: bound });
      await timePhase(seconds, 'sequence', () => krylov!.extend(to, to, context.check, progress));
      await timePhase(seconds, 'generator', () => search!.advance(transposed, NO_BLOCKS, to, F.neg(F.one)));
      if (search.degree > N) return { reason: 'the operator is not linear', broken: true };
      if (search.gap >= (search.degree === N ? 1 : gap)) break;
    }
    const complete = search.degree === N && search.gap >= 1;
    if (!complete && search.gap < gap) return { reason: 'no generator within the expected order' };
    const found = await search.generator(F);
    return found.reduced ? { ...found, complete } : { reason: 'the generator is not reduced' };
  } finally {
    search?.free();
    engine?.dispose?.();
    krylov?.free();
    left?.free();
  }
}

const NO_BLOCKS: Pick<GrowingBlocks, 'at'> = {
  at: () => new Uint32Array(0),
};

/** U, by coordinates or as rows of uniform elements. */
async function leftSide(executor: Executor, a: Operator, run: VectorGeneratorRun): Promise<Projections> {
  const { working, shape, dense, seed } = run;
  if (!dense) return Projections.random(executor, a, working, { m: shape.m, s: 0 }, seed);
  const y = executor.vector(a.rows, working.k * shape.m);
  try {
    writeRandom(executor, y, shape.m, working, deriveSeed(seed, 'dense U'));
    return Projections.fromRows(executor, y, working, 1, seed);
  } catch (error) {
    executor.release(y);
    throw error;
  }
}

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

type CombinationContext = Pick<RunContext, 'executor' | 'check' | 'onProgress'>;

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
  const { executor } = context;
  const { working, seed, attempt } = run;
  const { n } = run.shape;
  const steps = combined.length / (n * s);
  const vectors: BlockVector[] = [];
  const vector = (width: number): BlockVector => {
    const made = executor.vector(a.rows, working.k * width);
    vectors.push(made);
    return made;
  };
  let answer: BlockVector | undefined;
  try {
    const [x, v, ax] = [vector(s), vector(n), vector(s)];
    writeRandom(executor, v, n, working, deriveSeed(seed, 'V'));
    for (let j = steps - 1; j >= 0; j--) {
      context.check();
      // X ← B·X + V·C_j
      if (j < steps - 1) {
        await a.apply(ax, x);
        await c.apply(x, ax);
      }
      executor.blockAxpy(x, v, coordinateBlock(working, combined.subarray(j * n * s, (j + 1) * n * s), n, s));
      if (j % 64 === 0) context.onProgress({ phase: 'verification', attempt, done: steps - j, total: steps });
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

/** m × n to n × m. */
function transpose(block: Uint32Array, m: number, n: number): Uint32Array {
  const out = new Uint32Array(block.length);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) out[j * m + i] = block[i * n + j];
  return out;
}
