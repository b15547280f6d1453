/**
 * Logged entries as a matrix in pieces of a number of entries at most, lines without entries left out.
 *
 *   rows are numbered anew, r(i), and so are columns, c(j)      piece d : rows bounds[d] … bounds[d + 1] − 1
 */

import { PieceDigest } from '../../algorithms/checkpoint/piece-digest.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { Scratch, ScratchFile } from '../../kernels/platform/scratch.js';
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import type { MatrixPieces } from '../../kernels/sparse/matrix-pieces.js';
import { wordResidues } from '../../kernels/sparse/matrix-residues.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type LoggedEntries, WORDS } from './entry-log.js';

const BATCH = 1 << 16;
const ENTRY_BYTES = 4 * WORDS;

/** Consecutive entries of one piece in a file. */
interface Run {
  readonly at: number; // entries
  readonly count: number;
}

export interface LoggedPieces extends MatrixPieces {
  /** Gives the room on the disk back. */
  free(): void;
}

/** With `most` entries a piece; `dealing` bytes at most while entries are dealt out. */
export async function piecesOfLog(
  logged: LoggedEntries,
  p: number,
  most: number,
  dealing: number,
  scratch: Scratch,
): Promise<LoggedPieces> {
  const { file, count, rowCounts, colCounts, isOrdered } = logged;
  try {
    const cut = cutRows(rowCounts, most);
    const cols = numberUsed(colCounts);
    numberUsed(rowCounts);
    const inPlace = isOrdered || cut.bounds.length === 2;
    const dealt = inPlace ? null : await deal(file, count, rowCounts, cut.bounds, dealing, scratch);
    dealt && file.close();
    const from = dealt?.file ?? file;
    const runs = dealt?.runs ?? cut.counts.map((own, d) => [{ at: sumBefore(cut.counts, d), count: own }]);
    return {
      ...{ rows: cut.bounds.at(-1)!, cols, nnz: count, bounds: cut.bounds },
      async piece(d) {
        const [first, rows] = [cut.bounds[d], cut.bounds[d + 1] - cut.bounds[d]];
        const own = cut.counts[d];
        const entries = { rowIdx: new Uint32Array(own), colIdx: new Uint32Array(own), values: new Int32Array(own) };
        await readRuns(from, runs[d], (batch, n, done) => {
          unpack(batch, n, rowCounts, first, colCounts, entries.rowIdx, entries.colIdx, entries.values, done);
        });
        return wordResidues({ rows, cols, ...entries, wide: new WideEntries() }, p, String) as ResidueMatrix;
      },
      free: () => from.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Of the entries mod p in the order in which they came; sizes are told elsewhere. */
export async function digestOfLog({ file, count }: LoggedEntries, p: number): Promise<string> {
  const digest = new PieceDigest();
  await digest.add(bytesOf(Uint32Array.of(p)));
  const batch = new Uint32Array(WORDS * BATCH);
  for (let from = 0; from < count; from += BATCH) {
    const words = bytesOf(batch.subarray(0, WORDS * Math.min(BATCH, count - from)));
    await file.read(words, ENTRY_BYTES * from);
    await digest.add(words);
  }
  return digest.digest();
}

/** Runs of used rows with `most` entries at most, by the numbers that they get, and the entries of each. */
function cutRows(rowCounts: Uint32Array, most: number): { bounds: number[]; counts: number[] } {
  const bounds = [0];
  const counts: number[] = [];
  let [used, own] = [0, 0];
  for (let i = 0; i < rowCounts.length; i++) {
    const count = rowCounts[i];
    if (count === 0) continue;
    if (count > most)
      throw new MemoryError(`scratch: line ${i + 1} has ${count} entries, of which memory for a piece holds ${most}`);
    if (own + count > most) {
      bounds.push(used);
      counts.push(own);
      own = 0;
    }
    own += count;
    used++;
  }
  bounds.push(used);
  counts.push(own);
  return { bounds, counts };
}

/** Counts become the numbers of lines that have any; how many there are. */
function numberUsed(counts: Uint32Array): number {
  let used = 0;
  for (let i = 0; i < counts.length; i++) counts[i] = counts[i] > 0 ? used++ : 0;
  return used;
}

function sumBefore(counts: readonly number[], end: number): number {
  let sum = 0;
  for (let d = 0; d < end; d++) sum += counts[d];
  return sum;
}

/** The entries of every piece in runs of a file of their own. */
async function deal(
  from: ScratchFile,
  count: number,
  rowNumbers: Uint32Array,
  bounds: readonly number[],
  bytes: number,
  scratch: Scratch,
): Promise<{ file: ScratchFile; runs: Run[][] }> {
  const pieces = bounds.length - 1;
  const room = Math.max(64, Math.floor(bytes / pieces / ENTRY_BYTES)); // entries of a piece in memory
  const file = scratch.file();
  const words = Array.from({ length: pieces }, () => new Uint32Array(WORDS * room));
  const used = new Uint32Array(pieces);
  const runs: Run[][] = words.map(() => []);
  const drain = (d: number): void => {
    if (used[d] === 0) return;
    const at = file.append(bytesOf(words[d].subarray(0, WORDS * used[d]))) / ENTRY_BYTES;
    runs[d].push({ at, count: used[d] });
    used[d] = 0;
  };
  try {
    await readRuns(from, [{ at: 0, count }], (batch, n) => {
      for (let k = 0; k < n; k++) {
        const d = pieceOf(bounds, rowNumbers[batch[WORDS * k]]);
        if (used[d] === room) drain(d);
        const [to, at] = [WORDS * used[d]++, WORDS * k];
        words[d][to] = batch[at];
        words[d][to + 1] = batch[at + 1];
        words[d][to + 2] = batch[at + 2];
      }
    });
    for (let d = 0; d < pieces; d++) drain(d);
    return { file, runs };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The last d with bounds[d] ≤ row. */
function pieceOf(bounds: readonly number[], row: number): number {
  let [low, high] = [0, bounds.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (bounds[middle] <= row) low = middle;
    else high = middle;
  }
  return low;
}

/** Batches of the runs in turn: entries, their number, and how many were before. */
async function readRuns(
  file: ScratchFile,
  runs: readonly Run[],
  take: (batch: Uint32Array, count: number, done: number) => void,
): Promise<void> {
  const batch = new Uint32Array(WORDS * BATCH);
  let done = 0;
  for (const { at, count } of runs) {
    for (let from = 0; from < count; from += BATCH) {
      const n = Math.min(BATCH, count - from);
      await file.read(bytesOf(batch.subarray(0, WORDS * n)), ENTRY_BYTES * (at + from));
      take(batch, n, done);
      done += n;
    }
  }
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

function unpack(
  batch: Uint32Array,
  n: number,
  rowNumbers: Uint32Array,
  first: number,
  colNumbers: Uint32Array,
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  values: Int32Array,
  to: number,
): void {
  for (let k = 0; k < n; k++) {
    rowIdx[to + k] = rowNumbers[batch[WORDS * k]] - first;
    colIdx[to + k] = colNumbers[batch[WORDS * k + 1]];
    values[to + k] = batch[WORDS * k + 2];
  }
}
