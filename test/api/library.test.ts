/** The library as its users meet it: every kind of input, outcomes, cancelling, and the life of an engine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CertificateError,
  createEngine,
  det,
  EngineError,
  FormatError,
  type Input,
  minpoly,
  OptionError,
  type ProgressEvent,
  rank,
  readMatrix,
  SparseMatrix,
  verifyCertificate,
} from 'wiedemann';
import { generate } from '../../data/families.js';
import { operatorOf } from './operator-of.js';

const TEXT = '3 4 M\n1 1 1\n1 3 -1\n2 1 2\n2 3 -2\n3 4 5\n0 0 0\n';
const ENTRIES = [
  [0, 0, 1],
  [0, 2, -1],
  [1, 0, 2],
  [1, 2, -2],
  [2, 3, 5],
] as const;
const BYTES = new TextEncoder().encode(TEXT);

function matrixOf(family: string, ...args: number[]): SparseMatrix {
  const { rows, cols, ...entries } = generate(family, args);
  return SparseMatrix.fromTriplets(rows, cols, entries);
}

/** A matrix that keeps two threads busy for several seconds. */
const slow = (): SparseMatrix => matrixOf('ch', 7, 7, 4);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-api-'));
  writeFileSync(join(folder, 'small.sms'), TEXT);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('inputs', () => {
  const inputs: Readonly<Record<string, () => Input>> = {
    'a SparseMatrix': () => SparseMatrix.fromTriplets(3, 4, ENTRIES),
    'triplets as entries': () => ({ rows: 3, cols: 4, entries: ENTRIES }),
    'triplets as arrays': () => ({
      rows: 3,
      cols: 4,
      rowIdx: Uint32Array.from(ENTRIES, ([i]) => i),
      colIdx: ENTRIES.map(([, j]) => j),
      values: Int32Array.from(ENTRIES, ([, , v]) => v),
    }),
    'a path': () => join(folder, 'small.sms'),
    'a file URL': () => pathToFileURL(join(folder, 'small.sms')),
    bytes: () => BYTES,
    'gzipped bytes': () => new Uint8Array(gzipSync(TEXT)),
    'a Blob': () => new Blob([BYTES]),
    'a web stream': () => new Blob([BYTES]).stream(),
    'a stream of Node’s': () => Readable.from([Buffer.from(TEXT.slice(0, 9)), Buffer.from(TEXT.slice(9))]),
    'an operator': () => operatorOf(3, 4, ENTRIES, 65521),
  };
  test.each(Object.entries(inputs))('%s', async (_, input) => {
    const outcome = await rank(input(), { mod: 65521 });
    expect(outcome).toMatchObject({ value: 2, lowerBound: 2, upperBound: 2, rows: 3, cols: 4, mod: 65521n });
  });

  test('readMatrix gives what rank reads', async () => {
    const matrix = await readMatrix(BYTES);
    expect(matrix.nnz).toBe(5);
    expect((await rank(matrix, { mod: 5 })).value).toBe(1);
  });

  test('an operator of some size, asked for its rank and minimal polynomial', async () => {
    const entries = Array.from({ length: 60 }, (_, i) => [i, (i * 7 + 3) % 60, (i % 5) - 2] as const).filter(
      ([, , v]) => v,
    );
    const operator = operatorOf(60, 60, entries, 2147483629);
    expect(await rank(operator, { mod: 2147483629, seed: 5 })).toMatchObject({ value: 48, upperBound: 48, nnz: null });
    const own = await minpoly(operator, { mod: 2147483629, seed: 5 });
    const same = await minpoly(SparseMatrix.fromTriplets(60, 60, entries), { mod: 2147483629, seed: 5 });
    expect(own.value).toEqual(same.value);
  });
});

