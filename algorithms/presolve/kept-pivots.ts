/**
 * The structural pivots of a kept run in a store: a run that goes on does not search for them.
 *
 *   pivots    of one pattern behind another, as presolve.ts meets them: rows, columns, entries, the number of pivots,
 *             and their rows and columns in the order of the triangle
 *
 * Any places of entries that are triangular in some order are pivots, and a rank by them is right, however they were
 * found (pattern.ts). So what is read is looked at in one pass over the entries: each place is one, no line has two,
 * and the order is a triangle's. What is not that, or is of another pattern, is searched for. Pivots that were changed
 * to others lead to another operator, which the run's way tells (checkpoint/way.ts).
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import { secondsToWrite } from '../checkpoint/writing-time.js';
import { type Matching, orderByDepth, type Pattern } from './pattern.js';
import { type PivotSearch, type StructuralPivots, structuralPivots } from './structural-pivots.js';

const NAME = 'pivots';

/** Words before the rows and columns of the pivots of a pattern. */
const HEAD = 4;

const NONE = new Uint32Array(0);

export class KeptPivots implements PivotSearch {
  private readonly checkpoint: Checkpoint;
  private rest: Uint32Array; // of what was recalled, from the next pattern on
  private readonly found: Uint32Array[] = []; // of each pattern, as it is kept
  private seconds = 0; // of searches here
  private isRefused = false; // what was recalled
  private isWhole = true; // no search ended with pivots that were enough

  private constructor(checkpoint: Checkpoint, recalled: Uint32Array) {
    [this.checkpoint, this.rest] = [checkpoint, recalled];
  }

  static async recall(checkpoint: Checkpoint): Promise<KeptPivots> {
    const kept = await checkpoint.recall(NAME);
    return new KeptPivots(checkpoint, kept ? wordsOf(kept.bytes) : NONE);
  }

  /** As structuralPivots does, or those that it found for the run before, where they were not enough. */
  find(a: Pattern, at: Pattern, enough: (found: StructuralPivots) => boolean): StructuralPivots {
    const known = this.next(a);
    if (known !== null) return known;
    const start = performance.now();
    const found = structuralPivots(a, at, (some) => {
      const ends = enough(some);
      if (ends) this.isWhole = false;
      return ends;
    });
    this.seconds += (performance.now() - start) / 1000;
    this.found.push(wordsOfPivots(a, found.matching));
    return found;
  }

  /** Where others would have to be searched for: those of all patterns, unless writing them takes longer than that. */
  async keep(): Promise<void> {
    const { found, seconds, isWhole } = this;
    const bytes = found.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (isWhole && seconds > 0 && seconds >= secondsToWrite(bytes)) {
      await this.checkpoint.keep(NAME, {}, ...found.map(bytesOf));
    } else if (this.isRefused) {
      await this.checkpoint.remove(NAME);
    }
    [this.rest, this.seconds, found.length] = [NONE, 0, 0];
  }

  /** The next that were recalled, if they are of this pattern; none behind others. */
  private next(a: Pattern): StructuralPivots | null {
    const { rest } = this;
    if (rest.length === 0) return null;
    const size = rest[HEAD - 1] ?? 0;
    const words = rest.subarray(0, HEAD + 2 * size);
    const matching = matchingOf(a, words);
    const pivots = matching && pivotsOf(a, matching);
    if (!pivots) {
      this.checkpoint.remark(`${NAME} are not those of this run, and are searched for`);
      this.isRefused = true;
      this.rest = NONE;
      return null;
    }
    this.rest = rest.subarray(words.length);
    this.found.push(words);
    return { matching, pivots };
  }
}

function wordsOfPivots({ rows, cols, colIdx }: Pattern, { order, colOf, size }: Matching): Uint32Array {
  const words = new Uint32Array(HEAD + 2 * size);
  words.set([rows, cols, colIdx.length, size]);
  words.set(order, HEAD);
  for (let k = 0; k < size; k++) words[HEAD + size + k] = colOf[order[k]];
  return words;
}

/** null where they are of another pattern, or no places of its entries on lines of their own. */
function matchingOf(a: Pattern, words: Uint32Array): Matching | null {
  const [rows, cols, entries, size] = words;
  if (rows !== a.rows || cols !== a.cols || entries !== a.colIdx.length) return null;
  if (words.length !== HEAD + 2 * size) return null;
  const colOf = new Int32Array(a.rows).fill(-1);
  const rowOf = new Int32Array(a.cols).fill(-1);
  const order = words.slice(HEAD, HEAD + size);
  return pairUp(a, order, words.subarray(HEAD + size), colOf, rowOf) ? { colOf, rowOf, order, size } : null;
}

function pivotsOf(a: Pattern, matching: Matching): StructuralPivots['pivots'] | null {
  try {
    return orderByDepth(a, matching);
  } catch (error) {
    if (error instanceof RangeError) return null; // no triangle's order
    throw error;
  }
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Whether all places are entries, and no line has two. */
function pairUp(
  { rows, rowPtr, colIdx }: Pattern,
  order: Uint32Array,
  columns: Uint32Array,
  colOf: Int32Array,
  rowOf: Int32Array,
): boolean {
  for (let k = 0; k < order.length; k++) {
    const [i, j] = [order[k], columns[k]];
    if (i >= rows || j >= rowOf.length || colOf[i] >= 0 || rowOf[j] >= 0) return false;
    let e = rowPtr[i];
    const end = rowPtr[i + 1];
    while (e < end && colIdx[e] !== j) e++;
    if (e === end) return false;
    colOf[i] = j;
    rowOf[j] = i;
  }
  return true;
}
