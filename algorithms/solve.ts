/**
 * Systems A·X = B mod p: a solution for all columns of B, or a proof that some column has none.
 *
 *   A : rows × cols, of any rank     B : rows × s     X : cols × s     u : rows long, uᵀ·A = 0, uᵀ·b ≠ 0
 *
 * X and u are compared with A and B by one product each before they are given, so what is given is proved.
 */
import { CounterRandom, deriveSeed } from '../fields/random.js';
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { solveResidues } from './reference/residue-systems.js';

export interface SolveOptions {
  readonly method?: 'auto' | 'elimination' | 'hybrid' | 'wiedemann' | undefined;
  /** Whether X is a uniformly random one of all solutions. */
  readonly random?: boolean | undefined;
  readonly maxBytes?: number | undefined;
}

export interface SolveResult {
  readonly solution: Uint32Array | null; // cols × s residues, row-major
  readonly inconsistent: { readonly column: number; readonly certificate: Uint32Array } | null;
  readonly method: string;
  readonly seconds: Readonly<Record<string, number>>;
  readonly explanation: readonly string[];
  readonly reason?: string | undefined; // where neither was found
}

/** X, or u for a column without solution. `rightSides`: B, row-major residues. */
export async function solve(
  { executor, seed, check }: RunContext,
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  { random = false }: SolveOptions = {},
): Promise<SolveResult> {
  const start = performance.now();
  const F = executor.field;
  const stream = new CounterRandom(deriveSeed(seed, 'solution'), 0);
  let drawn = 0;
  const draw = random ? () => stream.residueAt(drawn++, F.p) : undefined;
  const system = { F, a: matrix, pack: (elements: number[]) => Uint32Array.from(elements), check };
  const found = solveResidues(system, rightSides, s, draw);
  const seconds = { elimination: (performance.now() - start) / 1000 };
  return { ...found, method: 'sparse-elimination', seconds, explanation: [] };
}
