/**
 * Rows of a matrix with their columns renumbered, on a team: the host's side of renumbered-rows.as.ts.
 */
import { argumentList } from '../threads/argument-list.js';
import { addressOf, KernelArrays } from '../threads/kernel-arrays.js';
import type { Team } from '../threads/team.js';
import * as L from './renumbered-rows-layout.js';
import type { ResidueMatrix } from './residue-matrix.js';

export interface Renumbering {
  readonly place: Uint32Array; // the new number of each column
  readonly given: number; // new numbers below it increase with the old ones
}

export class RowRenumbering {
  readonly #team: Team;
  readonly #scratch: KernelArrays;
  readonly #a: ResidueMatrix;
  readonly #p: number;
  readonly #renumbering: Renumbering;

  /** `a` is copied where it is in another memory. */
  constructor(team: Team, a: ResidueMatrix, p: number, { place, given }: Renumbering) {
    const scratch = new KernelArrays(team.memory);
    try {
      const [rowPtr, colIdx, values] = [a.rowPtr, a.colIdx, a.values].map((words) => scratch.place(words));
      this.#a = { ...a, rowPtr, colIdx, values };
      this.#renumbering = { place: scratch.place(place), given };
    } catch (error) {
      scratch.release();
      throw error;
    }
    this.#team = team;
    this.#scratch = scratch;
    this.#p = p;
  }

  /**
   * The rows of a list, in its order; `scaled`, row k loses its entry at column given + k, which every one has, and is
   * divided by minus that. `arrays` has them.
   */
  rows(arrays: KernelArrays, list: Uint32Array, scaled: boolean): ResidueMatrix {
    const { rowPtr, colIdx, values, cols } = this.#a;
    const outPtr = arrays.u32(list.length + 1);
    sumLengths(rowPtr, list, scaled ? 1 : 0, outPtr);
    const nnz = outPtr[list.length];
    const out = { rows: list.length, cols, rowPtr: outPtr, colIdx: arrays.u32(nnz), values: arrays.u32(nnz) };
    const { place, given } = this.#renumbering;
    // biome-ignore format: a line a group of words
    this.#team.launch('renumberedRows', argumentList(
      [L.COUNT, list.length], [L.LIST, addressOf(this.#scratch.place(list))],
      [L.ROW_PTR, addressOf(rowPtr)], [L.COL_IDX, addressOf(colIdx)], [L.VALUES, addressOf(values)],
      [L.PLACE, addressOf(place)], [L.GIVEN, given], [L.SCALED, Number(scaled)], [L.MODULUS, this.#p],
      [L.OUT_PTR, addressOf(outPtr)], [L.OUT_IDX, addressOf(out.colIdx)], [L.OUT_VALUES, addressOf(out.values)],
    ), false);
    return out;
  }

  release(): void {
    this.#scratch.release();
  }
}

/** Offsets of the rows of a list, each `less` entries shorter. A loop of its own: residue-matrix.ts. */
function sumLengths(rowPtr: Uint32Array, list: Uint32Array, less: number, out: Uint32Array): void {
  out[0] = 0;
  for (let k = 0; k < list.length; k++) out[k + 1] = out[k] + rowPtr[list[k] + 1] - rowPtr[list[k]] - less;
}
