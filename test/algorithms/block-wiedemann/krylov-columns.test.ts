/** Shares of the columns of a sequence, joined: the same integers as one device finds, and the same answers. */

import { describe, expect, test } from 'vitest';
import { KrylovSequence, type Sequence } from '../../../algorithms/block-wiedemann/krylov.js';
import {
  freeSides,
  type SequenceDevice,
  type SequenceTask,
  sharesOf,
  startSequence,
} from '../../../algorithms/block-wiedemann/krylov-columns.js';
import type { KrylovShape } from '../../../algorithms/block-wiedemann/krylov-steps.js';
import { type BlockWiedemannResult, rankOfMatrix, tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { SplitSequence } from '../../../algorithms/block-wiedemann/split-sequence.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { planted } from '../expected/matrices.js';
import { deviceHere } from './device-here.js';

const nothing = (): void => {};

function matrixMod(p: number, rows = 40, cols = 30): ResidueMatrix {
  return SparseMatrix.fromTriplets(rows, cols, planted(rows, cols, 17, 4, 5)).residues(p);
}

function blocksOf(sequence: Sequence): { s: Uint32Array; t: Uint32Array } {
  return { s: sequence.s.copy(0), t: sequence.t.copy(0) };
}

describe('a split sequence', () => {
  test.each([
    [65521, 16, 2],
    [65521, 5, 3], // 1, 2 and 2 columns
    [65521, 3, 8], // more devices than columns
    [2147483629, 8, 2],
    [3, 6, 2], // an extension: several coordinates a column
  ])('mod %i, %i columns on %i devices: every block of S and T', async (p, n, devices) => {
    const field = WordPrime.of(p);
    const working = new WorkingField(new ReferenceExecutor(field), 'block');
    for (const preconditioner of ['hash', 'gram'] as const) {
      const executor = new ReferenceExecutor(field);
      const a = executor.operator(matrixMod(p));
      const task: SequenceTask = {
        preconditioner,
        seed: 77n,
        shape: { m: 7, n, s: 2, shift: 1 },
        length: 0,
        moments: 0,
      };
      const { krylov: whole } = await startSequence(executor, a, working, task);
      const started = sharesOf(task, devices).map((share) => startSequence(executor, a, working, share));
      const split = new SplitSequence((await Promise.all(started)).map(({ krylov }) => krylov));
      expect(split.shape).toEqual({ m: 7, n, s: 2, shift: 1 });
      const steps: number[] = [];
      for (const sequence of [whole, split]) {
        await sequence.extend(3, 8, nothing, (done) => void (sequence === split && steps.push(done)));
        await sequence.extend(40, 8, nothing, (done) => void (sequence === split && steps.push(done)));
        expect([sequence.s.count, sequence.t.count, sequence.adjoint]).toEqual([40, 8, true]);
      }
      expect(blocksOf(split)).toEqual(blocksOf(whole));
      expect(whole.s.copy(0).some((code) => code > 0)).toBe(true);
      // What every share has reached, never less than before.
      expect(steps.at(-1)).toBe(40);
      expect(steps).toEqual(steps.toSorted((x, y) => x - y));
    }
  });

  test('shares are whole lanes of 4 columns where there are enough, and together all columns', () => {
    const sizes = (n: number, count: number): number[] =>
      sharesOf(
        { preconditioner: 'hash', seed: 1n, shape: { m: 4, n, s: 0, shift: 1 }, length: 0, moments: 0 },
        count,
      ).map(({ shape }) => shape.n);
    expect(sizes(16, 2)).toEqual([8, 8]);
    expect(sizes(16, 4)).toEqual([4, 4, 4, 4]);
    expect(sizes(32, 3)).toEqual([8, 12, 12]);
    expect(sizes(6, 4)).toEqual([1, 2, 1, 2]);
    expect(sizes(2, 5)).toEqual([1, 1]);
    for (let n = 1; n < 40; n++)
      for (let count = 1; count < 9; count++) expect(sizes(n, count).reduce((x, y) => x + y)).toBe(n);
  });

  test('an operator that is no transpose of itself is seen whichever share sees it', async () => {
    const shape: KrylovShape = { m: 2, n: 1, s: 1, shift: 1 };
    const share = (adjoint: boolean | null): Sequence =>
      Object.assign(Object.create(KrylovSequence.prototype) as KrylovSequence, { shape, adjoint });
    const seen = (...found: (boolean | null)[]): boolean | null => new SplitSequence(found.map(share)).adjoint;
    expect([seen(true, true), seen(true, false), seen(true, null)]).toEqual([true, false, null]);
  });

  test('the error of one share ends the others at their next step', async () => {
    const field = WordPrime.of(101);
    const executor = new ReferenceExecutor(field);
    const working = new WorkingField(executor, 'block');
    const a = executor.operator(matrixMod(101));
    const task: SequenceTask = {
      preconditioner: 'hash',
      seed: 7n,
      shape: { m: 4, n: 2, s: 0, shift: 1 },
      length: 0,
      moments: 0,
    };
    const [{ krylov }] = await Promise.all(
      sharesOf(task, 2).map((share) => startSequence(executor, a, working, share)),
    );
    const failing = Object.assign(Object.create(krylov) as Sequence, {
      extend: () => Promise.reject(new RangeError('lost')),
    });
    const split = new SplitSequence([krylov, failing]);
    await expect(split.extend(10_000, 0, nothing, nothing)).rejects.toThrow(new RangeError('lost'));
    expect(krylov.s.count).toBeLessThan(200);
    expect(split.s.count).toBe(0);
  });
});

describe('rank with further devices', () => {
  async function rankWith(
    p: number,
    matrix: ResidueMatrix,
    sequenceDevices?: SequenceDevice[],
  ): Promise<BlockWiedemannResult> {
    const context = {
      executor: new ReferenceExecutor(WordPrime.of(p)),
      seed: 3n,
      selfChecks: true,
      orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
      check: nothing,
      onProgress: nothing,
      ...(sequenceDevices && { sequenceDevices }),
    };
    return rankOfMatrix(context, matrix);
  }

  test.each([
    [65521, 40, 30],
    [65521, 30, 40], // its transpose is what is multiplied
    [5, 40, 30],
  ])('mod %i, %i x %i: the answer of one', async (p, rows, cols) => {
    const matrix = matrixMod(p, rows, cols);
    const { seconds, checks, ...alone } = await rankWith(p, matrix);
    const devices = [deviceHere(), deviceHere()];
    const { seconds: others, checks: __, ...shared } = await rankWith(p, matrix, devices);
    expect(shared).toEqual(alone);
    expect(checks).toMatchObject({ basis: 1, failed: 0 });
    // The time of the devices, and that of a thread beside them.
    expect([others.sequence, seconds.sequence < 100]).toEqual([1000 * shared.attempts, true]);
    expect(alone).toMatchObject({ rank: 17, upperBound: 17 });
    expect(devices[0].tasks[0].shape.share).toMatchObject({ of: alone.block.n });
  });

  test('more devices than columns: those beyond them are given nothing', async () => {
    const devices = Array.from({ length: 6 }, deviceHere);
    const { seconds: _, checks: __, ...shared } = await rankWith(65521, matrixMod(65521), devices);
    const { seconds: ___, checks: ____, ...alone } = await rankWith(65521, matrixMod(65521));
    expect(shared).toEqual(alone);
    expect(devices.map(({ tasks }) => tasks.length)).toEqual([1, 1, 1, 1, 0, 0]);
  });

  test('a device that cannot take part ends the run with its error, and the sequences of the others', async () => {
    const broken: SequenceDevice = { ...deviceHere(), start: () => Promise.reject(new RangeError('no such GPU')) };
    const sound = deviceHere();
    await expect(rankWith(65521, matrixMod(65521), [sound, broken])).rejects.toThrow(new RangeError('no such GPU'));
    expect(sound.sequences.map(({ freed }) => freed)).toEqual([1]);
  });

  test('when this device fails nothing is left on the others', async () => {
    const device = deviceHere();
    const executor = new ReferenceExecutor(WordPrime.of(65521));
    executor.vector = () => {
      throw new RangeError('no room');
    };
    const context = {
      executor,
      seed: 3n,
      orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
      check: nothing,
      onProgress: nothing,
      sequenceDevices: [device],
    };
    await expect(rankOfMatrix(context, matrixMod(65521))).rejects.toThrow(new RangeError('no room'));
    expect(device.sequences.map(({ freed }) => freed)).toEqual([1]);
  });
});

test.each([65521, 2147483629])('shares on one executor that records its steps, mod %d', async (p) => {
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const working = new WorkingField(executor, 'block');
  const a = tallOperator(executor.operator(matrixMod(p, 700, 600)));
  const shape = { m: 16, n: 8, s: 4, shift: 1 as const };
  const task: SequenceTask = { preconditioner: 'hash', seed: 5n, shape, length: 90, moments: 70 };
  const blocks = async (shares: number): Promise<number[]> => {
    const started = await Promise.all(
      sharesOf(task, shares).map((share) => startSequence(executor, a, working, share)),
    );
    const sequence = new SplitSequence(started.map(({ krylov }) => krylov));
    for (const count of [40, 90]) await sequence.extend(count, 70, nothing, nothing);
    const out = [...sequence.s.copy(0), ...sequence.t.copy(0)];
    sequence.free();
    for (const sides of started) freeSides(sides);
    return out;
  };
  const whole = await blocks(1);
  expect(await blocks(2)).toEqual(whole);
  executor.dispose();
});
