/** Checks of every executor's arguments at the door: shapes that fit and residues that are canonical. */
import type { BlockVector, ColumnShare, Operator, Projection, SmallBlocks } from './executor.js';
import type { ResidueMatrix } from './sparse/residue-matrix.js';

/** Two things that do not fit together. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

export function checkSize(who: string, ...sizes: number[]): void {
  for (const size of sizes) {
    if (!Number.isInteger(size) || size < 0 || size > 0x7fffffff) {
      throw new ShapeError(`${who}: expected sizes in 0…2^31 - 1, got ${sizes.join(' x ')}`);
    }
  }
}

export function checkView(v: BlockVector, length: number, width: number): void {
  checkSize('view', length, width);
  if (length * width !== v.length * v.width) {
    throw new ShapeError(`view: expected ${v.length * v.width} residues, got ${length} x ${width}`);
  }
}

export function checkSlice(v: BlockVector, firstRow: number, length: number): void {
  checkSize('slice', firstRow, length);
  if (firstRow + length > v.length) {
    throw new ShapeError(`slice: expected rows inside ${v.length}, got ${length} from row ${firstRow}`);
  }
}

export function checkWrite(v: BlockVector, data: Uint32Array, firstRow: number): void {
  const rows = v.width === 0 ? 0 : data.length / v.width;
  if (!Number.isInteger(rows) || !Number.isInteger(firstRow) || firstRow < 0 || firstRow + rows > v.length) {
    throw new ShapeError(
      `write: expected whole rows of ${v.width} inside ${v.length}, got ${data.length} residues from row ${firstRow}`,
    );
  }
}

/** All rows of a vector of 64 bits. */
export function checkBits(who: string, v: BlockVector, words: Uint32Array): void {
  if (words.length !== 2 * v.length) {
    throw new ShapeError(`${who}: expected ${2 * v.length} words of 32 bits, got ${words.length}`);
  }
}

export function checkShare(v: BlockVector, { first, of }: ColumnShare): void {
  if (!(first >= 0 && first + v.width <= of && of < 2 ** 32)) {
    throw new ShapeError(`random: expected ${v.width} columns from ${first} on within ${of}, below 2^32`);
  }
}

export function checkSameShape(who: string, to: BlockVector, from: BlockVector): void {
  if (to.length !== from.length || to.width !== from.width) {
    throw new ShapeError(
      `${who}: expected two equal shapes, got ${to.length} x ${to.width} and ${from.length} x ${from.width}`,
    );
  }
}

/** y ← A·x or Aᵀ·x: lengths are those of A, widths are equal, and y is not x. */
export function checkApply(
  who: string,
  a: Operator,
  transposed: boolean,
  y: BlockVector,
  x: BlockVector,
  same: boolean,
): void {
  const [rows, cols] = transposed ? [a.cols, a.rows] : [a.rows, a.cols];
  if (y.length !== rows || x.length !== cols || y.width !== x.width) {
    throw new ShapeError(
      `${who}: expected ${rows} rows in y, ${cols} in x and equal widths, got ${y.length} x ${y.width} and ${x.length} x ${x.width}`,
    );
  }
  if (same) throw new ShapeError(`${who}: expected two vectors, got one as y and x`);
}

/** T is strictly lower triangular behind its first `given` columns; returns how many those are. */
export function checkTriangular({ rows, cols, rowPtr, colIdx }: ResidueMatrix): number {
  const given = cols - rows;
  for (let i = 0; i < rows; i++) {
    // A row's last column is its largest.
    const last = rowPtr[i + 1] - 1;
    if (last >= rowPtr[i] && colIdx[last] >= given + i) {
      throw new ShapeError(`substitution: expected columns below ${given + i} in row ${i}, got ${colIdx[last]}`);
    }
  }
  if (given < 0) throw new ShapeError(`substitution: expected ${rows} columns or more, got ${cols}`);
  return given;
}

