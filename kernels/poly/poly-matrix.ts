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

/**
 * Coefficients that move between blocks and vectors at a time. A row of a block is some cache lines, each of several
 * groups: those of so many blocks stay in the first cache until the row is done.
 */
const TILE = 16;

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

function wordsOf(memory: KernelMemory, a: PolyMatrix): Uint32Array {
  const vectors = a.rows * groupsOf(a.cols);
  return memory.u32(a.at, vectors === 0 ? 0 : ((vectors - 1) * a.stride + a.length) * 4);
}

type Layout = Pick<PolyMatrix, 'rows' | 'cols' | 'stride'>;

/** Coefficients first … first + count − 1 of a matrix ← blocks. */
function toWords(words: Uint32Array, a: Layout, first: number, count: number, blocks: Uint32Array): void {
  eachTile(a, first, count, (word, at, length, lanes) => {
    moveLanes(words, word, 4, blocks, at, a.rows * a.cols, length, lanes);
  });
}

/** Blocks ← coefficients first … first + count − 1 of a matrix. */
function fromWords(words: Uint32Array, a: Layout, first: number, count: number, blocks: Uint32Array): void {
  eachTile(a, first, count, (word, at, length, lanes) => {
    moveLanes(blocks, at, a.rows * a.cols, words, word, 4, length, lanes);
  });
}

/**
 * The coefficients of all groups, `length` ≤ TILE of them at a time: where their first lane is in the words of the
 * matrix and in the blocks, which begin with coefficient `first`.
 */
function eachTile(
  { rows, cols, stride }: Layout,
  first: number,
  count: number,
  visit: (word: number, at: number, length: number, lanes: number) => void,
): void {
  for (let k = 0; k < count; k += TILE) {
    const length = Math.min(TILE, count - k);
    for (let i = 0, group = 0; i < rows; i++) {
      for (let j = 0; j < cols; j += 4, group++) {
        const word = (group * stride + first + k) * 4;
        visit(word, (k * rows + i) * cols + j, length, Math.min(4, cols - j));
      }
    }
  }
}

/** Every so many words neighbours move, `lanes` ≤ 4. */
function moveLanes(
  to: Uint32Array,
  toAt: number,
  toStep: number,
  from: Uint32Array,
  fromAt: number,
  fromStep: number,
  count: number,
  lanes: number,
): void {
  if (lanes === 4) {
    for (let k = 0, t = toAt, f = fromAt; k < count; k++, t += toStep, f += fromStep) {
      to[t] = from[f]!;
      to[t + 1] = from[f + 1]!;
      to[t + 2] = from[f + 2]!;
      to[t + 3] = from[f + 3]!;
    }
    return;
  }
  for (let k = 0, t = toAt, f = fromAt; k < count; k++, t += toStep, f += fromStep) {
    for (let lane = 0; lane < lanes; lane++) to[t + lane] = from[f + lane]!;
  }
}
