/**
 * Systems M·X = Y with M square and nonsingular, given by its products, by block Wiedemann.
 *
 *   M : N × N over GF(q)     Y : N × s     C : random, N × N     B = C·Mᵀ     S_i = U·B^(i+1)·V     T_i = Yᵀ·B^i·V
 *
 * The order basis expresses T in S (block-wiedemann/generator.ts): Yᵀ = −Σ_j c_j·U·B^(j+1), once the rows U·B^(j+1)
 * span everything; so M·Cᵀ·Z = Y for Z = −Σ_j (Bᵀ)^j·Uᵀ·c_jᵀ, and X = Cᵀ·Z. Without C an M with many equal invariant
 * factors, a permutation say, would be seen by few columns of V alone. GF(q) is that of working-field.ts; columns are
 * lists of codes. X is checked by one product before it is given out: an answer is right, or there is none.
 *
 *   diagonal : one more product with a diagonal a step; enough where M is of one part, or of few.
 *   mixing   : D + P·D' (block-wiedemann/preconditioner.ts), for any M.
 *
 * Where M is a direct sum of parts of b neighbouring lines, as a diagonal is with b = 1, so is B with a diagonal C. Two
 * parts have an eigenvalue in common with probability about 1/q. A row of U over both sees of their eigenvectors one
 * combination alone, and N²/(2·b²·mU) pairs of parts are under one row: an attempt fails with probability about
 * 1 − exp(−N²/(2·b²·q·mU)). An eigenvalue of more than n parts is lost under any U. With a mixing C the matrix B is of
 * one part. For a diagonal M it is E + P·E', and x − B has a triangular minor of N − 1 lines whose determinant is a
 * constant: one invariant factor. What is left is mostly a singular C, with probability 1/(q − 1).
 * Source: Coppersmith 1994; Kaltofen 1995; Chen et al. 2002 for the diagonal.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { keptOnDevices, startOnDevices } from '../block-wiedemann/attempt-sequence.js';
import { checkpoints, chooseBlocks, stopGap } from '../block-wiedemann/block-shape.js';
import { krylovCombination } from '../block-wiedemann/combine.js';
import { GeneratorSearch } from '../block-wiedemann/generator.js';
import { arraysOf } from '../block-wiedemann/kept-attempt.js';
import { BasisKeeper } from '../block-wiedemann/kept-basis.js';
import { CombinationKeeper } from '../block-wiedemann/kept-combination.js';
import type { Sequence } from '../block-wiedemann/krylov.js';
import { freeSides, type SequenceSides, type SequenceTask, sidesOf } from '../block-wiedemann/krylov-columns.js';
import type { Pause } from '../block-wiedemann/look.js';
import type { Phase } from '../block-wiedemann/phase.js';
import { transposeOperator } from '../block-wiedemann/rank.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { LeftFactor } from '../block-wiedemann/sparse-factor.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { StoppedError } from '../checkpoint/store.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import { generatorEngine, type OrderBasisEngine } from '../sigma-basis/order-basis.js';

/** C by its name. */
export type SystemPreconditioner = 'diagonal' | 'mixing';

/** Where an attempt is kept, and what the names of its arrays begin with. */
export interface KeptAttempt {
  readonly checkpoint: Checkpoint;
  readonly attempt: number;
}

/**
 * The columns of X, N codes each; null when this randomness found none. `rightSides` are the columns of Y. An attempt
 * that is `kept` goes on where it ended.
 */
