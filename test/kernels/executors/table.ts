/**
 * The executors under test, with the primes and widths that each is worth, and their comparison with the reference
 * executor.
 */
import { expect } from 'vitest';
import { ExtensionField } from '../../../fields/extension.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { FORMAT_NAMES, type FormatName } from '../../../kernels/sparse/formats/index.js';
import { testGpu } from '../../gpu.js';
import { concat, PRIMES, WIDTHS } from './cases.js';

type Make = (field: WordPrime, extension: ExtensionField | null) => Promise<Executor>;

/**
 * Orders 2^k: a byte a code, half and full, tables shorter than a vector. What is a number below p there is a code
 * here.
 */
export const CODES = [4, 8, 32, 128, 256];

/** Software shaders are compiled anew for every prime and width: theirs are the first and last of each kind. */
const GPU_PRIMES = [2, 3, 65521, 65537, 2147483647];
const GPU_WIDTHS = [1, 3, 4, 8, 16, 20, 32, 64];

export const EXECUTORS: [name: string, make: Make, primes: number[], widths: number[]][] = [
  ['cpu', (field) => CpuExecutor.create(field), PRIMES, WIDTHS],
  [
    'cpu in codes of GF(q)',
    async (field, extension) => (await CpuExecutor.create(field)).over(extension!)!,
    [4, 8, 32, 256],
    WIDTHS,
  ],
  ['gpu', async (field) => GpuExecutor.create(field, { device: await testGpu() }), GPU_PRIMES, GPU_WIDTHS],
];

/** The formats of the executor of this name: a GPU runs no compiled rows. */
export function formatsOf(name: string): readonly FormatName[] {
  return FORMAT_NAMES.filter((storage) => storage !== 'jit' || !name.startsWith('gpu'));
}

/** F_p, and GF(2^k) above it where p is one of CODES. */
export function fieldOf(p: number): [WordPrime, ExtensionField | null] {
  const extension = CODES.includes(p) ? new ExtensionField(2, Math.log2(p)) : null;
  return [WordPrime.of(extension ? 2 : p), extension];
}

/** Does the same on the reference executor and on another one, and compares what `work` returns. */
export async function same(
  make: Make,
  p: number,
  work: (executor: Executor) => Uint32Array | Promise<Uint32Array>,
): Promise<void> {
  const [field, extension] = fieldOf(p);
  const executor = await make(field, extension);
  const got = await work(executor);
  executor.dispose();
  const expected = await work(new ReferenceExecutor(field, extension));
  // Typed arrays of some thousand residues: toEqual is slow on them.
  const at = expected.findIndex((v, i) => v !== got[i]);
  expect(got.length).toBe(expected.length);
  expect([at, got[at]]).toEqual([at, expected[at]]);
}

/** Both vectors, one after the other. */
export async function joinReads(executor: Executor, a: BlockVector, b: BlockVector): Promise<Uint32Array> {
  return concat(await executor.read(a), await executor.read(b));
}
