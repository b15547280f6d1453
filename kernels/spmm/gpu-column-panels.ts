/**
 * A matrix as panels of columns, multiplied one after another: A·X = Σ A_q·X_q with X_q so short that its addresses
 * stay known.
 *
 *   rowBytes : of a row of X
 *   panels = min(⌈bytes of X / PANEL⌉, ⌊entries a row / (rowBytes / READS)⌋), 1 up to WHOLE·PANEL
 *
 * The translation of addresses bounds random reads of X before any cache does: a read within a few megabytes costs a
 * third of one spread over more. A panel makes its reads hits, and costs a pass over Y. Rows whose neighbours read the
 * same lines of X gain nothing from panels (`isScattered`). The number of panels depends on the width, so the first
 * product of a width stores them. The constants divide the measurements of test/bench/RESULTS.md#gpu-spmm.
 */

import type { GpuContext } from '../blocks/gpu-context.js';
import type { GpuVector } from '../blocks/gpu-vector.js';
import { toSlicedEll } from '../sparse/formats/sliced-ell.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { isScattered } from '../sparse/scattered.js';
import type { StoredMatrix } from './gpu-operator.js';
import { GpuSlicedEll } from './gpu-sliced-ell.js';

const PANEL = 13 * 2 ** 20;
const WHOLE = 1.3;
const READS = 8;

export function panelCount(rows: number, cols: number, nnz: number, rowBytes: number, panelBytes = PANEL): number {
  const bytes = cols * rowBytes;
  if (bytes <= WHOLE * panelBytes) return 1;
  const wanted = Math.ceil(bytes / panelBytes);
  const worth = Math.floor(((nnz / Math.max(rows, 1)) * READS) / rowBytes);
  return Math.max(1, Math.min(wanted, worth));
}

/** Bytes of a row of a vector of the usual widths. */
const ROW_BYTES = [4, 8, 16, 32, 64, 128, 256];

/** In panels where they may gain at some width; else as a whole, and the matrix itself need not be kept. */
export function storeSliced(context: GpuContext, matrix: ResidueMatrix): StoredMatrix {
  const { rows, cols, colIdx } = matrix;
  const mayGain = ROW_BYTES.some((bytes) => panelCount(rows, cols, colIdx.length, bytes) > 1) && isScattered(matrix);
  return mayGain ? new GpuPanels(context, matrix) : store(context, matrix);
}

function store(context: GpuContext, matrix: ResidueMatrix): GpuSlicedEll {
  return new GpuSlicedEll(context, toSlicedEll(matrix, context.field.p, context.gpu.maxBindingBytes));
}

export class GpuPanels implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly matrix: ResidueMatrix;
  private readonly panelBytes: number;
  private readonly stored = new Map<number, GpuSlicedEll[]>(); // by the number of panels

  constructor(context: GpuContext, matrix: ResidueMatrix, panelBytes = PANEL) {
    this.panelBytes = panelBytes;
    this.context = context;
    this.matrix = matrix;
    this.panels(1); // a matrix that does not fit fails here
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): void {
    const { rows, cols, colIdx } = this.matrix;
    const rowBytes = x.bytes / Math.max(x.length, 1);
    this.panels(panelCount(rows, cols, colIdx.length, rowBytes, this.panelBytes)).forEach((panel, q) => {
      panel.multiply(y, x, alpha, q === 0 ? beta : 1);
    });
  }

  free(): void {
    for (const panels of this.stored.values()) for (const panel of panels) panel.free();
  }

  private panels(count: number): GpuSlicedEll[] {
    const known = this.stored.get(count);
    if (known) return known;
    const { context, matrix } = this;
    const made = cutColumns(matrix, count).map((panel) => store(context, panel));
    this.stored.set(count, made);
    return made;
  }
}

/** The matrix cut at multiples of cols / count; columns keep their numbers. */
export function cutColumns(a: ResidueMatrix, count: number): ResidueMatrix[] {
  if (count === 1) return [a];
  const { rows, cols, rowPtr, colIdx, values } = a;
  const next = rowPtr.slice(0, rows); // the first entry of each row that no panel has taken
  return Array.from({ length: count }, (_, q) => {
    const end = Math.floor(((q + 1) * cols) / count);
    const ptr = new Uint32Array(rows + 1);
    for (let i = 0; i < rows; i++) {
      let k = next[i];
      while (k < rowPtr[i + 1] && colIdx[k] < end) k++;
      ptr[i + 1] = ptr[i] + k - next[i];
    }
    const part = { rows, cols, rowPtr: ptr, colIdx: new Uint32Array(ptr[rows]), values: new Uint32Array(ptr[rows]) };
    for (let i = 0, to = 0; i < rows; i++) {
      for (; to < ptr[i + 1]; to++) {
        part.colIdx[to] = colIdx[next[i]];
        part.values[to] = values[next[i]++];
      }
    }
    return part;
  });
}