export async function solveNonsingular(
  context: RunContext,
  m: Operator,
  rightSides: readonly Uint32Array[],
  seed: bigint,
  kept?: KeptAttempt,
  preconditioner: SystemPreconditioner = 'diagonal',
): Promise<Uint32Array[] | null> {
  const { executor } = context;
  const N = m.rows;
  if (N === 0 || rightSides.length === 0) return rightSides.map(() => new Uint32Array(0));
  const working = new WorkingField(executor, 'column');
  const s = rightSides.length;
  const shape = { ...chooseBlocks(N, working.degree), s, shift: 1 as const };
  const b = transposeOperator(m);
  const minusOne = working.elements.neg(working.elements.one);
  const arrays = arraysOf(kept?.attempt ?? 0);
  const basis = kept && new BasisKeeper(kept.checkpoint, arrays);
  // T enters when the rows have their full degrees; then as many orders as V has columns to see.
  const gap = stopGap(shape, working.log2q);
  const entry = Math.ceil(N / shape.m) + gap;
  const order = entry + Math.ceil(N / shape.n) + gap;
  const rows = rowsOf(rightSides, N);
  const own = { preconditioner, draw: 'column', rows, seed } as const;
  const task: SequenceTask = { ...own, shape, length: order, moments: order - entry };
  let sides: SequenceSides | undefined;
  let sequence: Sequence | undefined;
  let engine: OrderBasisEngine | undefined;
  let search: GeneratorSearch | undefined;
  const solution = async (
    { c: factor, left: { u, y } }: SequenceSides,
    c: Uint32Array,
  ): Promise<Uint32Array[] | null> => {
    const keeper = kept && new CombinationKeeper(kept.checkpoint, `${arrays}-combination`, c, executor, working, s);
    const onStep = (done: number, total: number): void => progress('verification', done, total);
    const z = await krylovCombination(executor, b, factor, working, { u }, c, s, context.check, onStep, keeper);
    return checkSolution(executor, m, factor, z, working, y!);
  };
  try {
    const known = await kept?.checkpoint.recall(`${arrays}-relations`);
    // Whole coefficients, m × s each.
    if (known && known.bytes.length % (4 * shape.m * s) === 0) {
      sides = await sidesOf(executor, b, working, task);
      return await solution(sides, wordsOf(known.bytes));
    }
    const ready = async (): Promise<OrderBasisEngine> => {
      const { m: rows, n: cols } = shape;
      engine = await generatorEngine(context, working.field, { rows: rows + cols + s, cols, orders: order });
      return engine;
    };
    const run = { ...context, checkpoint: kept?.checkpoint };
    const started = await startOnDevices(run, b, working, task, arrays, ready);
    sides = started;
    const going = started.sequence;
    sequence = going;
    await going.extend(order, task.moments, context.check, (done) => progress('sequence', done, order));
    search = new GeneratorSearch(started.engine, shape, entry, order);
    await basis?.recall(search.basis);
    for (const to of basis ? checkpoints(order) : [order]) {
      if (to <= search.order) continue;
      const advance = (pause?: Pause): Promise<void> => search!.advance(going.s, going.t, to, minusOne, pause);
      await keptOnDevices(going, async () => {
        await kept?.checkpoint.pass();
        await (basis?.goOn(search!.basis, advance) ?? advance());
      });
    }
    if (search.degree !== N) return null;
    const c = await search.rhsRows();
    if (c === null) return null;
    search.free();
    await kept?.checkpoint.keep(`${arrays}-relations`, {}, bytesOf(c));
    await basis?.forget();
    return await solution(sides, c);
  } catch (error) {
    if (error instanceof StoppedError && search) await basis?.end(search.basis);
    throw error;
  } finally {
    search?.free();
    engine?.dispose?.();
    sequence?.free();
    if (sides) freeSides(sides);
  }

  function progress(phase: Phase, done: number, total: number): void {
    const event = { phase, attempt: 1, done, total };
    kept?.checkpoint.note({ ...event, attempt: kept.attempt });
    if (phase === 'sequence') context.onProgress(event);
  }
}

/** The columns of X = −Cᵀ·Z if M·X = Y; releases `z`. */
async function checkSolution(
  executor: Executor,
  m: Operator,
  c: LeftFactor,
  z: BlockVector,
  working: WorkingField,
  y: BlockVector,
): Promise<Uint32Array[] | null> {
  const { p } = executor.field;
  const vectors = [z];
  try {
    for (let i = 0; i < 2; i++) vectors.push(executor.vector(y.length, y.width));
    const [, negative, image] = vectors;
    await c.applyTransposed(negative, z);
    // M·(−X) + Y must vanish.
    await m.apply(image, negative);
    const [got, wanted] = [await executor.read(image), await executor.read(y)];
    if (got.some((value, at) => (value + wanted[at]) % p !== 0)) return null;
    const residues = (await executor.read(negative)).map((value) => (value === 0 ? 0 : p - value));
    return vectorColumns(working, residues, y.width / working.k);
  } finally {
    for (const v of vectors) executor.release(v);
  }
}

/** Columns of N codes as a vector of N elements × columns. */
export function columnsVector(
  executor: Executor,
  working: WorkingField,
  columns: readonly Uint32Array[],
  N: number,
): BlockVector {
  const s = columns.length;
  const v = executor.vector(N, working.k * s);
  executor.write(v, working.toResidues(rowsOf(columns, N), s));
  return v;
}

/** Columns of N codes as N rows, one behind another. */
function rowsOf(columns: readonly Uint32Array[], N: number): Uint32Array {
  const s = columns.length;
  const rows = new Uint32Array(N * s);
  columns.forEach((column, j) => {
    for (let i = 0; i < N; i++) rows[i * s + j] = column[i];
  });
  return rows;
}

/** The residues of such a vector as columns again. */
export function vectorColumns(working: WorkingField, residues: Uint32Array, s: number): Uint32Array[] {
  const rows = working.fromResidues(residues, s);
  return Array.from({ length: s }, (_, j) => Uint32Array.from({ length: rows.length / s }, (_, i) => rows[i * s + j]));
}

/** A seed of its own for a try at a system. */
export function solveSeed(seed: bigint, attempt: number): bigint {
  return deriveSeed(seed, 'solve', attempt);
}
