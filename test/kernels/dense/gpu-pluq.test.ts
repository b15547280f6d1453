/** Elimination on the GPU against the CPU's PLUQ, which pluq.test.ts holds to plain elimination. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { DenseMatrix } from '../../../kernels/dense/dense-matrix.js';
import { GpuDenseMatrix } from '../../../kernels/dense/gpu-dense-matrix.js';
import { gpuPluq } from '../../../kernels/dense/gpu-pluq.js';
import { type Pluq, pluq } from '../../../kernels/dense/pluq.js';
import { DeviceError } from '../../../kernels/errors/device-error.js';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { GpuDevice } from '../../../kernels/gpu/device.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, limitedGpu, testGpu } from '../../gpu.js';
import { extremes, planted } from '../executors/cases.js';

const PRIMES = [2, 3, 65521, 65537, 2147483647];
/** Around panels of 64 columns, and tiles of 64 rows and 64 or 128 columns. */
const SHAPES: readonly [number, number][] = [
  [0, 4],
  [4, 0],
  [1, 90],
  [64, 64],
  [130, 65],
  [150, 193],
];

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

type Rows = Uint32Array[];

/** Few entries, whose rows are wherever they fall. */
function sparse(F: WordPrime, m: number, n: number, seed: number): Rows {
  const random = new CounterRandom(seed, 5);
  return Array.from({ length: m }, (_, i) => {
    const row = new Uint32Array(n);
    for (let k = 0; k < 2; k++) row[random.residueAt(4 * i + k, n)] = 1 + random.residueAt(4 * i + 2 + k, F.p - 1);
    return row;
  });
}

function onCpu(F: WordPrime, rows: Rows, cols: number): Pluq {
  const a = new DenseMatrix(team.memory, F, rows.length, cols);
  rows.forEach((row, i) => {
    a.row(i).set(row);
  });
  const found = pluq(team, F, a);
  a.release();
  return found;
}

/** Appended in two parts. */
async function onGpu(gpu: GpuDevice, F: WordPrime, rows: Rows, cols: number): Promise<Pluq> {
  const all = new GpuDenseMatrix(gpu, F, rows.length, cols);
  const half = Math.floor(rows.length / 2);
  for (const part of [rows.slice(0, half), rows.slice(half)]) {
    const a = new DenseMatrix(team.memory, F, part.length, cols);
    part.forEach((row, i) => {
      a.row(i).set(row);
    });
    await all.append(a);
    a.release();
  }
  const found = await gpuPluq(gpu, F, all);
  all.release();
  return found;
}

async function agree(gpu: GpuDevice, F: WordPrime, rows: Rows, cols: number, what: string): Promise<number> {
  const [got, expected] = [await onGpu(gpu, F, rows, cols), onCpu(F, rows, cols)];
  expect(got.rank, what).toBe(expected.rank);
  expect(got.pivotCols, what).toEqual(expected.pivotCols);
  expect(new Set(got.pivotRows).size, what).toBe(got.rank);
  const part = Array.from(got.pivotRows, (i) => Uint32Array.from(got.pivotCols, (j) => rows[i][j]));
  expect(onCpu(F, part, got.rank).rank, what).toBe(got.rank);
  return got.rank;
}

describe.skipIf(gpuMissing)('elimination on the GPU', () => {
  let gpu: GpuDevice;
  beforeAll(async () => {
    gpu = await testGpu();
  });

  test.each(PRIMES)('ranks and pivots mod %i: full, planted rank, rank 0, sparse', async (p) => {
    const F = WordPrime.of(p);
    for (const [m, n] of SHAPES) {
      for (const r of [0, Math.ceil(Math.min(m, n) / 2), Math.max(m, n)]) {
        await agree(gpu, F, planted(F, m, n, r, 100 * m + n + r), n, `${m} x ${n}, rank ${r}`);
      }
      if (n > 0) await agree(gpu, F, sparse(F, m, n, m + n), n, `${m} x ${n}, sparse`);
    }
    const flat = extremes(140 * 100, p, 7);
    const rows = Array.from({ length: 140 }, (_, i) => flat.subarray(i * 100, (i + 1) * 100));
    await agree(gpu, F, rows, 100, 'extremes');
  });

  test.each(PRIMES)('pivots far below the panel, mod %i', async (p) => {
    const F = WordPrime.of(p);
    const reversed = Array.from({ length: 140 }, (_, i) => {
      const row = new Uint32Array(140);
      row[139 - i] = p - 1;
      return row;
    });
    expect(await agree(gpu, F, reversed, 140, 'anti-diagonal')).toBe(140);
  });

  // [1 R; X X·R] has rank 64: the first block is 1, and so X and R themselves are multiplied.
  test.each(PRIMES)('sums as large as they can be, mod %i', async (p) => {
    const F = WordPrime.of(p);
    const [m, n] = [70, 80];
    // The largest residue, and the largest with bytes of 255 below the first.
    for (const x of [p - 1, p > 256 ? p - (p % 2 ** (8 * Math.floor(Math.log2(p) / 8))) - 1 : 0]) {
      const product = F.mul(64 % p, F.mul(x, x));
      const rows = Array.from({ length: 64 + m }, (_, i) => {
        const row = new Uint32Array(64 + n).fill(i < 64 ? x : product, 64);
        if (i < 64) row[i] = 1;
        else row.fill(x, 0, 64);
        return row;
      });
      expect(await agree(gpu, F, rows, 64 + n, `${x}`)).toBe(64);
    }
  });

  test('more workgroups than one dimension takes, and a matrix beyond one binding', async () => {
    const limited = await limitedGpu({ maxBindingBytes: 2 ** 20 + 65536, maxGroups: 3 });
    const F = WordPrime.of(65521);
    expect(await agree(limited, F, planted(F, 150, 300, 130, 5), 300, 'limited')).toBe(130);
    expect(() => new GpuDenseMatrix(limited, F, 1200, 500)).toThrow(MemoryError);
  });

  test('a device that is lost, and a run that is given up', async () => {
    const F = WordPrime.of(65521);
    const lost = await GpuDevice.open();
    const a = new GpuDenseMatrix(lost, F, 100, 100);
    a.rows = 100;
    const running = gpuPluq(lost, F, a);
    lost.device.destroy();
    await expect(running).rejects.toThrow(DeviceError);
    const enough = (): never => {
      throw new RangeError('enough');
    };
    const b = new GpuDenseMatrix(gpu, F, 100, 100);
    b.rows = 100;
    await expect(gpuPluq(gpu, F, b, enough)).rejects.toThrow('enough');
    b.release();
    await expect(b.append({ rows: 1, cols: 100 } as DenseMatrix)).rejects.toThrow('expected at most 0 rows of 100');
  });
});
