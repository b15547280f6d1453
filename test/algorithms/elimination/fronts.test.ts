/** Fronts against elimination without them, the laws of a dissection, and which matrices it is tried on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLocal } from '../../../algorithms/elimination/breadth.js';
import { type Dissection, dissect, searchBytes } from '../../../algorithms/elimination/dissection.js';
import { frontsWithin, rankByFronts } from '../../../algorithms/elimination/fronts.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { rankBy } from '../../../algorithms/rank.js';
import { sparseRows } from '../../../algorithms/reference/rows.js';
import { sparseRankReference } from '../../../algorithms/reference/sparse-elimination.js';
import { generate } from '../../../data/families.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { transpose } from '../../../kernels/sparse/residue-matrix.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { contextOn, slowed } from '../methods/context.js';
import { geometric, planted } from './planted.js';

const PRIMES = [2, 3, 65521, 2147483629];

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const turn = (a: ResidueMatrix): ResidueMatrix => transpose(a) as ResidueMatrix;
/** Every second one with its lines renumbered. */
const dissected = (a: ResidueMatrix, small: number, cached = small % 2 === 0 ? 0 : a.values.length): Dissection => {
  const found = dissect(a, turn(a), () => false, { small, cached });
  if (found === null) throw new Error('a dissection without limits');
  return found;
};
const rankOf = (F: WordPrime, a: ResidueMatrix, small: number): number =>
  rankByFronts(team, F, a, dissected(a, small), () => {});

