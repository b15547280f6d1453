/**
 * The rank of dense rows on a GPU: formed a part at a time in the kernels' memory, while the GPU's kernels are
 * compiled, and eliminated all together (kernels/dense/gpu-pluq.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { GpuDenseMatrix } from '../../kernels/dense/gpu-dense-matrix.js';
import { gpuPluq, prepareGpuPluq } from '../../kernels/dense/gpu-pluq.js';
import { bytesOfRow } from '../../kernels/gf2/bit-matrix.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import type { Team } from '../../kernels/threads/team.js';
import type { FormRows } from './dense-rows.js';

/** Rows that are formed before they are sent on: some for each thread. */
const PART = 1024;

/**
 * The rank of `count` rows, a part of which takes `maxBytes` on the host. Throws MemoryError when the device cannot
 * hold them.
 */
export async function rankOfDenseRowsOnGpu(
  team: Team,
  gpu: GpuDevice,
  field: WordPrime,
  count: number,
  cols: number,
  form: FormRows,
  maxBytes: number,
  check: () => void,
): Promise<number> {
  const atOnce = Math.max(1, Math.min(PART, Math.floor(maxBytes / bytesOfRow(field, cols))));
  const all = new GpuDenseMatrix(gpu, field, count, cols);
  const prepared = prepareGpuPluq(gpu, field);
  prepared.catch(() => undefined); // the await is below
  try {
    for (let first = 0; first < count; first += atOnce) {
      const part = new DenseMatrix(team.memory, field, Math.min(atOnce, count - first), cols);
      try {
        await form(first, part.rows, part, 0);
        await all.append(part);
      } finally {
        part.release();
      }
    }
    await prepared;
    const { rank } = await gpuPluq(gpu, field, all, check);
    return rank;
  } finally {
    all.release();
  }
}
