/**
 * What is taken off before elimination leaves the rank as it says: parallel lines, pivots beside the core, sparse
 * pivots.
 */
import { describe, expect, test } from 'vitest';
import { Markowitz } from '../../../algorithms/elimination/markowitz.js';
import { markowitzTrial, takeSparsePivots } from '../../../algorithms/elimination/markowitz-trial.js';
import { cheapest } from '../../../algorithms/estimates.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { type Core, coreOf } from '../../../algorithms/presolve/core.js';
import { operatorDigest } from '../../../algorithms/presolve/digest.js';
import { parallelRows } from '../../../algorithms/presolve/parallel-lines.js';
import type { Matching } from '../../../algorithms/presolve/pattern.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { denseRows, sparseRows } from '../../../algorithms/reference/rows.js';
import { sparseRankReference } from '../../../algorithms/reference/sparse-elimination.js';
import { generate } from '../../../data/families.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { PRIMES } from '../../kernels/executors/cases.js';
import { geometric, planted } from '../elimination/planted.js';

type Entry = [number, number, number];

const matrixOf = (rows: number, cols: number, entries: readonly Entry[], p: number): ResidueMatrix =>
  SparseMatrix.fromTriplets(rows, cols, entries).residues(p);

const rankOf = (F: WordPrime, a: ResidueMatrix): number => denseRank(F, denseRows(F, a));

function familyOf(family: string, args: readonly number[], p: number): ResidueMatrix {
  const triplets = generate(family, args);
  return SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets).residues(p);
}

describe('parallel rows', () => {
  test.each(PRIMES)('all and only multiples, mod %d', (p) => {
    const F = WordPrime.of(p);
    const random = new CounterRandom(5n, p % 97);
    // Few columns and values, so that patterns repeat with and without their values.
    for (let round = 0; round < 30; round++) {
      const rows = Array.from({ length: 40 }, (_, i) =>
        Array.from(
          { length: 4 },
          (_value, j) => [0, 1, p - 1, 2 % p, 3 % p][random.residueAt(1000 * round + 4 * i + j, 5)],
        ),
      );
      const entries = rows.flatMap((row, i) => row.map((value, j): Entry => [i, j, value]));
      const expected = rows.map((row, i) => {
        if (row.every((value) => value === 0)) return 0;
        const parallel = rows.slice(0, i).some((other) => {
          if (other.every((value) => value === 0)) return false;
          // 2 × 2 minors vanish
          return row.every((x, j) => row.every((y, k) => F.mul(x, other[k]) === F.mul(y, other[j])));
        });
        return parallel ? 1 : 0;
      });
      const found = parallelRows(F, matrixOf(40, 4, entries, p));
      expect([...(found ?? new Uint8Array(40))]).toEqual(expected);
    }
  });

  test('of a large matrix where they have a share of its entries', () => {
    const F = WordPrime.of(101);
    const [rows, each] = [40_000, 5];
    const random = new CounterRandom(6n, 0);
    const places = Array.from({ length: rows }, (_, i) =>
      Array.from({ length: each }, (_place, j) => 1000 * j + random.residueAt(each * i + j, 1000)),
    );
    // Of `twins` rows, spread evenly, each has the columns of the one before, and twice its values.
    const withTwins = (twins: number): ResidueMatrix => {
      const isTwin = (i: number): boolean => i % Math.floor(rows / twins) === 1;
      const entries = places.flatMap((place, i): Entry[] =>
        (isTwin(i) ? places[i - 1] : place).map((j) => [i, j, isTwin(i) ? 2 : 1]),
      );
      return matrixOf(rows, 1000 * each, entries, F.p);
    };
    expect(parallelRows(F, withTwins(50))).toBeNull();
    expect(parallelRows(F, withTwins(400))?.reduce((n, x) => n + x, 0)).toBe(400);
  });

  test('none', () => {
    expect(parallelRows(WordPrime.of(7), matrixOf(0, 0, [], 7))).toBeNull();
    expect(parallelRows(WordPrime.of(7), matrixOf(3, 2, [], 7))).toBeNull();
    expect(parallelRows(WordPrime.of(65521), familyOf('mk', [9, 3], 65521))).toBeNull();
  });
});

