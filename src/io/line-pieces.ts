/**
 * The plain lines of a long file, read by several threads: what one of them does.
 *
 *   piece k : the lines that begin in bytes [from + k·stride, from + (k + 1)·stride)
 *
 * Threads draw pieces in turn and read each by the kernel into its own memory. How many entries a piece has tells where
 * those of the next one belong, so that counts are added up in the order of the pieces, and entries go to their places
 * in shared arrays beside one another. The first line that is not plain ends the reading: it and all lines behind it
 * are left to the reader of the file, which says what is wrong with them. Plain lines have an entry each, so that their
 * number tells the line that it goes on with.
 */
import type { PlainLines, TripleKernel } from '../../kernels/sparse/scan-triples.js';

/** Places of a matrix for the entries to come. */
export interface Places {
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
  readonly first: number; // the first of them that is free
}

export interface PiecesToRead {
  readonly lines: PlainLines;
  readonly places: Places; // in shared memory
  readonly most: number; // entries
  readonly from: number; // the byte that the first line begins at, behind another line
  readonly size: number; // bytes of the file
  readonly control: SharedArrayBuffer;
}

/** What all of the threads have read. */
export interface LinesRead {
  readonly entries: number;
  readonly end: number; // the first byte that was not
}

/** Threads that read lines, once they have started. */
export interface LineReaders {
  readonly isReady: boolean;
  /** The plain lines from byte `from` on; null where a thread failed, and no place has an entry that counts. */
  read(lines: PlainLines, places: Places, most: number, from: number): Promise<LinesRead | null>;
  /** The bytes of the file from `from` on. */
  bytesFrom(from: number): AsyncIterable<Uint8Array>;
  /** Ends the threads, which nobody has to wait for. */
  end(): void;
}

/** Starts threads that read the file at `path`, `most` at most; null where they do not pay. */
export type StartReaders = (
  path: string,
  size: number,
  most: number | null,
  loading: (modules: () => Promise<unknown>) => Promise<unknown>, // told of modules under way in them
) => LineReaders | null;

/** A line that begins in a piece may end so many bytes behind it: plain lines are shorter but for blanks. */
const OVERHANG = 2 ** 9;
const LF = 10;

/** Words: the next piece to be drawn; the piece whose entries are to be placed next, or STOPPED. */
const [DRAWN, TURN] = [0, 1];
const STOPPED = -1;
/** Numbers that the thread whose turn it is writes: the entries so far, and the byte behind their lines. */
const TOLD = 8;
const BYTES = TOLD + 16;

export function newControl(from: number): SharedArrayBuffer {
  const control = new SharedArrayBuffer(BYTES);
  new Float64Array(control, TOLD)[1] = from;
  return control;
}

/** Of threads that are done. */
export function linesRead(control: SharedArrayBuffer): LinesRead {
  const [entries, end] = new Float64Array(control, TOLD);
  return { entries: entries!, end: end! };
}

/**
 * Reads pieces until none is left; `readAt` reads into an array from a byte on and returns how many bytes it got, 0
 * behind the end alone.
 */
export function readPieces(
  { lines, places, most, from, size, control }: PiecesToRead,
  kernel: TripleKernel,
  readAt: (into: Uint8Array, at: number) => number,
): void {
  const stride = kernel.room - OVERHANG;
  const words = new Int32Array(control, 0, 2);
  const told = new Float64Array(control, TOLD);
  const bytes = new Uint8Array(1 + stride + OVERHANG); // from the byte in front of the piece on
  for (;;) {
    const piece = Atomics.add(words, DRAWN, 1);
    const front = from + piece * stride - 1;
    if (front + 1 >= size) return;
    const text = bytes.subarray(0, readAll(bytes, front, readAt));
    const begin = text.indexOf(LF) + 1;
    const close = text.indexOf(LF, stride);
    const isLast = front + 1 + stride >= size;
    const end = close < 0 ? text.lastIndexOf(LF) + 1 : close + 1;
    const loaded = kernel.load(text, begin, end);
    const read = kernel.read(0, lines, Number.POSITIVE_INFINITY);
    const isWhole = read.end === loaded && loaded === end - begin && (close >= 0 || isLast);
    const count = read.values.length;
    if (!awaitTurn(words, piece)) return;
    const [before] = told;
    const fits = begin > 0 && before! + count <= most; // without a line end it is not known where a line begins
    if (fits) told.set([before! + count, front + begin + read.end]);
    Atomics.store(words, TURN, fits && isWhole ? piece + 1 : STOPPED);
    Atomics.notify(words, TURN);
    if (!fits) return;
    const at = places.first + before!;
    places.rowIdx.set(read.rowIdx, at);
    places.colIdx.set(read.colIdx, at);
    places.values.set(read.values, at);
  }
}

/** A file system may give less at a time than it is asked for. */
function readAll(into: Uint8Array, at: number, readAt: (into: Uint8Array, at: number) => number): number {
  for (let filled = 0; ; ) {
    const more = filled < into.length ? readAt(into.subarray(filled), at + filled) : 0;
    if (more === 0) return filled;
    filled += more;
  }
}

/** False where a piece before was not read to its end. */
function awaitTurn(words: Int32Array, piece: number): boolean {
  for (;;) {
    const turn = Atomics.load(words, TURN);
    if (turn === piece) return true;
    if (turn === STOPPED) return false;
    Atomics.wait(words, TURN, turn);
  }
}
