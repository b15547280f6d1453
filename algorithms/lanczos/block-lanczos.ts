/**
 * B·Z = C for symmetric B by block Lanczos: over GF(q) (field-space.ts), or over F_2 by words of 64 columns
 * (bit-space.ts).
 *
 *   B : N × N     V_i : N × n     Z, C : N × s     W_i = V_i·S_i, columns of V_i     W_iᵀ·B·W_j = 0 for i ≠ j
 *
 *   V_0 = B·Y for a random Y, or C     V_(i+1) : recurrence.ts
 *   Z = Σ_i V_i·N_i·V_iᵀ·C     N_i = S_i·(W_iᵀ·B·W_i)⁻¹·S_iᵀ
 *
 * If V becomes 0, the W_i span the Krylov space of V_0, B maps it to itself, and W_iᵀ·(B·Z − C) = 0 for all i: where
 * that space is the whole column space of B, Z is the member of it with B·Z = C. The number of all columns of all W_i
 * is at most rank B, whatever was drawn, since the matrix of B on them is nonsingular. A step whose VᵀBV is singular
 * goes on with the columns of selection.ts; the run ends without V = 0 where a column would be left out twice.
 * Source: Montgomery 1995; Hovinen and Eberly 2005 for fields of any size.
 */
import type { BlockVector } from '../../kernels/executor.js';
import type { LoopKeeper } from './kept-loop.js';
import { type PastStep, recurrenceCoefficients } from './recurrence.js';
import type { LanczosSpace } from './space.js';
import type { StepClock } from './step-clock.js';
import type { StepKernel } from './step-kernels.js';

export interface LanczosRun {
  readonly steps: number;
  readonly dimension: number; // Σ|S_i| ≤ rank B; 0 of a run that has erred
  readonly narrowed: number; // singular VᵀBV before the last block that is not 0
  readonly isComplete: boolean; // whether V became 0
}

/**
 * Z ← Z + Σ_i V_i·N_i·V_iᵀ·C; `start` writes V_0. C and Z stay the caller's, as the space does. With a keeper the loop
 * goes on where it was kept, Z included.
 */
export async function blockLanczos(
  space: LanczosSpace,
  start: (v: BlockVector) => Promise<void>,
  c: BlockVector,
  z: BlockVector,
  onStep: (dimension: number) => void,
  keeper?: LoopKeeper,
  clock?: StepClock,
): Promise<LanczosRun> {
  const timed = async <T>(kernel: StepKernel, work: () => T | Promise<T>, calls?: number): Promise<T> =>
    clock ? clock.time(kernel, work, calls) : work();
  const { algebra } = space;
  const { n } = algebra;
  const vectors = Array.from({ length: 5 }, () => space.vector());
  try {
    let [v, v1, v2, image, spare] = vectors;
    const kept = (await keeper?.recall(space, [v, v1, v2, z])) ?? null;
    if (kept === null) await start(v);
    let last: PastStep | null = kept?.last ?? null;
    let beforeLast: PastStep | null = kept?.beforeLast ?? null;
    let { steps, dimension, narrowed } = kept ?? { steps: 0, dimension: 0, narrowed: 0 };
    for (;;) {
      onStep(dimension);
      await keeper?.pass(space, { steps, dimension, narrowed, last, beforeLast }, [v, v1, v2, z]);
      await clock?.begin(() => space.copy(image, v));
      await timed('product', () => space.apply(image, v));
      const { g, h, r } = await timed('dots', () => space.products(v, image, c));
      const selection = algebra.selectColumns(g, last?.selection.isSelected);
      // A product that memory or a processor got wrong, here and below: the W_i prove nothing.
      if (selection === null) return { steps, dimension: 0, narrowed, isComplete: false };
      const isStuck = last?.selection.isSelected.some((was, j) => !was && !selection.isSelected[j]) ?? false;
      if (selection.count < n && (selection.count === 0 || isStuck)) {
        const isComplete = (await space.read(v)).every((word) => word === 0);
        return { steps, dimension, narrowed: narrowed + (isComplete ? 0 : 1), isComplete };
      }
      steps++;
      if (last !== null && last.selection.count < n) narrowed++;
      dimension += selection.count;
      // The W_i are not orthogonal.
      if (dimension > space.size) return { steps, dimension: 0, narrowed, isComplete: false };
      // Z ← Z + V·N·R
      const factor = algebra.multiply(selection.inverse, r);
      await timed('answer', () => space.axpy(z, v, factor));
      const { m, d, e, f } = recurrenceCoefficients(algebra, g, h, selection, last, beforeLast);
      // next ← B·V·S·Sᵀ + V·D + V_(i−1)·E + V_(i−2)·F
      let next = image;
      if (selection.count < n) {
        // B·V·S·Sᵀ = B·V − B·V·(1 − S·Sᵀ)
        next = spare;
        space.copy(next, image);
        space.axpy(next, image, algebra.negate(algebra.complement(algebra.projection(selection.isSelected))));
      }
      const sums: [BlockVector, Uint32Array][] = [[v, d]];
      if (e) sums.push([v1, e]);
      if (f) sums.push([v2, f]);
      const update = (): void => {
        for (const [x, a] of sums) space.axpy(next, x, a);
      };
      await timed('update', update, sums.length);
      beforeLast = last;
      last = { g, m, selection };
      if (next === image) [v, v1, v2, image] = [next, v, v1, v2];
      else [v, v1, v2, spare] = [next, v, v1, v2];
    }
  } finally {
    for (const vector of vectors) space.release(vector);
  }
}
