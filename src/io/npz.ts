/**
 * scipy's sparse matrices as `scipy.sparse.save_npz` writes them: a zip of arrays, compressed or not.
 *
 *   format   csr, csc or coo         shape   rows, columns         data   values: integers, booleans, integral floats
 *   csr      indices, indptr : row i owns data[indptr[i] … indptr[i+1]), in the columns `indices`
 *   csc      the same with columns and rows
 *   coo      row, col
 *
 * Arrays of other names pass. Entries at one place add up, as everywhere.
 * Source: scipy.sparse.save_npz, scipy.sparse.csr_array.
 */
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { checkSize, matrixOf } from './binary-format.js';
import { ByteReader } from './byte-reader.js';
import { Cursor, excerpt, FormatError } from './format-error.js';
import { type Held, type NpyHeader, npyHeader, npyIndices, npyText, npyValues } from './npy.js';
import { filesInZip } from './zip.js';

const FORMATS: readonly string[] = ['csr', 'csc', 'coo'];
const INDICES: readonly string[] = ['indices', 'indptr', 'row', 'col', 'shape'];

/** Bytes a value takes until it is in the matrix: an index and a value here, three words there. */
const HELD_BYTES = 20;

interface Indices {
  readonly header: NpyHeader;
  readonly list: Uint32Array;
}

/** Known before the arrays, which others have in more dimensions. */
function formatOf(text: string, bytes: ByteReader): string {
  return FORMATS.includes(text) ? text : bytes.fail('csr, csc or coo (in scipy tocsr() makes one)', excerpt(text));
}

class Archive {
  format = '';
  values: Int32Array = new Int32Array(0);
  wide = new WideEntries();
  readonly #indices = new Map<string, Indices>();
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  async add(file: string, bytes: ByteReader): Promise<void> {
    const name = file.replace(/\.npy$/, '');
    if (name === 'format' || name === 'data' || INDICES.includes(name)) {
      const header = await npyHeader(bytes);
      if (name === 'format') this.format = formatOf(await npyText(bytes, header), bytes);
      else if (name === 'data')
        ({ values: this.values, wide: this.wide } = await npyValues(bytes, header, this.#heldBytes()));
      else this.#indices.set(name, { header, list: await npyIndices(bytes, header, this.#heldBytes()) });
      if (!(await bytes.atEnd())) bytes.fail('the end of the array', 'more behind it');
    }
    while ((await bytes.some(1 << 16)).length > 0); // what else there is has a CRC, too
  }

  /** Bytes of the arrays that have been read. */
  #heldBytes(): Held {
    let words = this.values.length;
    for (const { list } of this.#indices.values()) words += list.length;
    return { words: 4 * words, wide: this.wide.bytes };
  }

  /** The array `name`, of `length` items where that is known. */
  #get(name: string, length?: number): Indices {
    const found = this.#indices.get(name);
    if (found === undefined) this.#fail(name, 'an array in the zip', 'none', 0);
    if (length !== undefined && found.list.length !== length)
      this.#fail(name, `${length} items`, `${found.list.length}`, found.header.start);
    return found;
  }

  #fail(name: string, expected: string, got: string, byte: number): never {
    throw new FormatError(`${this.#name}/${name}.npy`, 0, expected, got, byte);
  }

  #failAt(name: string, { itemBytes, start }: NpyHeader, k: number, expected: string, got: number): never {
    this.#fail(name, expected, `${got}`, start + k * itemBytes);
  }

  sizes(bytes: ByteReader): [rows: number, cols: number] {
    if (this.format === '') this.#fail('format', 'an array in the zip', 'none', 0);
    const { list } = this.#get('shape', 2);
    return [checkSize(list[0]!, 'rows', bytes), checkSize(list[1]!, 'columns', bytes)];
  }

  /** Entries' places along one side, each below `size`. */
  places(name: string, size: number): Uint32Array {
    const { list, header } = this.#get(name, this.values.length);
    for (let k = 0; k < list.length; k++)
      if (list[k]! >= size) this.#failAt(name, header, k, `an index in 0…${size - 1}`, list[k]!);
    return list;
  }

  /** The line of each entry, of `lines` that indptr bounds. */
  lines(lines: number): Uint32Array {
    const nnz = this.values.length;
    const { list, header } = this.#get('indptr', lines + 1);
    if (list[0] !== 0) this.#failAt('indptr', header, 0, '0', list[0]!);
    const out = new Uint32Array(nnz);
    for (let i = 0; i < lines; i++) {
      const [from, to] = [list[i]!, list[i + 1]!];
      if (to < from || to > nnz) this.#failAt('indptr', header, i + 1, `a number in ${from}…${nnz}`, to);
      out.fill(i, from, to);
    }
    if (list[lines] !== nnz) this.#failAt('indptr', header, lines, `${nnz}`, list[lines]!);
    return out;
  }
}

export async function readNpz(bytes: ByteReader): Promise<SparseMatrix> {
  const { file, limit } = bytes.cursor;
  const archive = new Archive(file);
  for await (const { name, bytes: content } of filesInZip(bytes))
    await archive.add(name, new ByteReader(content, new Cursor(`${file}/${name}`, limit)));
  const [rows, cols] = archive.sizes(bytes);
  const { format, values, wide } = archive;
  limit.check(HELD_BYTES * values.length, wide.bytes, bytes.cursor.place);
  const rowIdx = format === 'csr' ? archive.lines(rows) : archive.places(format === 'csc' ? 'indices' : 'row', rows);
  const colIdx = format === 'csc' ? archive.lines(cols) : archive.places(format === 'csr' ? 'indices' : 'col', cols);
  return matrixOf({ rows, cols, rowIdx, colIdx, values, wide });
}
