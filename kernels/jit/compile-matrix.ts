/**
 * A matrix as a WebAssembly module: columns are offsets of loads, values are constants, and nothing is looped over.
 *
 *   run(k, x, y, args)    k < chunks : rows of chunk k on a tile of columns      else : k − chunks on the last ones
 *
 * Columns go in tiles of one vector, all by one code at shifted addresses, which is in a cache after the first of them.
 * The last ones have a code of their own where they are fewer. A function holds a chunk of rows, or a part of a row too
 * long for one, since engines bound a function's size and optimise function by function.
 * Source: Boyer, Dumas, Giorgi 2010 (their JIT cuts a matrix in pieces likewise).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { HostError } from '../errors/host-error.js';
import type { ResidueStorage } from '../residues/storage.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { balanceChunks, rowsCost } from '../sparse/row-partition.js';
import { type Encoder, type Expression, encoder, type ModuleBuilder, type Type } from './encoder.js';
import { ROW_ENDS, type RowCode } from './row-code.js';
import { vectorRowsU16 } from './vector-rows-u16.js';
import { vectorRowsU32 } from './vector-rows-u32.js';
import { wordRows } from './word-rows.js';

/**
 * Entries of a function, and of a part of a row: no more than the ±1 entries that the sums of vectors hold, 8194 for
 * the largest p < 2^16 (entriesBeforeReduction of fields/reduction.ts).
 */
const FUNCTION_ENTRIES = 4096;

/** Rows and entries that are compiled at most, in one code or in two (test/bench/RESULTS.md#largest-compiled). */
export const MOST_COMPILED = 2 ** 21;

/** Bytes that the encoder takes an entry while it is at work (the same place). */
export const ENCODING_BYTES = 1000;

/** Widths up to which columns are taken one by one. */
const MOST_WORDS = 2;

export interface CompiledMatrix {
  readonly code: Uint8Array;
  readonly chunks: number;
  readonly tiles: number;
  readonly tileBytes: number;
  readonly rest: number; // columns after the tiles
}

/** Columns of a tile, and how many of a width are left. */
function tilesOf(residues: ResidueStorage, width: number): { tile: number; tiles: number; rest: number } {
  const tile = width <= MOST_WORDS ? 1 : 16 / residues.bytes;
  return { tile, tiles: Math.floor(width / tile), rest: width % tile };
}

/** Throws HostError where the code of so many rows and entries would be too large. */
export function checkSize(rows: number, nnz: number, width: number, residues: ResidueStorage): void {
  const { tiles, rest } = tilesOf(residues, width);
  const codes = Math.sign(tiles) + Math.sign(rest);
  if ((rows + nnz) * codes <= MOST_COMPILED) return;
  const most = Math.floor(MOST_COMPILED / codes);
  throw new HostError(`storage jit: ${rows} rows and ${nnz} entries; at width ${width} they are ${most} at most`);
}

/** `count`: chunks that threads want at least. */
export function compileMatrix(
  matrix: ResidueMatrix,
  field: WordPrime,
  residues: ResidueStorage,
  width: number,
  count: number,
): CompiledMatrix {
  checkSize(matrix.rows, matrix.colIdx.length, width, residues);
  const binaryen = encoder();
  const { tile, tiles, rest } = tilesOf(residues, width);
  const cost = rowsCost(matrix.rowPtr, 0, matrix.rows);
  const bounds = balanceChunks(matrix.rowPtr, Math.max(count, Math.ceil(cost / FUNCTION_ENTRIES)));
  const m = new binaryen.Module();
  try {
    addImports(binaryen, m);
    const names = [...(tiles > 0 ? [tile] : []), ...(rest > 0 ? [rest] : [])].flatMap((columns) => {
      const code = rowCodeOf(binaryen, m, field, residues, columns);
      const functions = new Functions(binaryen, m, matrix, code, width * residues.bytes, `c${columns}`);
      return Array.from(bounds.subarray(1), (end, k) => functions.addChunk(k, bounds[k], end));
    });
    addRun(binaryen, m, names);
    return { code: m.emitBinary(), chunks: bounds.length - 1, tiles, tileBytes: tile * residues.bytes, rest };
  } finally {
    m.dispose();
  }
}

