/**
 * The kernel of A mod p as sparse rows: a basis with a vector for each free column, or random vectors of it.
 *
 *   A : rows × cols     right: { x : A·x = 0 }, of cols − rank dimensions     left: { y : yᵀ·A = 0 }, of rows − rank
 *
 * Each vector is multiplied by A before it is given. Those of a basis have 1 in their own free column and 0 in the
 * others, so they are independent. Block Lanczos makes random vectors alone and says no dimension.
 */
import { type ResidueMatrix, transpose } from '../kernels/sparse/residue-matrix.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { factorize } from './factor/factors.js';
import type { Kernel, KernelOptions } from './factor/types.js';
import type { RandomKernelVectors } from './lanczos/answers.js';
import { lanczosObstacle } from './lanczos/memory.js';
import { randomKernel } from './lanczos/systems.js';
import { refuseMethod } from './methods/choose.js';

export interface NullspaceOptions extends KernelOptions {
  readonly maxBytes?: number | undefined;
}

export interface Nullspace extends Kernel {
  readonly rank: number;
  readonly method: string;
  readonly explanation: readonly string[];
  readonly seconds: Readonly<Record<string, number>>; // of what comes before the vectors
  free(): void;
}

export async function nullspace(
  context: RunContext,
  matrix: ResidueMatrix,
  options: NullspaceOptions = {},
): Promise<Nullspace> {
  const factors = await factorize(context, matrix, options);
  const { rank, method, explanation, seconds } = factors;
  const kernel = await factors.nullspace(context, options);
  return { ...kernel, rank, method, explanation, seconds, free: () => factors.free() };
}

/** Random vectors by products with the matrix alone. */
export function nullspaceByLanczos(
  context: RunContext,
  matrix: ResidueMatrix,
  { left, vectors, maxBytes }: NullspaceOptions & { readonly vectors: number },
): RandomKernelVectors {
  const a = left ? (transpose(matrix) as ResidueMatrix) : matrix;
  refuseMethod('lanczos', lanczosObstacle(context.executor, a, Math.max(1, vectors), maxBytes));
  return randomKernel(context, a, vectors);
}