/** Entries near the diagonal of a w-wide strip of cells, some rows twice or combinations of two others. */
function strip(k: number, p: number): ResidueMatrix {
  const random = new CounterRandom(k, 41);
  let drawn = 0;
  const below = (n: number): number => random.residueAt(drawn++, n);
  const [rows, cols, reach] = [20 + below(200), 20 + below(200), 1 + below(6)];
  const entries: [number, number, number][] = [];
  for (let i = 0; i < rows; i++) {
    for (let t = below(4); t >= 0; t--) {
      const j = Math.floor((i * cols) / rows) + below(2 * reach + 1) - reach;
      if (j >= 0 && j < cols) entries.push([i, j, 1 + below(p - 1)]);
    }
  }
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

describe('the rank by fronts', () => {
  test('of 400 strips and 300 planted matrices, and of their transposes, in domains of 3 to 40 rows', () => {
    let deficient = 0;
    let most = 0;
    for (let k = 0; k < 700; k++) {
      const strips = k < 400;
      const p = PRIMES[k % PRIMES.length];
      const { field, matrix } = strips ? { field: WordPrime.of(p), matrix: strip(k, p) } : planted(k);
      const small = 3 + (k % 38);
      const rank = sparseRankReference(field, sparseRows(field, matrix));
      expect(rankOf(field, matrix, small), `number ${k} mod ${field.p}`).toBe(rank);
      expect(rankOf(field, turn(matrix), small), `number ${k} mod ${field.p}, transposed`).toBe(rank);
      if (rank < Math.min(matrix.rows, matrix.cols)) deficient++;
      most = Math.max(most, dissected(matrix, small).fronts.length);
    }
    expect(deficient).toBeGreaterThan(300);
    expect(most).toBeGreaterThan(50);
    expect(team.memory.peakBytes).toBeLessThan(2 ** 24);
  });

  test.each(PRIMES)('of a geometric graph and of a triangulation, mod %d', (p) => {
    const F = WordPrime.of(p);
    const { rows, cols, ...entries } = generate('delaunay', [3000, 5]);
    for (const a of [geometric(3000, 9, p), SparseMatrix.fromTriplets(rows, cols, entries).residues(p)]) {
      expect(rankOf(F, a, 128)).toBe(sparseRankReference(F, sparseRows(F, a)));
    }
  });

  test('more rows than columns can hold: what a front leaves is a basis', () => {
    const F = WordPrime.of(65521);
    // Every row of a strip 30 times, so that rests are taller than borders.
    const [cols, times] = [60, 30];
    const entries = Array.from({ length: cols * times * 3 }, (_, e) => {
      const i = Math.floor(e / 3);
      const j = Math.min(cols - 1, Math.floor(i / times) + (e % 3));
      return [i, j, 1 + ((i * 7919 + e * e) % 65519)] as const;
    });
    const a = SparseMatrix.fromTriplets(cols * times, cols, entries).residues(F.p);
    expect(rankOf(F, a, 40)).toBe(sparseRankReference(F, sparseRows(F, a)));
  });

  test('a run that is to end ends, and leaves no memory taken', () => {
    const F = WordPrime.of(65521);
    const a = geometric(2000, 8, F.p);
    const dissection = dissected(a, 32);
    rankByFronts(team, F, a, dissection, () => {});
    const peak = team.memory.peakBytes;
    for (let k = 0; k < 5; k++) {
      let fronts = 0;
      const check = () => {
        if (++fronts > 40 + k) throw new Error('enough');
      };
      expect(() => rankByFronts(team, F, a, dissection, check)).toThrow('enough');
    }
    rankByFronts(team, F, a, dissection, () => {});
    expect(team.memory.peakBytes).toBe(peak);
  });
});

describe('a dissection', () => {
  test('has every row and every column once, and in every front what its rows have entries at', () => {
    for (const [a, small] of [geometric(2000, 8, 3), strip(3, 3), strip(4, 3)].flatMap(
      (a) =>
        [
          [a, 16],
          [a, 17],
        ] as const,
    )) {
      const { fronts, most, cells } = dissected(a, small);
      const rows = fronts.flatMap((front) => [...front.rows]).sort((x, y) => x - y);
      expect(rows).toEqual(Array.from({ length: a.rows }, (_, i) => i));
      const owner = new Map(fronts.flatMap(({ own }, f) => [...own].map((j) => [j, f] as const)));
      expect(fronts.reduce((sum, { own }) => sum + own.length, 0)).toBe(owner.size);
      expect(owner.size).toBe(new Set(a.colIdx).size);
      const borders: Uint32Array[] = [];
      fronts.forEach(({ rows, own, border, parts }, f) => {
        const met = new Set(borders.splice(borders.length - parts).flatMap((columns) => [...columns]));
        for (const i of rows) for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) met.add(a.colIdx[k]);
        for (const j of own) met.delete(j);
        expect([...border].sort((x, y) => x - y)).toEqual([...met].sort((x, y) => x - y));
        for (const j of border) expect(owner.get(j)).toBeGreaterThan(f);
        borders.push(border);
      });
      expect(borders.map((border) => border.length)).toEqual([0]);
      expect(most).toBeLessThanOrEqual(cells);
    }
  });

  test('goes on where the marks of its searches begin anew', () => {
    for (const p of [2, 65521]) {
      const F = WordPrime.of(p);
      const a = geometric(600, 8, p);
      const rank = sparseRankReference(F, sparseRows(F, a));
      for (let before = 1; before < 6000; before += 97) {
        const found = dissect(a, turn(a), () => false, { small: 8, mark: 2 ** 32 - before })!;
        expect(rankByFronts(team, F, a, found, () => {})).toBe(rank);
      }
    }
  });

  test('cuts what falls apart in halves', () => {
    const n = 4096;
    const pairs = Array.from({ length: n }, (_, i): [number, number, number] => [i, i >> 1, 1]);
    const a = SparseMatrix.fromTriplets(n, n >> 1, pairs).residues(65521);
    const rows = dissected(a, 64, n)
      .fronts.filter(({ parts }) => parts === 0)
      .map((front) => front.rows.length);
    expect([Math.min(...rows), Math.max(...rows)]).toEqual([64, 64]);
  });

  test('is given up where it is too much', () => {
    const a = geometric(2000, 8, 3);
    const { products, cells, most } = dissected(a, 128, a.values.length);
    const within = (limit: (p: number, c: number, m: number) => boolean) =>
      dissect(a, turn(a), (sizes, held) => limit(sizes.products, sizes.cells, held));
    expect(within((p) => p > products)).not.toBeNull();
    expect(within((p) => p >= products)).toBeNull();
    expect(within((_, c) => c >= cells)).toBeNull();
    expect(within((_p, _c, m) => m > most)).not.toBeNull();
    expect(within((_p, _c, m) => m >= most)).toBeNull();
  });

  test('is tried on what is local', () => {
    const local = (family: string, args: readonly number[]): boolean => {
      const { rows, cols, ...entries } = generate(family, args);
      const a = SparseMatrix.fromTriplets(rows, cols, entries).residues(65521);
      return isLocal(a, turn(a));
    };
    expect(local('geometric', [8000, 13, 1])).toBe(true);
    expect(local('delaunay', [8000, 1])).toBe(true);
    for (const [family, ...args] of [
      ['random', 8000, 8000, 4, 65521, 1],
      ['trefethen', 4000],
      ['ch', 6, 6, 4],
      ['mk', 11, 3],
      ['ex', 2],
      ['bibd', 30, 3],
      ['power-law', 8000, 8000, 65521, 3],
    ] as const) {
      expect(local(family, args), family).toBe(false);
    }
  });
});

