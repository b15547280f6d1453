/**
 * Polynomial matrices in kernel memory, laid out for vectors of four columns.
 *
 *   rows × cols polynomials with `length` coefficients, degree < length, canonical residues mod p
 *   coefficient k of the entries (i, 4g … 4g + 3) is the 16-byte vector number (i·groups + g)·stride + k
 *
 * groups = ceil(cols / 4); lanes beyond the last column are zero and stay so under every kernel. A row is contiguous,
 * so the first rows of a matrix are a matrix, and a range of coefficients is one with another starting point: both come
 * as views, which share storage and are not released themselves.
 */
import type { KernelMemory } from '../threads/memory.js';

const VECTOR_BYTES = 16;

/** A polynomial matrix that does not have the shape an operation needs. */
export class PolyShapeError extends Error {
  override name = 'PolyShapeError';
}

export interface PolyShape {
  readonly rows: number;
  readonly cols: number;
  readonly length: number; // coefficients; degree < length
}

export interface PolyMatrix extends PolyShape {
  readonly at: number; // address of coefficient 0 of entry (0, 0)
  readonly stride: number; // vectors between two groups, ≥ length
}

export function groupsOf(cols: number): number {
  return Math.ceil(cols / 4);
}

/** A matrix with undefined contents, released with memory.release(matrix.at). */
export function allocPoly(memory: KernelMemory, rows: number, cols: number, length: number): PolyMatrix {
  const vectors = rows * groupsOf(cols) * length;
  return { rows, cols, length, at: memory.alloc(vectors * VECTOR_BYTES), stride: length };
}

export function allocZeroPoly(memory: KernelMemory, rows: number, cols: number, length: number): PolyMatrix {
  const matrix = allocPoly(memory, rows, cols, length);
  clearPoly(memory, matrix);
  return matrix;
}

/** a ← 0, no more than its own coefficients. */
export function clearPoly(memory: KernelMemory, a: PolyMatrix): void {
  for (let vector = 0; vector < a.rows * groupsOf(a.cols); vector++) {
    memory.u32(a.at + vector * a.stride * VECTOR_BYTES, a.length * 4).fill(0);
  }
}

/** Coefficients first … first + count − 1 as a matrix of its own, on the same storage. */
export function coefficientsView(a: PolyMatrix, first: number, count: number): PolyMatrix {
  if (first < 0 || count < 0 || first + count > a.length) {
    throw new PolyShapeError(`coefficients ${first} … ${first + count - 1}: expected within 0 … ${a.length - 1}`);
  }
  return { ...a, at: a.at + first * VECTOR_BYTES, length: count };
}

/** Rows first … first + count − 1 as a matrix of its own, on the same storage. */
export function rowsView(a: PolyMatrix, first: number, count: number): PolyMatrix {
  if (first < 0 || count < 0 || first + count > a.rows) {
    throw new PolyShapeError(`rows ${first} … ${first + count - 1}: expected within 0 … ${a.rows - 1}`);
  }
  return { ...a, at: a.at + first * groupsOf(a.cols) * a.stride * VECTOR_BYTES, rows: count };
}

/** Coefficients first … of a ← blocks, each row-major and canonical. */
export function writePoly(memory: KernelMemory, a: PolyMatrix, blocks: Uint32Array, first = 0): void {
  const block = a.rows * a.cols;
  const count = block === 0 ? 0 : blocks.length / block;
  if (!Number.isInteger(count) || first + count > a.length) {
    throw new PolyShapeError(
      `write: expected whole blocks of ${block} residues, at most ${a.length - first}, got ${blocks.length} residues`,
    );
  }
  toWords(wordsOf(memory, a), a, first, count, blocks);
}

/** Coefficients first … first + count − 1 of a, one row-major block after another. */
export function readPoly(memory: KernelMemory, a: PolyMatrix, first = 0, count = a.length - first): Uint32Array {
  if (first < 0 || count < 0 || first + count > a.length) {
    throw new PolyShapeError(`read: expected coefficients within 0 … ${a.length - 1}, got ${count} from ${first}`);
  }
  const blocks = new Uint32Array(count * a.rows * a.cols);
  fromWords(wordsOf(memory, a), a, first, count, blocks);
  return blocks;
}

/** Whole blocks, row-major and canonical, as the words of a matrix of their own, and back. */
export function vectorsOfBlocks(rows: number, cols: number, blocks: Uint32Array): Uint32Array {
  const length = rows * cols === 0 ? 0 : blocks.length / (rows * cols);
  const words = new Uint32Array(rows * groupsOf(cols) * length * 4);
  toWords(words, { rows, cols, stride: length }, 0, length, blocks);
  return words;
}

export function blocksOfVectors({ rows, cols, length }: PolyShape, words: Uint32Array): Uint32Array {
  const blocks = new Uint32Array(rows * cols * length);
  fromWords(words, { rows, cols, stride: length }, 0, length, blocks);
  return blocks;
}

function wordsOf(memory: KernelMemory, a: PolyMatrix): Uint32Array {
  const vectors = a.rows * groupsOf(a.cols);
  return memory.u32(a.at, vectors === 0 ? 0 : ((vectors - 1) * a.stride + a.length) * 4);
}

type Layout = Pick<PolyMatrix, 'rows' | 'cols' | 'stride'>;

/** Coefficients first … first + count − 1 of a matrix ← blocks. */
function toWords(words: Uint32Array, a: Layout, first: number, count: number, blocks: Uint32Array): void {
  const block = a.rows * a.cols;
  for (let entry = 0; entry < block; entry++) {
    const word = wordOf(a, entry, first);
    for (let k = 0; k < count; k++) words[word + 4 * k] = blocks[k * block + entry]!;
  }
}

/** Blocks ← coefficients first … first + count − 1 of a matrix. */
function fromWords(words: Uint32Array, a: Layout, first: number, count: number, blocks: Uint32Array): void {
  const block = a.rows * a.cols;
  for (let entry = 0; entry < block; entry++) {
    const word = wordOf(a, entry, first);
    for (let k = 0; k < count; k++) blocks[k * block + entry] = words[word + 4 * k]!;
  }
}

/** Where coefficient `first` of an entry is, the entries numbered row by row. */
function wordOf({ cols, stride }: Layout, entry: number, first: number): number {
  const i = Math.floor(entry / cols);
  const j = entry - i * cols;
  return ((i * groupsOf(cols) + (j >> 2)) * stride + first) * 4 + (j & 3);
}
