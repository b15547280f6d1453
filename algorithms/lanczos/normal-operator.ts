/**
 * The symmetric operator whose systems Lanczos' algorithm solves in place of those with A:
 *
 *   B = Eᵀ·Aᵀ·D·A·E     A : M × N over F_p     D : random nonzero diagonal over GF(q)     E : N × N, mixing, over GF(q)
 *
 * Without them Aᵀ·A may vanish on vectors that A does not map to zero: over F_2 (1, 1) is orthogonal to itself.
 * With r = rank A: the principal minor of Aᵀ·D·A at r independent columns is Σ_I a_I²·d_I over sets I of r rows, with
 * the minors a_I of A: a polynomial in D that is not zero, so Aᵀ·D·A has rank r unless D is a zero of it. Likewise
 * A·E·Eᵀ·Aᵀ, as a polynomial in E that is not zero for some diagonal. Where both have it and E is nonsingular, B has
 * rank r, its kernel is that of A·E, and no vector of the kernel but 0 is in its column space: B is nonsingular there.
 * E is more than a diagonal because Aᵀ·D·A may fall apart (block-wiedemann/preconditioner.ts), and a block of n columns
 * sees no eigenvalue more than n times.
 * Sources: Lambert 1996; Eberly and Kaltofen 1997.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { KeptVectors } from '../block-wiedemann/kept-vectors.js';
import { diagonalFactor, mixingFactor } from '../block-wiedemann/preconditioner.js';
import type { LeftFactor } from '../block-wiedemann/sparse-factor.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';

export class NormalOperator {
  readonly size: number; // N
  readonly rows: number; // M
  readonly d: LeftFactor;
  readonly e: LeftFactor;
  private readonly a: Operator;
  private readonly short: KeptVectors;
  private readonly long: KeptVectors;

  constructor(executor: Executor, a: Operator, working: WorkingField, seed: bigint) {
    this.size = a.cols;
    this.rows = a.rows;
    this.a = a;
    this.d = diagonalFactor(executor, a.rows, working, deriveSeed(seed, 'lanczos D'));
    this.e = mixingFactor(executor, a.cols, working, deriveSeed(seed, 'lanczos E'));
    this.short = new KeptVectors(executor, [a.cols]);
    this.long = new KeptVectors(executor, [a.rows, a.rows]);
  }

  /** y ← B·x */
  async apply(y: BlockVector, x: BlockVector): Promise<void> {
    const [scaled] = this.short.of(x.width);
    const [, image] = this.long.of(x.width);
    await this.e.apply(scaled, x);
    await this.a.apply(image, scaled);
    await this.adjoint(y, image);
  }

  /** y ← Eᵀ·Aᵀ·D·r; r may be the second long vector. */
  async adjoint(y: BlockVector, r: BlockVector): Promise<void> {
    const [scaled] = this.short.of(r.width);
    const [weighted] = this.long.of(r.width);
    await this.d.apply(weighted, r);
    await this.a.applyTransposed(scaled, weighted);
    await this.e.applyTransposed(y, scaled);
  }

  free(): void {
    this.d.free();
    this.e.free();
    this.short.free();
    this.long.free();
  }
}
