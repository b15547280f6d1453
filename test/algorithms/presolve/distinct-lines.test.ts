/** Empty and parallel lines go from a matrix and its transpose, and nothing else does. */
import { expect, test } from 'vitest';
import { distinctLines, restrict } from '../../../algorithms/presolve/distinct-lines.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';

const P = 101;
const F = WordPrime.of(P);

/** Entries on every third or so place of some lines; few lines differ, so that many are multiples of others. */
function someMatrix(rows: number, cols: number, seed: number): ResidueMatrix {
  const random = new CounterRandom(seed, 0);
  const dense: bigint[] = Array(rows * cols).fill(0n);
  for (let i = 0; i < rows; i++) {
    const from = i - 1 - (random.u32At(4 * i) % 3);
    const factor = BigInt(1 + (random.u32At(4 * i + 1) % 7));
    for (let j = 0; j < cols; j++) {
      if (from >= 0 && i % 4 > 1) dense[i * cols + j] = factor * dense[from * cols + j]!;
      else if (random.u32At(4096 + i * cols + j) % 3 === 0 && j % 5 > 0) dense[i * cols + j] = BigInt(1 + (j % 2));
    }
  }
  const at = [...dense.keys()].filter((k) => dense[k] !== 0n);
  const entries = at.map((k): [number, number, bigint] => [Math.floor(k / cols), k % cols, dense[k]!]);
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(P);
}

const lines = ({ rows, rowPtr, colIdx, values }: ResidueMatrix): string[] =>
  Array.from({ length: rows }, (_, i) => {
    const places = Array.from({ length: rowPtr[i + 1]! - rowPtr[i]! }, (_, k) => rowPtr[i]! + k);
    const unit = places.length > 0 ? F.inv(values[places[0]!]!) : 1;
    return places.map((k) => `${colIdx[k]}:${F.mul(values[k]!, unit)}`).join(' ');
  });

const copyOf = ({ rows, cols, rowPtr, colIdx, values }: ResidueMatrix): ResidueMatrix => ({
  ...{ rows, cols, rowPtr: rowPtr.slice(), colIdx: colIdx.slice(), values: values.slice() },
});

/** By definition: the first of each class of multiples, of rows and of columns, none of them empty. */
function distinctByDefinition(a: ResidueMatrix): ResidueMatrix {
  const [rows, cols] = [a, transpose(a) as ResidueMatrix].map((each) => {
    const known = new Set(['']);
    return Uint8Array.from(lines(each), (line) => (known.has(line) ? 0 : known.add(line) && 1));
  });
  return restrict(a, rows!, cols!);
}

test.each([
  [9, 30],
  [30, 9],
  [40, 40],
  [1, 6],
  [2, 40], // more columns than entries
])('%i x %i: what is left has no such line, and its transpose is beside it', (rows, cols) => {
  let dropped = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const given = someMatrix(rows, cols, seed);
    const before = copyOf(given);
    const { a, at, explanation } = distinctLines(F, given);
    expect(given).toEqual(before);
    expect(copyOf(a)).toEqual(copyOf(distinctByDefinition(given)));
    expect(copyOf(at)).toEqual(transpose(a));
    dropped += explanation.length;
  }
  expect(dropped).toBeGreaterThan(0);
});

test('parallel lines are told from empty ones, and a matrix without any comes back as it was', () => {
  const matrix = SparseMatrix.fromTriplets(4, 4, [
    [0, 0, 1],
    [0, 3, 2],
    [1, 0, 3],
    [1, 3, 6],
    [3, 2, 1],
  ]); // prettier-ignore
  const { a, explanation } = distinctLines(F, matrix.residues(P));
  expect([a.rows, a.cols]).toEqual([2, 2]);
  expect(explanation).toEqual(['1 rows and 1 columns of 3 x 3 are multiples of others']);
  expect(distinctLines(F, a)).toEqual({ a, at: transpose(a), explanation: [] });
});

test('what is left keeps no more than twice its room', () => {
  const entries = Array.from({ length: 60 }, (_, k): [number, number, number] => [k, k % 5, 1 + k]);
  for (const matrix of [entries, entries.map(([i, j, value]): [number, number, number] => [j, i, value])]) {
    const [rows, cols] = matrix === entries ? [60, 5] : [5, 60];
    const given = SparseMatrix.fromTriplets(rows, cols, matrix).residues(P);
    const { a, at } = distinctLines(F, given);
    expect([a.rows, a.cols]).toEqual([5, 5]);
    const part = restrict(given, new Uint8Array(rows).fill(1, 0, 3), new Uint8Array(cols).fill(1));
    for (const { colIdx, values } of [a, at, part]) {
      for (const words of [colIdx, values]) expect(words.buffer.byteLength).toBeLessThanOrEqual(2 * words.byteLength);
    }
  }
});
