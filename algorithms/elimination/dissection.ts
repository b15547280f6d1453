/**
 * A nested dissection of a sparse matrix into fronts, for an elimination whose steps are small dense ones (fronts.ts).
 *
 *   domain   rows, and the columns that no cut has taken before: each of those has entries in these rows alone
 *   cut      the rows of a domain in two, and the columns that have entries on both sides
 *   front    what is eliminated at once: the columns of a cut, or all of a domain that is not cut again
 *   border   the other columns at which rows of the front may have entries: cuts above have taken them
 *
 * A cut lies between two levels of a search in breadth, which goes from rows to rows that share a column and begins
 * nearly as far away as there is: of the cuts that leave a quarter on either side, the one with the fewest columns.
 * Meshes, bands and points near each other have small cuts, random matrices none; there the first cuts show that the
 * work is beyond the limit.
 *
 * Sources: George 1973 (nested dissection); George, Liu 1978 (cuts between levels); Duff, Reid 1983 (fronts).
 */
import type { FrontSizes } from '../estimates.js';
import type { Pattern } from '../presolve/pattern.js';
import { BreadthSearch, renumber } from './breadth.js';

/** Columns are numbers of the matrix. */
export interface Front {
  readonly rows: Uint32Array; // of the matrix; empty where parts bring the rows
  readonly own: Uint32Array; // columns that are eliminated here: no later front has an entry there
  readonly border: Uint32Array;
  readonly parts: 0 | 2; // fronts before it, the last ones that no other front has taken, whose rest it takes
}

export interface Dissection extends FrontSizes {
  readonly fronts: readonly Front[];
  readonly most: number; // cells at a time
  readonly seconds: number; // that it took
}

/** Whether fronts of these sizes, of which so many cells are there at a time, are more than they may be. */
export type Limit = (sizes: FrontSizes, most: number) => boolean;

/** Rows of a domain that is not cut again. */
const SMALL = 128;

/** Entries of a pattern that caches hold. */
const CACHED = 2 ** 20;

/**
 * Seconds of a row and of an entry for each time that domains are halved: a row of a path is a level of its own
 * (test/bench/RESULTS.md#dissections).
 */
const SEARCH = { row: 1.2e-7, entry: 2.5e-8 };

/** Seconds of the search for a whole dissection. */
export function searchSeconds({ rows, colIdx }: Pattern): number {
  const halvings = Math.log2(Math.max(2, rows / SMALL));
  return halvings * (SEARCH.row * rows + SEARCH.entry * colIdx.length);
}

/** Bytes of a search: marks and orders, and the lines that it renumbers. */
export function searchBytes({ rows, cols, colIdx }: Pattern): number {
  const lines = 8 * (rows + cols);
  return colIdx.length > CACHED ? 2 * lines + 8 * colIdx.length : lines;
}

/** A cut leaves this share on either side if it can; where it cannot leave LEAST, there is none. */
const BALANCE = 1 / 4;
const LEAST = 1 / 16;

/** The mark of a column that a cut has taken, above those of all searches. */
const TAKEN = 0xffffffff;

/** What a front leaves behind its pivots. */
interface Left {
  readonly border: Uint32Array;
  readonly rows: number;
  readonly cells: number; // of the front, which it is a part of
}

/**
 * `at` is the transpose of `a`; null where `isTooMuch` says so. Domains of `small` rows are not cut, and lines of more
 * than `cached` entries are renumbered first, so that searches meet what lies near each other in memory, too. The first
 * search has marks above `mark`.
 */
export function dissect(
  a: Pattern,
  at: Pattern,
  isTooMuch: Limit,
  { small = SMALL, cached = CACHED, mark = 0 } = {},
): Dissection | null {
  const start = performance.now();
  const near = a.colIdx.length > cached ? renumber(a, at) : null;
  const run = new Dissecting(near?.a ?? a, near?.at ?? at, isTooMuch, small, mark);
  if (run.divide(Uint32Array.from({ length: a.rows }, (_, i) => i)) === null) return null;
  const { products, cells, most } = run;
  const fronts = near === null ? run.fronts : run.fronts.map((front) => placeFront(front, near));
  return { fronts, products, cells, most, seconds: (performance.now() - start) / 1000 };
}

