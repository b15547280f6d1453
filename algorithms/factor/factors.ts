/**
 * A matrix mod p with its factors, for many systems, kernels and the determinant.
 *
 *   A : rows × cols, of any rank     A·X = B or Aᵀ·X = B     uᵀ·A = 0, uᵀ·b ≠ 0 : column b has no solution
 *
 * Factors are plain data between questions: each question brings the context that it runs in. Whatever they give has
 * been multiplied by A.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { type PackedVectors, ResidueFactors } from '../reference/residue-systems.js';

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

export async function factorize(context: RunContext, matrix: ResidueMatrix): Promise<Factors> {
  return new PlainFactors(context, matrix);
}

/** Those of the slow twin. */
class PlainFactors implements Factors {
  readonly method = 'sparse-elimination';
  readonly explanation: readonly string[] = [];
  readonly rank: number;
  readonly determinant: number;
  readonly seconds: Readonly<Record<string, number>>;
  readonly #factors: ResidueFactors<number, Uint32Array>;

  constructor({ executor, check }: RunContext, matrix: ResidueMatrix) {
    const start = performance.now();
    this.#factors = new ResidueFactors(executor.field, matrix, (elements) => Uint32Array.from(elements), check);
    [this.rank, this.determinant] = [this.#factors.rank, Number(this.#factors.determinant)];
    this.seconds = { elimination: (performance.now() - start) / 1000 };
  }

  async solve(
    { executor, seed }: RunContext,
    rightSides: Uint32Array,
    s: number,
    { random = false, transposed = false }: SystemOptions = {},
  ): Promise<SystemResult> {
    const start = performance.now();
    const draw = random ? elements(executor.field, seed) : undefined;
    const found = this.#factors.solve(rightSides, s, transposed, draw);
    return { ...found, seconds: { substitution: (performance.now() - start) / 1000 } };
  }

  async nullspace({ executor, seed }: RunContext, { left = false, vectors }: KernelOptions = {}): Promise<Kernel> {
    const freeLines = this.#factors.freeLines(left);
    const drawn = vectors === undefined ? undefined : { count: vectors, random: elements(executor.field, seed) };
    return { dimension: freeLines.length, freeLines, batches: () => this.#factors.batches(left, drawn) };
  }

  free(): void {}
}

function elements({ p }: WordPrime, seed: bigint): () => number {
  const stream = new CounterRandom(deriveSeed(seed, 'solution'), 0);
  let drawn = 0;
  return () => stream.residueAt(drawn++, p);
}
