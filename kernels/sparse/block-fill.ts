/**
 * Whether a matrix consists of dense blocks: how full its b × b blocks are, on a sample of block rows.
 *
 *   fill = entries / (b²·blocks with an entry)
 */
import type { BlockSize } from './formats/bcsr.js';
import type { ResidueMatrix } from './formats/csr.js';

/** Rows that are looked at: SAMPLES times a multiple of every block size. */
const SAMPLES = 64;
const HEIGHT = 48;

/** Larger ones first: the largest that is full enough has the fewest indices. */
const SIZES: readonly BlockSize[] = [16, 8, 4, 3, 2];

/** From this fill on, zeros cost less than indices do (test/bench/RESULTS.md#formats). */
const FULL = 0.75;

/** What diagonals side by side fill of 2 x 2 blocks, but for their ends. */
const HALF_FULL = 0.45;

/** The size of the blocks that A consists of, or null. */
export function findBlocks(a: ResidueMatrix): BlockSize | null {
  return SIZES.find((b) => fillOf(a, b) >= FULL) ?? null;
}

/** Whether 2 x 2 blocks with an entry have entries at half of their places, as of diagonals side by side. */
export function areHalfFull(a: ResidueMatrix): boolean {
  return fillOf(a, 2) >= HALF_FULL;
}

/** Of a sample; 0 for a matrix with fewer rows than one has, narrower than a block, or without entries there. */
function fillOf({ rows, cols, rowPtr, colIdx }: ResidueMatrix, b: BlockSize): number {
  const groups = Math.floor(rows / HEIGHT);
  const count = Math.min(SAMPLES, groups);
  if (count === 0 || cols < b) return 0;
  const seen = new Int32Array(Math.ceil(cols / b));
  let [entries, blocks, mark] = [0, 0, 0];
  for (let sample = 0; sample < count; sample++) {
    const first = Math.floor((sample * groups) / count) * HEIGHT;
    for (let i = first; i < first + HEIGHT; i += b) {
      entries += rowPtr[i + b] - rowPtr[i];
      blocks += countBlocks(colIdx, rowPtr[i], rowPtr[i + b], b, ++mark, seen);
    }
  }
  return blocks === 0 ? 0 : entries / (blocks * b * b);
}

/** A loop of its own: kernels/sparse/residue-matrix.ts. */
function countBlocks(
  colIdx: Uint32Array,
  begin: number,
  end: number,
  b: number,
  mark: number,
  seen: Int32Array,
): number {
  let blocks = 0;
  for (let k = begin; k < end; k++) {
    const J = Math.floor(colIdx[k] / b);
    if (seen[J] === mark) continue;
    seen[J] = mark;
    blocks++;
  }
  return blocks;
}
