/**
 * A matrix as panels of columns, multiplied one after another: A·X = Σ A_q·X_q with X_q short enough for the second cache.
 *
 *   rowBytes : of a row of X      panels = min(⌈bytes of X / PANEL⌉, ⌊entries a row / (rowBytes / READS)⌋), at least 1
 *
 * A panel turns random reads of memory into hits, and costs a pass over Y. Random matrices on an H200 (60 MB of cache),
 * 2026-11-21, µs without panels and with: 2.4 M x 2.1 M, 6.5 entries a row, width 8: 256 and 237 (2 panels), width 16: 326
 * and 385; 4 M x 4 M, 20 a row, width 8: 1400 and 1020 (4), width 16: 1750 to 1920 and 1660, width 32: 2020 and 2800. The
 * rule draws the line between them. What it needs depends on the width, so panels are stored with the first product of one.
 * Where neighbouring rows read neighbouring rows of X (the hash of block Wiedemann, for one) the cache serves them without:
 * 381024 x 1905120, 10 a row, width 8: a step of the sequence took 109 µs with 2 panels, 89 without.
 */
import type { ResidueMatrix } from '../residue-matrix.js';
import type { GpuContext } from './gpu-context.js';
import { GpuRows, type StoredMatrix } from './gpu-rows.js';
import type { GpuVector } from './gpu-vector.js';
import { slicedRows } from './sliced-rows.js';

const PANEL = 17 * 2 ** 20;
const READS = 6;

export function panelCount(rows: number, cols: number, nnz: number, rowBytes: number, panelBytes = PANEL): number {
  const wanted = Math.ceil((cols * rowBytes) / panelBytes);
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

export class GpuPanels implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly matrix: ResidueMatrix;
  private readonly panelBytes: number;
  private readonly stored = new Map<number, GpuRows[]>(); // by the number of panels

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

  private panels(count: number): GpuRows[] {
    const known = this.stored.get(count);
    if (known) return known;
    const { context, matrix } = this;
    const made = columnPanels(matrix, count).map(
      (panel) => new GpuRows(context, slicedRows(panel, context.field.p, context.gpu.maxBindingBytes)),
    );
    this.stored.set(count, made);
    return made;
  }
}

/** The matrix cut at multiples of cols / count; columns keep their numbers. */
export function columnPanels(a: ResidueMatrix, count: number): ResidueMatrix[] {
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
