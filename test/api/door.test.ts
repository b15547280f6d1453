/**
 * What crosses the library's door: clones, other copies of the package, arrays that change after the call, operators
 * that are no linear maps. An answer is about the matrix of the call, or there is none.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  det,
  EntryError,
  FormatError,
  type Input,
  minpoly,
  OptionError,
  rank,
  readMatrix,
  SparseMatrix,
  StructureError,
} from 'wiedemann';

const WIDE = SparseMatrix.fromDense([
  [2n ** 40n, 0],
  [0, '1/3'],
]);
const TEXT = '3 3 M\n1 1 1\n2 2 1\n3 3 1\n0 0 0\n';
const BYTES = new TextEncoder().encode(TEXT);
const asInput = (value: unknown): Input => value as Input;

/** What arrives at the other end of a channel. */
async function posted<T>(value: T): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(value);
  const [arrived] = await once(port2, 'message');
  port1.close();
  return arrived;
}

describe('a matrix that lost its class', () => {
  test('is read whole: a structured clone, a message, its parts, one of another copy of the package', async () => {
    const copy = `${new URL('../../dist/kernels/sparse/sparse-matrix.js', import.meta.url)}?another`;
    const { SparseMatrix: Other } = (await import(copy)) as { SparseMatrix: typeof SparseMatrix };
    expect(Other).not.toBe(SparseMatrix);
    const others = {
      clone: structuredClone(WIDE),
      message: await posted(WIDE),
      parts: WIDE.toParts(),
      copy: Other.fromDense([
        [2n ** 40n, 0],
        [0, '1/3'],
      ]),
    };
    for (const [name, other] of Object.entries(others)) {
      expect(await rank(asInput(other), { mod: 65521 }), name).toMatchObject({ value: 2, kind: 'proved' });
      expect(SparseMatrix.fromParts(other).equals(WIDE), name).toBe(true);
    }
  });

  const clone = () => structuredClone(WIDE) as unknown as Record<string, unknown>;
  test.each([
    ['without its wide entries', { ...clone(), wide: undefined }],
    ['with half of them', { ...clone(), wide: { positions: [0, 1], entries: [{ numerator: 1n, denominator: 1n }] } }],
    ['with them in a form of its own', { ...clone(), wide: { positions: [0, 1], values: ['1', '2'] } }],
    ['with a denominator 0', { ...clone(), wide: { positions: [0], entries: [{ numerator: 1n, denominator: 0n }] } }],
    ['with one outside', { ...clone(), wide: { positions: [7], entries: [{ numerator: 1n, denominator: 1n }] } }],
    ['with an index outside', { ...clone(), rowIdx: Uint32Array.of(0, 2) }],
    ['with an array too short', { ...clone(), colIdx: Uint32Array.of(0) }],
    ['with a value of more than 32 bits', { ...clone(), values: Float64Array.of(0, 2 ** 40) }],
    ['with a size that is none', { ...clone(), rows: 2 ** 31 }],
    ['with entries twice', { rows: 1, cols: 1, entries: [[0, 0, 1]], rowIdx: [0], colIdx: [0], values: [1] }],
  ])('is refused %s', async (_, parts) => {
    await expect(rank(asInput(parts), { mod: 7 })).rejects.toSatisfy(
      (error) => error instanceof StructureError || error instanceof OptionError,
    );
  });
});

