/** The kernels on batches of block matrices, on threads and on a GPU, against their slow twin. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import {
  BLOCK_SIZES,
  type BlockBatch,
  type BlockKernels,
  joinMatrices,
  type TallBlock,
} from '../../../kernels/block-sparse/block-batch.js';
import { CpuBlockKernels } from '../../../kernels/block-sparse/cpu-block-kernels.js';
import { GpuBlockKernels } from '../../../kernels/block-sparse/gpu-block-kernels.js';
import type { BlockMatrix, Sign } from '../../../kernels/block-sparse/reference.js';
import { ReferenceBlockKernels } from '../../../kernels/block-sparse/reference-block-kernels.js';
import { Team } from '../../../kernels/threads/team.js';
import { skipOf, testGpu } from '../../gpu.js';
import { share } from '../../share.js';
import * as cases from './cases.js';

const PRIMES = [2, 3, 65521, 65537, 2147483629, 2147483647];

/** A band, an arrow down, one up (with fill), all blocks, the diagonal alone; n = 0 … 5 in turn. */
const SHAPES: readonly ((i: number, j: number, n: number) => boolean)[] = [
  (i, j) => Math.abs(i - j) <= 1,
  (i, j, n) => i === j || i === n - 1 || j === n - 1,
  (i, j) => i === j || i === 0 || j === 0,
  () => true,
  (i, j) => i === j,
];

function factorable(field: WordPrime, b: number, count: number): BlockMatrix[] {
  return Array.from({ length: count }, (_, k) => {
    const n = (k + 1) % 6;
    const pattern = cases.patternWhere(n, (i, j) => SHAPES[k % SHAPES.length]!(i, j, n));
    return cases.factorable(field, pattern, b, k);
  });
}

/** Also patterns that lack whole rows, columns and diagonal blocks; the largest residues in one. */
function multiplied({ p }: WordPrime, b: number, count: number): BlockMatrix[] {
  return Array.from({ length: count }, (_, k) => {
    const n = k % 5;
    const random = new CounterRandom(5, k);
    const pattern = cases.patternWhere(n, (i, j) => i !== 1 && j !== 2 && random.residueAt(i * n + j, 3) > 0);
    const drawn = cases.randomMatrix(pattern, b, p, k);
    if (k === 3) drawn.values.fill(p - 1);
    return drawn;
  });
}

/**
 * Rows of 0 to 11 blocks, of which neighbours differ, one with all, some without a diagonal block; problems of 24, 1, 7
 * and no block rows. The columns are as unequal.
 */
function unequal({ p }: WordPrime, b: number): BlockMatrix[] {
  return [24, 1, 7, 0].map((n, k) => {
    const pattern = cases.patternWhere(n, (i, j) => i === 17 || (i * 7 + j * 5) % 24 < Math.min(i * 5, j * 7) % 12);
    return cases.randomMatrix(pattern, b, p, k);
  });
}

const DEVICES: Readonly<Record<string, (field: WordPrime, batch: BlockBatch) => Promise<BlockKernels>>> = {
  cpu: async (field, batch) => new CpuBlockKernels(team, field, batch),
  gpu: async (field, batch) => new GpuBlockKernels(await testGpu(), field, batch),
  full: async (field, batch) => new GpuBlockKernels(await testGpu(), field, batch, { filled: 0 }), // a GPU
};

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** Tall blocks of random residues, the first rows all p − 1. */
function talls({ pattern, b }: BlockBatch, p: number, width: number): [Uint32Array, Uint32Array] {
  const length = pattern.n * b * width;
  const [x, y] = [1, 2].map((stream) => cases.randomResidues(length, p, stream)) as [Uint32Array, Uint32Array];
  return [x.fill(p - 1, 0, 4 * b * width), y];
}

/** Everything that the products give. */
async function products(kernels: BlockKernels, batch: BlockBatch, p: number, w: number): Promise<Uint32Array[]> {
  const [x, y] = talls(batch, p, w);
  const m = cases.randomResidues((batch.starts.length - 1) * w * w, p, 3);
  const out: Uint32Array[] = [];
  for (const sign of [1, -1] as const) {
    const [from, to] = [kernels.tall(w, x), kernels.tall(w, y)];
    kernels.addTallProduct(to, from, m, sign);
    out.push(await kernels.read(to), await kernels.dotTall(from, to));
    for (const choice of [0, 1, 2, 3]) {
      const [transposed, diagonal] = [(choice & 1) > 0, (choice & 2) > 0];
      kernels.addBlockProduct(to, from, { sign: sign as Sign, transposed, diagonal });
      out.push(await kernels.read(to));
    }
    kernels.release(from);
    kernels.release(to);
  }
  out.push(await kernels.read(kernels.tall(w)));
  return out;
}