/** A front of the renumbered lines as one of those that were given. */
function placeFront(
  { rows, own, border, parts }: Front,
  near: { readonly rows: Uint32Array; readonly cols: Uint32Array },
): Front {
  const [ownCols, borderCols] = [takeAt(near.cols, own), takeAt(near.cols, border)];
  return { rows: takeAt(near.rows, rows), own: ownCols, border: borderCols, parts };
}

class Dissecting {
  readonly fronts: Front[] = [];
  products = 0;
  cells = 0;
  most = 0;
  private promised = 0; // multiplications for the cuts so far, at least
  private held = 0; // cells that the next fronts wait for
  private readonly a: Pattern;
  private readonly at: Pattern;
  private readonly isTooMuch: Limit;
  private readonly small: number;
  // Every level of every search has a number of its own, which its lines are marked with.
  private readonly search: BreadthSearch;
  private marks: number;

  constructor(a: Pattern, at: Pattern, isTooMuch: Limit, small: number, mark: number) {
    [this.a, this.at, this.isTooMuch, this.small, this.marks] = [a, at, isTooMuch, small, mark];
    this.search = new BreadthSearch(a, at);
  }

  /** The fronts of a domain, the last of which takes all the others; null where they are too much work. */
  divide(rows: Uint32Array): Left | null {
    const cut = rows.length > this.small ? this.cut(rows) : null;
    if (cut === null) {
      const [own, border] = this.columnsOf(rows);
      return this.close({ rows, own, border, parts: 0 }, []);
    }
    const { before, behind, own } = cut;
    this.promised += own.length ** 3 / 3;
    if (this.isTooMuch({ products: this.promised, cells: 0 }, 0)) return null;
    for (const j of own) this.search.colMarks[j] = TAKEN;
    const first = this.divide(before);
    const second = first && this.divide(behind);
    if (first === null || second === null) return null;
    const border = uniteWithout(first.border, second.border, own);
    return this.close({ rows: new Uint32Array(0), own, border, parts: 2 }, [first, second]);
  }

  private close(front: Front, parts: readonly Left[]): Left | null {
    const { own, border } = front;
    this.fronts.push(front);
    const rows = parts.reduce((sum, part) => sum + part.rows, front.rows.length);
    const pivots = Math.min(rows, own.length);
    const left = rows - pivots;
    const width = own.length + border.length;
    const cells = rows * width;
    this.products += productsOf(rows, width, pivots);
    if (left > border.length) this.products += productsOf(left, border.length, border.length);
    this.cells += cells;
    this.held += cells;
    this.most = Math.max(this.most, this.held);
    for (const part of parts) this.held -= part.cells;
    return this.isTooMuch(this, this.most) ? null : { border, rows: Math.min(left, border.length), cells };
  }

  /** Those that have entries in these rows alone, and those that cuts have taken, in increasing order. */
  private columnsOf(rows: Uint32Array): [own: Uint32Array, border: Uint32Array] {
    const {
      a,
      search: { colMarks },
    } = this;
    this.leaveRoom(1);
    const mark = ++this.marks;
    const [own, border]: [number[], number[]] = [[], []];
    for (const i of rows) {
      for (let e = a.rowPtr[i], end = a.rowPtr[i + 1]; e < end; e++) {
        const j = a.colIdx[e];
        if (colMarks[j] === mark) continue;
        if (colMarks[j] === TAKEN) border.push(j);
        else {
          colMarks[j] = mark;
          own.push(j);
        }
      }
    }
    return [Uint32Array.from(own).sort(), sortedOnce(border)];
  }