/** By definition: pivots stay that lines without one lead to both ways, and other lines that are seen on the way. */
function coreByReach(a: ResidueMatrix, at: ResidueMatrix, { colOf, rowOf }: Matching): Core {
  const reach = (m: ResidueMatrix, own: Int32Array, pivotAt: Int32Array) => {
    const lines = new Set([...own.keys()].filter((i) => own[i]! < 0));
    const seen = new Set<number>();
    for (const i of lines) {
      for (const j of m.colIdx.subarray(m.rowPtr[i], m.rowPtr[i + 1])) {
        seen.add(j);
        if (pivotAt[j]! >= 0) lines.add(pivotAt[j]!);
      }
    }
    return { lines, seen };
  };
  const [forward, backward] = [reach(a, colOf, rowOf), reach(at, rowOf, colOf)];
  const stays = (i: number, j: number): boolean => forward.lines.has(i) && backward.lines.has(j);
  const rows = new Uint8Array(a.rows).map((_, i) => +(colOf[i]! < 0 ? backward.seen.has(i) : stays(i, colOf[i]!)));
  const cols = new Uint8Array(a.cols).map((_, j) => +(rowOf[j]! < 0 ? forward.seen.has(j) : stays(rowOf[j]!, j)));
  let entries = 0;
  for (let i = 0; i < a.rows; i++)
    for (const j of a.colIdx.subarray(a.rowPtr[i], a.rowPtr[i + 1])) entries += rows[i]! & cols[j]!;
  return { rows, cols, pivots: rows.filter((stay, i) => stay === 0 && colOf[i]! >= 0).length, entries };
}

describe('the core', () => {
  test('is everything where there are no singletons', () => {
    const a = familyOf('mk', [9, 3], 65521);
    const at = transpose(a);
    expect(coreOf(a, at, structuralPivots(a, at).matching)).toBeNull();
  });

  test('is what rows and columns without pivots lead to, of 300 planted matrices', () => {
    let parts = 0;
    for (let k = 0; k < 300; k++) {
      const { name, matrix: a } = planted(k);
      const at = transpose(a) as ResidueMatrix;
      const { matching } = structuralPivots(a, at);
      const core = coreOf(a, at, matching);
      const expected = coreByReach(a, at, matching);
      if (core === null) expect(expected.pivots, name).toBe(0);
      else {
        expect(core, name).toEqual(expected);
        parts++;
      }
    }
    expect(parts).toBeGreaterThan(50);
  });

  test('is a part of a matrix that has many', () => {
    const F = WordPrime.of(65521);
    const known = presolve(F, familyOf('kneser', [8, 3], F.p), estimatesOver(F), { long: 0 });
    expect(known.pivotsTaken).toBeGreaterThan(11000);
    expect(known.a.colIdx.length).toBeLessThan(13000);
    expect(known.pivotsTaken + sparseRankReference(F, sparseRows(F, known.a))).toBe(14421);
  });
});

test('pivots that are enough are neither shown to be all there is nor looked for beyond them', () => {
  const F = WordPrime.of(65521);
  const estimates = estimatesOver(F);
  const seed = 1n;
  const a = familyOf('ch', [7, 7, 3], F.p);
  expect(presolve(F, a, estimates, { seed }).vanishingLog2).toBeLessThan(-60);
  expect(presolve(F, a, estimates, { seed, atLeast: 6517 }).vanishingLog2).toBeLessThan(-60);
  const enough = presolve(F, a, estimates, { seed, atLeast: 6516 });
  expect([enough.matching.size, enough.vanishingLog2]).toEqual([6516, null]);
  const kneser = familyOf('kneser', [8, 3], F.p);
  expect(presolve(F, kneser, estimates, { long: 0, atLeast: 14402 }).pivotsTaken).toBe(0);
  expect(presolve(F, kneser, estimates, { long: 0, atLeast: 14403 }).pivotsTaken).toBeGreaterThan(11000);
});