describe('what the caller changes after the call changes no answer', () => {
  const arrays = () => ({
    rows: 3,
    cols: 3,
    rowIdx: Uint32Array.of(0, 1, 2),
    colIdx: Uint32Array.of(0, 1, 2),
    values: Int32Array.of(1, 1, 1),
  });

  test('arrays, plain arrays, bytes, a buffer, a matrix', async () => {
    const given = arrays();
    const first = rank(given, { mod: 7 });
    given.values.fill(0);
    const lists = { rows: 3, cols: 3, rowIdx: [0, 1, 2], colIdx: [0, 1, 2], values: [1, 1, 1] };
    const second = rank(lists, { mod: 7 });
    lists.values.fill(0);
    const bytes = BYTES.slice();
    const third = rank(bytes, { mod: 7 });
    bytes.fill(32);
    const buffer = BYTES.slice().buffer;
    const fourth = rank(buffer, { mod: 7 });
    new Uint8Array(buffer).fill(32);
    const matrix = SparseMatrix.fromTriplets(3, 3, arrays());
    const fifth = rank(matrix, { mod: 7 });
    matrix.values.fill(0);
    for (const run of [first, second, third, fourth, fifth]) expect((await run).value).toBe(3);
    const read = BYTES.slice();
    const parsed = readMatrix(read);
    read.fill(32);
    expect((await parsed).nnz).toBe(3);
  });

  test('a Buffer, whose slices share its memory', async () => {
    const text = Buffer.from('2 2 M\n1 1 5\n2 2 1\n0 0 0\n');
    const [ask, read] = [det(text, { mod: 101 }), readMatrix(text)];
    text[10] = 54;
    expect((await ask).value).toBe(5n);
    expect((await read).get(0, 0)).toBe(5);
    const lists = {
      rows: 2,
      cols: 2,
      rowIdx: Buffer.from([0, 1]),
      colIdx: Buffer.from([0, 1]),
      values: Buffer.from([5, 1]),
    };
    const other = det(lists, { mod: 101 });
    lists.values[0] = 6;
    expect((await other).value).toBe(5n);
    const wide = SparseMatrix.fromDense([[2n ** 40n]]);
    const third = det(wide, { mod: 101 });
    wide.wide.entries[0] = { numerator: 1n, denominator: 1n };
    expect((await third).value).toBe(BigInt(2 ** 40 % 101));
  });

  test('options', async () => {
    const options = { mod: 2, signal: undefined as AbortSignal | undefined };
    const run = rank(arrays(), options);
    Object.assign(options, { mod: 3, signal: AbortSignal.abort() });
    expect((await run).mod).toBe(2n);
  });

  test('transfer takes the arrays for good, and only arrays that are all of their buffer', async () => {
    const given = arrays();
    const bytes = BYTES.slice();
    const [triplets, text] = [rank(given, { mod: 7, transfer: true }), rank(bytes, { mod: 7, transfer: true })];
    expect([given.values.length, given.rowIdx.length, bytes.length]).toEqual([0, 0, 0]);
    expect([(await triplets).value, (await text).value]).toEqual([3, 3]);
    const one = Uint32Array.of(0, 1);
    const thrice = { rows: 2, cols: 2, rowIdx: one, colIdx: one, values: one };
    await expect(rank(thrice, { mod: 7, transfer: true })).rejects.toThrow('got one in two places');
    expect(one.length).toBe(2);
    const part = new Uint8Array(100).subarray(1);
    await expect(rank(part, { mod: 7, transfer: true })).rejects.toThrow('transfer: expected arrays with a buffer');
    expect(part.length).toBe(99);
  });
});

describe('an operator that is no linear map', () => {
  const n = 20;
  const identity = (x: Uint32Array): Uint32Array => x;
  const good = { rows: n, cols: n, apply: identity, applyTransposed: identity };

  test.each([
    ['adds one', { ...good, apply: (x: Uint32Array) => x.map((v) => (v + 1) % 101) }],
    ['squares', { ...good, apply: (x: Uint32Array) => x.map((v) => (v * v) % 101) }],
    ['has the transpose of another map', { ...good, applyTransposed: (x: Uint32Array) => x.map((v) => (2 * v) % 101) }],
    ['draws its numbers', { ...good, apply: (x: Uint32Array) => x.map(() => Math.floor(101 * Math.random())) }],
  ])('that %s', async (_, operator) => {
    await expect(rank(operator, { mod: 101 })).rejects.toThrow(/^operator: expected a linear map mod p/);
    if (operator.apply !== identity)
      await expect(minpoly(operator, { mod: 101 })).rejects.toThrow(/^operator: expected a linear map mod p/);
  });

  test('or becomes another one during the run', async () => {
    let calls = 0;
    const apply = (x: Uint32Array): Uint32Array => (calls++ < 3 ? x : x.map((v) => (2 * v) % 101));
    await expect(rank({ ...good, apply }, { mod: 101 })).rejects.toThrow(/^operator: expected a linear map/);
  });
});

