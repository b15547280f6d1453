/**
 * Systems M·X = Y with M square and nonsingular, given by its products, by block Wiedemann.
 *
 *   M : N × N over F_p     Y : N × t     D : random diagonal over GF(q)     B = D·Mᵀ     S_i = U·B^(i+1)·V     T_i = Yᵀ·B^i·V
 *
 * The order basis expresses T in S (block-wiedemann/generator.ts): Yᵀ = −Σ_j c_j·U·B^(j+1), once the rows U·B^(j+1) span
 * everything; so M·D·Z = Y for Z = −Σ_j (Bᵀ)^j·Uᵀ·c_jᵀ, and X = D·Z. Without D an M with many equal invariant factors, a
 * permutation say, would be seen by few columns of V alone. The t columns travel as coordinates of s = ceil(t/k) elements
 * of GF(p^k), q = p^k; X has its entries in F_p again, since M has.
 * X is checked by one product before it is given out: an answer is right, or there is none.
 * Source: Coppersmith 1994; Kaltofen 1995; Chen et al. 2002 for the diagonal.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Operator } from '../../kernels/executor.js';
import { chooseBlocks, stopGap } from '../block-wiedemann/blocks.js';
import { GeneratorSearch } from '../block-wiedemann/generator.js';
import { diagonalFactor } from '../block-wiedemann/hashing.js';
import { krylovCombination } from '../block-wiedemann/horner.js';
import { KrylovSequence } from '../block-wiedemann/krylov.js';
import type { OrderBasisEngine } from '../block-wiedemann/order-basis-engine.js';
import { transposedOperator } from '../block-wiedemann/rank.js';
import { generatorEngine, type RunContext } from '../block-wiedemann/run-context.js';
import { WorkingField } from '../block-wiedemann/working-field.js';

/** The columns of X, N residues each; null when this randomness found none. `rightSides` are the columns of Y. */
export async function solveNonsingular(
  context: RunContext,
  m: Operator,
  rightSides: readonly Uint32Array[],
  seed: bigint,
): Promise<Uint32Array[] | null> {
  const { executor } = context;
  const N = m.rows;
  if (N === 0 || rightSides.length === 0) return rightSides.map(() => new Uint32Array(0));
  const working = new WorkingField(executor.field);
  const s = Math.ceil(rightSides.length / working.k);
  const shape = { ...chooseBlocks(N, working.k), s, shift: 1 as const };
  const b = transposedOperator(m);
  const width = working.k * s;
  const y = executor.vector(N, width);
  executor.write(y, columnsToRows(rightSides, N, width));
  const d = diagonalFactor(executor, N, working, deriveSeed(seed, 'solve D'));
  const krylov = await KrylovSequence.create(executor, b, d, working, shape, seed, y);
  let engine: OrderBasisEngine | undefined;
  let search: GeneratorSearch | undefined;
  try {
    // T enters when the rows have their full degrees; then as many orders as V has columns to see.
    const gap = stopGap(shape, working.log2q);
    const entry = Math.ceil(N / shape.m) + gap;
    const order = entry + Math.ceil(N / shape.n) + gap;
    await krylov.extend(order, order - entry, context.check, (done) =>
      context.onProgress({ phase: 'sequence', attempt: 1, done, total: order }),
    );
    const { m: rows, n: cols } = shape;
    engine = await generatorEngine(context, working, { rows: rows + cols + s, cols, orders: order });
    search = new GeneratorSearch(engine, shape, entry, order);
    const F = working.elements;
    await search.advance(krylov.s, krylov.t, order, F.neg(F.one));
    if (search.degree !== N) return null;
    const c = await search.passengers();
    if (c === null) return null;
    search.free();
    const z = await krylovCombination(executor, b, d, working, krylov.u, c, s, context.check, () => {});
    const negative = executor.vector(N, width);
    await d.apply(negative, z);
    executor.release(z);
    return await checkedSolution(context, m, negative, y, rightSides.length);
  } finally {
    search?.free();
    engine?.dispose?.();
    krylov.free();
    d.free();
  }
}

/** The columns of X = −negative if M·X = Y; releases `negative`. */
async function checkedSolution(
  { executor }: RunContext,
  m: Operator,
  negative: BlockVector,
  y: BlockVector,
  count: number,
): Promise<Uint32Array[] | null> {
  const { p } = executor.field;
  const sum = executor.vector(y.length, y.width);
  try {
    // M·(−X) + Y must vanish.
    executor.copy(sum, y);
    await m.apply(sum, negative, 1, 1);
    if ((await executor.read(sum)).some((value) => value !== 0)) return null;
    const rows = await executor.read(negative);
    return Array.from({ length: count }, (_, j) =>
      Uint32Array.from({ length: y.length }, (_, i) => {
        const value = rows[i * y.width + j];
        return value === 0 ? 0 : p - value;
      }),
    );
  } finally {
    executor.release(sum);
    executor.release(negative);
  }
}

function columnsToRows(columns: readonly Uint32Array[], N: number, width: number): Uint32Array {
  const rows = new Uint32Array(N * width);
  columns.forEach((column, j) => {
    for (let i = 0; i < N; i++) rows[i * width + j] = column[i];
  });
  return rows;
}

/** A seed of its own for a try at a system. */
export function solveSeed(seed: bigint, attempt: number): bigint {
  return deriveSeed(seed, 'solve', attempt);
}
