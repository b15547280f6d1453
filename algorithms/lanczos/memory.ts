/**
 * Bytes that block Lanczos holds beside the matrix as it was read: the matrix in both directions, D and E, seven
 * vectors of n columns of N elements, two of M, and six of s columns of either. Of bits: the matrix with its right
 * sides and once more transposed, L and E, twelve vectors of N words and four of M.
 */
import type { Executor } from '../../kernels/executor.js';
import { hostBytes } from '../../kernels/platform/host-memory.js';
import { ENTRY_BYTES, type ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import { tooMuch } from '../methods/feasible.js';
import { lanczosWidth, TOGETHER } from './attempt.js';
import { MIXING_ENTRIES } from './bit-space.js';
import { BIT_RIGHT_SIDES } from './bit-systems.js';

/** An entry of a matrix: host and kernels, both directions. */
const MATRIX_ENTRY = 4 * ENTRY_BYTES;

/** Why block Lanczos has no room for `columns` right sides or vectors; null where it has. */
export function lanczosObstacle(
  executor: Executor,
  { rows, cols, colIdx }: ResidueMatrix,
  columns: number,
  maxBytes: number = hostBytes(),
): string | null {
  if (executor.field.p === 2) {
    const s = Math.min(BIT_RIGHT_SIDES, columns);
    const entries = 2 * colIdx.length + s * rows + MIXING_ENTRIES * (rows + cols + s);
    return tooMuch('block Lanczos', MATRIX_ENTRY * entries + 8 * (12 * (cols + s) + 4 * rows), maxBytes);
  }
  const working = new WorkingField(executor, 'column');
  const { k } = working;
  const [n, s] = [lanczosWidth(cols, working), Math.min(TOGETHER, columns)];
  const word = executor.field.isU16 ? 2 : 4;
  const vectors = (7 * cols + 2 * rows) * k * n * word + 6 * (rows + cols) * k * s * 4;
  const factors = k * k * (rows + 2 * cols) * MATRIX_ENTRY;
  return tooMuch('block Lanczos', MATRIX_ENTRY * colIdx.length + vectors + factors, maxBytes);
}
