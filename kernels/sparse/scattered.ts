/**
 * How a product reads X: whether rows of A that run at about the same time share lines of the cache.
 *
 *   window   rows nearby, of which a few are sampled          line   rows of X side by side
 */
import type { RowRuns } from './formats/row-runs.js';

/**
 * Rows that run at about the same time, rows of X that a line or two of the cache hold, and windows that are sampled.
 */
const WINDOW = 64;
const LINE = 4;
const SAMPLES = 64;

/** Whether most reads of X are of lines that rows nearby do not read. */
export function isScattered({ rows, cols, starts, ends, colIdx }: RowRuns): boolean {
  const seen = new Uint8Array(Math.ceil(cols / LINE)); // by line, the last window that has read it
  let [reads, lines] = [0, 0];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const first = Math.floor((sample * Math.max(0, rows - WINDOW)) / SAMPLES);
    for (let i = first; i < Math.min(rows, first + WINDOW); i++) {
      reads += ends[i] - starts[i];
      lines += countLines(colIdx, starts[i], ends[i], sample + 1, seen);
    }
  }
  return 2 * lines > reads;
}

/** A loop of its own: kernels/sparse/residue-matrix.ts. */
function countLines(colIdx: Uint32Array, begin: number, end: number, mark: number, seen: Uint8Array): number {
  let lines = 0;
  for (let k = begin; k < end; k++) {
    const line = Math.floor(colIdx[k] / LINE);
    if (seen[line] === mark) continue;
    seen[line] = mark;
    lines++;
  }
  return lines;
}
