/**
 * Memory that errs under a determinant or a minimal polynomial: one word changed in a vector, in the sequence or in the
 * order basis, at moments all over a run. No answer is wrong.
 */
import { describe, expect, test, vi } from 'vitest';
import { operatorDeterminant } from '../../../algorithms/block-wiedemann/determinant.js';
import { SeriesInverse } from '../../../algorithms/block-wiedemann/series-inverse.js';
import { minpoly } from '../../../algorithms/minpoly.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { ErringExecutor, type Flip, momentsOf } from './erring-executor.js';

/** Of a determinant there are four matrices. */
const MOMENTS = { det: momentsOf(6), minpoly: momentsOf(10) };

const N = 60;

type Kind = 'regular' | 'singular' | 'scalar';

/** Rows of an upper triangle in another order, or two of them the same, or 2·1; and the determinant. */
function matrixOf(p: number, kind: Kind) {
  if (kind === 'scalar') {
    const diagonal = Array.from({ length: N }, (_, i) => [i, i, 2] as const);
    return { matrix: SparseMatrix.fromTriplets(N, N, diagonal).residues(p), det: Number(2n ** BigInt(N) % BigInt(p)) };
  }
  const random = new CounterRandom(5n, 0);
  let at = 0;
  const below = (n: number): number => random.residueAt(at++, n);
  let product = 1n;
  const rows = Array.from({ length: N }, (_, i) => {
    const pivot = 1 + below(p - 1);
    product = (product * BigInt(pivot)) % BigInt(p);
    const others = i + 1 < N ? [0, 1, 2].map(() => i + 1 + below(N - i - 1)) : [];
    return [[i, pivot] as const, ...[...new Set(others)].map((j) => [j, 1 + below(p - 1)] as const)];
  });
  if (kind === 'singular') rows[1] = rows[0]!;
  // A cycle of N rows, N even: an odd permutation.
  const triplets = rows.flatMap((row, i) => row.map(([j, value]) => [(i + 1) % N, j, value] as const));
  const det = kind === 'singular' ? 0 : Number(BigInt(p) - product);
  return { matrix: SparseMatrix.fromTriplets(N, N, triplets).residues(p), det };
}

const QUESTIONS = {
  det: async (context: Parameters<typeof minpoly>[0], a: Parameters<typeof minpoly>[1]) => {
    const { determinant, checks } = await operatorDeterminant(context, a);
    return { answer: [determinant], checks };
  },
  minpoly: async (context: Parameters<typeof minpoly>[0], a: Parameters<typeof minpoly>[1]) => {
    const { coefficients, errorLog2, checks } = await minpoly(context, a);
    return { answer: errorLog2 === null ? null : [...coefficients], checks };
  },
};

async function ask(question: keyof typeof QUESTIONS, p: number, kind: Kind, flip: Flip | null, checks = true) {
  const executor = new ErringExecutor(WordPrime.of(p));
  executor.flip = flip;
  const context = {
    ...{ executor, seed: 1n, selfChecks: checks, check: () => {}, onProgress: () => {} },
    orderBasisEngine: (field: BasisField) => executor.engine(field),
  };
  const found = await QUESTIONS[question](context, executor.operator(matrixOf(p, kind).matrix));
  return { ...found, counts: executor.counts };
}

describe.each([
  ['det', 65521, 'regular'],
  ['det', 2147483629, 'singular'],
  ['det', 65521, 'scalar' /* the second attempt, with dense rows in place of U */],
  ['det', 3, 'scalar' /* the same by coordinates */],
  ['minpoly', 65521, 'singular'],
  ['minpoly', 2147483629, 'regular'],
] as const)('%s mod %i of a %s matrix', (question, p, kind) => {
  test.each(['vectors', 'blocks', 'basis'] as const)('a word of the %s', async (what) => {
    const right = await ask(question, p, kind, null);
    expect(right.checks.failed).toBe(0);
    expect(right.checks.sequence * right.checks.basis).toBeGreaterThan(0);
    if (question === 'det') expect(right.answer).toEqual([matrixOf(p, kind).det]);
    expect((await ask(question, p, kind, null, false)).answer).toEqual(right.answer);
    const random = new CounterRandom(13n, 0);
    let met = 0;
    for (let i = 0; i < MOMENTS[question]; i++) {
      const at = random.residueAt(2 * i, right.counts[what]);
      const flip = { what, at, word: random.residueAt(2 * i + 1, 2 ** 31) };
      const { answer, checks } = await ask(question, p, kind, flip);
      expect(answer, JSON.stringify(flip)).toEqual(right.answer);
      met += checks.failed;
    }
    expect(met).toBeGreaterThan(0);
  });
});

/** All expansions of a generator are made with its inverse, those that f is found from and those that show it. */
test.each([
  [65521, 'regular'],
  [65521, 'singular'],
  [2147483629, 'regular'],
] as const)('a word of the inverse of a generator, mod %i of a %s matrix', async (p, kind) => {
  const right = await ask('minpoly', p, kind, null);
  const { find } = SeriesInverse.prototype;
  const random = new CounterRandom(17n, 0);
  for (let i = 0; i < MOMENTS.det; i++) {
    const inverses = new Set<SeriesInverse>();
    const spy = vi.spyOn(SeriesInverse.prototype, 'find').mockImplementation(async function (
      this: SeriesInverse,
      check,
    ) {
      const w = await find.call(this, check);
      const isFirst = inverses.size === 0;
      inverses.add(this);
      if (isFirst) {
        const words = (await this['engine'].read(w, 0, w.length)).slice();
        const at = random.residueAt(i, words.length);
        words[at] = (words[at]! + 1) % p;
        this['engine'].write(w, words);
      }
      return w;
    });
    try {
      expect((await ask('minpoly', p, kind, null)).answer).toEqual(right.answer);
    } finally {
      spy.mockRestore();
    }
    expect(inverses.size).toBe(2); // the attempt is not believed, and the next one has its own
  }
});