  /** Null where there is none that is worth it. */
  private cut(rows: Uint32Array): { before: Uint32Array; behind: Uint32Array; own: Uint32Array } | null {
    const base = this.visitAll(rows);
    const { order, ends, shared } = this.search;
    let best = -1;
    const balance = (k: number): number => Math.min(ends[k], rows.length - ends[k]) / rows.length;
    const size = (k: number): number => shared[k] / Math.min(1, balance(k) / BALANCE) ** 2;
    for (let k = 0; k + 1 < ends.length; k++) {
      if (balance(k) < LEAST) continue;
      // Between components all sizes are 0.
      const isBetter = best < 0 || size(k) < size(best) || (size(k) === size(best) && balance(k) > balance(best));
      if (isBetter) best = k;
    }
    if (best < 0 || shared[best] > rows.length / 2) return null;
    const [before, behind] = [order.slice(0, ends[best]), order.slice(ends[best])];
    return { before, behind, own: this.sharedColumns(order, best === 0 ? 0 : ends[best - 1], ends[best], base + best) };
  }

  /** Columns of the level that is order[first] … order[end − 1], marked with `level`, that the next one has, too. */
  private sharedColumns(order: Uint32Array, first: number, end: number, level: number): Uint32Array {
    const { a, at } = this;
    const { rowMarks, colMarks } = this.search;
    const found: number[] = [];
    for (let t = first; t < end; t++) {
      for (let e = a.rowPtr[order[t]], stop = a.rowPtr[order[t] + 1]; e < stop; e++) {
        const j = a.colIdx[e];
        // The search has marked the columns that this level met first.
        if (colMarks[j] !== level) continue;
        colMarks[j] = 0;
        for (let f = at.rowPtr[j], last = at.rowPtr[j + 1]; f < last; f++) {
          if (rowMarks[at.colIdx[f]] !== level + 1) continue;
          found.push(j);
          break;
        }
      }
    }
    return Uint32Array.from(found);
  }

  /** So many marks are below TAKEN: where they are not, marks begin anew, and what cuts have taken stays so. */
  private leaveRoom(count: number): void {
    if (this.marks + count < TAKEN) return;
    this.search.rowMarks.fill(0);
    forgetMarks(this.search.colMarks);
    this.marks = 0;
  }

  /** All rows of a domain, component by component, levels counted on; the mark of the first level. */
  private visitAll(rows: Uint32Array): number {
    const { search } = this;
    // Each component is searched twice, the second time from a row that the first search met last. A search has at most
    // as many levels as rows, and one more mark behind them.
    this.leaveRoom(2 * rows.length + 4);
    const order = new Uint32Array(rows.length);
    const starts: number[] = [];
    const trial = this.marks + 1;
    search.begin(order);
    for (const i of rows) {
      if (search.rowMarks[i] >= trial) continue;
      search.visit(i, trial);
      starts.push(order[search.count - 1]);
    }
    const base = trial + search.ends.length + 1;
    search.begin(order);
    for (const start of starts) search.visit(start, base);
    this.marks = base + search.ends.length;
    return base;
  }
}

function forgetMarks(marks: Uint32Array): void {
  for (let j = 0; j < marks.length; j++) if (marks[j] !== TAKEN) marks[j] = 0;
}

/** list[k] for every k of `places`. */
function takeAt(list: Uint32Array, places: Uint32Array): Uint32Array {
  const out = new Uint32Array(places.length);
  for (let t = 0; t < places.length; t++) out[t] = list[places[t]];
  return out;
}

function sortedOnce(columns: readonly number[]): Uint32Array {
  const sorted = Uint32Array.from(columns).sort();
  return sorted.filter((j, t) => t === 0 || sorted[t - 1] !== j);
}

/** The columns of two increasing lists, without those that are `own`. */
function uniteWithout(first: Uint32Array, second: Uint32Array, own: Uint32Array): Uint32Array {
  const without = new Set(own);
  const out = new Uint32Array(first.length + second.length);
  let count = 0;
  for (let s = 0, t = 0; s < first.length || t < second.length; ) {
    const [x, y] = [first[s] ?? TAKEN, second[t] ?? TAKEN];
    if (x <= y) s++;
    if (y <= x) t++;
    const j = Math.min(x, y);
    if (!without.has(j)) out[count++] = j;
  }
  return out.slice(0, count);
}

/** Multiplications of so many pivots of a dense m × n matrix: Σ (m − k)(n − k). */
function productsOf(m: number, n: number, pivots: number): number {
  return pivots * (m * n - (pivots * (m + n)) / 2 + pivots ** 2 / 3);
}
