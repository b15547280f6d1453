/** Minimal polynomials, determinants and systems whose sequence further devices share: the words of one device. */
import { describe, expect, test } from 'vitest';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { type DeterminantMethod, determinantOfMatrix } from '../../../algorithms/determinant.js';
import { multiply } from '../../../algorithms/factor/products.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { solve } from '../../../algorithms/solve.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { type DeviceHere, deviceHere } from './device-here.js';

const SIZE = 40;

type Entry = readonly [row: number, col: number, value: number];

function square(p: number, entries: readonly Entry[]): ResidueMatrix {
  return SparseMatrix.fromTriplets(SIZE, SIZE, [...entries]).residues(p);
}

const lines = Array.from({ length: SIZE }, (_, i) => i);
const cycles = (count: number): Entry[] =>
  lines.slice(0, count).flatMap((i): Entry[] => [
    [i, (7 * i) % SIZE, 1 + (i % 5)],
    [i, (7 * i + 3 + (i % 4)) % SIZE, 1],
  ]);
const MATRICES = {
  // A triangle of ones and others, its rows in another order.
  nonsingular: lines.flatMap((i): Entry[] => [
    [(7 * i) % SIZE, i, 1],
    ...(i < SIZE - 3 ? [[(7 * i) % SIZE, i + 1 + (i % 3), 1 + (i % 5)] as const] : []),
  ]),
  singular: cycles(SIZE - 3),
  // More invariant factors than a block has columns: the first attempt comes to no determinant.
  scalar: lines.map((i): Entry => [i, i, 3]),
};

/** A triangle of 3 x 3 blocks [1 1 0; 0 1 1; 1 1 1] of determinant 1, which are more than pivots. */
const WOVEN = lines.flatMap((i): Entry[] => {
  const first = i - (i % 3);
  const own =
    i === SIZE - 1
      ? [i]
      : [
          [0, 1],
          [1, 2],
          [0, 1, 2],
        ][i % 3]!.map((j) => first + j);
  const beyond = first + 4 + (i % 5);
  return [...own, ...(beyond < SIZE ? [beyond] : [])].map((j) => [i, j, j === beyond ? 3 : 1]);
});

function contextOn(executor: Executor, sequenceDevices?: readonly DeviceHere[]): RunContext {
  return {
    ...{ executor, seed: 5n, selfChecks: true, check: () => {}, onProgress: () => {}, sequenceDevices },
    orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
  };
}

/** The tasks of an attempt, without what differs from share to share. */
function tasksOf(devices: readonly DeviceHere[], attempt: number): unknown[] {
  return devices.map(({ tasks }) => {
    const { preconditioner, shape, checked } = tasks[attempt - 1]!;
    return [preconditioner, shape.m, shape.s, shape.shift, shape.share !== undefined, checked];
  });
}

describe.each(Object.entries(MATRICES))('of a %s matrix', (name, entries) => {
  test.each([
    [2, 2],
    [7, 3],
    [65521, 2],
    [2147483629, 3],
  ])('mod %d on %d devices', async (p, count) => {
    const field = WordPrime.of(p);
    const devices = Array.from({ length: count }, deviceHere);
    const matrix = square(p, entries);
    const polynomial = async (given?: readonly DeviceHere[]) => {
      const { seconds, ...said } = await minpolyOfMatrix(contextOn(new ReferenceExecutor(field), given), matrix);
      return said;
    };
    const [alone, shared] = [await polynomial(), await polynomial(devices)];
    expect(shared).toEqual({ ...alone, checks: { ...alone.checks, sequence: expect.any(Number) } });
    expect([shared.checks.sequence > 0, shared.checks.failed]).toEqual([true, 0]);
    const { m } = shared.block;
    expect(tasksOf(devices, 1)).toEqual(devices.map(() => ['identity', m, 0, 0, true, true]));

    const determinant = async (given?: readonly DeviceHere[]) => {
      const { seconds, ...said } = await determinantOfMatrix(contextOn(new ReferenceExecutor(field), given), matrix, {
        method: 'wiedemann',
      });
      return said;
    };
    const others = Array.from({ length: count }, deviceHere);
    const [det, sharedDet] = [await determinant(), await determinant(others)];
    expect(sharedDet).toEqual({ ...det, checks: { ...det.checks, sequence: expect.any(Number) } });
    expect(sharedDet.determinant === 0).toBe(name === 'singular');
    if (name === 'scalar') expect(tasksOf(others, 2)).toEqual(others.map(() => ['triangular', 1, m, 0, true, true]));
    for (const { sequences } of [...devices, ...others]) for (const { freed } of sequences) expect(freed).toBe(1);
  });
});