async function solutions(kernels: BlockKernels, batch: BlockBatch, p: number, w: number) {
  const singular = await kernels.factor();
  const x = kernels.tall(w, talls(batch, p, w)[0]);
  kernels.substitute(x);
  return { singular, x: await kernels.read(x) };
}

async function compare<T>(
  device: string,
  field: WordPrime,
  batch: BlockBatch,
  ask: (kernels: BlockKernels) => Promise<T>,
): Promise<T> {
  const [twin, kernels] = [new ReferenceBlockKernels(field, batch), await DEVICES[device]!(field, batch)];
  const [expected, got] = [await ask(twin), await ask(kernels)];
  kernels.free();
  expect(got).toEqual(expected);
  return got;
}

describe.each(['cpu', 'gpu'])('on %s', (device) => {
  beforeEach(skipOf(device));

  describe.each(PRIMES)('mod %i', (p) => {
    const field = WordPrime.of(p);
    const sizes = device === 'cpu' ? BLOCK_SIZES : share(BLOCK_SIZES, PRIMES.indexOf(p), 3);

    test.each(sizes)('products with blocks of %i, in batches of 0, 1 and 30 problems', async (b) => {
      for (const [count, w] of [
        [0, 4],
        [1, 12],
        [4, 32],
        [30, 4],
      ] as const) {
        const batch = joinMatrices(b, multiplied(field, b, count));
        await compare(device, field, batch, (kernels) => products(kernels, batch, p, w));
      }
    });

    test.each(sizes)('products with blocks of %i and rows of unequal lengths', async (b) => {
      const batch = joinMatrices(b, unequal(field, b));
      const on = device === 'gpu' ? 'full' : device;
      for (const w of [4, 8, 20]) await compare(on, field, batch, (kernels) => products(kernels, batch, p, w));
    });

    test.each(sizes)('factors and solutions with blocks of %i, in batches of 0, 1 and more problems', async (b) => {
      // Software takes long for large blocks: four problems have as many shapes.
      for (const [count, w] of [
        [0, 4],
        [1, 20],
        [b > 8 ? 4 : 30, 4],
      ] as const) {
        const batch = joinMatrices(b, factorable(field, b, count));
        const { singular } = await compare(device, field, batch, (kernels) => solutions(kernels, batch, p, w));
        expect(singular.every((row) => row === -1)).toBe(true);
      }
    });
  });

  test.each([65521, 2147483647])('dot products of many rows of the largest residues, mod %i', async (p) => {
    const field = WordPrime.of(p);
    const none = (n: number) => cases.patternWhere(n, () => false);
    const empty = (n: number): BlockMatrix => cases.randomMatrix(none(n), 4, p, 1);
    const batch = joinMatrices(4, [empty(150), empty(3), empty(0), empty(65)]); // in 3 parts, 1, none, 2
    await compare(device, field, batch, async (kernels) => {
      const x = kernels.tall(4, new Uint32Array(batch.pattern.n * 16).fill(p - 1));
      return kernels.dotTall(x, x);
    });
  });

  test('a problem with a singular pivot block is named, and leaves the others alone', async () => {
    const field = WordPrime.of(65521);
    const problems = factorable(field, 4, 8);
    const last = problems[2]!; // 3 block rows, an arrow up
    const at = last.pattern.diagonal[0]! * 16;
    last.values.copyWithin(at, at + 4, at + 8); // two equal rows
    const same = { b: 4, pattern: cases.patternWhere(2, () => true), values: new Uint32Array(64) };
    for (let s = 0; s < 4; s++) for (let r = 0; r < 4; r++) same.values[s * 16 + r * 5] = 1; // (I I; I I)
    const batch = joinMatrices(4, [...problems, same]);
    const { singular } = await compare(device, field, batch, (kernels) => solutions(kernels, batch, 65521, 4));
    expect(Array.from(singular)).toEqual([-1, -1, 0, -1, -1, -1, -1, -1, 1]);
  });

  test('what no kernel takes is refused', async () => {
    const field = WordPrime.of(7);
    const make = (b: number, rows: number[][]): Promise<BlockKernels> => {
      const pattern = cases.patternOf(rows);
      return DEVICES[device]!(field, joinMatrices(b, [cases.randomMatrix(pattern, b, 7, 1)]));
    };
    await expect(make(5, [[0]])).rejects.toThrow('expected blocks of 4, 8, 16, 32, got 5');
    const kernels = await make(4, [[0], [0]]);
    await expect(kernels.factor()).rejects.toThrow('lacks diagonal block 1');
    for (const width of [0, 6, 36]) expect(() => kernels.tall(width)).toThrow(`got ${width}`);
    kernels.free();
  });
});

