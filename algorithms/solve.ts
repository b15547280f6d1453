/**
 * Systems A·X = B mod p: a solution for all columns of B, or a proof that some column has none.
 *
 *   A : rows × cols, of any rank     B : rows × s     X : cols × s     u : rows long, uᵀ·A = 0, uᵀ·b ≠ 0
 *
 * X and u are compared with A and B by one product each before they are given, so what is given is proved.
 */
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { factorize } from './factor/factors.js';
import type { SystemResult } from './factor/types.js';
import { MethodError } from './method-error.js';

export interface SolveOptions {
  readonly method?: 'auto' | 'elimination' | 'hybrid' | 'wiedemann' | undefined;
  /** Whether X is a uniformly random one of all solutions. */
  readonly random?: boolean | undefined;
  readonly maxBytes?: number | undefined;
}

export interface SolveResult extends SystemResult {
  readonly method: string;
  readonly explanation: readonly string[];
}

/** X, or u for a column without solution. `rightSides`: B, row-major residues. */
export async function solve(
  context: RunContext,
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  { random, maxBytes, method = 'auto' }: SolveOptions = {},
): Promise<SolveResult> {
  if (method === 'hybrid' || method === 'wiedemann')
    throw new MethodError(`method ${method}: systems are solved by elimination alone`);
  const factors = await factorize(context, matrix, { maxBytes });
  try {
    const { explanation } = factors;
    const found = await factors.solve(context, rightSides, s, { random });
    return { ...found, method: factors.method, explanation, seconds: { ...factors.seconds, ...found.seconds } };
  } finally {
    factors.free();
  }
}
