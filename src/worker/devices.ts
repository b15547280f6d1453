/**
 * Which device a question runs on: the GPU where the caller wants it, or where there is one that is no software and
 * pays.
 *
 * A GPU costs time before it computes (Dawn, pipelines, the matrix's way), so it is taken from GAIN seconds of the
 * CPU's time on.
 */
import { cores, mayHaveGpu } from '#platform';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Device } from '../questions/options.js';
import type { Remote } from './found.js';

/** Multiply-adds of one thread a second. */
const CPU_RATE = 5e9;
const GAIN = 3;

/** Called before a GPU is opened, which waits for it. */
export type Opening = () => Promise<void>;

/** What is known of a matrix that is not there. */
export interface Sizes {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
}

/**
 * nnz · min(rows, cols): the cost of a run in all but a constant. An operator of the caller's counts for its vectors.
 */
function workOf(matrix: SparseMatrix | Remote | Sizes): number {
  const nnz = 'nnz' in matrix ? matrix.nnz : matrix.rows + matrix.cols;
  return nnz * Math.min(matrix.rows, matrix.cols);
}

/** Seconds of a run without pivots, on one thread. */
export function secondsOf(matrix: SparseMatrix | Remote | Sizes): number {
  return workOf(matrix) / CPU_RATE;
}

/** Whether a run with the matrix may take a GPU; on the CPU its vectors stay. */
export function mayTakeGpu(matrix: SparseMatrix | Remote | Sizes, device: Device): boolean {
  if (device !== 'auto') return device === 'gpu';
  // A caller's operator multiplies on the host: on a GPU its vectors would travel for nothing.
  const pays = 'nnz' in matrix && workOf(matrix) / (CPU_RATE * cores()) > GAIN;
  return pays && mayHaveGpu();
}

/**
 * The GPU to use, `open` if it is still good; undefined for the CPU. Throws when 'gpu' is asked for and is not there.
 */
export async function deviceFor(
  matrix: SparseMatrix | Remote | Sizes,
  device: Device,
  open: GpuDevice | undefined,
  onOpening: Opening,
): Promise<GpuDevice | undefined> {
  if (!mayTakeGpu(matrix, device)) return undefined;
  return device === 'gpu' ? openGpu('gpu', open, onOpening) : hardwareGpu(open, onOpening);
}

/** The same for work that the host would take `seconds` for. */
export async function deviceWorth(
  seconds: number,
  device: Device,
  open: GpuDevice | undefined,
  onOpening: Opening,
): Promise<GpuDevice | undefined> {
  if (device === 'gpu') return openGpu('gpu', open, onOpening);
  return device === 'auto' && seconds > GAIN && mayHaveGpu() ? hardwareGpu(open, onOpening) : undefined;
}

/** `open` if it is still good and no software, or one that is opened now, if there is one. */
export async function hardwareGpu(open: GpuDevice | undefined, onOpening: Opening): Promise<GpuDevice | undefined> {
  const gpu = await openGpu('auto', open, onOpening);
  if (!gpu?.software) return gpu;
  if (gpu !== open) gpu.dispose();
  return undefined;
}

/** `open` if it is still good, or one that is opened now; undefined only for 'auto'. */
export async function openGpu(
  device: Device,
  open: GpuDevice | undefined,
  onOpening: Opening,
): Promise<GpuDevice | undefined> {
  if (open?.usable) return open;
  await onOpening();
  try {
    const { GpuDevice } = await import('../../kernels/gpu/device.js');
    return await GpuDevice.open();
  } catch (error) {
    if (device === 'gpu') throw error;
    return undefined; // 'auto' promises nothing
  }
}
