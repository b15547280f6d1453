/** Streams of systems by block LU, together on threads and on a GPU: what single questions and elimination answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answered,
  createEngine,
  type Engine,
  type Input,
  MethodError,
  OptionError,
  type SolveOutcome,
  SparseMatrix,
  StructureError,
  type System,
} from 'wiedemann';
import { gpuMissing } from '../gpu.js';

let engine: Engine;
beforeAll(() => {
  engine = createEngine({ threads: 2 });
});
afterAll(() => engine.dispose());

/** Rows with 1, 4 and 2 around the diagonal, whose leading minors up to 61 are no multiples of the primes below. */
function band(n: number): SparseMatrix {
  const entries = Array.from({ length: n }, (_, i): [number, number, number][] => [
    [i, i, 4],
    ...(i > 0 ? ([[i, i - 1, 1]] as [number, number, number][]) : []),
    ...(i < n - 1 ? ([[i, i + 1, 2]] as [number, number, number][]) : []),
  ]).flat();
  return SparseMatrix.fromTriplets(n, n, entries);
}

const right = (n: number): number[] => Array.from({ length: n }, (_, i) => (i * 7) % 23);
const systems = (sizes: readonly number[]): System[] => sizes.map((n) => ({ a: band(n), b: right(n) }));
const SIZES = Array.from({ length: 90 }, (_, k) => (k * 37) % 61);

async function collect(stream: AsyncIterable<Answered<SolveOutcome>>): Promise<Answered<SolveOutcome>[]> {
  const all: Answered<SolveOutcome>[] = [];
  for await (const answer of stream) all.push(answer);
  return all;
}

const DEVICES = ['cpu', 'reference', 'gpu'] as const;

describe.each(DEVICES)('on %s', (device) => {
  const options = { method: 'block-lu', device, seed: 3 } as const;

  test.skipIf(device === 'gpu' && gpuMissing)('in order, modulo several primes, as elimination has them', async () => {
    const mod = [101, 2147483629n];
    const answers = await collect(engine.solves(systems(SIZES), { ...options, mod }));
    const expected = await collect(engine.solves(systems(SIZES), { mod, method: 'elimination' }));
    const of = (all: Answered<SolveOutcome>[]): unknown =>
      all.map(({ index, mod: prime, outcome, error }) => [index, prime, error, outcome?.kind, outcome?.value]);
    expect(of(answers)).toEqual(of(expected));
    expect(answers.every(({ outcome }) => outcome!.method === 'block-lu' && outcome!.device === device)).toBe(true);
  });

  test.skipIf(device === 'gpu' && gpuMissing)('a bad system is one error, and the others are answered', async () => {
    const good = { a: band(5), b: right(5) };
    const wide = { a: SparseMatrix.fromTriplets(2, 3, []), b: [1, 1] };
    const short = { a: band(5), b: [1] };
    const given = [good, wide, { a: 'no/such/file.sms' as Input, b: [1] }, short, good];
    const answers = await collect(engine.solves(given, { ...options, mod: 101 }));
    expect(answers.map(({ error }) => error?.name)).toEqual([
      ...[undefined, 'MethodError', 'FormatError', 'StructureError', undefined],
    ]);
    expect(answers[1]!.error).toBeInstanceOf(MethodError);
    expect(answers[3]!.error).toBeInstanceOf(StructureError);
    expect(answers[4]!.outcome!.value).toEqual((await engine.solve(good.a, good.b, { mod: 101 })).value);
  });
});

test('where no size of blocks serves there is an outcome without a value, which says why', async () => {
  const reversed = SparseMatrix.fromTriplets(
    64,
    64,
    Array.from({ length: 64 }, (_, i) => [i, 63 - i, 1]),
  );
  const given = [{ a: reversed, b: right(64) }, ...systems([9])];
  const [none, one] = await collect(engine.solves(given, { mod: 101, method: 'block-lu' }));
  expect(none!.outcome).toMatchObject({
    kind: 'oneSided',
    value: null,
    reason: expect.stringContaining('block-lu: a pivot block is singular'),
  });
  expect(one!.outcome!.kind).toBe('proved');
});

test('a GPU takes part in systems by block LU alone', () => {
  expect(() => engine.solves([], { mod: 7, device: 'gpu' })).toThrow(OptionError);
  expect(() => engine.ranks([], { mod: 7, device: 'gpu' as 'cpu' })).toThrow(OptionError);
});
