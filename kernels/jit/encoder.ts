/**
 * Binaryen, which encodes WebAssembly modules: an optional package, loaded where a matrix is to be compiled. Of two
 * encoders it is the faster one, and no stack bounds its modules (test/bench/RESULTS.md#encoders).
 *
 * What is used of it is typed here, so that the package's declarations need not be there. An expression is a number.
 */
import { importEncoder } from '#platform';
import { HostError } from '../errors/host-error.js';

export type Expression = number;
export type Type = number;

type Unary = (a: Expression) => Expression;
type Binary = (a: Expression, b: Expression) => Expression;
type Load = (offset: number, align: number, at: Expression) => Expression;
type Store = (offset: number, align: number, at: Expression, value: Expression) => Expression;

export interface ModuleBuilder {
  readonly local: {
    get(index: number, type: Type): Expression;
    set(index: number, value: Expression): Expression;
    tee(index: number, value: Expression, type: Type): Expression;
  };
  readonly i32: { const(value: number): Expression; load: Load; add: Binary; wrap: Unary };
  readonly i64: {
    const(value: bigint): Expression;
    load16_u: Load;
    load32_u: Load;
    store16: Store;
    store32: Store;
    add: Binary;
    sub: Binary;
    mul: Binary;
    and: Binary;
    shr_s: Binary;
    rem_s: Binary;
    extend_u: Unary;
  };
  readonly v128: { const(bytes: ArrayLike<number>): Expression; load: Load; load8x8_u: Load; and: Binary };
  readonly i32x4: {
    splat: Unary;
    add: Binary;
    sub: Binary;
    shr_u: Binary;
    min_u: Binary;
    dot_i16x8_s: Binary;
  };
  readonly i64x2: { add: Binary; shr_u: Binary; extmul_low_i32x4_u: Binary; extmul_high_i32x4_u: Binary };
  block(label: null, children: readonly Expression[]): Expression;
  if(condition: Expression, then: Expression): Expression;
  call(name: string, operands: readonly Expression[], type: Type): Expression;
  call_indirect(
    table: string,
    target: Expression,
    operands: readonly Expression[],
    params: Type,
    results: Type,
  ): Expression;
  setFeatures(features: number): void;
  setMemory(initial: number, maximum: number, exportName: null, segments: readonly never[], shared: boolean): void;
  addMemoryImport(name: string, module: string, base: string, shared: boolean): void;
  addTable(name: string, initial: number, maximum: number): number;
  addActiveElementSegment(table: string, name: string, functions: readonly string[], offset: Expression): number;
  addFunctionImport(name: string, module: string, base: string, params: Type, results: Type): void;
  addFunction(name: string, params: Type, results: Type, locals: readonly Type[], body: Expression): number;
  addFunctionExport(name: string, exported: string): number;
  emitBinary(): Uint8Array;
  dispose(): void;
}

export interface Encoder {
  readonly Module: new () => ModuleBuilder;
  readonly Features: { readonly Atomics: number; readonly SIMD128: number };
  readonly none: Type;
  readonly i32: Type;
  readonly i64: Type;
  readonly v128: Type;
  createType(types: readonly Type[]): Type;
}

let loaded: Encoder | undefined;

/** Loads the package, once a thread; rejects with HostError where there is none. */
export async function loadEncoder(): Promise<void> {
  loaded ??= (await importEncoder()) as Encoder;
}

/** The encoder, after `loadEncoder`. */
export function encoder(): Encoder {
  if (loaded === undefined) throw new HostError('storage jit: expected its encoder to be loaded (loadEncoder)');
  return loaded;
}
