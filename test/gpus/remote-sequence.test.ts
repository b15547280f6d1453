/** The sequence of another process, on this side: its blocks against the digests that came with them. */
import { expect, test } from 'vitest';
import { BlockDigests } from '../../algorithms/block-wiedemann/block-digests.js';
import { blocksOf, stacked } from '../../algorithms/block-wiedemann/growing-blocks.js';
import type { SequenceTask } from '../../algorithms/block-wiedemann/krylov-columns.js';
import { searchedBlocks } from '../../algorithms/block-wiedemann/krylov-steps.js';
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
  expect(whole.check.recheck(searchedBlocks(whole))).toBe(true);
  for (const at of [0, 7 * M * N, s.length - 1]) {
    const wrong = s.slice();
    wrong[at]! ^= 1;
    const spoilt = received(wrong);
    expect(spoilt.check.recheck(searchedBlocks(spoilt)), `word ${at}`).toBe(false);
  }
  whole.s.at(9)[3]! ^= 1;
  expect(whole.check.recheck(searchedBlocks(whole))).toBe(false);
  whole.s.at(9)[3]! ^= 1;
  if (rows > 0) whole.t.at(19)[0]! ^= 1;
  expect(whole.check.recheck(searchedBlocks(whole))).toBe(rows === 0);
});

test.each([
  ['checked: with the digest of their interval', true, [0, 8]],
  ['not checked: as they come', false, [7, 8]],
])('blocks are given that are %s', async (_, checked, [first, second]) => {
  const shape = { m: M, n: N, s: 0, shift: 1 as const };
  const task: SequenceTask = { preconditioner: 'hash', seed: 1n, shape, length: 8, moments: 0, checked };
  const sequence = new RemoteSequence({ tell: async () => {}, ask: async () => {}, forget: () => {} }, task);
  const sent = words(8 * M * N, 1);
  const digests = new BlockDigests('S', 8);
  digests.addAll(blocksOf(sent, M * N));
  const send = (from: number, end: number): void => {
    const known = checked ? digests.within(0, end) : [];
    const own = { s: sent.slice(from * M * N, end * M * N), t: new Uint32Array(0) };
    sequence.take({ kind: 'blocks', ...own, adjoint: true, seconds: 1, checks: { passed: 1, failed: 0, known } });
  };
  let given = 0;
  const going = sequence.extend(
    7,
    0,
    () => {},
    () => {},
  );
  const asked = going.then(() => {
    given = sequence.s.count;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  send(0, 7);
  await turn();
  expect(given).toBe(first);
  send(7, 8);
  await asked;
  expect(Math.max(given, sequence.s.count)).toBe(second);
  sequence.s.at(6)[0]! ^= 1;
  expect(sequence.check.recheck(sequence.s)).toBe(!checked);
});
