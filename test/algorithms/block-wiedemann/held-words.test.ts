/**
 * Memory that errs between the check of what is kept and its use: words of vectors that are no codes, blocks that
 * change while others are read, and pieces of which only some serve.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { GrowingBlocks } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import { type KeptSequence, SequenceKeeper } from '../../../algorithms/block-wiedemann/kept-sequence.js';
import { lengthOfParts, stageOfMatrix } from '../../../algorithms/block-wiedemann/stages.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { bytesOf } from '../../../algorithms/checkpoint/words.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { deficientMatrix } from './deficient-matrix.js';
import { MemoryStore } from './memory-store.js';

const [SIZE, RANK] = [60, 47];
const BLOCK = { m: 4, n: 2 };
const LOST = 'blocks of the sequence are lost: it is made again from its start';

afterEach(() => {
  vi.restoreAllMocks();
});

function checkpointIn(store: MemoryStore, remarks: string[] = []): Checkpoint {
  const stops = async (): Promise<boolean> => false;
  return new Checkpoint(store, 'run', {
    interval: Number.POSITIVE_INFINITY,
    stops,
    remark: (line) => void remarks.push(line),
  });
}

/** One of two parts, or the generator, with so many blocks more than it needs; what was remarked, and its warnings. */
async function stage(store: MemoryStore, p: number, part: number | null, more = 0): Promise<string[]> {
  const remarks: string[] = [];
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const parts = { count: 2, length: lengthOfParts(SIZE, BLOCK, p) + more };
  const hooks = { check: () => {}, onProgress: () => {} };
  const checkpoint = checkpointIn(store, remarks);
  const context = { executor, seed: 1n, ...orderBasisEngines(executor, undefined), ...hooks, checkpoint, parts };
  const { warnings } = await stageOfMatrix(context, deficientMatrix(SIZE, RANK, p), { block: BLOCK }, { part });
  return [...remarks, ...warnings];
}

function nameOf(store: MemoryStore, what: string): string {
  return [...store.arrays.keys()].find((name) => name.includes(what))!;
}

/** What stands behind the heads of pieces and vectors of a part that is made at once, and then further. */
async function longerPart(p: number): Promise<string[]> {
  const store = new MemoryStore();
  await stage(store, p, 0, 30);
  return wordsIn(store);
}

function wordsIn({ arrays }: MemoryStore): string[] {
  const kept = [...arrays].filter(([name]) => /blocks|vectors/.test(name));
  return kept.map(([, bytes]) => bytes.subarray(bytes.indexOf(10) + 1).join());
}

test.each([2, 3, 65521, 2147483629])('mod %i, a word of the vectors that is no code', async (p) => {
  const store = new MemoryStore();
  await stage(store, p, 0);
  const name = nameOf(store, 'vectors');
  const { fields, bytes } = (await checkpointIn(store).recall(name))!;
  const changed = bytes.slice();
  changed[3]! ^= 0x80;
  await checkpointIn(store).keep(name, fields, changed);
  const met = expect.stringMatching(/^vectors behind \d+ steps are not those that were checked$/);
  expect(await stage(store, p, 0, 30)).toEqual([met, LOST]);
  expect(wordsIn(store)).toEqual(expect.arrayContaining(await longerPart(p)));
});

test.each([2, 65521])('mod %i, a word of blocks behind their comparison, before others follow', async (p) => {
  const store = new MemoryStore();
  await stage(store, p, 0);
  const { append } = GrowingBlocks.prototype;
  vi.spyOn(GrowingBlocks.prototype, 'append').mockImplementationOnce(function (this: GrowingBlocks, blocks) {
    append.call(this, blocks);
    this.at(this.count >> 1)[0]! ^= 1;
  });
  expect(await stage(store, p, 0, 30)).toEqual([expect.stringMatching(/^self-checks: 1 failed/)]);
});

test.each([2, 65521])('mod %i, a word of a part that is held while others are read', async (p) => {
  const store = new MemoryStore();
  for (const part of [0, 1]) await stage(store, p, part);
  const right = new MemoryStore();
  for (const [name, bytes] of store.arrays) right.arrays.set(name, bytes.slice());
  await stage(right, p, null);

  const { recall } = SequenceKeeper.prototype;
  let held: KeptSequence | null = null;
  let isChanged = false;
  vi.spyOn(SequenceKeeper.prototype, 'recall').mockImplementation(async function (this: SequenceKeeper, ...asked) {
    if (held !== null && !isChanged) {
      held.s[0]! ^= 1;
      isChanged = true;
    }
    held = await recall.apply(this, asked);
    return held;
  });
  await stage(store, p, null);
  expect(isChanged).toBe(true);
  const name = 'attempt-1-relations';
  expect(store.arrays.get(name)).toEqual(right.arrays.get(name));
});

test('another way through the pieces is taken where one of them is not what was checked', async () => {
  const store = new MemoryStore();
  const remarks: string[] = [];
  const checkpoint = checkpointIn(store, remarks);
  const words = Uint32Array.from({ length: 9 }, (_, i) => i);
  const piece = (from: number, to: number, more: object = {}): Promise<void> => {
    const name = `x-blocks-${[from, to].map((each) => String(each).padStart(9, '0')).join('-')}`;
    return checkpoint.keep(name, { split: to - from, ...more }, bytesOf(words.slice(from, to)));
  };
  const wrong = { known: { read: 'S', interval: 1, digests: [0, 0] } };
  for (const [from, to] of [
    [0, 4],
    [6, 9],
    [0, 2],
    [2, 5],
    [5, 9],
  ] as const)
    await piece(from, to);
  await piece(4, 6, wrong);
  await checkpoint.keep('x-vectors-000000009', { steps: 9, adjoint: null }, bytesOf(Uint32Array.of(7)));
  const kept = await new SequenceKeeper(checkpoint, 'x').recall(1, 0, 1);
  expect(remarks).toEqual(['x-blocks-000000004-000000006 is not what was checked']);
  expect(kept).toMatchObject({ steps: 9, s: words, t: new Uint32Array(0) });
});
