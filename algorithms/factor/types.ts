/**
 * A matrix mod p with its factors, for many systems, kernels and the determinant.
 *
 *   A : rows × cols, of any rank     A·X = B or Aᵀ·X = B     uᵀ·A = 0, uᵀ·b ≠ 0 : column b has no solution
 */
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { PackedVectors } from '../reference/residue-systems.js';

/** Vectors as compressed rows. */
export type SparseVectors = PackedVectors<Uint32Array>;

export interface SystemOptions {
  /** Whether X is a uniformly random one of all solutions. */
  readonly random?: boolean | undefined;
  readonly transposed?: boolean | undefined;
}

export interface SystemResult {
  readonly solution: Uint32Array | null; // s residues a row, row-major
  readonly inconsistent: { readonly column: number; readonly certificate: Uint32Array } | null;
  readonly seconds: Readonly<Record<string, number>>;
  readonly reason?: string | undefined; // where neither was found
}

export interface KernelOptions {
  /** Whether the left kernel is meant. */
  readonly left?: boolean | undefined;
  /** So many independently uniform vectors of the kernel, instead of a basis. */
  readonly vectors?: number | undefined;
}

export interface Kernel {
  readonly dimension: number;
  readonly freeLines: Uint32Array; // columns, or rows of a left kernel, one a basis vector, increasing
  /** Pieces of the basis, or of the random vectors, in order; to be asked for once. */
  batches(): AsyncIterable<SparseVectors>;
}

/**
 * Factors are plain data between questions: each question brings the context that it runs in. Whatever they give has
 * been multiplied by A.
 */
export interface Factors {
  readonly rank: number;
  readonly determinant: number; // 0 unless A is square and of full rank
  readonly method: string;
  readonly explanation: readonly string[];
  readonly seconds: Readonly<Record<string, number>>; // of the factorization
  solve(context: RunContext, rightSides: Uint32Array, s: number, options?: SystemOptions): Promise<SystemResult>;
  nullspace(context: RunContext, options?: KernelOptions): Promise<Kernel>;
  free(): void;
}
