/**
 * Writes a matrix as SMS or MatrixMarket text, entries in the order the matrix keeps them, 1 MiB of bytes at a time.
 *
 * SMS takes every matrix (letter R when it has fractions); MatrixMarket has no fractions and refuses them.
 */
import { describe } from '../../kernels/errors/describe.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { formatWide, isFraction } from '../../kernels/sparse/big-entries.js';
import { EntryError, SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

const CHUNK = 1 << 20;
const [LF, SPACE, MINUS, ZERO] = [10, 32, 45, 48];

/** Two indices and a 32-bit value with their separators: 10 + 1 + 10 + 1 + 11 + 1 characters at most. */
const LONGEST_SHORT_LINE = 34;

/** `matrix` in SMS, header to `0 0 0`; StructureError for what is no SparseMatrix. */
export function* writeSms(matrix: SparseMatrix): Generator<Uint8Array<ArrayBuffer>> {
  checkMatrix('writeSms', matrix);
  const letter = matrix.wide.entries.some(isFraction) ? 'R' : 'M';
  yield* lines(`${matrix.rows} ${matrix.cols} ${letter}\n`, matrix, '0 0 0\n');
}

/** `matrix` in MatrixMarket, as a general integer coordinate matrix; EntryError if it has fractions. */
export function* writeMatrixMarket(matrix: SparseMatrix): Generator<Uint8Array<ArrayBuffer>> {
  checkMatrix('writeMatrixMarket', matrix);
  const fraction = matrix.wide.entries.find(isFraction);
  if (fraction !== undefined) {
    throw new EntryError(`writeMatrixMarket: expected integers, got ${formatWide(fraction)}; SMS holds fractions`);
  }
  const banner = '%%MatrixMarket matrix coordinate integer general';
  yield* lines(`${banner}\n${matrix.rows} ${matrix.cols} ${matrix.nnz}\n`, matrix, '');
}

function checkMatrix(who: string, matrix: unknown): void {
  if (!(matrix instanceof SparseMatrix))
    throw new StructureError(`${who}: expected a SparseMatrix, got ${describe(matrix)}`);
}

function* lines(header: string, matrix: SparseMatrix, footer: string): Generator<Uint8Array<ArrayBuffer>> {
  const { rowIdx, colIdx, values, wide, nnz } = matrix;
  const encoder = new TextEncoder();
  yield encoder.encode(header);
  let out = new Uint8Array(CHUNK);
  let at = 0;
  let w = 0;
  for (let k = 0; k < nnz; k++) {
    if (at + LONGEST_SHORT_LINE > CHUNK) {
      yield out.subarray(0, at);
      out = new Uint8Array(CHUNK);
      at = 0;
    }
    at = writeNumber(out, at, rowIdx[k] + 1);
    out[at++] = SPACE;
    at = writeNumber(out, at, colIdx[k] + 1);
    out[at++] = SPACE;
    if (w < wide.size && wide.positions[w] === k) {
      const text = encoder.encode(`${formatWide(wide.entries[w++])}\n`);
      if (at + text.length > CHUNK) {
        yield out.subarray(0, at);
        out = new Uint8Array(Math.max(CHUNK, text.length));
        at = 0;
      }
      out.set(text, at);
      at += text.length;
    } else {
      at = writeNumber(out, at, values[k]);
      out[at++] = LF;
    }
  }
  if (at > 0) yield out.subarray(0, at);
  if (footer !== '') yield encoder.encode(footer);
}

/** Writes x, of at most 32 bits, in decimal at out[at]; returns the index behind it. */
function writeNumber(out: Uint8Array, at: number, x: number): number {
  let rest = x;
  let start = at;
  if (x < 0) {
    out[start++] = MINUS;
    rest = -x;
  }
  let end = start;
  for (let r = rest; r >= 10; r = Math.floor(r / 10)) end++;
  for (let k = end; k >= start; k--) {
    const quotient = Math.floor(rest / 10);
    out[k] = ZERO + (rest - 10 * quotient);
    rest = quotient;
  }
  return end + 1;
}
