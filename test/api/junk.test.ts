/**
 * Random junk at every public function: what comes back is an answer or one of the documented errors, in one line.
 * Never an error from inside (TypeError, RangeError), and never a wait without an end.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as library from 'wiedemann';
import { createEngine, det, type Engine, minpoly, rank, readMatrix, SparseMatrix, verifyCertificate } from 'wiedemann';

const DOCUMENTED = [
  'CertificateError',
  'DeviceError',
  'EngineError',
  'EntryError',
  'FieldError',
  'FormatError',
  'MemoryError',
  'MethodError',
  'ModulusError',
  'OptionError',
  'StructureError',
].map((name) => (library as unknown as Record<string, new () => Error>)[name]!);

/** Values that callers pass by mistake. */
const ODD = fc.constantFrom<unknown>(
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  Number.NaN,
  5n,
  -(2n ** 70n),
  '',
  'seven',
  '7',
  '\u001b[31mred',
  Symbol('s'),
  {},
  [],
  [[]],
  [null],
  [[1, 2], [3]],
  () => 1,
  new Date(0),
  new Map([[1, 2]]),
  new Set([1]),
  /x/,
  new Error('x'),
  Object.create(null),
  new Uint8Array(3),
  new Uint16Array(3),
  new DataView(new ArrayBuffer(4)),
  new ArrayBuffer(5),
  new SharedArrayBuffer(4),
  new BigInt64Array(2),
  new Float64Array([1, Number.NaN]),
  Promise.resolve(1),
  new AbortController(),
  { aborted: true },
  { rows: 2, cols: 2 },
  { rows: 2, cols: 2, entries: 5 },
  { rows: 2, cols: 2, entries: [[0, 0]] },
  { rows: 1, cols: 1, entries: [[0, 0, {}]] },
  { rows: 1, cols: 1, entries: [[0, 0, 1]] },
  { rows: 1, cols: 1, rowIdx: [0], colIdx: [0], values: [undefined] },
  { rows: 1, cols: 1, rowIdx: { length: 1e9 }, colIdx: [0], values: [1] },
  { rows: 1, cols: 1, rowIdx: new Uint32Array(1), colIdx: new Uint32Array(2), values: new Int32Array(1) },
  { rows: 1, cols: 1, rowIdx: new Uint32Array([9]), colIdx: new Uint32Array(1), values: new Int32Array(1) },
  { rows: 1, cols: 1, rowIdx: [0], colIdx: [0], values: [1], wide: 5 },
  { rows: 2, cols: 2, apply: (x: unknown) => x },
  { rows: 2, cols: 2, apply: () => 7 },
  { rows: 2, cols: 2, apply: null },
  { href: 'nowhere', protocol: 'x:' },
  { ok: true, body: null, bodyUsed: false, status: 200, url: '' },
  { getReader: () => 5 },
  { [Symbol.asyncIterator]: () => ({ next: () => 5 }) },
  { size: 3, stream: () => null },
  new Uint8Array([0x1f, 0x8b, 1, 2, 3]),
  new TextEncoder().encode('2 2 M\n1 1 x\n0 0 0\n'),
  new TextEncoder().encode('1 1 M\n1 1 1\n0 0 0\n'),
);
const LIST = fc.oneof({ weight: 3, arbitrary: ODD }, { weight: 1, arbitrary: fc.array(ODD, { maxLength: 3 }) });

const NAMES = ['mod', 'seed', 'threads', 'device', 'method', 'block', 'verify', 'formula', 'atLeast', 'maxMemory'];
const MORE = ['certificate', 'gpus', 'pivots', 'transfer', 'unterminated', 'name', 'signal', 'onProgress', 'sead'];
/** Options with one or two that are odd, or something else altogether. */
const OPTIONS = fc.oneof(
  ODD,
  fc
    .dictionary(fc.constantFrom(...NAMES, ...MORE), ODD, { maxKeys: 2 })
    .map((some): unknown => ({ mod: 7, threads: 1, device: 'cpu', ...some })),
);