export function checkSubstitution(given: number, steps: number, v: BlockVector, x: BlockVector, same: boolean): void {
  if (v.length !== given + steps || x.length !== given || v.width !== x.width) {
    throw new ShapeError(
      `substitution: expected ${given + steps} rows in v, ${given} in x and equal widths, got ${v.length} x ${v.width} and ${x.length} x ${x.width}`,
    );
  }
  if (same) throw new ShapeError('substitution: expected two vectors, got one as v and x');
}

export function checkColumns(vectors: readonly BlockVector[]): void {
  for (const { length } of vectors) {
    if (length !== vectors[0].length) {
      throw new ShapeError(`columnRank: expected equal lengths, got ${vectors[0].length} and ${length}`);
    }
  }
}

export function checkScale(v: BlockVector, d: BlockVector): void {
  if (d.length !== v.length || d.width !== 1) {
    throw new ShapeError(`scale: expected ${v.length} x 1 factors, got ${d.length} x ${d.width}`);
  }
}

export function checkAxpy(y: BlockVector, x: BlockVector, a: Uint32Array, same: boolean): void {
  if (y.length !== x.length || a.length !== x.width * y.width) {
    throw new ShapeError(
      `blockAxpy: expected equal lengths and ${x.width} x ${y.width} coefficients, got ${y.length}, ${x.length} and ${a.length}`,
    );
  }
  if (same) throw new ShapeError('blockAxpy: expected two vectors, got one as y and x');
}

// Every step uses its projections; each is checked once.
const ORDERED = new WeakSet<Projection>();

export function checkProjection(who: string, u: Projection, length: number): void {
  const { rows, layers, bounds, coefficients } = u;
  const ordered =
    ORDERED.has(u) || (bounds.length === rows + 1 && bounds.every((b, r) => r === 0 || b >= bounds[r - 1]));
  if (ordered) ORDERED.add(u);
  if (!ordered || bounds[0] !== 0 || bounds[rows] !== length) {
    throw new ShapeError(`${who}: expected ${rows + 1} bounds from 0 to ${length}, got ${bounds.length}`);
  }
  if (coefficients.length !== length * layers) {
    throw new ShapeError(`${who}: expected ${length}·${layers} coefficients, got ${coefficients.length}`);
  }
}

export function checkExpand(y: BlockVector, u: Projection, c: Uint32Array): void {
  checkProjection('expand', u, y.length);
  if (c.length !== u.rows * u.layers * y.width) {
    throw new ShapeError(`expand: expected ${u.rows}·${u.layers} x ${y.width} coefficients, got ${c.length}`);
  }
}

export function checkBlock(who: string, out: SmallBlocks, index: number, rows: number, cols: number): void {
  if (out.rows !== rows || out.cols !== cols || !Number.isInteger(index) || index < 0 || index >= out.count) {
    throw new ShapeError(
      `${who}: expected block 0…${out.count - 1} of ${out.rows} x ${out.cols}, got ${index} of ${rows} x ${cols}`,
    );
  }
}

export function checkDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void {
  if (x.length !== z.length) throw new ShapeError(`blockDot: expected equal lengths, got ${x.length} and ${z.length}`);
  checkBlock('blockDot', out, index, x.width, z.width);
}

export function checkBlockRange(out: SmallBlocks, first: number, count: number): void {
  if (!(Number.isInteger(first) && Number.isInteger(count) && first >= 0 && count >= 0 && first + count <= out.count)) {
    throw new ShapeError(`readBlocks: expected blocks inside 0…${out.count}, got ${count} from ${first}`);
  }
}

/** Residues from outside: each below p. */
export function checkCanonical(who: string, data: Uint32Array, p: number): void {
  for (let i = 0; i < data.length; i++) {
    if (data[i] >= p) throw new ShapeError(`${who}: expected residues below ${p}, got ${data[i]}`);
  }
}

/** Only a mistake applies a direction that `use` left out. */
export function requireStored<T>(who: string, plan: T | null): T {
  if (plan === null)
    throw new ShapeError(`${who}: expected an operator made for it, got one whose \`use\` leaves it out`);
  return plan;
}
