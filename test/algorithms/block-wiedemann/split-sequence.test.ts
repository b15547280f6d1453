/** What is joined of shares, and what they hold, against what their devices have checked. */
import { expect, test } from 'vitest';
import type { GrowingBlocks } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import { blocksOfBoth } from '../../../algorithms/block-wiedemann/krylov.js';
import { type SequenceTask, sharesOf, startSequence } from '../../../algorithms/block-wiedemann/krylov-columns.js';
import { SplitSequence } from '../../../algorithms/block-wiedemann/split-sequence.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { planted } from '../expected/matrices.js';

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
  const holds = (): boolean => split.check.recheck(blocksOfBoth(split));
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
