/**
 * Ranks of small matrices as they cross threads many at a time: messages of many objects take longer than such ranks.
 *
 *   matrices : for each rows, cols, nnz, then nnz row indices, nnz column indices and nnz values, as 32-bit words
 *   answers  : for each matrix and modulus the rank, rows and columns of the dense end, and seconds
 *
 * What all outcomes of a modulus share is said once, in that of an empty matrix.
 */
import { isSmallMatrix, type SmallMatrix } from '../../kernels/dense/small-matrix.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import { OVER_Q, type Settings } from './options.js';
import type { OutcomeData } from './outcome.js';
import type { Verb } from './verbs.js';

export interface PackedMatrices {
  readonly count: number;
  readonly words: Uint32Array;
  readonly settings: readonly Settings[]; // a modulus each
}

export interface PackedAnswers {
  readonly numbers: Float64Array;
  readonly empty: readonly OutcomeData<number>[]; // a modulus each
  readonly seconds: number; // of all
}

/** Numbers of an answer. */
export const ANSWER = 4;

/** Whether the kernel answers such a question: it makes no certificate, and finds no rows and columns. */
export function isOfRanksAlone(verb: Verb, settings: Settings): boolean {
  const { mod, device, method, formula, block, storage, words, reorder, atLeast, maxMemory, certificate, pivots } =
    settings;
  const isPlain =
    [block, storage, words, reorder, atLeast, maxMemory].every((asked) => asked === null) && !certificate && !pivots;
  const byElimination = (method === 'auto' || method === 'elimination') && formula === 'shifted' && device === 'cpu';
  return verb === 'rank' && mod !== OVER_Q && mod <= BigInt(MAX_SIZE) && isPlain && byElimination;
}

export function isSmall({ rows, cols, values, wide }: SparseMatrixParts): boolean {
  return isSmallMatrix(rows, cols, values.length) && wide.positions.length === 0;
}

/** The words of a matrix are written at `at`, where there is room; returns the place behind them. */
export function packMatrix(
  words: Uint32Array,
  at: number,
  { rows, cols, rowIdx, colIdx, values }: SmallMatrix,
): number {
  const nnz = values.length;
  words[at] = rows;
  words[at + 1] = cols;
  words[at + 2] = nnz;
  words.set(rowIdx, at + 3);
  words.set(colIdx, at + 3 + nnz);
  words.set(values, at + 3 + 2 * nnz); // modulo 2^32
  return at + 3 + 3 * nnz;
}

/** Words that packMatrix writes. */
export function packedWords({ values }: { readonly values: { readonly length: number } }): number {
  return 3 + 3 * values.length;
}

export function* unpackMatrices({ count, words }: PackedMatrices): Generator<SmallMatrix> {
  const signed = new Int32Array(words.buffer, words.byteOffset, words.length);
  let at = 0;
  for (let k = 0; k < count; k++) {
    const [rows, cols, nnz] = [words[at]!, words[at + 1]!, words[at + 2]!];
    const [first, second, third] = [at + 3, at + 3 + nnz, at + 3 + 2 * nnz];
    at = third + nnz;
    const [rowIdx, colIdx] = [words.subarray(first, second), words.subarray(second, third)];
    yield { rows, cols, rowIdx, colIdx, values: signed.subarray(third, at) };
  }
}

/** The outcome about a matrix, from that about an empty one and the numbers of an answer. */
export function outcomeOfSmall(
  empty: OutcomeData<number>,
  { rows, cols, nnz }: { readonly rows: number; readonly cols: number; readonly nnz: number },
  [rank, height, width, elimination]: readonly [rank: number, height: number, width: number, seconds: number],
  reading: number,
): OutcomeData<number> {
  return {
    ...empty,
    ...{ rows, cols, nnz, value: rank, lowerBound: rank, upperBound: rank },
    warnings: [...empty.warnings],
    explanation: [
      `elimination: ${rows} x ${cols} with ${nnz} entries is small`,
      `dense elimination of ${height} x ${width}`,
    ],
    seconds: { reading, elimination, total: reading + elimination },
  };
}
