/**
 * Writes a dense matrix of residues or, in SMS and lines, of fractions, row by row, as text of about 64 kB a piece:
 * solutions of systems in the form that their right sides came in, and rows of a kernel as they are found.
 *
 *   sms          rows cols M, entries, 0 0 0          coordinate, array   MatrixMarket
 *   lines        a row a line
 */

export type DenseForm = 'sms' | 'coordinate' | 'array' | 'lines';

/** A string is a fraction a/b. */
export type Values = ArrayLike<number | bigint | string>; // rows · cols, row-major

const PIECE = 1 << 16;

export function writeDense(form: DenseForm, rows: number, cols: number, values: Values): Generator<string> {
  return inPieces(WRITERS[form](rows, cols, values));
}

const WRITERS: Readonly<Record<DenseForm, (rows: number, cols: number, values: Values) => Iterable<string>>> = {
  sms: smsLines,
  coordinate: coordinateLines,
  array: arrayLines,
  lines: numberLines,
};

export function smsHeader(rows: number, cols: number, letter: 'M' | 'R' = 'M'): string {
  return `${rows} ${cols} ${letter}\n`;
}

export const SMS_END = '0 0 0\n';

function* smsLines(rows: number, cols: number, values: Values): Generator<string> {
  const hasFractions = Array.from(values).some((value) => typeof value === 'string');
  yield smsHeader(rows, cols, hasFractions ? 'R' : 'M');
  yield* entries(rows, cols, values);
  yield SMS_END;
}

function* coordinateLines(rows: number, cols: number, values: Values): Generator<string> {
  let nnz = 0;
  for (let k = 0; k < values.length; k++) if (values[k] !== 0 && values[k] !== 0n) nnz++;
  yield `%%MatrixMarket matrix coordinate integer general\n${rows} ${cols} ${nnz}\n`;
  yield* entries(rows, cols, values);
}

function* arrayLines(rows: number, cols: number, values: Values): Generator<string> {
  yield `%%MatrixMarket matrix array integer general\n${rows} ${cols}\n`;
  for (let j = 0; j < cols; j++) for (let i = 0; i < rows; i++) yield `${values[i * cols + j]}\n`;
}

/** A matrix without columns has no line: one would be empty. */
function* numberLines(rows: number, cols: number, values: Values): Generator<string> {
  for (let i = 0; cols > 0 && i < rows; i++) {
    let line = `${values[i * cols]}`;
    for (let j = 1; j < cols; j++) line += ` ${values[i * cols + j]}`;
    yield `${line}\n`;
  }
}

function* entries(rows: number, cols: number, values: Values): Generator<string> {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const value = values[i * cols + j]!;
      if (value !== 0 && value !== 0n) yield `${i + 1} ${j + 1} ${value}\n`;
    }
  }
}

interface Rows {
  readonly from: number; // the number of the first, 0-based
  readonly count: number;
  readonly rowPtr: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Values;
}

/** Sparse rows as the entries of an SMS matrix. */
export function smsRows({ from, count, rowPtr, colIdx, values }: Rows): Generator<string> {
  function* lines(): Generator<string> {
    for (let i = 0; i < count; i++) {
      for (let k = rowPtr[i]!; k < rowPtr[i + 1]!; k++) yield `${from + i + 1} ${colIdx[k]! + 1} ${values[k]}\n`;
    }
  }
  return inPieces(lines());
}

function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
