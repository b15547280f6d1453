/**
 * The kernel of A mod p as sparse rows: a basis with a vector for each free column, or random vectors of it.
 *
 *   A : rows × cols     right: { x : A·x = 0 }, of cols − rank dimensions     left: { y : yᵀ·A = 0 }, of rows − rank
 *
 * Each vector is multiplied by A before it is given. Those of a basis have 1 in their own free column and 0 in the
 * others, so they are independent. Random vectors by block Lanczos come without the dimension.
 */
import { hostBytes } from '../kernels/platform/host-memory.js';
import { type ResidueMatrix, transpose } from '../kernels/sparse/residue-matrix.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { factorize } from './factor/factors.js';
import type { Kernel, KernelOptions } from './factor/types.js';
import type { RandomKernelVectors } from './lanczos/answers.js';
import { TOGETHER } from './lanczos/attempt.js';
import { lanczosObstacle } from './lanczos/memory.js';
import { type LanczosBasis, lanczosBasis } from './lanczos/reduced-basis.js';
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
  options: NullspaceOptions & { readonly vectors: number },
): RandomKernelVectors {
  return randomKernel(context, forLanczos(context, matrix, options, options.vectors), options.vectors);
}

/** A basis by such vectors: as many as the rank that they prove leaves room for. */
export function basisByLanczos(
  context: RunContext,
  matrix: ResidueMatrix,
  options: Omit<NullspaceOptions, 'vectors'>,
): Promise<LanczosBasis> {
  const a = forLanczos(context, matrix, options, TOGETHER);
  return lanczosBasis(context, a, options.maxBytes ?? hostBytes());
}

/** The matrix whose right kernel is asked for; MethodError where there is no room. */
function forLanczos(
  { executor }: RunContext,
  matrix: ResidueMatrix,
  { left, maxBytes }: NullspaceOptions,
  columns: number,
): ResidueMatrix {
  const a = left ? (transpose(matrix) as ResidueMatrix) : matrix;
  refuseMethod('lanczos', lanczosObstacle(executor, a, Math.max(1, columns), maxBytes));
  return a;
}
