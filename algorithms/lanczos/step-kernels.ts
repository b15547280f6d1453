/**
 * The kernels of a step of block Lanczos (block-lanczos.ts), and the bytes that each has to read and write:
 *
 *   product : B·V     dots : VᵀBV, (BV)ᵀBV and VᵀC     update : V ← V + V'·M, three a step     answer : Z ← Z + V·M
 *
 * Vectors count once, and of the product A's entries in both directions, without those of E and D. What stays in a
 * cache passes what a bandwidth allows.
 */

/** Of A, and the bytes of its entries and of the rows of vectors. */
export interface StepSizes {
  readonly rows: number; // M
  readonly cols: number; // N
  readonly nnz: number;
  readonly entryBytes: number;
  readonly wideBytes: number; // of a row of V
  readonly narrowBytes: number; // of a row of C and Z
}

export type StepKernel = 'product' | 'dots' | 'update' | 'answer';

export function bytesOfKernels({
  rows: M,
  cols: N,
  nnz,
  entryBytes,
  wideBytes,
  narrowBytes,
}: StepSizes): Readonly<Record<StepKernel, number>> {
  return {
    product: 2 * entryBytes * nnz + (6 * N + 4 * M) * wideBytes,
    dots: N * (4 * wideBytes + narrowBytes),
    update: 3 * N * wideBytes,
    answer: N * (wideBytes + 2 * narrowBytes),
  };
}
