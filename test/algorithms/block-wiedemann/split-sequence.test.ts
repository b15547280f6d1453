/** What is joined of shares, and what they hold, against what their devices have checked. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { partMaker } from '../../../algorithms/block-wiedemann/attempt-sequence.js';
import { LostSequenceError } from '../../../algorithms/block-wiedemann/check-errors.js';
import { GrowingBlocks } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import { PartedSequence } from '../../../algorithms/block-wiedemann/kept-parts.js';
import type { Sequence } from '../../../algorithms/block-wiedemann/krylov.js';
import {
  freeSides,
  type SequenceDevice,
  type SequenceTask,
  sharesOf,
  sidesOf,
  startSequence,
} from '../../../algorithms/block-wiedemann/krylov-columns.js';
import { searchedBlocks } from '../../../algorithms/block-wiedemann/krylov-steps.js';
import { SharesInTurns } from '../../../algorithms/block-wiedemann/shares-in-turns.js';
import { SplitSequence } from '../../../algorithms/block-wiedemann/split-sequence.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { planted } from '../expected/matrices.js';
import { MemoryStore } from './memory-store.js';

const [P, N, COUNT] = [65521, 5, 30];

test.each([
  ['with rows of the row space', 2],
  ['without', 0],
])('a word that is wrong in what is joined, in a share or in both, %s', async (_, s) => {
  const executor = new ReferenceExecutor(WordPrime.of(P));
  const working = new WorkingField(executor, 'block');
  const a = executor.operator(SparseMatrix.fromTriplets(40, 30, planted(40, 30, 17, 4, 5)).residues(P));
  const shape = { m: 7, n: N, s, shift: 1 as const };
  const task: SequenceTask = { preconditioner: 'hash', seed: 7n, shape, length: COUNT, moments: COUNT, checked: true };
  const started = await Promise.all(sharesOf(task, 2).map((share) => startSequence(executor, a, working, share)));
  const shares = started.map(({ krylov }) => krylov);
  const split = new SplitSequence(shares);
  await split.extend(
    COUNT,
    COUNT,
    () => {},
    () => {},
  );
  const holds = (): boolean => split.check.recheck(searchedBlocks(split));
  expect(shares.map(({ shape }) => shape.n)).toEqual([2, 3]);
  expect(split.s.count).toBeGreaterThanOrEqual(COUNT);
  expect(holds()).toBe(true);

  // Column 1 of the second share is column 3 of all.
  const flip = (list: GrowingBlocks, i: number, row: number, n: number, column: number): void => {
    list.at(i)[row * n + column] ^= 1;
  };
  const lists = s > 0 ? (['s', 't'] as const) : (['s'] as const);
  for (const list of lists) {
    for (const i of [0, 13, split.s.count - 1]) {
      const ofAll = (): void => flip(split[list], i, 1, N, 3);
      const ofShare = (): void => flip(shares[1]![list], i, 1, 3, 1);
      for (const wrong of [[ofAll], [ofShare], [ofAll, ofShare]]) {
        for (const each of wrong) each();
        expect(holds()).toBe(false);
        for (const each of wrong) each();
        expect(holds()).toBe(true);
      }
    }
  }
  split.free();
});

describe('a word that changes as blocks are joined, before anything is known of them', () => {
  const [M, LENGTH] = [4, 9];
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const task: SequenceTask = {
    preconditioner: 'hash',
    seed: 1n,
    shape: { m: M, n: N, s: 0, shift: 1 },
    length: LENGTH,
    moments: 0,
  };
  const made = ({ shape }: SequenceTask): Sequence => {
    const s = new GrowingBlocks(M * shape.n);
    for (let i = 0; i < LENGTH; i++) s.push(Uint32Array.from({ length: M * shape.n }, (_, k) => 100 * i + k));
    const nothing = async (): Promise<void> => {};
    const own = { shape, s, t: new GrowingBlocks(0), adjoint: true, seconds: 0 };
    return { ...own, extend: nothing, stop: nothing, free: () => {} };
  };

  test.each(['none', 'one'])('of shares in turns: %s', async (which) => {
    const device: SequenceDevice = { hold: async () => {}, start: async (share) => made(share) };
    const sequence = new SharesInTurns(
      [device],
      sharesOf(task, 2).map((share) => ({ task: share })),
      task,
    );
    const { push } = GrowingBlocks.prototype;
    vi.spyOn(GrowingBlocks.prototype, 'push').mockImplementation(function (this: GrowingBlocks, block) {
      push.call(this, block);
      if (which === 'one' && this === sequence.s && this.count === 5) this.at(4)[3]! ^= 1;
    });
    const nothing = (): void => {};
    const extended = sequence.extend(LENGTH, 0, nothing, nothing);
    if (which === 'none') await extended;
    else await expect(extended).rejects.toThrow(LostSequenceError);
    expect(sequence.s.count).toBe(LENGTH);
  });

  test.each(['none', 'one'])('of parts that are kept: %s', async (which) => {
    const executor = new ReferenceExecutor(WordPrime.of(P));
    const working = new WorkingField(executor, 'block');
    const a = executor.operator(SparseMatrix.fromTriplets(40, 30, planted(40, 30, 17, 4, 5)).residues(P));
    const options = { interval: 60, stops: async () => false, remark: () => {} };
    const sides = await sidesOf(executor, a, working, task);
    const maker = partMaker(executor, a, working, sides, () => {});
    const sequence = new PartedSequence(new Checkpoint(new MemoryStore(), 'run', options), 'attempt-1', task, 2, maker);
    const { push } = GrowingBlocks.prototype;
    vi.spyOn(GrowingBlocks.prototype, 'push').mockImplementation(function (this: GrowingBlocks, block) {
      push.call(this, block);
      if (which === 'one' && this === sequence.s && this.count === 5) this.at(4)[3]! ^= 1;
    });
    const nothing = (): void => {};
    const extended = sequence.extend(LENGTH, 0, nothing, nothing);
    if (which === 'none') await extended;
    else await expect(extended).rejects.toThrow(LostSequenceError);
    expect(sequence.s.count).toBeGreaterThanOrEqual(LENGTH);
    freeSides(sides);
  });
});