describe('outcomes', () => {
  test('say what is proved', async () => {
    const matrix = matrixOf('mk', 9, 3); // 945 x 1260 of rank 875, and 867 mod 3
    const probable = await rank(matrix, { mod: 3, seed: 1, method: 'hybrid' });
    expect(probable).toMatchObject({ kind: 'probable', value: 867, lowerBound: 867, upperBound: 867, seed: 1n });
    expect(probable.errorLog2).toBeLessThan(-40);
    const oneSided = await rank(matrix, { mod: 65521, method: 'wiedemann', verify: false });
    expect(oneSided).toMatchObject({ kind: 'oneSided', value: 875, upperBound: null, errorLog2: null });
    const proved = await rank(matrixOf('bibd', 9, 5), { mod: '65521' });
    expect(proved).toMatchObject({ kind: 'proved', value: 36, errorLog2: Number.NEGATIVE_INFINITY });
    const big = await rank(matrixOf('pg', 7), { mod: 2n ** 127n - 1n });
    expect(big).toMatchObject({ kind: 'proved', value: 57, device: 'reference', block: null });
  });

  test('determinant and minimal polynomial', async () => {
    const matrix = SparseMatrix.fromDense([
      [2, 0, 0],
      [0, 2, 0],
      [0, 0, 5],
    ]);
    expect((await det(matrix, { mod: 65521 })).value).toBe(20n);
    expect((await minpoly(matrix, { mod: 65521 })).value).toEqual(Uint32Array.of(10, 65514, 1));
    expect((await minpoly(matrix, { mod: 2n ** 61n - 1n })).value).toEqual([10n, 2n ** 61n - 8n, 1n]);
  });

  test('a seed is enough to repeat a run, on 1 and 2 threads', async () => {
    const matrix = matrixOf('ch', 5, 5, 3);
    const [one, two] = [
      await rank(matrix, { mod: 3, seed: 7n, threads: 1 }),
      await rank(matrix, { mod: 3, seed: 7n, threads: 2 }),
    ];
    expect([one.threads, two.threads]).toEqual([1, 2]);
    const { seconds: _, threads: __, ...first } = one;
    expect(two).toMatchObject(first);
    expect(one.value).toBe(423);
    const fresh = await Promise.all([rank(matrix, { mod: 5 }), rank(matrix, { mod: 5 })]);
    expect(fresh[0].seed).not.toBe(fresh[1].seed);
  });
});

