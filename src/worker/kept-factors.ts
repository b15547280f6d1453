/** Factors of matrices that an engine keeps for its caller: questions about them, mod a word prime and beyond. */
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { factorize } from '../../algorithms/factor/factors.js';
import type { Factors } from '../../algorithms/factor/types.js';
import { factorBig, randomIntegers } from '../../algorithms/reference/big-modulus.js';
import { guardHeap, IN_MAPS } from '../../algorithms/reference/heap-guard.js';
import type { ResidueFactors } from '../../algorithms/reference/residue-systems.js';
import type { Integer } from '../../fields/integer.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Caller } from './caller.js';
import type { Found, KeptFactors } from './found.js';
import type { DenseRightSides } from './right-sides.js';
import { foundSolution, sendVectors } from './systems.js';

/** The rank and the determinant, and the factors beside them. */
function foundFactors(
  kept: KeptFactors,
  { rank, determinant }: { readonly rank: number; readonly determinant: bigint },
  run: Pick<Found, 'method' | 'explanation' | 'seconds'>,
): Found {
  const bounds = { lowerBound: rank, upperBound: rank, errorLog2: Number.NEGATIVE_INFINITY };
  return { value: rank, ...bounds, ...run, block: null, own: { determinant }, kept };
}

export async function factorWord(context: RunContext, matrix: SparseMatrix, { mod }: Settings): Promise<Found> {
  const factors = await factorize(context, matrix.residues(Number(mod)));
  const { rank, determinant, method, explanation, seconds } = factors;
  const kept = new WordFactors(matrix, mod, factors);
  return foundFactors(kept, { rank, determinant: BigInt(determinant) }, { method, explanation, seconds });
}

export function factorBeyond(matrix: SparseMatrix, { mod, maxMemory }: Settings): Found {
  const guard = guardHeap(mod, IN_MAPS, maxMemory);
  const factors = factorBig(matrix, mod, guard);
  return foundFactors(new BigFactors(matrix, mod, factors), factors, { method: 'sparse-elimination', seconds: {} });
}

interface Sizes {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
}

class WordFactors implements KeptFactors {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly mod: bigint;
  readonly #factors: Factors;

  constructor({ rows, cols, nnz }: Sizes, mod: bigint, factors: Factors) {
    [this.rows, this.cols, this.nnz, this.mod, this.#factors] = [rows, cols, nnz, mod, factors];
  }

  async solve(context: RunContext | null, { values, s }: DenseRightSides, settings: Settings): Promise<Found> {
    const result = await this.#factors.solve(context!, values as Uint32Array, s, settings);
    return { ...result, ...foundSolution(result.solution, result.inconsistent, s), method: 'factors' };
  }

  async nullspace(context: RunContext | null, settings: Settings, caller: Caller): Promise<Found> {
    const { left, vectors } = settings;
    const kernel = await this.#factors.nullspace(context!, { left, vectors: vectors ?? undefined });
    const found = await sendVectors({ ...kernel, rank: this.#factors.rank }, this, settings, caller);
    return { ...found, method: 'factors', seconds: {} };
  }

  free(): void {
    this.#factors.free();
  }
}

class BigFactors implements KeptFactors {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly mod: bigint;
  readonly #factors: ResidueFactors<Integer, bigint[]>;

  constructor({ rows, cols, nnz }: Sizes, mod: bigint, factors: ResidueFactors<Integer, bigint[]>) {
    [this.rows, this.cols, this.nnz, this.mod, this.#factors] = [rows, cols, nnz, mod, factors];
  }

  async solve(
    _: RunContext | null,
    { values, s }: DenseRightSides,
    { random, seed, transposed }: Settings,
  ): Promise<Found> {
    const draw = random ? randomIntegers(this.mod, seed) : undefined;
    const { solution, inconsistent } = this.#factors.solve(values, s, transposed, draw);
    return { ...foundSolution(solution, inconsistent, s), method: 'factors', seconds: {} };
  }

  async nullspace(_: RunContext | null, settings: Settings, caller: Caller): Promise<Found> {
    const { left, vectors, seed } = settings;
    const drawn = vectors === null ? undefined : { count: vectors, random: randomIntegers(this.mod, seed) };
    const freeLines = this.#factors.freeLines(left);
    const batches = () => this.#factors.batches(left, drawn);
    const kernel = { rank: this.#factors.rank, dimension: freeLines.length, freeLines, batches };
    return { ...(await sendVectors(kernel, this, settings, caller)), method: 'factors', seconds: {} };
  }

  free(): void {}
}
