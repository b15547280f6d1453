/**
 * Streams of answers about many matrices: each what the single question answers, in order, a bad matrix one error; and
 * a stream that ends early, or never gets further than its reader.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createEngine,
  type Engine,
  EntryError,
  FormatError,
  type Input,
  ModulusError,
  OptionError,
  ranks,
  SparseMatrix,
  StructureError,
} from 'wiedemann';
import { collect, mixed, valuesOf } from './many-answers.js';
import { denseRank, randomEntries } from './small-matrices.js';

const PRIMES = [2n, 3n, 65521n, 2147483629n, (1n << 61n) - 1n];

let engine: Engine;
beforeAll(() => {
  engine = createEngine({ threads: 2 });
});
afterAll(() => engine.dispose());

describe('ranks', () => {
  test.each(PRIMES)('are those of dense elimination and of the single question, mod %s', async (mod) => {
    const matrices = mixed(80);
    const answers = await collect(engine.ranks(matrices, { mod, seed: 5 }));
    expect(answers.map(({ index }) => index)).toEqual(matrices.map((_, k) => k));
    expect(valuesOf(answers)).toEqual(matrices.map((matrix) => denseRank(matrix, mod)));
    for (const [k, matrix] of matrices.slice(0, 16).entries()) {
      const { value, kind, lowerBound, upperBound, errorLog2, rows, cols, nnz, seed } = await engine.rank(matrix, {
        ...{ mod, seed: 5, threads: 1 },
      });
      expect(answers[k]!.outcome).toMatchObject({
        value,
        kind,
        lowerBound,
        upperBound,
        errorLog2,
        rows,
        cols,
        nnz,
        seed,
      });
    }
  });

  test('of matrices with many entries, among small ones and other inputs', async () => {
    const text = new TextEncoder().encode('2 2 M\n1 1 1\n2 2 1\n0 0 0\n');
    // Sums of 60000 entries at 100 places, and of as many as are packed; then one more.
    const long = [60000, 65536, 65537].map((length) =>
      SparseMatrix.fromTriplets(10, 10, {
        rowIdx: Uint32Array.from({ length }, (_, i) => (i * 7) % 10),
        colIdx: Uint32Array.from({ length }, (_, i) => (i >> 3) % 10),
        values: Int32Array.from({ length }, (_, i) => (i % 11) - 5 - (i % 3)),
      }),
    );
    const small = mixed(8);
    const inputs = [...small, ...long, text, ...small, ...long, ...small, text];
    const known = new Map([...small, ...long].map((matrix) => [matrix, [65521n, 3n].map((p) => denseRank(matrix, p))]));
    const expected = inputs.flatMap((one) => (one instanceof SparseMatrix ? known.get(one)! : [2, 2]));
    for (const threads of [1, 2]) {
      const own = createEngine({ threads });
      expect(valuesOf(await collect(own.ranks(inputs, { mod: [65521, 3] })))).toEqual(expected);
      await own.dispose();
    }
  });

  test('of one matrix modulo several primes come one after another', async () => {
    const matrices = [
      SparseMatrix.fromDense([
        [6, 0],
        [0, 5],
      ]),
      SparseMatrix.fromDense([[1, '1/3']]),
    ];
    const answers = await collect(engine.ranks(matrices, { mod: [2, 3, '5', 65521n] }));
    const found = answers.map(({ index, mod, outcome, error }) => [index, mod, outcome?.value, error?.name]);
    expect(found).toEqual([
      [0, 2n, 1, undefined],
      [0, 3n, 1, undefined],
      [0, 5n, 1, undefined],
      [0, 65521n, 2, undefined],
      [1, 2n, 1, undefined],
      [1, 3n, undefined, 'EntryError'],
      [1, 5n, 1, undefined],
      [1, 65521n, 1, undefined],
    ]);
    expect(answers[5]!.error).toBeInstanceOf(EntryError);
  });

  test('a bad matrix is one error, and the others are answered', async () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const one = SparseMatrix.fromDense([[1]]);
    async function* throwing(): AsyncGenerator<Uint8Array> {
      yield bytes('2 2 M\n1 1 1\n');
      throw new RangeError('the stream of one matrix broke');
    }
    const inputs = [
      ...[one, bytes('2 2 M\n1 1 1\n3 1 1\n0 0 0\n'), bytes('2 2 M\n1 1 1\n0 0 0\n'), 'no/such/file.sms', one],
      ...[17, throwing(), { rows: -1, cols: 2, entries: [] }, one],
    ] as Input[];
    const answers = await collect(engine.ranks([...inputs, ...mixed(100)], { mod: [101, 103] }));
    const bad = answers.filter(({ error }) => error !== null);
    expect(bad.map(({ index, mod }) => [index, mod])).toEqual([1, 3, 5, 6, 7].map((index) => [index, null]));
    expect(bad[0]!.error).toBeInstanceOf(FormatError);
    expect(bad[0]!.error!.message).toMatch(/:3:/);
    expect(bad[1]!.error!.message).toMatch('no/such/file.sms');
    expect(bad[2]!.error).toBeInstanceOf(OptionError);
    expect(bad[3]!.error).toBeInstanceOf(RangeError);
    expect(bad[4]!.error).toBeInstanceOf(StructureError);
    expect(answers.length).toBe(2 * (4 + 100) + 5);
  });

  test('serve operators and streams, one at a time', async () => {
    const cycle = (x: Uint32Array, width: number, by: number) => x.map((_, at) => x.at((at + by * width) % x.length)!);
    const operator = {
      ...{ rows: 100, cols: 100 },
      apply: (x: Uint32Array, width: number) => cycle(x, width, 1),
      applyTransposed: (y: Uint32Array, width: number) => cycle(y, width, 99),
    };
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (const text of ['2 3 M\n1 1', ' 5\n2 3 7\n', '0 0 0\n']) yield new TextEncoder().encode(text);
    }
    const answers = await collect(engine.ranks([operator, chunks(), operator, chunks()], { mod: 65521 }));
    expect(valuesOf(answers)).toEqual([100, 2, 100, 2]);
  });

  test('of no matrices are none', async () => {
    expect(await collect(engine.ranks([], { mod: 2 }))).toEqual([]);
    expect(await collect(ranks(new Set<SparseMatrix>(), { mod: 2 }))).toEqual([]);
  });

  test('need no engine', async () => {
    const matrices = mixed(30);
    const answers = await collect(ranks(matrices, { mod: 7, threads: 1 }));
    expect(valuesOf(answers)).toEqual(matrices.map((matrix) => denseRank(matrix, 7n)));
  });

  test('refuse wrong options at the call', () => {
    const given = (options: object): unknown => engine.ranks([], options as never);
    expect(() => given({ mod: 4 })).toThrow(ModulusError);
    expect(() => given({ mod: [] })).toThrow('mod: expected a prime or several, got none');
    expect(() => given({ mod: [2, 9] })).toThrow(ModulusError);
    expect(() => given({ mod: 2, gpus: 1 })).toThrow(/^ranks: no option named 'gpus'/);
    expect(() => given({ mod: 2, device: 'gpu' })).toThrow(
      "device: expected auto, cpu or reference for ranks, got 'gpu'",
    );
    for (const source of ['matrix.sms', new Uint8Array(3), SparseMatrix.fromDense([[1]]), null])
      expect(() => engine.ranks(source as never, { mod: 2 })).toThrow(/ranks: expected an iterable of matrices, got/);
  });
});

describe('dets and solves', () => {
  test('are those of single questions', async () => {
    const matrices = [4, 9, 20].map((n) => SparseMatrix.fromTriplets(n, n, randomEntries(n, n, 3, n)));
    const wide = SparseMatrix.fromDense([[1, 2]]);
    const dets = await collect(engine.dets([...matrices, wide], { mod: [0, 101] }));
    for (const [k, matrix] of matrices.entries()) {
      expect(dets[2 * k]!.outcome!.value).toBe((await engine.det(matrix, { mod: 0 })).value);
      expect(dets[2 * k + 1]!.outcome!.value).toBe((await engine.det(matrix, { mod: 101 })).value);
    }
    expect(dets.slice(6).map(({ mod, error }) => [mod, error?.name])).toEqual([
      [0n, 'StructureError'],
      [101n, 'StructureError'],
    ]);
    const systems = matrices.map((a) => ({ a, b: Array.from({ length: a.rows }, (_, i) => i) }));
    const solved = await collect(engine.solves([...systems, { a: wide, b: [1, 2] }], { mod: 101 }));
    for (const [k, { a, b }] of systems.entries()) {
      const { value, kind } = await engine.solve(a, b, { mod: 101 });
      expect(solved[k]!.outcome).toMatchObject({ value, kind });
    }
    expect(solved[3]!.error).toBeInstanceOf(StructureError);
  });
});