describe('a matrix is read', () => {
  test('from a URL, a response, an ArrayBuffer; by rank too', async () => {
    const packed = gzipSync(TEXT);
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/here' ? 200 : 404;
      response.end(packed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    try {
      expect((await readMatrix(new URL(`${base}/here`))).nnz).toBe(3);
      expect((await rank(new URL(`${base}/here`), { mod: 7 })).value).toBe(3);
      expect((await readMatrix(await fetch(`${base}/here`))).nnz).toBe(3);
      expect((await rank(await fetch(`${base}/here`), { mod: 7 })).value).toBe(3);
      await expect(readMatrix(new URL(`${base}/gone`))).rejects.toThrow(`${base}/gone: expected a response`);
      await expect(fetch(`${base}/gone`).then((r) => readMatrix(r))).rejects.toThrow('status 404');
      const used = await fetch(`${base}/here`);
      await used.arrayBuffer();
      await expect(readMatrix(used)).rejects.toThrow(OptionError);
    } finally {
      server.close();
    }
    await expect(readMatrix(new URL(`${base}/here`))).rejects.toThrow(FormatError);
    expect((await readMatrix(BYTES.slice().buffer)).nnz).toBe(3);
    expect((await readMatrix(new URL(`data:text/plain,${encodeURIComponent(TEXT)}`))).nnz).toBe(3);
  });

  test('in SMS with entries only to its 0 0 0, unless it is said to be meant without', async () => {
    const cut = '3 3 M\n1 1 1\n2 2 1\n';
    const bytes = new TextEncoder().encode(cut);
    await expect(rank(bytes, { mod: 7 })).rejects.toThrow('ends without 0 0 0: cut off?');
    await expect(readMatrix(bytes)).rejects.toThrow(FormatError);
    expect((await rank(bytes, { mod: 7, unterminated: true })).value).toBe(2);
    expect((await readMatrix(bytes, { unterminated: true })).nnz).toBe(2);
    expect((await readMatrix(new TextEncoder().encode('3 3 M\n'))).nnz).toBe(0);
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-door-'));
    try {
      writeFileSync(join(folder, 'cut.sms'), cut);
      await expect(rank(join(folder, 'cut.sms'), { mod: 7 })).rejects.toThrow('cut.sms:4: expected');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('outcomes', () => {
  test('are JSON with integers as strings', async () => {
    const outcome = await rank(WIDE, { mod: 65521, seed: 2n ** 60n });
    const json = JSON.parse(JSON.stringify(outcome));
    expect(json).toMatchObject({ kind: 'proved', value: 2, mod: '65521', seed: `${2n ** 60n}`, errorLog2: null });
    expect(Object.keys(outcome)).not.toContain('toJSON');
    const big = await minpoly(SparseMatrix.fromDense([[5]]), { mod: 2n ** 61n - 1n });
    expect(JSON.parse(JSON.stringify(big)).value).toEqual([`${2n ** 61n - 6n}`, '1']);
    const small = await minpoly(SparseMatrix.fromDense([[5]]), { mod: 7 });
    expect(JSON.parse(JSON.stringify(small)).value).toEqual([2, 1]);
    expect(structuredClone({ ...outcome })).toMatchObject({ value: 2 });
  });

  test('warn where the modulus is not proved to be prime, and nowhere else here', async () => {
    const a = SparseMatrix.fromDense([[5]]);
    expect((await rank(a, { mod: 2n ** 61n - 1n })).warnings).toEqual([]);
    expect((await rank(a, { mod: 2n ** 127n - 1n })).warnings).toEqual([expect.stringMatching(/^mod: .* not proved$/)]);
  });

  test('an entry that is none is named by its number', async () => {
    const values = [1, Number.NaN];
    await expect(rank({ rows: 1, cols: 2, rowIdx: [0, 0], colIdx: [0, 1], values }, { mod: 7 })).rejects.toThrow(
      new EntryError('fromTriplets: entry 1: expected an integer (bigint or string beyond 2^53), got NaN'),
    );
  });
});