/** Whether what was thrown is documented, and says it in a line. */
function judge(error: unknown): void {
  const documented = DOCUMENTED.some((kind) => error instanceof kind);
  // A caller's own signal is given back as it is.
  if (!documented && error instanceof Error)
    throw new Error(`undocumented ${error.name}: ${error.message}`, { cause: error });
  expect((error as Error).message).not.toMatch(/\p{Cc}/u);
  expect((error as Error).message).not.toMatch(/is not a function|undefined \(reading|cannot convert|\[object/i);
}

const soon = <T>(promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no end after 120 s')), 120_000)),
  ]);

describe('junk', () => {
  let engine: Engine;
  beforeAll(() => {
    engine = createEngine({ threads: 1 });
  });
  afterAll(() => engine.dispose());

  test('as a question: rank, minpoly and det, of one engine and of none', async () => {
    const asks = [
      (input: never, options: never) => engine.rank(input, options),
      (input: never, options: never) => engine.minpoly(input, options),
      (input: never, options: never) => engine.det(input, options),
      rank,
      minpoly,
      det,
    ];
    await fc.assert(
      fc.asyncProperty(fc.nat(99), LIST, OPTIONS, async (which, input, options) => {
        // Engines of their own start threads: fewer of those.
        const ask = asks[which < 90 ? which % 3 : 3 + (which % 3)]!;
        await soon<unknown>(ask(input as never, options as never)).catch(judge);
      }),
      { seed: 21, numRuns: 1500, endOnFailure: true },
    );
  }, 300_000);

  test('to readMatrix', async () => {
    await fc.assert(
      fc.asyncProperty(LIST, fc.oneof(fc.constant(undefined), ODD, OPTIONS), async (source, options) => {
        await soon(readMatrix(source as never, options as never)).catch(judge);
      }),
      { seed: 22, numRuns: 1000, endOnFailure: true },
    );
  });

  test('to createEngine, verifyCertificate and the writers', () => {
    fc.assert(
      fc.property(ODD, ODD, ODD, (a, b, c) => {
        const acts: (() => unknown)[] = [
          () => createEngine(a as never),
          () => verifyCertificate(a as never, b as never, c as never),
          () => verifyCertificate('{}', SparseMatrix.fromDense([[1]]), a as never),
          () => [...library.writeSms(a as never)],
          () => [...library.writeMatrixMarket(a as never)],
        ];
        for (const act of acts) {
          try {
            act();
          } catch (error) {
            judge(error);
          }
        }
      }),
      { seed: 23, numRuns: 1000, endOnFailure: true },
    );
  });

  test('to SparseMatrix: constructors and methods', () => {
    const matrix = SparseMatrix.fromDense([
      [1, 2],
      [3, '1/2'],
    ]);
    const constructors = ['fromTriplets', 'fromCoo', 'fromCsr', 'fromCsc', 'fromDense', 'fromParts', 'stack'] as const;
    const methods = ['get', 'equals', 'map', 'submatrix', 'multiply', 'residues'] as const;
    fc.assert(
      fc.property(LIST, LIST, LIST, (a, b, c) => {
        const acts = [
          ...constructors.map((name) => () => (SparseMatrix[name] as (...given: unknown[]) => unknown)(a, b, c)),
          ...constructors.map((name) => () => (SparseMatrix[name] as (...given: unknown[]) => unknown)(2, 2, a)),
          ...constructors.map((name) => () => (SparseMatrix[name] as (...given: unknown[]) => unknown)(a)),
          ...methods.map((name) => () => (matrix[name] as (...given: unknown[]) => unknown)(a, b)),
          () => matrix.multiply([1, 2], { mod: a as never }),
          () => matrix.multiply([1, 2], a as never),
        ];
        for (const act of acts) {
          try {
            act();
          } catch (error) {
            judge(error);
          }
        }
      }),
      { seed: 24, numRuns: 3000, endOnFailure: true },
    );
  });
});