function rowCodeOf(
  binaryen: Encoder,
  m: ModuleBuilder,
  field: WordPrime,
  residues: ResidueStorage,
  columns: number,
): RowCode {
  if (columns === 1) return wordRows(binaryen, m, field);
  const make = residues.bytes === 2 ? vectorRowsU16 : vectorRowsU32;
  return make(binaryen, m, field.p, residues, columns);
}

/** The functions of one code. */
class Functions {
  private readonly binaryen: Encoder;
  private readonly m: ModuleBuilder;
  private readonly matrix: ResidueMatrix;
  private readonly code: RowCode;
  private readonly stride: number;
  private readonly prefix: string;

  constructor(
    binaryen: Encoder,
    m: ModuleBuilder,
    matrix: ResidueMatrix,
    code: RowCode,
    stride: number,
    prefix: string,
  ) {
    this.binaryen = binaryen;
    this.m = m;
    this.matrix = matrix;
    this.code = code;
    this.stride = stride;
    this.prefix = prefix;
  }

  /** The function of rows first … end − 1. */
  addChunk(chunk: number, first: number, end: number): string {
    const { rowPtr } = this.matrix;
    const name = `${this.prefix}f${chunk}`;
    const body: Expression[] = [];
    for (let i = first; i < end; i++) {
      const length = rowPtr[i + 1] - rowPtr[i];
      if (length <= FUNCTION_ENTRIES) body.push(...this.part(i, rowPtr[i], rowPtr[i + 1]));
      else body.push(...this.addParts(`${name}r${i}`, i));
    }
    this.add(name, body);
    return name;
  }

  /** Calls of the functions that a long row is cut into. */
  private addParts(prefix: string, row: number): Expression[] {
    const { rowPtr } = this.matrix;
    const { m, binaryen } = this;
    const calls: Expression[] = [];
    for (let k = rowPtr[row]; k < rowPtr[row + 1]; k += FUNCTION_ENTRIES) {
      const name = `${prefix}k${k}`;
      this.add(name, this.part(row, k, Math.min(rowPtr[row + 1], k + FUNCTION_ENTRIES)));
      const given = [0, 1, 2].map((index) => m.local.get(index, binaryen.i32));
      calls.push(m.call(name, given, binaryen.none));
    }
    return calls;
  }

  private part(row: number, first: number, end: number): Expression[] {
    const { rowPtr, colIdx: columns, values } = this.matrix;
    const { stride } = this;
    return this.code.row({ first, end, columns, values, stride, at: row * stride, later: first > rowPtr[row] });
  }

  private add(name: string, body: readonly Expression[]): void {
    const { binaryen, m, code } = this;
    const { i32, none } = binaryen;
    const whole = m.block(null, [...code.begin(), ...body]);
    m.addFunction(name, binaryen.createType([i32, i32, i32]), none, code.locals, whole);
  }
}

/** The memory, which must be there before a load is, and the functions of other modules. */
function addImports({ i32, v128, none, Features, createType }: Encoder, m: ModuleBuilder): void {
  m.setFeatures(Features.Atomics | Features.SIMD128);
  m.setMemory(1, 65536, null, [], true);
  m.addMemoryImport('0', 'env', 'memory', true);
  const typeOf = (letter: string): Type => (letter === 'i' ? i32 : letter === 'v' ? v128 : none);
  for (const [name, params, result] of ROW_ENDS) {
    m.addFunctionImport(name, 'kernels', name, createType([...params].map(typeOf)), typeOf(result));
  }
}

/** The one export, which calls a function by its number. */
function addRun({ i32, none, createType }: Encoder, m: ModuleBuilder, names: readonly string[]): void {
  const size = Math.max(1, names.length);
  m.addTable('functions', size, size);
  m.addActiveElementSegment('functions', 'all', names, m.i32.const(0));
  const [k, ...given] = [0, 1, 2, 3].map((index) => m.local.get(index, i32));
  const call = m.call_indirect('functions', k, given, createType([i32, i32, i32]), none);
  m.addFunction('run', createType([i32, i32, i32, i32]), none, [], call);
  m.addFunctionExport('run', 'run');
}
