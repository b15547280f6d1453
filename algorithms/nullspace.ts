/**
 * The kernel of A mod p as sparse rows: a basis with a vector for each free column, or random vectors of it.
 *
 *   A : rows × cols     right: { x : A·x = 0 }, of cols − rank dimensions     left: { y : yᵀ·A = 0 }, of rows − rank
 *
 * Each vector is multiplied by A before it is given. Those of a basis have 1 in their own free column and 0 in the
 * others, so they are independent.
 */
import { CounterRandom, deriveSeed } from '../fields/random.js';
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { nullspaceResidues } from './reference/residue-systems.js';

/** Vectors as compressed rows. */
export interface SparseVectors {
  readonly count: number;
  readonly ptr: Uint32Array; // count + 1 offsets
  readonly index: Uint32Array; // increasing in each vector
  readonly values: Uint32Array; // residues but 0
}

export interface NullspaceOptions {
  /** Whether the left kernel is meant. */
  readonly left?: boolean | undefined;
  /** So many independently uniform vectors of the kernel, instead of a basis. */
  readonly vectors?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface Nullspace {
  readonly rank: number;
  readonly dimension: number;
  readonly freeLines: Uint32Array; // columns, or rows of a left kernel, one a basis vector, increasing
  readonly method: string;
  readonly explanation: readonly string[];
  readonly seconds: Readonly<Record<string, number>>; // of what comes before the vectors
  /** Pieces of the basis, or of the random vectors, in order; to be asked for once. */
  batches(): AsyncIterable<SparseVectors>;
  free(): void;
}

export async function nullspace(
  { executor, seed, check }: RunContext,
  matrix: ResidueMatrix,
  { left = false, vectors }: NullspaceOptions = {},
): Promise<Nullspace> {
  const start = performance.now();
  const F = executor.field;
  const stream = new CounterRandom(deriveSeed(seed, 'kernel'), 0);
  let drawn = 0;
  const random = (): number => stream.residueAt(drawn++, F.p);
  const system = { F, a: matrix, pack: (elements: number[]) => Uint32Array.from(elements), check };
  const found = nullspaceResidues(system, left, vectors === undefined ? undefined : { count: vectors, random });
  const seconds = { elimination: (performance.now() - start) / 1000 };
  return { ...found, method: 'sparse-elimination', explanation: [], seconds, free: () => {} };
}
