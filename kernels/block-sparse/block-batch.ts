/**
 * A batch: independent block matrices side by side, one pattern with theirs on its diagonal and nothing between them.
 *
 *   starts : problem k has the block rows starts[k] … starts[k + 1] − 1, as many block columns, b rows in each
 *   tall   : a block of w columns with the rows of all problems, row-major residues
 */
import { StructureError } from '../errors/structure-error.js';
import { BlockPattern } from './block-pattern.js';
import type { BlockMatrix, Sign } from './reference.js';

export interface BlockBatch extends BlockMatrix {
  readonly starts: Uint32Array; // problems + 1, from 0 to the pattern's n
}

/** Rows and columns of blocks, and columns of tall blocks, that kernels are made for. */
export const BLOCK_SIZES = [4, 8, 16, 32] as const;
export const MOST_COLUMNS = 32;

/** Which product with A. */
export interface ProductOptions {
  readonly sign: Sign;
  readonly transposed: boolean;
  readonly diagonal: boolean; // whether the diagonal blocks take part
}

/** A tall block on a device; its width is a multiple of 4. */
export interface TallBlock {
  readonly width: number;
}

/** The six kernels on a batch that a device holds: calls take effect in order, all problems in one. */
export interface BlockKernels {
  /** Zeros without data. */
  tall(width: number, data?: Uint32Array): TallBlock;
  read(x: TallBlock): Promise<Uint32Array>;
  release(x: TallBlock): void;
  /** Y ← Y ± X·M_k, where `m` has w·w residues a problem. */
  addTallProduct(y: TallBlock, x: TallBlock, m: Uint32Array, sign: Sign): void;
  /** X^T·Z, w·w residues a problem. */
  dotTall(x: TallBlock, z: TallBlock): Promise<Uint32Array>;
  /** Y ← Y ± A·X, or Y ± A^T·X. */
  addBlockProduct(y: TallBlock, x: TallBlock, options: ProductOptions): void;
  /** A = L·U on the pattern; of each problem its first block row with a singular pivot block, −1 without. */
  factor(): Promise<Int32Array>;
  /** X ← U^-1·L^-1·X by the factors; problems with a singular pivot block stay as they are. */
  substitute(x: TallBlock): void;
  free(): void;
}

export function joinMatrices(b: number, matrices: readonly BlockMatrix[]): BlockBatch {
  const starts = new Uint32Array(matrices.length + 1);
  let blocks = 0;
  for (const [k, { b: own, pattern }] of matrices.entries()) {
    if (own !== b) throw new StructureError(`joinMatrices: expected blocks of ${b}, got ${own} in problem ${k}`);
    starts[k + 1] = starts[k]! + pattern.n;
    blocks += pattern.blocks;
  }
  const rowPtr = new Uint32Array(starts[matrices.length]! + 1);
  const colIdx = new Uint32Array(blocks);
  const values = new Uint32Array(blocks * b * b);
  let at = 0;
  for (const [k, { pattern, values: own }] of matrices.entries()) {
    const first = starts[k]!;
    for (let i = 0; i < pattern.n; i++) rowPtr[first + i] = at + pattern.rowPtr[i]!;
    for (let s = 0; s < pattern.blocks; s++) colIdx[at + s] = first + pattern.colIdx[s]!;
    values.set(own, at * b * b);
    at += pattern.blocks;
  }
  rowPtr[starts[matrices.length]!] = at;
  return { b, pattern: new BlockPattern(rowPtr, colIdx), values, starts };
}

/** What a kernel cannot take is refused at the door. */
export function checkBatch({ b, pattern, values, starts }: BlockBatch): void {
  const isBlock = (BLOCK_SIZES as readonly number[]).includes(b);
  if (!isBlock) throw new StructureError(`batch: expected blocks of ${BLOCK_SIZES.join(', ')}, got ${b}`);
  if (values.length !== pattern.blocks * b * b || starts.at(-1) !== pattern.n)
    throw new StructureError(`batch: expected ${pattern.blocks} blocks in ${pattern.n} block rows`);
}

export function checkDiagonal({ pattern }: BlockBatch): void {
  const missing = pattern.diagonal.indexOf(-1);
  if (missing >= 0) throw new StructureError(`factor: the pattern lacks diagonal block ${missing}`);
}

export function checkWidth(width: number): void {
  if (Number.isInteger(width / 4) && width > 0 && width <= MOST_COLUMNS) return;
  throw new StructureError(`tall block: expected a multiple of 4 columns up to ${MOST_COLUMNS}, got ${width}`);
}
