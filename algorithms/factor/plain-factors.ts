/** Factors of the slow twin, where there are no threads. */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { ResidueFactors } from '../reference/residue-systems.js';
import type { Factors, Kernel, KernelOptions, SystemOptions, SystemResult } from './types.js';

export class PlainFactors implements Factors {
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
