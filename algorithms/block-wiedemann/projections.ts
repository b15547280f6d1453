/**
 * The left factors of every B^i·V, on any device: U, and dense rows.
 *
 *   A : m × N      U : mU × N structured, one row a coordinate      W : s × m random      Y = W·A, or Y given and no W
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator, Projection } from '../../kernels/executor.js';
import { randomNonzero, writeRandom } from './random-vectors.js';
import type { WorkingField } from './working-field.js';

export class Projections {
  readonly s: number;
  readonly u: Projection;
  /** W as a vector of A.rows elements × s, and Y = Aᵀ·W; null when s = 0. */
  readonly w: BlockVector | null;
  readonly y: BlockVector | null;
  private readonly executor: Executor;

  private constructor(executor: Executor, s: number, u: Projection, w: BlockVector | null, y: BlockVector | null) {
    this.executor = executor;
    this.s = s;
    this.u = u;
    this.w = w;
    this.y = y;
  }

  /** Of random vectors of A's row space. */
  static async random(
    executor: Executor,
    a: Operator,
    working: WorkingField,
    { m, s }: { readonly m: number; readonly s: number },
    seed: bigint,
  ): Promise<Projections> {
    const u = drawProjection(executor, a.cols, m, working, deriveSeed(seed, 'U'));
    if (s === 0) return new Projections(executor, 0, u, null, null);
    const vectors: BlockVector[] = [];
    try {
      for (const length of [a.rows, a.cols]) vectors.push(executor.vector(length, working.k * s));
      const [w, y] = vectors;
      writeRandom(executor, w, s, working, deriveSeed(seed, 'W'));
      await a.applyTransposed(y, w);
      return new Projections(executor, s, u, w, y);
    } catch (error) {
      for (const v of vectors) executor.release(v);
      throw error;
    }
  }

  /** Of `s` rows that `write` makes, a vector of N elements × s. */
  static ofRows(
    executor: Executor,
    N: number,
    working: WorkingField,
    { m, s }: { readonly m: number; readonly s: number },
    seed: bigint,
    write: (y: BlockVector) => void,
  ): Projections {
    const y = executor.vector(N, working.k * s);
    try {
      write(y);
      return new Projections(executor, s, drawProjection(executor, N, m, working, deriveSeed(seed, 'U')), null, y);
    } catch (error) {
      executor.release(y);
      throw error;
    }
  }

  free(): void {
    for (const v of [this.w, this.y]) if (v) this.executor.release(v);
  }
}

/** U: coordinate i belongs to block row floor(i·m/N) and carries one random nonzero element of GF(q). */
function drawProjection(executor: Executor, N: number, m: number, working: WorkingField, seed: bigint): Projection {
  const codes = randomNonzero(executor, N, working.q, seed);
  return {
    rows: m,
    layers: working.k,
    bounds: Uint32Array.from({ length: m + 1 }, (_, r) => Math.ceil((r * N) / m)),
    coefficients: working.coordinates(codes),
  };
}
