/** The sequence of another process, on this side: its blocks against the digests that came with them. */
import { expect, test } from 'vitest';
import { BlockDigests } from '../../algorithms/block-wiedemann/block-digests.js';
import { blocksOf, stacked } from '../../algorithms/block-wiedemann/growing-blocks.js';
import { blocksOfBoth } from '../../algorithms/block-wiedemann/krylov.js';
import type { SequenceTask } from '../../algorithms/block-wiedemann/krylov-columns.js';
import { RemoteSequence } from '../../src/gpus/remote-sequence.js';

const [M, N, S, COUNT] = [4, 2, 2, 20];

const words = (count: number, from: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => from + i);

test.each([
  ['with rows of the row space', S],
  ['without', 0],
])('a word that changed on its way, or since, %s', (_, rows) => {
  const task: SequenceTask = {
    preconditioner: 'hash',
    seed: 1n,
    shape: { m: M, n: N, s: rows, shift: 1 },
    length: COUNT,
    moments: COUNT,
  };
  const [s, t] = [words(COUNT * M * N, 1), words(COUNT * rows * N, 10_000)];
  const digests = new BlockDigests(rows > 0 ? 'both' : 'S', 5);
  digests.addAll(rows > 0 ? stacked(blocksOf(s, M * N), blocksOf(t, rows * N)) : blocksOf(s, M * N));
  const received = (sent: Uint32Array): RemoteSequence => {
    const sequence = new RemoteSequence({ tell: async () => {}, ask: async () => {}, forget: () => {} }, task);
    // Messages end within intervals.
    for (let first = 0, known = 0; first < COUNT; first += 7) {
      const end = Math.min(COUNT, first + 7);
      const ending = digests.within(known, end);
      for (const { first, count } of ending) known = first + count;
      const [own, ownT] = [sent.subarray(first * M * N, end * M * N), t.subarray(first * rows * N, end * rows * N)];
      const checks = { passed: 1, failed: 0, known: ending };
      sequence.take({ kind: 'blocks', s: own, t: ownT, adjoint: true, seconds: 1, checks });
    }
    return sequence;
  };
  const whole = received(s);
  expect(whole.check.passed).toBe(1);
  expect(whole.check.recheck(blocksOfBoth(whole))).toBe(true);
  for (const at of [0, 7 * M * N, s.length - 1]) {
    const wrong = s.slice();
    wrong[at]! ^= 1;
    const spoilt = received(wrong);
    expect(spoilt.check.recheck(blocksOfBoth(spoilt)), `word ${at}`).toBe(false);
  }
  whole.s.at(9)[3]! ^= 1;
  expect(whole.check.recheck(blocksOfBoth(whole))).toBe(false);
  whole.s.at(9)[3]! ^= 1;
  if (rows > 0) whole.t.at(19)[0]! ^= 1;
  expect(whole.check.recheck(blocksOfBoth(whole))).toBe(rows === 0);
});
