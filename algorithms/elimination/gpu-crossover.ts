/**
 * When dense rows are eliminated on a GPU instead of by the threads.
 *
 * A GPU is ahead from small sizes on: 4000 x 4000 takes an H200 32 ms mod 65521 and 55 ms mod 2147483629, and 16 threads of a Xeon
 * beside it 328 and 978 (2026-11-21, test/bench/gpu-pluq.mjs). But its kernels have to be compiled first, 0.4 s in a process that
 * has no cache of them, of which some passes while rows are formed: so it is taken from GAIN products a thread on.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { GpuDenseMatrix } from '../../kernels/gpu/gpu-dense-matrix.js';
import type { GpuDevice } from '../../kernels/gpu/gpu-device.js';

/** rows · cols · the smaller of them, on one thread: 0.3 s. */
const GAIN = { narrow: 1.5e10, wide: 4e9 };

/** A GPU that dense rows may be eliminated on. */
export interface DenseGpu {
  readonly gpu: GpuDevice;
  /** Why the threads do it all the same; null where they do not. */
  reasonForThreads(field: WordPrime, rows: number, cols: number, threads: number): string | null;
}

export function denseGpu(gpu: GpuDevice): DenseGpu {
  return { gpu, reasonForThreads: (...what) => reasonForThreads(gpu, ...what) };
}

function reasonForThreads(
  gpu: GpuDevice,
  field: WordPrime,
  rows: number,
  cols: number,
  threads: number,
): string | null {
  if (field.p === 2) return 'bits are eliminated there';
  if (gpu.software) return `${gpu.name} is slower`;
  if (!gpu.languageFeatures.has('packed_4x8_integer_dot_product')) return `${gpu.name} has no products of bytes`;
  const bytes = rows * GpuDenseMatrix.bytesOfRow(field, cols);
  if (bytes > gpu.maxBindingBytes) {
    const [need, have] = [bytes, gpu.maxBindingBytes].map((size) => Math.round(size / 2 ** 20));
    return `${need} MB are more than the ${have} that ${gpu.name} takes in one piece`;
  }
  const gain = field.narrow ? GAIN.narrow : GAIN.wide;
  return rows * cols * Math.min(rows, cols) > gain * threads ? null : 'they are faster on so few';
}
