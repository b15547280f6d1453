/**
 * Compressed rows in the memory of a team's kernels, made and transposed by all of its threads: the host's side of
 * residue-rows.as.ts and transpose.as.ts. The same rows as residue-matrix.ts makes.
 */
import { argumentList } from '../threads/argument-list.js';
import { addressOf, KernelArrays } from '../threads/kernel-arrays.js';
import type { Team } from '../threads/team.js';
import type { Coordinates } from './coordinates.js';
import type { ResidueMatrix } from './residue-matrix.js';
import * as R from './residue-rows-layout.js';
import * as L from './transpose-layout.js';

/**
 * A mod p; null where entries are not in order of their rows and columns, repeat, have more than 32 bits or residue 0:
 * the host sorts these out.
 */
export function residuesOnTeam(team: Team, arrays: KernelArrays, a: Coordinates, p: number): ResidueMatrix | null {
  if (a.wide.size > 0) return null;
  const { rows, cols } = a;
  const nnz = a.values.length;
  const scratch = new KernelArrays(team.memory);
  const kept = new KernelArrays(team.memory);
  try {
    const rowIdx = scratch.place(a.rowIdx);
    const colIdx = kept.place(a.colIdx);
    const values = kept.u32(nnz);
    values.set(a.values);
    const rowPtr = kept.u32(rows + 1);
    const unfit = scratch.u32(team.threads).fill(0);
    // biome-ignore format: a line a group of words
    team.launch('residueRows', argumentList(
      [R.ROWS, rows], [R.NNZ, nnz], [R.ROW_IDX, addressOf(rowIdx)], [R.COL_IDX, addressOf(colIdx)],
      [R.VALUES, addressOf(values)], [R.MODULUS, p], [R.ROW_PTR, addressOf(rowPtr)], [R.UNFIT, addressOf(unfit)],
    ), false);
    if (unfit.some((word) => word !== 0)) return null;
    arrays.takeOver(kept);
    return { rows, cols, rowPtr, colIdx, values };
  } finally {
    scratch.release();
    kept.release();
  }
}

/** Aᵀ; A is copied where it is in another memory. */
export function transposeOnTeam(team: Team, arrays: KernelArrays, a: ResidueMatrix): ResidueMatrix {
  const { rows, cols } = a;
  const nnz = a.colIdx.length;
  const scratch = new KernelArrays(team.memory);
  try {
    const [rowPtr, colIdx, values] = [a.rowPtr, a.colIdx, a.values].map((words) => addressOf(scratch.place(words)));
    const out = {
      rows: cols,
      cols: rows,
      rowPtr: arrays.u32(cols + 1),
      colIdx: arrays.u32(nnz),
      values: arrays.u32(nnz),
    };
    // biome-ignore format: a line a group of words
    team.launch('transposeRows', argumentList(
      [L.ROWS, rows], [L.COLS, cols], [L.ROW_PTR, rowPtr], [L.COL_IDX, colIdx], [L.VALUES, values],
      [L.OUT_PTR, addressOf(out.rowPtr)], [L.OUT_IDX, addressOf(out.colIdx)], [L.OUT_VALUES, addressOf(out.values)],
      [L.NEXT, addressOf(scratch.u32(cols))], [L.SPIN, team.spin],
    ), false);
    return out;
  } finally {
    scratch.release();
  }
}
