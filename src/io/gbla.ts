/**
 * Matrices of the F4 algorithm in the two binary forms of gbla, little-endian, values of 16 bits.
 *
 *   plain        rows 4, columns 4, prime 4, nnz 8; values 2·nnz, columns 4·nnz, lengths of rows 4·rows;
 *                the word ffff0002 may stand in front
 *   compressed   80000002, rows 4, columns 4, prime 2, nnz 8; lengths of rows 4·rows, polynomials of rows 4·rows;
 *                a number of words 8 and the columns in as many words; the number of polynomials 4, that of their
 *                values 8, lengths of polynomials 4 each, their values 2 each
 *
 * Compressed columns: a word c + 2³¹ is column c; a word c without that bit and the next one, k, are c, …, c + k − 1.
 * The entries of a row are the values of its polynomial: rows that are multiples of one share them. Values are read as
 * integers; the prime of the file is not that of the question.
 * Source: gbla, cli/io.c (load_jcf_matrix), tools/types.h, tools/tools.h (expandColid).
 */
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import { GrowingWords } from '../../kernels/sparse/formats/growing-words.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { checkSize, matrixOf } from './binary-format.js';
import type { ByteReader } from './byte-reader.js';

const [COMPRESSED, MARKED] = [0x80000002, 0xffff0002];
const ALONE = 2 ** 31;

/** Bytes an entry takes until it is in the matrix: a row, a column and a value, here and there. */
const HELD_BYTES = 24;

interface Header {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
}

async function header(bytes: ByteReader, rows: number, primeBytes: 2 | 4): Promise<Header> {
  checkSize(rows, 'rows', bytes, bytes.offset - 4);
  const cols = checkSize(await bytes.number(4, 'the number of columns'), 'columns', bytes);
  await bytes.number(primeBytes, 'the prime');
  const nnz = await bytes.number(8, 'the number of entries');
  return { rows, cols, nnz: checkSize(nnz, 'a number of entries', bytes) };
}

/** `count` numbers of 2 or 4 bytes, each below `bound`. */
async function numbers(
  bytes: ByteReader,
  count: number,
  size: 2 | 4,
  what: string,
  bound = 2 ** 32,
): Promise<Uint32Array> {
  const out = new GrowingWords();
  for await (const batch of bytes.items(count, size, what)) {
    bytes.cursor.limit.check(8 * out.length, 0, bytes.cursor.place);
    const from = bytes.offset - batch.length;
    const items = size === 2 ? new Uint16Array(batch.buffer) : new Uint32Array(batch.buffer);
    for (let k = 0; k < items.length; k++) {
      if (items[k]! >= bound) bytes.fail(`${what} in 0…${bound - 1}`, `${items[k]}`, from + size * k);
      out.push(items[k]!);
    }
  }
  return out.take();
}

export async function readGbla(bytes: ByteReader): Promise<SparseMatrix> {
  const first = await bytes.number(4, 'the number of rows');
  const matrix =
    first === COMPRESSED
      ? await readCompressed(bytes)
      : await readPlain(bytes, first === MARKED ? await bytes.number(4, 'the number of rows') : first);
  if (!(await bytes.atEnd())) bytes.fail('the end of the file', 'more behind it');
  return matrix;
}

async function readPlain(bytes: ByteReader, firstRows: number): Promise<SparseMatrix> {
  const { rows, cols, nnz } = await header(bytes, firstRows, 4);
  const values = new Int32Array(await numbers(bytes, nnz, 2, 'values'));
  const colIdx = await numbers(bytes, nnz, 4, 'columns', cols);
  const lengths = await numbers(bytes, rows, 4, 'lengths of rows', nnz + 1);
  return finish(bytes, { rows, cols, nnz }, lengths, colIdx, values);
}

async function readCompressed(bytes: ByteReader): Promise<SparseMatrix> {
  const { rows, cols, nnz } = await header(bytes, await bytes.number(4, 'the number of rows'), 2);
  const lengths = await numbers(bytes, rows, 4, 'lengths of rows', nnz + 1);
  const polynomials = await numbers(bytes, rows, 4, 'polynomials of rows');
  const colIdx = await expandColumns(bytes, cols, nnz);
  const count = await bytes.number(4, 'the number of polynomials');
  const size = checkSize(await bytes.number(8, 'the number of their values'), 'a number of values', bytes);
  const widths = await numbers(bytes, count, 4, 'lengths of polynomials', size + 1);
  const coefficients = await numbers(bytes, size, 2, 'values');
  const starts = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) starts[k + 1] = starts[k]! + widths[k]!;
  if (starts[count] !== size) bytes.fail(`${size} values of polynomials`, `${starts[count]}`);
  bytes.cursor.limit.check(HELD_BYTES * nnz, 0, bytes.cursor.place);
  const values = new Int32Array(nnz);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    const k = polynomials[i]!;
    if (k >= count || widths[k] !== lengths[i])
      bytes.fail(`a polynomial of ${lengths[i]} values for row ${i + 1}`, k < count ? `one of ${widths[k]}` : 'none');
    if (at + lengths[i]! > nnz) break; // finish says so
    for (let t = 0; t < lengths[i]!; t++) values[at++] = coefficients[starts[k]! + t]!;
  }
  return finish(bytes, { rows, cols, nnz }, lengths, colIdx, values);
}

async function expandColumns(bytes: ByteReader, cols: number, nnz: number): Promise<Uint32Array> {
  const count = await bytes.number(8, 'the number of words of columns');
  const out = new GrowingWords();
  let first = -1; // of a run whose length comes next
  for await (const batch of bytes.items(count, 4, 'columns')) {
    const words = new Uint32Array(batch.buffer);
    for (let k = 0; k < words.length; k++) {
      const isAlone = first < 0 && words[k]! >= ALONE;
      if (first < 0 && !isAlone) {
        first = words[k]!;
        continue;
      }
      const [from, run] = isAlone ? [words[k]! - ALONE, 1] : [first, words[k]!];
      if (from + run > cols || out.length + run > nnz)
        bytes.fail(
          `columns below ${cols}, ${nnz} in all`,
          `${run} from ${from} on`,
          bytes.offset - batch.length + 4 * k,
        );
      bytes.cursor.limit.check(8 * (out.length + run), 0, bytes.cursor.place);
      for (let c = from; c < from + run; c++) out.push(c);
      first = -1;
    }
  }
  if (first >= 0 || out.length !== nnz) bytes.fail(`${nnz} columns`, `${out.length}`);
  return out.take();
}

function finish(
  bytes: ByteReader,
  { rows, cols, nnz }: Header,
  lengths: Uint32Array,
  colIdx: Uint32Array,
  values: Int32Array,
): SparseMatrix {
  bytes.cursor.limit.check(HELD_BYTES * nnz, 0, bytes.cursor.place);
  const rowIdx = new Uint32Array(nnz);
  let at = 0;
  for (let i = 0; i < rows; at += lengths[i++]!) rowIdx.fill(i, at, at + lengths[i]!);
  if (at !== nnz) bytes.fail(`${nnz} entries in rows`, `${at}`);
  return matrixOf({ rows, cols, rowIdx, colIdx, values, wide: new WideEntries() });
}
