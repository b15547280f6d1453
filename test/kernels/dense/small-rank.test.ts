import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { isSmallMatrix, type SmallMatrix } from '../../../kernels/dense/small-matrix.js';
import { SmallRanks } from '../../../kernels/dense/small-rank.js';
import { Team } from '../../../kernels/threads/team.js';

const PRIMES = [2, 3, 5, 251, 65521, 65537, 2147483629, 2147483647];
const SQUARE = [0, 1, 8, 64, 100, 256].map((n): [number, number] => [n, n]);
const SHAPES: readonly (readonly [number, number])[] = [
  ...SQUARE,
  [0, 5],
  [5, 0],
  [1, 64],
  [64, 1],
  [3, 5],
  [63, 65],
  [65, 130],
  [1, 1024],
  [1024, 3],
];

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** `perRow` random entries a row, of any sign; every third row is a combination of the two above, entry by entry. */
function randomMatrix(rows: number, cols: number, perRow: number, stream: number): SmallMatrix {
  const random = new CounterRandom(11, stream);
  const words = random.fillResidues(new Uint32Array(4 * rows * perRow + 4), 2147483647);
  const entries: [number, number, number][] = [];
  const byRow: [number, number][][] = [];
  let at = 0;
  for (let i = 0; i < rows; i++) {
    const line: [number, number][] = [];
    if (i % 3 === 2) {
      for (const [j, x] of byRow[i - 1]!) line.push([j, x]);
      for (const [j, x] of byRow[i - 2]!) line.push([j, -x]);
    } else {
      for (let k = 0; k < perRow && cols > 0; k++) {
        const value = k % 2 === 0 ? (words[at + 1]! % 3) - 1 : words[at + 1]! - 2 ** 30;
        line.push([words[at]! % cols, value]);
        at += 2;
      }
    }
    byRow.push(line);
    for (const [j, x] of line) entries.push([i, j, x]);
  }
  entries.reverse(); // in no order of rows
  return {
    ...{ rows, cols },
    rowIdx: Uint32Array.from(entries, ([i]) => i),
    colIdx: Uint32Array.from(entries, ([, j]) => j),
    values: Int32Array.from(entries, ([, , x]) => x),
  };
}

function expectedRank(F: WordPrime, { rows, cols, rowIdx, colIdx, values }: SmallMatrix): number {
  const dense = Array.from({ length: rows }, () => new Array<number>(cols).fill(0));
  rowIdx.forEach((i, k) => {
    dense[i]![colIdx[k]!] = F.add(dense[i]![colIdx[k]!]!, F.from(BigInt(values[k]!)));
  });
  return denseRank(F, dense);
}

describe('ranks of small matrices', () => {
  test.each(PRIMES)('agree with dense elimination over all shapes and fills, mod %d', (p) => {
    const F = WordPrime.of(p);
    const kernel = new SmallRanks(team);
    let [sparse, dense] = [0, 0];
    for (const [s, [rows, cols]] of SHAPES.entries()) {
      for (const perRow of [0, 1, 2, 5, 30]) {
        if (rows * cols > 20000 && (perRow > 5 || p > 5)) continue; // the twin is slow
        const matrix = randomMatrix(rows, cols, perRow, 100 * s + perRow);
        const found = kernel.rank(F, matrix);
        expect(found.rank, `${rows} x ${cols}, ${perRow} a row`).toBe(expectedRank(F, matrix));
        if (found.rank > 0 && found.dense[0] === 0) sparse++;
        if (found.dense[0] > 0) dense++;
      }
    }
    expect(Math.min(sparse, dense)).toBeGreaterThan(3); // both ways were gone
    kernel.release();
  });

  test('the largest residues everywhere, and values at the ends of their range', () => {
    const kernel = new SmallRanks(team);
    for (const p of PRIMES) {
      const F = WordPrime.of(p);
      for (const value of [p - 1, -(2 ** 31), 2 ** 31 - 1]) {
        const [rows, cols] = [9, 13];
        const places = Array.from({ length: rows * cols }, (_, k) => k).filter((k) => k % cols <= k / cols);
        const matrix: SmallMatrix = {
          ...{ rows, cols },
          rowIdx: Uint32Array.from(places, (k) => Math.floor(k / cols)),
          colIdx: Uint32Array.from(places, (k) => k % cols),
          values: Int32Array.from(places, () => value),
        };
        expect(kernel.rank(F, matrix).rank).toBe(expectedRank(F, matrix));
      }
    }
    kernel.release();
  });

  test('repeated places add up, to 0 as well', () => {
    const kernel = new SmallRanks(team);
    const list = (...entries: [number, number, number][]): SmallMatrix => ({
      ...{ rows: 2, cols: 2 },
      rowIdx: Uint32Array.from(entries, ([i]) => i),
      colIdx: Uint32Array.from(entries, ([, j]) => j),
      values: Int32Array.from(entries, ([, , x]) => x),
    });
    const F = WordPrime.of(7);
    expect(kernel.rank(F, list([0, 0, 3], [0, 0, 4], [1, 1, 1])).rank).toBe(1);
    expect(kernel.rank(F, list([0, 0, 3], [0, 0, -3], [1, 1, 14])).rank).toBe(0);
    expect(kernel.rank(F, list([0, 0, 6], [0, 0, 6], [1, 1, -1])).rank).toBe(2);
    kernel.release();
  });

  test('memory is taken once, and given back', () => {
    const before = team.memory.alloc(64);
    team.memory.release(before);
    const kernel = new SmallRanks(team);
    for (const p of PRIMES) kernel.rank(WordPrime.of(p), randomMatrix(100, 100, 3, p % 97));
    const peak = team.memory.peakBytes;
    for (const p of PRIMES) kernel.rank(WordPrime.of(p), randomMatrix(256, 256, 3, p % 97));
    expect(team.memory.peakBytes).toBe(peak);
    kernel.release();
    expect(team.memory.alloc(64)).toBe(before);
    team.memory.release(before);
  });

  test('are for matrices whose cells a core keeps', () => {
    expect(isSmallMatrix(256, 256, 65536)).toBe(true);
    expect(isSmallMatrix(256, 257, 10)).toBe(false);
    expect(isSmallMatrix(1, 1025, 10)).toBe(false);
    expect(isSmallMatrix(10, 10, 65537)).toBe(false);
  });
});
