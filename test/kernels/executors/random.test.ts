/** Random vectors of executors: every residue is that of its place in the stream, as fields/random.ts has it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, ColumnShare, Executor } from '../../../kernels/executor.js';
import { PaneledExecutor } from '../../../kernels/executors/column-panels.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { limitedGpu, skipOf } from '../../gpu.js';
import { CODES, EXECUTORS, fieldOf } from './table.js';

const RESIDUES = [2, 3, 101, 65521, 65537, 2147483629, 1431655777 /* a third of all words is drawn again */];

const SHAPES = [
  [0, 3],
  [1, 1],
  [7, 3],
  [17, 4],
  [33, 8],
  [129, 32],
  [1500, 11 /* several pieces of a thread, and several workgroups */],
] as const;

/** Shares of `width` columns; words of the last are beyond 2^32, and those of a row are on both sides of it. */
const sharesOf = (width: number): (ColumnShare | undefined)[] => [
  undefined,
  { first: 0, of: width },
  { first: 1, of: width + 3 },
  { first: 2 ** 31 - 3, of: 2 ** 31 - 3 + width },
  { first: 2 ** 32 - 1 - width, of: 2 ** 32 - 1 },
];

function expectStream(
  got: Uint32Array,
  v: BlockVector,
  p: number,
  seed: bigint,
  stream: number,
  { first, of }: ColumnShare = { first: 0, of: v.width },
): void {
  const random = new CounterRandom(seed, stream);
  const expected = Array.from({ length: v.length * v.width }, (_, at) => {
    const j = at % v.width;
    return random.residueAt(((at - j) / v.width) * of + first + j, p);
  });
  expect(got.length).toBe(expected.length);
  const wrong = expected.findIndex((value, at) => value !== got[at]);
  expect([v.length, v.width, first, of, wrong, got[wrong]]).toEqual([v.length, v.width, first, of, -1, undefined]);
}

async function draw(executor: Executor, v: BlockVector, p: number, share?: ColumnShare): Promise<void> {
  for (const [seed, stream] of [
    [0n, 0],
    [2n ** 64n - 2n, 2 ** 32 - 1],
  ] as const) {
    executor.random!(v, seed, stream, share);
    expectStream(await executor.read(v), v, p, seed, stream, share);
  }
}

describe.each(EXECUTORS)('%s', (name, make) => {
  beforeEach(skipOf(name));

  test.each(name.includes('codes') ? CODES : RESIDUES)(
    'a random vector and shares of its columns are the stream, below %d',
    async (p) => {
      const [field, extension] = fieldOf(p);
      const executor = await make(field, extension);
      for (const [length, width] of SHAPES) {
        for (const share of sharesOf(width)) {
          const v = executor.vector(length, width);
          await draw(executor, v, p, share);
          executor.release(v);
        }
      }
      executor.dispose();
    },
  );

  test('a view of odd width draws into its vector', async () => {
    const p = name.includes('codes') ? 128 : 65521;
    const executor = await make(...fieldOf(p));
    const v = executor.vector(300, 10);
    const view = executor.view(v, 600, 5);
    await draw(executor, view, p);
    await draw(executor, view, p, { first: 3, of: 9 });
    executor.dispose();
  });

  test('columns that the block does not have are refused by name', async () => {
    const executor = await make(...fieldOf(name.includes('codes') ? 128 : 101));
    const v = executor.vector(3, 4);
    for (const share of [
      { first: -1, of: 4 },
      { first: 1, of: 4 },
      { first: 0, of: 2 ** 32 },
    ]) {
      expect(() => executor.random!(v, 1n, 0, share)).toThrow(/^random: expected 4 columns from/);
    }
    executor.dispose();
  });
});

describe('gpu', () => {
  beforeEach(skipOf('gpu'));

  test('more workgroups than a row of a dispatch has', async () => {
    const device = await limitedGpu({ maxGroups: 3 });
    for (const p of [101, 65537]) {
      const executor = await GpuExecutor.create(WordPrime.of(p), { device });
      await draw(executor, executor.vector(700, 8), p, { first: 1, of: 20 });
      executor.dispose();
    }
  });
});

test.each([1, 2])('a vector in panels draws what a whole one does, on %d threads', async (threads) => {
  const cpu = await CpuExecutor.create(WordPrime.of(101), { threads });
  const paneled = new PaneledExecutor(cpu, 8);
  for (const width of [8, 20]) {
    const v = paneled.vector(300, width);
    await draw(paneled, v, 101);
    await draw(paneled, v, 101, { first: 2, of: 31 });
    paneled.release(v);
  }
  expect(new PaneledExecutor(cpu, 8, 2).random, 'columns of several coordinates are no neighbours').toBeUndefined();
  cpu.dispose();
});