test.each([
  ['hybrid', true],
  ['wiedemann', false],
] as const)('a determinant by %s: what the devices hold', async (method: DeterminantMethod, isOfPivots) => {
  const matrix = square(65521, WOVEN);
  const executor = await CpuExecutor.create(WordPrime.of(65521));
  const devices = [deviceHere(), deviceHere()];
  const { determinant } = await determinantOfMatrix(contextOn(executor, devices), matrix, { method });
  const known = await determinantOfMatrix(contextOn(new ReferenceExecutor(executor.field)), matrix);
  expect(determinant).toBe(known.determinant);
  expect(devices.map(({ areOfPivots }) => areOfPivots)).toEqual([[isOfPivots], [isOfPivots]]);
  executor.dispose();
});

describe.each(['wiedemann', 'hybrid'] as const)('a system by %s', (method) => {
  test.each([
    [2, 2],
    [7, 2], // elements of more coordinates than a block has
    [251, 2], // the same, and a block has one
    [65521, 2],
    [2147483629, 3],
  ])('mod %d on %d devices: X', async (p, count) => {
    const executor = await CpuExecutor.create(WordPrime.of(p));
    const matrix = square(p, WOVEN);
    const sides = 10; // of two sequences
    const b = multiply(
      executor.field,
      matrix,
      new CounterRandom(3n, 0).fillResidues(new Uint32Array(SIZE * sides), p),
      sides,
    );
    const ask = (given?: readonly DeviceHere[]) => solve(contextOn(executor, given), matrix, b, sides, { method });
    const devices = Array.from({ length: count }, deviceHere);
    const [alone, shared] = [await ask(), await ask(devices)];
    expect(shared.solution).toEqual(alone.solution);
    expect(multiply(executor.field, matrix, shared.solution!, sides)).toEqual(b);
    for (const { tasks, sequences, areOfPivots } of devices) {
      expect(
        tasks.map(({ preconditioner, shape, rows }) => [preconditioner, shape.shift, rows!.length % shape.s]),
      ).toEqual([8, 2].map(() => ['diagonal', 1, 0]));
      expect([areOfPivots, sequences.map(({ freed }) => freed)]).toEqual([[method === 'hybrid'], [1, 1]]);
    }
    executor.dispose();
  });
});

test('a word that changes in the blocks of a device, of S and of a dense T, is met', async () => {
  const field = WordPrime.of(65521);
  const [sound, erring] = [deviceHere(), deviceHere()];
  const spoilt = new Set<string>();
  const { start } = erring;
  erring.start = async (task) => {
    const sequence = await start(task);
    const extend = sequence.extend.bind(sequence);
    sequence.extend = async (...asked) => {
      await extend(...asked);
      const read = task.shape.s > 0 ? 'T' : 'S';
      if (spoilt.has(read)) return;
      spoilt.add(read);
      const block = (read === 'T' ? sequence.t : sequence.s).at(1);
      block[0] = (block[0]! + 1) % field.p;
    };
    return sequence;
  };
  const matrix = square(field.p, MATRICES.scalar);
  const context = contextOn(new ReferenceExecutor(field), [sound, erring]);
  const found = await determinantOfMatrix(context, matrix, { method: 'wiedemann' });
  const known = await determinantOfMatrix(contextOn(new ReferenceExecutor(field)), matrix);
  expect(found.determinant).toBe(known.determinant);
  expect([[...spoilt], found.checks!.failed >= 2, found.warnings.length]).toEqual([['S', 'T'], true, 1]);
});
