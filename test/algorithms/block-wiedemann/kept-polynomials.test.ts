/** Minimal polynomials and determinants that are ended and go on: the same answer, wherever they end. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { seal, unseal } from '../../../algorithms/checkpoint/sealed.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { determinantOfMatrix } from '../../../algorithms/determinant.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { DAMAGES, MemoryStore } from './memory-store.js';

const teams: Team[] = [];
beforeAll(async () => {
  for (const threads of [1, 2]) teams.push(await Team.create(threads));
  // A clock that moves when it is read: batches of steps are the same on every machine.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
});
afterAll(async () => {
  vi.restoreAllMocks();
  for (const team of teams) await team.dispose();
});

/** f, constant term first and monic, of that degree; f(0) is 0 or not. */
function polynomialOf(degree: number, p: number, isSingular = false): number[] {
  const random = new CounterRandom(11n, 0);
  const below = Array.from({ length: degree }, (_, i) => (i % 3 === 1 ? 0 : random.residueAt(i, p)));
  return [isSingular ? 0 : below[0] || 1, ...below.slice(1), 1];
}

/** Companion matrices of f, so many side by side: μ = f, and det = ((−1)^d·f(0))^copies. */
function companions(f: readonly number[], copies: number) {
  const d = f.length - 1;
  const triplets = Array.from({ length: copies }, (_, c) => [
    ...Array.from({ length: d - 1 }, (_, i) => [c * d + i + 1, c * d + i, 1] as const),
    ...f.slice(0, d).flatMap((x, i) => (x === 0 ? [] : [[c * d + i, c * d + d - 1, -x] as const])),
  ]).flat();
  return SparseMatrix.fromTriplets(copies * d, copies * d, triplets);
}

function powerMod(base: bigint, exponent: number, p: bigint): bigint {
  let product = 1n;
  for (let i = 0; i < exponent; i++) product = (((product * base) % p) + p) % p;
  return product;
}

type Question = 'minpoly' | 'det';

/**
 * The run ends when it has been asked `most` times whether it is to, from when an array of the store begins `from` on;
 * `threads` 0 is the reference executor.
 */
async function answered(
  question: Question,
  matrix: SparseMatrix,
  p: number,
  store: MemoryStore | null,
  threads: number,
  most = Infinity,
  from = '',
) {
  const field = WordPrime.of(p);
  const team = teams[threads - 1];
  const executor = team ? new CpuExecutor(field, team) : new ReferenceExecutor(field);
  const steps: string[] = [];
  let asked = 0;
  const isFrom = (): boolean => from === '' || [...store!.arrays.keys()].some((name) => name.startsWith(from));
  const stops = async (): Promise<boolean> => isFrom() && ++asked > most;
  const options = { interval: 0, stops, remark: () => {} };
  const checkpoint = store === null ? undefined : new Checkpoint(store, 'run', options);
  const onProgress = ({ phase, attempt, done }: { phase: string; attempt: number; done: number }): void => {
    if (phase === 'sequence') steps.push(`${attempt}.${String(done).padStart(6, '0')}`);
  };
  const own = { ...orderBasisEngines(executor, team), executor, team, seed: 5n, check: () => {}, onProgress };
  const context = { ...own, checkpoint };
  try {
    const residues = matrix.residues(p);
    if (question === 'minpoly') {
      const { coefficients, errorLog2, attempts } = await minpolyOfMatrix(context, residues);
      return { ended: { answer: Array.from(coefficients), proved: errorLog2 !== null, attempts }, steps };
    }
    const { determinant, errorLog2 } = await determinantOfMatrix(context, residues, { method: 'wiedemann' });
    return { ended: { answer: determinant, proved: errorLog2 !== null }, steps };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { ended: null, steps };
  } finally {
    executor.dispose();
  }
}

/**
 * Degree of f and copies. One copy is seen whole, of many a part: minpoly verifies it, and det shows a vector of the
 * kernel or begins again with C.
 */
const SHAPES = [
  [60, 1, 'regular'],
  [4, 14, 'regular'],
  [4, 14, 'singular'],
] as const;

describe.each([2, 65521, 2147483629])('mod %i', (p) => {
  describe.each(SHAPES)('a polynomial of degree %i, %i times, %s', (degree, copies, kind) => {
    const f = polynomialOf(degree, p, kind === 'singular');
    const matrix = companions(f, copies);
    const sign = degree % 2 === 0 ? 1n : -1n;
    const known: Record<Question, unknown> = {
      minpoly: f,
      det: Number(powerMod(sign * BigInt(f[0]!), copies, BigInt(p))),
    };

    test.each(['minpoly', 'det'] as const)('%s, ended again and again, on threads and without', async (question) => {
      const whole = await answered(question, matrix, p, null, 1);
      expect(whole.ended).toMatchObject({ answer: known[question], proved: true });
      const store = new MemoryStore();
      let ended: object | null = null;
      let turns = 0;
      const seen: string[] = [];
      for (; ended === null && turns < 300; turns++) {
        const turn = await answered(question, matrix, p, store, turns % 3, 2 + turns);
        seen.push(...turn.steps);
        ({ ended } = turn);
      }
      expect(turns).toBeGreaterThan(2);
      expect(ended).toEqual(whole.ended);
      // No step twice: each run began where the one before ended.
      expect(seen).toEqual([...new Set(seen)].sort());
      // What is over answers at once, and has left no arrays.
      expect(await answered(question, matrix, p, store, 1)).toEqual({ ended, steps: [] });
      expect([...store.arrays.keys()].filter((name) => name.startsWith('attempt-'))).toEqual([]);
    });
  });
});