test('auto takes fronts where they are quicker, proved, and not without memory for them', async () => {
  const executor = new CpuExecutor(WordPrime.of(65521), team);
  const a = geometric(12000, 8, 65521);
  const answer = await rankBy('auto', contextOn(executor), a);
  const rank = sparseRankReference(executor.field, sparseRows(executor.field, a));
  expect(answer).toMatchObject({ rank, lowerBound: rank, upperBound: rank, errorLog2: Number.NEGATIVE_INFINITY });
  expect(answer.explanation.join('\n')).toMatch(/\d+ fronts of \d+ x \d+, \S+ multiplications/);
  // Pivots leave a third, of which random vectors would say little.
  expect(answer.seconds).not.toHaveProperty('sampling');
  const estimates = estimatesOver(executor.field);
  let checks = 0;
  const within = (goal: number, bytes: number): Dissection | null =>
    frontsWithin(executor.field, { a, at: turn(a) }, estimates, goal, bytes, () => checks++);
  const found = within(10, 2 ** 30)!;
  expect(checks).toBeGreaterThan(found.fronts.length);
  expect(within(10, 2 ** 16)).toBeNull();
  expect(within(0.05, 2 ** 30)).toBeNull();
  // Cells of two bytes take twice as much at most, beside the search.
  const room = 4 * found.most + searchBytes(a);
  expect(within(10, room)).not.toBeNull();
  expect(within(10, room - 1)).toBeNull();
  executor.dispose();
});

test('no search begins that has no room for renumbered lines', () => {
  const F = WordPrime.of(65521);
  const n = 350_000; // more entries than a cache holds
  const length = 3 * n - 2;
  const rowIdx = Uint32Array.from({ length }, (_, k) => Math.floor((k + 1) / 3));
  const colIdx = rowIdx.map((i, k) => k - 2 * i);
  const path = SparseMatrix.fromTriplets(n, n, { rowIdx, colIdx, values: new Int32Array(length).fill(1) });
  const a = path.residues(F.p);
  let checks = 0;
  const within = (bytes: number): Dissection | null =>
    frontsWithin(F, { a, at: turn(a) }, estimatesOver(F), 100, bytes, () => {
      if (++checks === 5) throw new Error('enough');
    });
  expect(within(8 * a.colIdx.length + 16 * 2 * n)).toBeNull();
  expect(checks).toBe(0);
  expect(() => within(2 ** 30)).toThrow('enough');
});

/** A team that has no room for the fronts' arrays from number `most` on. */
async function withoutRoom(most: number) {
  const own = await Team.create(1);
  const { memory } = own;
  const { alloc } = memory;
  const counted = { own, executor: new CpuExecutor(WordPrime.of(65521), own, true), allocations: 0 };
  memory.alloc = (bytes) => {
    if (/rankByFronts/.test(new Error().stack!) && ++counted.allocations >= most)
      throw new MemoryError(`room for ${most - 1}`);
    return alloc.call(memory, bytes);
  };
  return counted;
}

test.each([
  ['of an elimination', 5000],
  ['in place of other methods', 12000],
])('auto goes back from fronts that memory fails for, and says so: %s', async (_, points) => {
  const counted = await withoutRoom(40);
  const { executor } = counted;
  const a = geometric(points, 8, 65521);
  const answer = await rankBy('auto', contextOn(executor), a);
  const rank = sparseRankReference(executor.field, sparseRows(executor.field, a));
  expect(counted.allocations).toBe(40);
  expect(answer).toMatchObject({ rank, lowerBound: rank, upperBound: rank });
  expect(answer.explanation).toContain('back from fronts: room for 39');
  expect(answer.explanation.join()).not.toContain('elimination: by fronts');
  if (points === 5000)
    expect(answer.explanation.join('\n')).toMatch(
      /structural pivots of .*\n\d+ fronts of .*\nback from fronts: room for 39/,
    );
  executor.dispose();
});

test('an elimination behind fronts that memory fails for does not try them again', async () => {
  const counted = await withoutRoom(1);
  const { executor } = counted;
  // Products slow enough for an elimination of what the pivots leave.
  const answer = await rankBy(
    'auto',
    { ...contextOn(executor), executor: slowed(executor, 50) },
    geometric(9000, 8, 65521),
  );
  const lines = answer.explanation.join('\n');
  expect(lines).toMatch(/^back from fronts: room for 0\nhybrid: .*\nelimination: /s);
  expect(answer.method).toBe('sparse-elimination');
  expect(counted.allocations).toBe(1);
  executor.dispose();
});

test('where nothing else fits, a refusal says what fronts met too', async () => {
  const { executor } = await withoutRoom(1);
  const rank = rankBy('auto', contextOn(executor), geometric(6000, 8, 65521), { maxBytes: 2 ** 21 });
  await expect(rank).rejects.toThrow(
    /^method auto: elimination takes .*; block Wiedemann takes .*; fronts: room for 0$/,
  );
  executor.dispose();
});
