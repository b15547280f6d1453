/** Ranks, minimal polynomials and determinants of reordered matrices are those of PARI/GP. */
import { describe, expect, test } from 'vitest';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { classicalRankOfMatrix } from '../../../algorithms/classical/classical-rank.js';
import { determinantOfMatrix } from '../../../algorithms/determinant.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { ResidueMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { EXPECTED, noise } from '../expected/matrices.js';

/** What the executor is given, besides. */
function contextOf(p: number, reorder: 'rcm' | undefined): RunContext & { readonly given: ResidueMatrix[] } {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const [given, make] = [[] as ResidueMatrix[], executor.operator.bind(executor)];
  executor.operator = (matrix, options) => {
    given.push(matrix);
    return make(matrix, options);
  };
  Object.assign(executor, { over: () => null }); // so that it is this one that is given the matrix
  const orderBasisEngine: RunContext['orderBasisEngine'] = (field) => new NaiveEngine(field);
  return { executor, seed: 1n, reorder, orderBasisEngine, check() {}, onProgress() {}, given };
}

const LINE = /^reorder rcm: rows and columns (alike|apart); an entry is \d+ columns from the diagonal, before \d+$/;

const SPARSE = EXPECTED.filter(({ p, shape }) => BigInt(p) < 2n ** 31n && shape[0] > 1 && shape[1] < 50);

describe.each(SPARSE)('n, fill, salt = $shape, mod $p', ({ shape, p: prime, rank, det, minpoly }) => {
  const p = Number(prime);
  const a = noise(shape).residues(p);
  const changes = (given: ResidueMatrix): boolean => given.colIdx.some((j, k) => j !== a.colIdx[k]);
  test('rank', async () => {
    const context = contextOf(p, 'rcm');
    const result = await rankOfMatrix(context, a);
    expect([result.rank, result.explanation]).toEqual([rank, [expect.stringMatching(LINE)]]);
    expect(context.given.some(changes)).toBe(true);
    expect((await classicalRankOfMatrix(contextOf(p, 'rcm'), a)).explanation).toEqual([expect.stringMatching(LINE)]);
  });
  test('minimal polynomial and determinant', async () => {
    const context = contextOf(p, 'rcm');
    const found = await minpolyOfMatrix(context, a);
    expect([...found.coefficients]).toEqual(minpoly.map(Number));
    expect(found.explanation).toEqual([expect.stringContaining('rows and columns alike')]);
    expect(context.given.some(changes)).toBe(true);
    const result = await determinantOfMatrix(contextOf(p, 'rcm'), a, { method: 'wiedemann' });
    expect(result.determinant).toBe(Number(det));
    expect(result.explanation).toContainEqual(expect.stringMatching(LINE));
  });
  test('nothing is reordered unasked', async () => {
    const context = contextOf(p, undefined);
    expect((await minpolyOfMatrix(context, a)).explanation).toEqual([]);
    expect(context.given.some(changes)).toBe(false);
  });
});
