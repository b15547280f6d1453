/** What block Lanczos answers with, over GF(q) and over bits alike, and what its runs have met. */
import type { SparseVectors, SystemResult } from '../factor/types.js';
import type { LanczosRun } from './block-lanczos.js';
import type { KernelTiming } from './step-clock.js';

/** Tries with fresh randomness; a second one is seldom needed. */
export const ATTEMPTS = 4;

export interface LanczosSystem extends SystemResult {
  readonly explanation: readonly string[];
}

export interface RandomKernelVectors {
  batches(): AsyncGenerator<SparseVectors>;
  /** A lower bound of rank A, once there are vectors. */
  rankBound(): number;
  /** Rank A is `most` at most, as the caller knows: where a run says more, memory or a processor erred in it. */
  refuteBeyond(most: number): void;
  explanation(): readonly string[];
}

/** Runs so far: what --explain says of them. */
export class LanczosCounts {
  readonly #blocks: string;
  readonly #counts = { runs: 0, steps: 0, narrowed: 0, ended: 0, refused: 0 };
  readonly #dimensions: number[] = []; // each proves that rank A is no less
  #most = Number.POSITIVE_INFINITY; // rank A is no more
  readonly #nnz: number | null;
  #kernels: readonly string[] | null = null;

  /** `blocks`: their columns, in words. `nnz`: A's entries, where the kernels of a step are to be timed. */
  constructor(blocks: string, nnz: number | null) {
    this.#blocks = blocks;
    this.#nnz = nnz;
  }

  /** What the next run is to time: the first one does. */
  get timing(): KernelTiming | null {
    if (this.#nnz === null || this.#kernels !== null) return null;
    return {
      nnz: this.#nnz,
      tell: (lines) => {
        this.#kernels = lines;
      },
    };
  }

  add({ steps, dimension, narrowed, isComplete }: LanczosRun, serves: boolean): void {
    const counts = this.#counts;
    counts.runs++;
    counts.steps += steps;
    counts.narrowed += narrowed;
    if (!isComplete) counts.ended++;
    else if (!serves) counts.refused++;
    this.#dimensions.push(dimension);
  }

  /** Rank A is `most` at most: runs that say more do not count. */
  refuteBeyond(most: number): void {
    this.#most = Math.min(this.#most, most);
  }

  /** Rank A is no less. */
  get dimension(): number {
    return Math.max(0, ...this.#dimensions.filter((dimension) => dimension <= this.#most));
  }

  explanation(): string[] {
    const { runs, steps, narrowed, ended, refused } = this.#counts;
    const refuted = this.#dimensions.filter((dimension) => dimension > this.#most).length;
    return [
      `lanczos: blocks of ${this.#blocks}, rank ${this.dimension} or more`,
      `lanczos: runs ${runs}, steps ${steps}; singular blocks ${narrowed}, runs that they ended ${ended}, ` +
        `answers refused ${refused}`,
      ...(this.#kernels ?? []),
      ...(refuted === 0
        ? []
        : [`lanczos: ranks refuted by vectors of the kernel ${refuted}: memory or a processor errs`]),
    ];
  }
}

/** The vectors of runs that are counted. */
export function kernelOf(batches: RandomKernelVectors['batches'], counts: LanczosCounts): RandomKernelVectors {
  return {
    batches,
    rankBound: () => counts.dimension,
    refuteBeyond: (most) => counts.refuteBeyond(most),
    explanation: () => counts.explanation(),
  };
}

/** Column j of rows of s. */
export function takeColumn(b: Uint32Array, s: number, j: number): Uint32Array {
  return Uint32Array.from({ length: b.length / s }, (_, i) => b[i * s + j]);
}
