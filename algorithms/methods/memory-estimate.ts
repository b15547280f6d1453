/**
 * Bytes that methods hold at their peak beside the matrix as it was read, in the host's memory, estimated from sizes
 * before they begin: block Wiedemann; samples and dense rows, all of them, as a full rank needs them; sparse Schur
 * complements.
 *
 *   B : A or the Schur complement of its pivots, N × N after the hash      L ≥ N : the longer side
 *   m = 2·n rows and n columns a block, s for the verification      k : numbers that an element of GF(q) takes
 *
 * The largest part is the order basis: series of m + n + s rows and n columns with N/m + N/n terms, and what a product
 * of two halves takes beside it. Its factor is what the whole process gains over what it had after reading, and over
 * extensions what the kernels' memory holds at most (test/bench/RESULTS.md#memory-factor).
 *
 * The sequence is less than a tenth of these series: kept on a disk it would leave the others. Blocks of
 * half the columns take half of all: (m + n)·n·(N/m + N/n) = 4.5·n·N. So the memory bounds the blocks, and the sequence
 * stays in it.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { ENTRY_BYTES } from '../../kernels/sparse/residue-matrix.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { type BlockShape, chooseBlocks, chooseVectorBlocks, narrower } from '../block-wiedemann/block-shape.js';
import { type Draw, numbersAnElement, workingDegree } from '../block-wiedemann/extension-degree.js';
import { verificationWidth } from '../block-wiedemann/verification.js';

/** An entry of a matrix: host and kernels, both directions. */
const MATRIX_ENTRY = 4 * ENTRY_BYTES;

/** Series of the size of the sequence that the order basis and its products hold at their peak. */
const SERIES = { bytes: 8, coordinate: 7, u16: 15, u32: 22 }; // words; a product of elements has 2k − 1 coordinates

/** A part's blocks as they grow, and as they are read back. */
const SEQUENCES = 2;

const HASHES = 2; // entries a row; for a rank one of them is in F_p

interface WiedemannWork {
  readonly draw?: Draw;
  readonly s?: number;
  readonly block?: BlockShape | undefined;
}

/**
 * Block Wiedemann on an operator of nnz stored entries, for a rank, or, `draw` columns, for systems with s right sides;
 * by the blocks that a run chooses where none are named.
 */
export function wiedemannBytes(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  { draw = 'block', s = blockWidth(field), block }: WiedemannWork = {},
): number {
  const N = Math.min(rows, cols);
  const k = numbersAnElement(field.p, draw);
  const { m, n } = block ?? chooseBlocks(N, k);
  const residues = field.isU16 ? SERIES.u16 : SERIES.u32;
  const inBytes = field.p === 2 && k === 1;
  const held = inBytes ? SERIES.bytes : k > 1 ? SERIES.coordinate * (2 * k - 1) : residues;
  const series = (m + n + s) * n * (N / m + N / n) * 4 * held;
  return stepBytes(field, rows, cols, nnz, n, s, draw) + series;
}

/** A process that makes `columns` columns of a rank's sequence, of so many blocks of m rows, and no order basis. */
export function partBytes(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  { m, columns, blocks }: { readonly m: number; readonly columns: number; readonly blocks: number },
): number {
  const s = blockWidth(field);
  const sequence = (m + s) * columns * blocks * 4 * SEQUENCES;
  return stepBytes(field, rows, cols, nnz, columns, s, 'block') + sequence;
}

/** The operator and its vectors, of n columns and s rows. */
function stepBytes(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  n: number,
  s: number,
  draw: Draw,
): number {
  const [N, L] = [Math.min(rows, cols), Math.max(rows, cols)];
  const k = numbersAnElement(field.p, draw);
  // The last term is of a rank's check vectors and of copies of V.
  const columns = (N + 2 * L) * (n + s) + (draw === 'block' ? 2 * N * (n + s) : 0);
  const vectors = columns * k * (field.p === 2 && k === 1 ? 1 : field.isU16 ? 2 : 4);
  const hash = (draw === 'block' ? k + k * k : HASHES * k * k) * L * MATRIX_ENTRY;
  return MATRIX_ENTRY * nnz + vectors + hash;
}

/** The usual blocks, or the widest narrower ones for which block Wiedemann takes no more; else the narrowest. */
export function blocksWithin(field: WordPrime, rows: number, cols: number, nnz: number, maxBytes: number): BlockShape {
  const k = numbersAnElement(field.p, 'block');
  for (let block = chooseBlocks(Math.min(rows, cols), k); ; ) {
    const next = wiedemannBytes(field, rows, cols, nnz, { block }) > maxBytes ? narrower(block, k) : null;
    if (next === null) return block;
    block = next;
  }
}

/** The generator of the vectors A^k·V of an operator of nnz stored entries and N rows: minpoly and det. */
export function minpolyBytes(field: WordPrime, N: number, nnz: number): number {
  const k = numbersAnElement(field.p, 'block');
  const { m, n } = chooseVectorBlocks(N, k, workingDegree(field.p, 'block') * Math.log2(field.p));
  const inBytes = field.p === 2 && k === 1;
  const vectors = N * k * (4 * n + m) * (inBytes ? 1 : field.isU16 ? 2 : 4);
  const residues = field.isU16 ? SERIES.u16 : SERIES.u32;
  const held = inBytes ? SERIES.bytes : k > 1 ? SERIES.coordinate * (2 * k - 1) : residues;
  return MATRIX_ENTRY * nnz + vectors + (m + n) * m * (N / m + N / n) * 4 * held;
}

/** As many samples as the shorter side has lines, as vectors and as one matrix. */
export function samplingBytes(field: WordPrime, rows: number, cols: number): number {
  const N = Math.min(rows, cols);
  return 2 * DenseMatrix.bytesOf(field, N, N);
}

function blockWidth({ p }: WordPrime): number {
  return verificationWidth(workingDegree(p, 'block') * Math.log2(p));
}

/** Bytes of an entry as it was read, as a residue, sorted, transposed and with pivots; and of a row or a column. */
const MATRIX = { entry: 64, line: 16 };

/** A matrix as it was read with its residues, at the peak before a method begins. */
export function matrixBytes({
  rows,
  cols,
  nnz,
  wide,
}: Pick<SparseMatrix, 'rows' | 'cols' | 'nnz'> & { readonly wide: { readonly bytes: number } }): number {
  const lines = Math.min(rows, nnz) + Math.min(cols, nnz); // empty ones are dropped
  return MATRIX.entry * nnz + MATRIX.line * lines + wide.bytes;
}

/** Bytes of an entry beyond a word in rows of maps, before any elimination, and of its row. */
const BIG = { entry: 200, line: 300 };

/** Bytes with which exact elimination mod a prime beyond a word begins; the estimate leaves out its fill. */
export function bigBytes({ rows, nnz }: SparseMatrix): number {
  return BIG.entry * nnz + BIG.line * Math.min(rows, nnz);
}