test('what is taken and the rank of the rest make the rank, for 1000 planted matrices', () => {
  let taken = 0;
  let parallel = 0;
  for (let k = 0; k < 1000; k++) {
    const { name, field, matrix } = planted(k);
    if (matrix.rows * matrix.cols > 20000) continue;
    const known = presolve(field, matrix, estimatesOver(field), { long: 0 });
    taken += known.pivotsTaken;
    if (known.explanation.some((line) => line.includes('multiples'))) parallel++;
    expect(known.pivotsTaken + rankOf(field, known.a), name).toBe(rankOf(field, matrix));
    // Nothing is left that would have been taken.
    for (const side of [known.a, known.at]) expect(parallelRows(field, side), name).toBeNull();
  }
  expect(taken).toBeGreaterThan(1000);
  expect(parallel).toBeGreaterThan(100);
});

describe('sparse pivots', () => {
  test('make the rank with what is left, after any number of them, for 300 planted matrices', () => {
    for (let k = 0; k < 300; k++) {
      const { name, field, matrix } = planted(k);
      if (matrix.rows * matrix.cols > 20000) continue;
      const run = new Markowitz(field, matrix, transpose(matrix));
      const wanted = rankOf(field, matrix);
      while (run.nnz > 0) {
        run.step();
        if (run.pivots % 7 !== 0) continue;
        const rest = run.rest();
        const rows = Array.from({ length: rest.rows }, (_, i) => rest.rowPtr[i + 1] - rest.rowPtr[i]);
        expect([rest.colIdx.length, rows.filter((n) => n > 0).length, new Set(rest.colIdx).size], name).toEqual([
          run.nnz,
          run.rows,
          run.cols,
        ]);
        if (run.pivots % 21 === 0) expect(run.pivots + rankOf(field, rest), name).toBe(wanted);
      }
      expect([run.rows, run.cols, run.pivots], name).toEqual([0, 0, wanted]);
    }
  });

  test.each([3, 65521, 2147483629])('take a geometric graph apart, mod %d', async (p) => {
    const F = WordPrime.of(p);
    const a = geometric(8000, 8, p);
    const estimates = estimatesOver(F);
    const known = presolve(F, a, estimates);
    // As if there were more to gain: an attempt is worth while from some tenths of a second on.
    const thin = markowitzTrial(F, known, estimates, ({ elimination }) => 4 * elimination);
    expect(thin).not.toBeNull();
    expect(thin!.a.rows).toBeLessThan(a.rows / 4);
    expect(thin!.pivotsTaken + sparseRankReference(F, sparseRows(F, thin!.a))).toBe(
      sparseRankReference(F, sparseRows(F, a)),
    );
    // So many of them are the same ones again.
    const again = takeSparsePivots(F, known, estimates, thin!.sparsePivots);
    const digest = await operatorDigest(thin!.a, thin!.pivots);
    expect(await operatorDigest(again.a, again.pivots)).toBe(digest);
    const fewer = takeSparsePivots(F, known, estimates, thin!.sparsePivots - 1);
    expect(await operatorDigest(fewer.a, fewer.pivots)).not.toBe(digest);
    // They are tried once.
    expect(markowitzTrial(F, thin!, estimates, ({ elimination }) => elimination)).toBeNull();
  });

  test('are given up where fill wins', () => {
    const F = WordPrime.of(65521);
    const estimates = estimatesOver(F);
    for (const [family, args] of [
      ['ex', [5]],
      ['random', [4000, 4000, 10, 65521, 1]],
    ] as const) {
      const known = presolve(F, familyOf(family, args, F.p), estimates);
      expect(markowitzTrial(F, known, estimates, cheapest), family).toBeNull();
    }
  });
});
