/**
 * The binary matrices of CADO-NFS's block Wiedemann, `NAME.bin`: rows one after the other, without a header, in
 * little-endian words of 32 bits.
 *
 *   cado          a row is its number of entries and their columns, 0-based; every entry is 1
 *   cado-coeffs   a row is its number of entries and pairs (column, signed value)
 *
 * The file does not say which of the two it is, nor how many columns there are: those of `NAME.cw.bin`, the numbers of
 * entries of columns, where that lies beside the file, else up to the last one that has an entry. It and `NAME.rw.bin`,
 * the same of rows, are compared with what was read.
 * Source: CADO-NFS, linalg/bwc/README, "Input, output, and formats", and README.gfp.
 */

import { GrowingWords } from '../../kernels/sparse/formats/growing-words.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { checkSize, type ReadBinary } from './binary-format.js';
import { ByteReader } from './byte-reader.js';
import type { HeldSource } from './byte-source.js';
import { rawBytes } from './bytes.js';
import { EntryList } from './entry-list.js';
import { Cursor, FormatError } from './format-error.js';

const WORD = 4;

/** Of the number of entries of a row: the list that grows, and its copy. */
const WEIGHT_BYTES = 2 * WORD;

async function read(bytes: ByteReader, source: HeldSource, hasValues: boolean): Promise<SparseMatrix> {
  const list = new EntryList(bytes.cursor);
  const rowWeights = new GrowingWords();
  let [col, cols] = [-1, 0]; // the column that waits for its value, −1 for none
  let left = 0; // entries of the row that are still to come
  for await (const batch of bytes.items(Infinity, WORD, 'words of 32 bits')) {
    const words = new Uint32Array(batch.buffer, 0, batch.length / WORD);
    const end = bytes.offset;
    bytes.cursor.limit.check(WEIGHT_BYTES * rowWeights.length, 0, bytes.cursor.place);
    for (let k = 0; k < words.length; k++) {
      const word = words[k]!;
      const at = end - batch.length + WORD * k;
      if (left === 0) {
        rowWeights.push(word);
        left = checkSize(word, 'a number of entries', bytes, at);
      } else if (col < 0) {
        checkSize(word + 1, 'columns', bytes, at);
        cols = Math.max(cols, word + 1);
        if (hasValues) col = word;
        else list.push(rowWeights.length - 1, word, 1);
        if (!hasValues) left--;
      } else {
        list.push(rowWeights.length - 1, col, word | 0);
        col = -1;
        left--;
      }
    }
  }
  if (left > 0) bytes.fail(`${left} more entries of row ${rowWeights.length}`, 'the end of the file: cut off?');
  const rows = rowWeights.length;
  checkSize(rows, 'rows', bytes);
  const announced = await companion(source, '.cw.bin', bytes);
  const matrix = list.toMatrix(rows, Math.max(cols, announced?.length ?? 0), 'general');
  if (announced) compare(announced, weightsOf(matrix.colIdx, announced.length), cols, source, '.cw.bin');
  const rowsAnnounced = await companion(source, '.rw.bin', bytes);
  if (rowsAnnounced) compare(rowsAnnounced, rowWeights.take(), rows, source, '.rw.bin');
  return matrix;
}

function pathOf(source: HeldSource, suffix: string): string | null {
  if (typeof source !== 'string' || !source.endsWith('.bin')) return null;
  return source.replace(/\.bin$/, suffix);
}

/** The words of the file beside a path; null where there is none. */
async function companion(source: HeldSource, suffix: string, { cursor }: ByteReader): Promise<Uint32Array | null> {
  const path = pathOf(source, suffix);
  if (path === null) return null;
  const words = new GrowingWords();
  try {
    const bytes = new ByteReader(rawBytes(path, path), new Cursor(path, cursor.limit));
    for await (const batch of bytes.items(Infinity, WORD, 'words of 32 bits')) {
      cursor.limit.check(WEIGHT_BYTES * words.length, 0, bytes.cursor.place);
      for (const word of new Uint32Array(batch.buffer, 0, batch.length / WORD)) words.push(word);
    }
  } catch (error) {
    if (error instanceof FormatError && error.message.endsWith('no such file')) return null;
    throw error;
  }
  return words.take();
}

function weightsOf(indices: Uint32Array, length: number): Uint32Array {
  const weights = new Uint32Array(length);
  for (let k = 0; k < indices.length; k++) weights[indices[k]!]!++;
  return weights;
}

/** FormatError at the first word of the companion that is not what the matrix has, of `least` lines or more. */
function compare(said: Uint32Array, found: Uint32Array, least: number, source: HeldSource, suffix: string): void {
  const fail = (k: number, expected: string, got: string): never => {
    throw new FormatError(pathOf(source, suffix)!, 0, expected, got, WORD * k);
  };
  if (said.length < least || said.length > found.length)
    fail(Math.min(said.length, found.length), `${least} numbers of entries, as in the matrix`, `${said.length}`);
  for (let k = 0; k < said.length; k++) {
    if (said[k] !== found[k]) fail(k, `${found[k]} entries, as in the matrix`, `${said[k]}`);
  }
}

export const readCado: ReadBinary = (bytes, source) => read(bytes, source, false);
export const readCadoCoeffs: ReadBinary = (bytes, source) => read(bytes, source, true);
