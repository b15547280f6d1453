/** Entries by column, whatever the digits of a column are by which they are sorted. */
import { expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { dealColumns } from '../../../kernels/sparse/deal-columns.js';

/** `each` entries in every second row, at columns that random numbers choose; repeats in a row are allowed. */
function someRows(rows: number, cols: number, each: number) {
  const random = new CounterRandom(3n, 0);
  const rowPtr = new Uint32Array(rows + 1).map((_, i) => each * Math.ceil(i / 2));
  const colIdx = random.fillResidues(new Uint32Array(rowPtr[rows]!), cols);
  return { rowPtr, colIdx, values: colIdx.map((j, k) => (j ^ (k << 7)) >>> 0) };
}

/** Entry after entry to the next place of its column. */
function byColumn({ rowPtr, colIdx, values }: ReturnType<typeof someRows>, outPtr: Uint32Array) {
  const next = outPtr.slice();
  const [rows, numbers] = [0, 1].map(() => new Uint32Array(colIdx.length));
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    for (let k = rowPtr[i]!; k < rowPtr[i + 1]!; k++) {
      const at = next[colIdx[k]!]!++;
      rows![at] = i;
      numbers![at] = values[k]!;
    }
  }
  return { rows: rows!, values: numbers! };
}

test.each([
  [2000, 300, 5, [8]], // few columns: one sort
  [3000, 600_000, 2, [8]], // few entries: one sort
  [40_000, 600_000, 55, [8, 1, 3, 13]], // 20 bits; of high digits of one and three bits rows come in two runs or more
  [300_000, 1_048_577, 8, [8, 2]], // one column beyond 20 bits
])('%i x %i, %i entries in every second row, high digits of %j bits', (rows, cols, each, digits) => {
  const given = someRows(rows, cols, each);
  const outPtr = new Uint32Array(cols + 1);
  for (const j of given.colIdx) outPtr[j + 1]!++;
  for (let j = 0; j < cols; j++) outPtr[j + 1]! += outPtr[j]!;
  const before = outPtr.slice();
  const expected = byColumn(given, outPtr);
  for (const high of digits) {
    const [idx, values] = [0, 1].map(() => new Uint32Array(given.colIdx.length));
    dealColumns(given.rowPtr, given.colIdx, given.values, outPtr, idx!, values!, high);
    expect(Buffer.compare(bytes(idx!), bytes(expected.rows)), `rows, ${high}`).toBe(0);
    expect(Buffer.compare(bytes(values!), bytes(expected.values)), `values, ${high}`).toBe(0);
  }
  expect(Buffer.compare(bytes(outPtr), bytes(before))).toBe(0);
});

const bytes = ({ buffer }: Uint32Array): Uint8Array => new Uint8Array(buffer);