describe('cancelling and progress', () => {
  test('an aborted run ends at once with the signal’s reason, and the caller was never blocked', async () => {
    const controller = new AbortController();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    const events: ProgressEvent[] = [];
    const reason = new Error('enough');
    const onProgress = (event: ProgressEvent): void => {
      events.push(event);
      if (events.length === 3) controller.abort(reason);
    };
    await expect(
      rank(slow(), { mod: 2147483629, method: 'wiedemann', threads: 2, signal: controller.signal, onProgress }),
    ).rejects.toBe(reason);
    clearInterval(timer);
    expect(events.length).toBe(3); // of a thousand
    expect(ticks).toBeGreaterThan(5);
    expect(events[0]).toMatchObject({ phase: expect.any(String), done: expect.any(Number), total: expect.any(Number) });
  });

  test('over Z the primes are counted, and their own phases are not shown', async () => {
    const events: ProgressEvent[] = [];
    const onProgress = (event: ProgressEvent): void => void events.push(event);
    const matrix = matrixOf('random', 150, 150, 6, 1009, 3);
    const { kind } = await det(matrix, { mod: 0, certain: true, threads: 1, method: 'elimination', onProgress });
    expect(kind).toBe('proved');
    const primes = events.slice(events.findIndex(({ phase }) => phase === 'primes'));
    expect(new Set(primes.map(({ phase }) => phase))).toEqual(new Set(['primes']));
    expect(primes.length).toBeGreaterThan(1);
    expect(primes.map(({ done }) => done)).toEqual(primes.map((_, k) => k));
    expect(events[0]!.phase).toBe('digits');
  });

  test.each(['digits', 'primes'])('det over Z ends in the midst of %s', async (wanted) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let late = 0; // events behind the end
    const onProgress = ({ phase }: ProgressEvent): void => {
      if (controller.signal.aborted) late++;
      else if (phase === wanted) controller.abort(reason);
    };
    const matrix = matrixOf('random', 500, 500, 10, 1009, 3);
    await expect(det(matrix, { mod: 0, threads: 2, signal: controller.signal, onProgress })).rejects.toBe(reason);
    expect(late).toBe(0);
  });

  test('an aborted signal asks nothing; a listener that throws ends the run with its error', async () => {
    await expect(rank(BYTES, { mod: 7, signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    const own = new Error('from the listener');
    const onProgress = (): void => {
      throw own;
    };
    await expect(rank(slow(), { mod: 7, method: 'wiedemann', onProgress })).rejects.toBe(own);
  });
});

describe('an engine', () => {
  test('answers several questions, also after one that failed and one that was cancelled', async () => {
    const engine = createEngine({ threads: 2 });
    const matrix = matrixOf('ch', 5, 5, 3);
    const [a, b, c] = await Promise.all([
      engine.rank(matrix, { mod: 3 }),
      engine.rank(matrix, { mod: 65521 }),
      engine.rank(BYTES, { mod: 5 }),
    ]);
    expect([a.value, b.value, c.value, b.threads]).toEqual([423, 424, 1, 2]);
    await expect(engine.rank(new Uint8Array(3), { mod: 5 })).rejects.toThrow(FormatError);
    await expect(
      engine.rank(slow(), { mod: 7, method: 'wiedemann', signal: AbortSignal.timeout(300) }),
    ).rejects.toThrow(/timeout/);
    expect((await engine.rank(matrix, { mod: 2147483629 })).value).toBe(424);

    // One that waits for its turn and is cancelled does not wait for it.
    const first = new AbortController();
    const busy = engine.rank(slow(), { mod: 7, method: 'wiedemann', signal: first.signal }).catch((error) => error);
    const waiting = engine.rank(matrix, { mod: 7, signal: AbortSignal.timeout(100) });
    await expect(waiting).rejects.toThrow(/timeout/);
    first.abort(new Error('seen enough'));
    expect(await busy).toMatchObject({ message: 'seen enough' });
    await engine.dispose();
    await expect(engine.rank(matrix, { mod: 3 })).rejects.toThrow(/disposed/);
  });

  test('disposed of during a run, rejects it', async () => {
    const engine = createEngine();
    const run = expect(engine.rank(slow(), { mod: 7, method: 'wiedemann' })).rejects.toThrow(EngineError);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await engine[Symbol.asyncDispose]();
    await run;
  });
});

describe('certificates', () => {
  test('an outcome carries one when it was asked for, and it holds for the matrix alone', async () => {
    const matrix = generate('bibd', ['12', '5']);
    const a = SparseMatrix.fromTriplets(matrix.rows, matrix.cols, matrix);
    const { value, certificate } = await rank(a, { mod: 5, certificate: true });
    expect(value).toBe(65);
    expect(verifyCertificate(certificate!, a)).toMatchObject({ holds: true, lowerBound: 65, upperBound: 65 });
    const other = SparseMatrix.fromTriplets(3, 4, ENTRIES);
    expect(verifyCertificate(certificate!, other)).toMatchObject({ holds: false, upperBound: null });
    expect(() => verifyCertificate('{}', a)).toThrow(CertificateError);
    expect((await rank(other, { mod: 5 })).certificate).toBeNull();
  });

  test('there is none for an operator, and none for a modulus beyond a word', async () => {
    const operator = operatorOf(3, 4, ENTRIES, 7);
    await expect(rank(operator, { mod: 7, certificate: true })).rejects.toThrow(OptionError);
    const a = SparseMatrix.fromTriplets(3, 4, ENTRIES);
    await expect(rank(a, { mod: 2n ** 61n - 1n, certificate: true })).rejects.toThrow(OptionError);
  });
});
