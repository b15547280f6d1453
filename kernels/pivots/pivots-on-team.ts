/**
 * Structural pivots by the threads of a team: the host's side of peel.as.ts and depths.as.ts.
 *
 *   colOf, rowOf : of a set of pivots the column of a row's and the row of a column's, or −1
 */
import { argumentList } from '../threads/argument-list.js';
import { addressOf, KernelArrays } from '../threads/kernel-arrays.js';
import type { Team } from '../threads/team.js';
import * as D from './depths-layout.js';
import * as L from './peel-layout.js';

/** The places of entries, by rows. */
interface Places {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array;
  readonly colIdx: Uint32Array;
}

interface Matched {
  readonly colOf: Int32Array;
  readonly rowOf: Int32Array;
  readonly size: number;
}

interface Ordered {
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
  readonly depths: Uint32Array;
}

/** Sides to be peeled off. */
export type Side = 'columns' | 'rows';

export class PivotKernels {
  readonly #team: Team;
  readonly #arrays: KernelArrays;
  readonly #a: Places;
  readonly #at: Places;

  /** `at` is the transpose of `a`; both are copied where they are in another memory. */
  constructor(team: Team, a: Places, at: Places) {
    this.#team = team;
    this.#arrays = new KernelArrays(team.memory);
    try {
      [this.#a, this.#at] = [a, at].map((places) => this.#place(places)) as [Places, Places];
    } catch (error) {
      this.#arrays.release();
      throw error;
    }
  }

  /** The pivots that are found by peeling each side off, a thread a side. */
  readonly peel = (sides: readonly Side[]): Matched[] => {
    return this.#withScratch((scratch) => {
      const made = sides.map((side) => {
        const [a, at] = side === 'columns' ? [this.#a, this.#at] : [this.#at, this.#a];
        return peelingOf(scratch, a, at);
      });
      const [sizes, full] = [scratch.u32(sides.length), scratch.u32(1).fill(0)];
      const words = [sides.length, addressOf(sizes), addressOf(full), ...made.flatMap(({ words }) => words)];
      this.#team.launch('peelSides', words, sides.length === 1);
      return made.map(({ colOf, rowOf }, s) => {
        const [line, across] = [colOf.slice(), rowOf.slice()];
        const size = sizes[s];
        return sides[s] === 'columns' ? { colOf: line, rowOf: across, size } : { colOf: across, rowOf: line, size };
      });
    });
  };

  /** The pivots of each matching in order of depth, a thread a matching. RangeError for one that has a cycle. */
  readonly order = (matchings: readonly Matched[]): Ordered[] => {
    return this.#withScratch((scratch) => {
      const { rows, rowPtr, colIdx } = this.#a;
      const made = matchings.map((matching) => orderingOf(scratch, rows, matching));
      const counts = scratch.u32(matchings.length);
      const header = [matchings.length, rows, addressOf(rowPtr), addressOf(colIdx), addressOf(counts)];
      const words = [...header, ...made.flatMap(({ words }) => words)];
      this.#team.launch('pivotDepths', words, matchings.length === 1);
      return made.map(({ rows, cols, depths }, m) => {
        if (counts[m] === D.NO_ORDER) throw new RangeError('pivots: expected no cycle, got one');
        return { rows: rows.slice(), cols: cols.slice(), depths: depths.slice(0, counts[m] + 1) };
      });
    });
  };

  release(): void {
    this.#arrays.release();
  }

  #place({ rows, cols, rowPtr, colIdx }: Places): Places {
    return { rows, cols, rowPtr: this.#arrays.place(rowPtr), colIdx: this.#arrays.place(colIdx) };
  }

  #withScratch<T>(work: (scratch: KernelArrays) => T): T {
    const scratch = new KernelArrays(this.#team.memory);
    try {
      return work(scratch);
    } finally {
      scratch.release();
    }
  }
}

/** The arrays of a side's peeling, and its arguments. */
function peelingOf(scratch: KernelArrays, a: Places, at: Places) {
  const { rows, cols, rowPtr, colIdx } = a;
  const most = longestRow(at.rowPtr);
  const [colOf, rowOf] = [scratch.i32(rows), scratch.i32(cols)];
  const bucket = (): number => addressOf(scratch.u32(most + 2));
  const args = argumentList(
    [L.ROWS, rows],
    [L.COLS, cols],
    [L.ROW_PTR, addressOf(rowPtr)],
    [L.COL_IDX, addressOf(colIdx)],
    [L.COL_PTR, addressOf(at.rowPtr)],
    [L.ROW_IDX, addressOf(at.colIdx)],
    [L.MOST, most],
    [L.COL_OF, addressOf(colOf)],
    [L.ROW_OF, addressOf(rowOf)],
    [L.ACTIVE, addressOf(scratch.u8(rows))],
    [L.DEGREE, addressOf(scratch.u32(cols))],
    [L.LIST, addressOf(scratch.u32(colIdx.length))],
    [L.HEAD, bucket()],
    [L.TAIL, bucket()],
  );
  return { colOf, rowOf, words: args };
}

/** The arrays of a matching's order, and its arguments. */
function orderingOf(scratch: KernelArrays, lines: number, { colOf, rowOf, size }: Matched) {
  const [rows, cols, depths] = [scratch.u32(size), scratch.u32(size), scratch.u32(size + 2)];
  const copyOf = (words: Int32Array): number => {
    const copy = scratch.i32(words.length);
    copy.set(words);
    return addressOf(copy);
  };
  const words = argumentList(
    [D.COL_OF, copyOf(colOf)],
    [D.ROW_OF, copyOf(rowOf)],
    [D.DEPTH, addressOf(scratch.i32(lines))],
    [D.NEXT, addressOf(scratch.u32(lines))],
    [D.STACK, addressOf(scratch.u32(size + 1))],
    [D.DEPTHS, addressOf(depths)],
    [D.PIVOT_ROWS, addressOf(rows)],
    [D.PIVOT_COLS, addressOf(cols)],
  );
  return { rows, cols, depths, words };
}

// A loop of its own: kernels/sparse/residue-matrix.ts.
function longestRow(rowPtr: Uint32Array): number {
  let most = 0;
  for (let i = 1; i < rowPtr.length; i++) if (rowPtr[i] - rowPtr[i - 1] > most) most = rowPtr[i] - rowPtr[i - 1];
  return most;
}