test('matrices with blocks of different sizes make no batch', () => {
  const one = (b: number): BlockMatrix => cases.randomMatrix(cases.patternOf([[0]]), b, 7, 1);
  expect(() => joinMatrices(4, [one(4), one(8)])).toThrow('expected blocks of 4, got 8 in problem 1');
});

describe('what a GPU is given', () => {
  beforeEach(skipOf('gpu'));
  const batchOf = (field: WordPrime, rows: number): BlockBatch =>
    joinMatrices(
      4,
      [rows, 3].map((n, k) =>
        cases.randomMatrix(
          cases.patternWhere(n, (i, j) => i === j),
          4,
          field.p,
          k,
        ),
      ),
    );

  test.each([
    [65521, 2],
    [65537, 4],
  ])('mod %i a residue takes %i bytes', async (p, bytes) => {
    const gpu = await testGpu();
    const batch = batchOf(WordPrime.of(p), 5);
    const kernels = new GpuBlockKernels(gpu, WordPrime.of(p), batch);
    const before = gpu.memory.held;
    const x = kernels.tall(8, cases.randomResidues(8 * 4 * 8, p, 1));
    expect(gpu.memory.held - before).toBe(8 * 4 * 8 * bytes);
    kernels.release(x);
    kernels.free();
    expect(gpu.memory.held).toBeLessThan(before);
  });

  test('lists by length where they are unequal and tall blocks narrow, once for each direction', async () => {
    const gpu = await testGpu();
    const [field, wide] = [65521, 65537].map((p) => WordPrime.of(p)) as [WordPrime, WordPrime];
    /** Bytes that the first product of each width takes, and its transpose. */
    const taken = async (batch: BlockBatch, widths: readonly number[], more = {}, F = field): Promise<number[][]> => {
      const kernels = new GpuBlockKernels(gpu, F, batch, more);
      const bytes = widths.map((w) => {
        const [x, y] = [kernels.tall(w), kernels.tall(w)];
        return [false, true].map((transposed) => {
          const before = gpu.memory.held;
          kernels.addBlockProduct(y, x, { sign: 1, transposed, diagonal: true });
          return gpu.memory.held - before;
        });
      });
      kernels.free();
      return bytes;
    };
    const size = (count: number): number => 4 * count + ((16 - ((4 * count) % 16)) % 16); // of a buffer
    const lists = ({ pattern: { n, blocks } }: BlockBatch): number => size(n + 1) + 2 * size(blocks);
    const batch = joinMatrices(8, unequal(field, 8));
    const grouped = lists(batch) + size(batch.pattern.n);
    // Block rows of 8 · 28 / 4 = 56 invocations and of 64.
    expect(await taken(batch, [4, 28, 32, 8])).toEqual([
      [grouped, grouped],
      [0, 0],
      [0, lists(batch)],
      [0, 0],
    ]);
    expect(await taken(batch, [4], { groups: { rows: false, columns: false } })).toEqual([[0, lists(batch)]]);
    expect(await taken(batch, [4], {}, wide)).toEqual([[grouped, lists(batch)]]); // columns as they come
    expect(await taken(batchOf(field, 40), [4])).toEqual([[0, lists(batchOf(field, 40))]]);
  });

  test.each([65521, 2147483647])(
    'sums of tall blocks and dot products make no buffers of their own, mod %i',
    async (p) => {
      const gpu = await testGpu();
      const field = WordPrime.of(p);
      for (const [rows, dispatches] of [
        [20, 1], // 80 rows: one part
        [80, 2],
      ] as const) {
        const batch = batchOf(field, rows);
        const kernels = new GpuBlockKernels(gpu, field, batch);
        const [x, y] = [1, 2].map((k) => kernels.tall(4, cases.randomResidues((rows + 3) * 16, p, k))) as [
          TallBlock,
          TallBlock,
        ];
        const m = cases.randomResidues(2 * 16, p, 3);
        await kernels.dotTall(x, y);
        const spies = (['buffer', 'write', 'free'] as const).map((name) => vi.spyOn(gpu, name));
        const run = vi.spyOn(gpu, 'run');
        for (let turn = 0; turn < 20; turn++) kernels.addTallProduct(y, x, m, 1);
        expect(run).toHaveBeenCalledTimes(20);
        await kernels.dotTall(x, y);
        expect(run).toHaveBeenCalledTimes(20 + dispatches);
        for (const spy of spies) expect(spy).not.toHaveBeenCalled();
        vi.restoreAllMocks();
        kernels.free();
      }
    },
  );
});
