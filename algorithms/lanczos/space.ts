/** What block Lanczos runs on: vectors of GF(q) (field-space.ts) or bits (bit-space.ts), and a symmetric operator. */
import type { BlockVector } from '../../kernels/executor.js';
import type { BlockAlgebra } from './block-algebra.js';

/** The products and sums of a step: V are N × n, C and Z are N × s. */
export interface LanczosSpace {
  readonly size: number; // N
  readonly algebra: BlockAlgebra;
  /** A vector as V. */
  vector(): BlockVector;
  release(v: BlockVector): void;
  /** y ← B·x */
  apply(y: BlockVector, x: BlockVector): Promise<void>;
  /** G = VᵀBV, H = (BV)ᵀ(BV), R = VᵀC, with BV = image. */
  products(v: BlockVector, image: BlockVector, c: BlockVector): Promise<Readonly<Record<'g' | 'h' | 'r', Uint32Array>>>;
  /** y ← y + x·a */
  axpy(y: BlockVector, x: BlockVector, a: Uint32Array): void;
  copy(to: BlockVector, from: BlockVector): void;
  /** All words of V, or of C or Z. */
  read(v: BlockVector): Promise<Uint32Array>;
  write(v: BlockVector, words: Uint32Array): void;
  free(): void;
}
