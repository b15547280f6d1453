/**
 * Factors of a matrix that an engine's thread keeps, for many systems and kernels.
 *
 * They are lost with the thread: a question that is cancelled, or that breaks, takes it down.
 */
import { StructureError } from '../../kernels/errors/structure-error.js';
import { EngineError } from '../errors.js';
import { type Asked, askFactors } from '../questions/asked.js';
import type { FactorsKernelOptions, FactorsOptions } from '../questions/options.js';
import type { FactorOutcome, NullspaceOutcome, SolveOutcome } from '../questions/outcome.js';
import type { RightSides } from '../questions/right-sides.js';
import type { AnyOutcome } from '../questions/verbs.js';
import { collectVectors } from './collect-vectors.js';

export interface Factors {
  readonly rows: number;
  readonly cols: number;
  readonly mod: bigint;
  readonly rank: number;
  readonly outcome: FactorOutcome; // how they were found
  /** The determinant; StructureError for a matrix that is not square. */
  det(): bigint;
  /** X with A·X = B, checked; or a proof that a column of B has none. */
  solve(b: RightSides, options?: FactorsOptions): Promise<SolveOutcome>;
  /** X with Aᵀ·X = B; the certificate of a column without solution is a v with A·v = 0, vᵀ·b ≠ 0. */
  solveTransposed(b: RightSides, options?: FactorsOptions): Promise<SolveOutcome>;
  nullspace(options?: FactorsKernelOptions): Promise<NullspaceOutcome>;
  /** Forgets the factors; questions under way are answered before. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The engine that keeps them. */
export interface Keeper {
  answer(asked: Asked): Promise<AnyOutcome>;
  release(factors: number): Promise<void>;
}

let numbers = 0;

/** A number for factors, of which no thread has others. */
export function nextNumber(): number {
  return numbers++;
}

export class KeptFactors implements Factors {
  readonly rows: number;
  readonly cols: number;
  readonly mod: bigint;
  readonly rank: number;
  readonly outcome: FactorOutcome;
  readonly #number: number;
  readonly #keeper: Keeper;
  #disposed: Promise<void> | undefined;

  constructor(number: number, outcome: FactorOutcome, keeper: Keeper) {
    [this.rows, this.cols, this.mod, this.rank] = [outcome.rows, outcome.cols, outcome.mod, outcome.value];
    [this.outcome, this.#number, this.#keeper] = [outcome, number, keeper];
  }

  det(): bigint {
    if (this.rows !== this.cols)
      throw new StructureError(`det: expected a square matrix, got ${this.rows} x ${this.cols}`);
    return this.outcome.determinant;
  }

  async solve(b: RightSides, options: FactorsOptions = {}): Promise<SolveOutcome> {
    return this.#solve(b, options, false);
  }

  async solveTransposed(b: RightSides, options: FactorsOptions = {}): Promise<SolveOutcome> {
    return this.#solve(b, options, true);
  }

  async #solve(b: RightSides, options: FactorsOptions, transposed: boolean): Promise<SolveOutcome> {
    this.#checkAlive();
    const asked = askFactors('solve', this.#number, { ...options, mod: this.mod }, { b, transposed });
    return (await this.#keeper.answer(asked)) as SolveOutcome;
  }

  async nullspace(options: FactorsKernelOptions = {}): Promise<NullspaceOutcome> {
    this.#checkAlive();
    return collectVectors({ ...options, mod: this.mod }, (own) =>
      this.#keeper.answer(askFactors('nullspace', this.#number, own)),
    );
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#keeper.release(this.#number);
    return this.#disposed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #checkAlive(): void {
    if (this.#disposed) throw new EngineError('factors: expected living ones, these were disposed of');
  }
}
