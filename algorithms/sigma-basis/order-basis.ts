/**
 * Polynomial matrices and their order bases, as block Wiedemann needs them: implemented by the engines of
 * algorithms/sigma-basis, on threads and on a GPU, and, to be believed, by the naive one.
 *
 * Elements are codes of a field; a PolyMatrix of `length` L has coefficients of z^0 … z^(L−1), block k row-major.
 */
import type { ExtensionField } from '../../fields/extension.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Awaitable } from '../../kernels/executor.js';

export interface PolyMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly length: number;
}

export interface OrderBasisEngine {
  /** Orders up to which `sigmaBasis` divides nothing. */
  readonly leaf: number;
  create(rows: number, cols: number, length: number): PolyMatrix;
  write(a: PolyMatrix, blocks: Uint32Array, first?: number): void;
  read(a: PolyMatrix, first?: number, count?: number): Awaitable<Uint32Array>;
  release(a: PolyMatrix): void;
  /** The first `count` coefficients of a, in its memory. */
  beginning(a: PolyMatrix, count: number): PolyMatrix;
  /**
   * The order basis of g (R × n) modulo z^length, its last `rhsRows` rows never being pivots: P is
   * R × (R − rhsRows), right-hand rows' own columns, the identity, left out. `degrees` (R) are the shifted row degrees,
   * in and out.
   */
  sigmaBasis(g: PolyMatrix, degrees: Int32Array, rhsRows: number): Awaitable<PolyMatrix>;
  /** Coefficients from … from + count − 1 of [P | 0 over I]·g, the right-hand rows' identity understood. */
  residual(p: PolyMatrix, g: PolyMatrix, from: number, count: number): PolyMatrix;
  /** a·b, for matrices that fit. */
  mul(a: PolyMatrix, b: PolyMatrix): PolyMatrix;
  /** The order basis p2 of the residual that p1 leaves. */
  compose(p2: PolyMatrix, p1: PolyMatrix): PolyMatrix;
  /** Frees the engine's own memory. */
  dispose?(): void;
}

/** An engine on the caller's own threads, whose work is done when a call returns. */
export interface BlockingOrderBasisEngine extends OrderBasisEngine {
  read(a: PolyMatrix, first?: number, count?: number): Uint32Array;
  sigmaBasis(g: PolyMatrix, degrees: Int32Array, rhsRows: number): PolyMatrix;
}

/** The work of an engine: a series of R × n blocks to `orders`. */
export interface OrderBasisWork {
  readonly rows: number; // R
  readonly cols: number; // n
  readonly orders: number;
}

/** The fields that order bases are over. */
export type BasisField = WordPrime | ExtensionField;

/** The engines of a run. */
export interface OrderBasisEngines {
  orderBasisEngine(field: BasisField): BlockingOrderBasisEngine;
  /** The engine for one long search, which another device may do faster; that of `orderBasisEngine` when absent. */
  generatorEngine?(field: BasisField, work: OrderBasisWork): Awaitable<OrderBasisEngine>;
}

/** The engine for the search of a generator. */
export async function generatorEngine(
  engines: OrderBasisEngines,
  field: BasisField,
  work: OrderBasisWork,
): Promise<OrderBasisEngine> {
  return engines.generatorEngine?.(field, work) ?? engines.orderBasisEngine(field);
}
