/**
 * A matrix as panels of columns, multiplied one after another: A·X = Σ A_q·X_q with X_q so short that its addresses stay known.
 *
 *   rowBytes : of a row of X      panels = min(⌈bytes of X / PANEL⌉, ⌊entries a row / (rowBytes / READS)⌋), 1 up to WHOLE·PANEL
 *
 * Random reads of X are bound by the translation of addresses before any cache is: on an H200 (2026-11-21) they ran at 138 a
 * nanosecond within 8 MB, 69 within 16, 56 within 32 and 45 within 256, for reads of 4 as for reads of 64 bytes; 8 MB in 128
 * pieces spread over 256 MB ran at 53, in 4 pieces at 114. As if four translations of 2 MB each were at hand, and a missing
 * one cost as much as three reads. A panel makes them hits, and costs a pass over Y, about 1 ns a KB of it.
 * µs by panels: 4 M x 4 M, 20 entries a row, width 8: 3 1012, 4 894, 5 842, 6 885; width 16: 1 1887, 2 1530, 4 1419, 5 1386,
 * 6 1380, 8 1438; width 32: 1 2104, 2 2008, 3 2094. 2.4 M x 2.1 M, 6.5 a row, width 8: 1 246, 2 210, 3 206; width 16: 1 315,
 * 2 315, 3 338; width 32: 1 416, 2 521. At width 1, X of 16 MB: 1 580, 2 600 and more: columns ascend in all rows alike.
 * The rule draws the line between them. What it needs depends on the width, so panels are stored with the first product of one.
 * Where neighbouring rows read neighbouring rows of X (the hash of block Wiedemann, for one) the cache serves them without:
 * 381024 x 1905120, 10 a row, width 8: a step of the sequence took 109 µs with 2 panels, 89 without.
 */

import type { GpuContext } from '../blocks/gpu-context.js';
import type { GpuVector } from '../blocks/gpu-vector.js';
import { toSlicedEll } from '../sparse/formats/sliced-ell.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
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

/** Rows that run at about the same time, neighbours in X that a line of the cache or two hold, and how many windows are sampled. */
const WINDOW = 64;
const LINE = 4;
const SAMPLES = 64;

/** Whether most reads of X are of lines that rows nearby do not read: only then can panels gain. */
export function isScattered({ rows, rowPtr, colIdx }: ResidueMatrix): boolean {
  let [reads, lines] = [0, 0];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const first = Math.floor((sample * Math.max(0, rows - WINDOW)) / SAMPLES);
    const columns = colIdx.subarray(rowPtr[first], rowPtr[Math.min(rows, first + WINDOW)]);
    reads += columns.length;
    lines += new Set(Array.from(columns, (j) => Math.floor(j / LINE))).size;
  }
  return 2 * lines > reads;
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
    this.panels(1); // what does not fit is to fail here
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