/** With its generator kept a run is asked so seldom that it comes a step or a chunk further. */
test.each([
  [3, 24, 1],
  [65521, 60, 1],
  [65521, 4, 14],
])('minpoly mod %i, degree %i, %i times: what follows the generator goes on, too', async (p, degree, copies) => {
  const f = polynomialOf(degree, p);
  const store = new MemoryStore();
  const kinds = new Set<string>();
  let ended: object | null = null;
  for (let turns = 0; ended === null && turns < 200; turns++) {
    ({ ended } = await answered('minpoly', companions(f, copies), p, store, turns % 3, 2, 'attempt-1-generator'));
    for (const name of store.arrays.keys()) kinds.add(name.replace(/\d+/g, 'N'));
  }
  expect(ended).toEqual({ answer: f, proved: true, attempts: 1 });
  expect(kinds).toContain('attempt-N-sequences-N');
  expect(kinds).toContain('attempt-N-others-N');
});

/** The reference holds an element as its code, threads as coordinates: blocks have one shape all the same. */
test('minpoly mod 3 of 600 unknowns: a generator found on one executor serves another', async () => {
  const p = 3;
  const f = polynomialOf(30, p);
  const matrix = companions(f, 20);
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const store = new MemoryStore();
    expect((await answered('minpoly', matrix, p, store, first, 2, 'attempt-1-generator')).ended).toBeNull();
    const { ended } = await answered('minpoly', matrix, p, store, second);
    expect(ended).toEqual({ answer: f, proved: true, attempts: 1 });
  }
});

test('a generator that is kept with other sizes is searched again', async () => {
  const p = 65521;
  const f = polynomialOf(4, p);
  const matrix = companions(f, 14);
  const name = 'attempt-1-generator';
  const kept = new MemoryStore();
  expect((await answered('minpoly', matrix, p, kept, 1, 2, name)).ended).toBeNull();
  const { fields, bytes } = unseal(kept.arrays.get(name)!)!;
  const degrees = fields['degrees'] as number[];
  expect(degrees.length).toBeGreaterThan(0);
  const others: readonly [object, Uint8Array][] = [
    [{ degrees: [...degrees, 0] }, bytes],
    [{ degrees: degrees.map((degree) => degree + 1) }, bytes],
    [{ degrees: [-1, ...degrees.slice(1)] }, bytes],
    [{ degrees: null }, bytes],
    [{ complete: null }, bytes],
    [{}, bytes.subarray(0, -4)],
    [{}, new Uint8Array(0)],
  ];
  for (const [change, coefficients] of others) {
    const store = new MemoryStore();
    for (const [each, array] of kept.arrays) store.arrays.set(each, array.slice());
    store.arrays.set(name, seal({ ...fields, ...change }, coefficients));
    const { ended } = await answered('minpoly', matrix, p, store, 2);
    expect(ended, JSON.stringify(change)).toEqual({ answer: f, proved: true, attempts: 1 });
  }
});

test.each(['minpoly', 'det'] as const)('%s: every array damaged in turn', async (question) => {
  const p = 65521;
  const f = polynomialOf(4, p);
  const copies = 60; // so that the second attempt of det has more than one interval of checks
  const matrix = companions(f, copies);
  const answer = question === 'minpoly' ? f : Number(powerMod(BigInt(f[0]!), copies, 65521n));
  const met = new Set<string>();
  const moments =
    question === 'minpoly'
      ? ['attempt-1-vectors-', 'attempt-1-generator', 'attempt-1-verdict', 'attempt-1-recurrence-found']
      : ['outcome-1.json', 'attempt-2-vectors-'];
  for (const from of moments) {
    const kept = new MemoryStore();
    const most = ['attempt-1-verdict', 'attempt-1-recurrence-found'].includes(from) ? 0 : 2; // of few chunks
    expect((await answered(question, matrix, p, kept, 1, most, from)).ended).toBeNull();
    for (const name of kept.arrays.keys()) {
      met.add(name.replace(/\d+/g, 'N'));
      for (const damage of ['a bit flipped at its end', 'removed']) {
        const store = new MemoryStore();
        for (const [each, bytes] of kept.arrays) store.arrays.set(each, bytes.slice());
        DAMAGES[damage]!(store, name);
        const again = await answered(question, matrix, p, store, 2);
        expect(again.ended, `${name} ${damage}`).toMatchObject({ answer, proved: true });
      }
    }
  }
  const own = ['attempt-N-blocks-N-N', 'attempt-N-check-N', 'attempt-N-vectors-N', 'progress.json'];
  const others =
    question === 'minpoly'
      ? [
          ...['attempt-N-combination-N', 'attempt-N-generator', 'attempt-N-inverse-N', 'attempt-N-verdict'],
          ...['attempt-N-sequences-N', 'attempt-N-recurrence-found'],
        ]
      : ['outcome-N.json'];
  expect([...met].sort()).toEqual([...own, ...others].sort());
});
