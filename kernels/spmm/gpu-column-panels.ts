/**
 * A matrix as panels of columns, multiplied one after another: A·X = Σ A_q·X_q with X_q so short that its addresses
 * stay known.
 *
 *   rowBytes : of a row of X
 *   panels = min(⌈bytes of X / PANEL⌉, ⌊entries a row / (rowBytes / READS)⌋), 1 up to WHOLE·PANEL, as a rule
 *            ⌈bytes of X / panelBytes⌉ where these are asked for
 *
 * The translation of addresses bounds random reads of X before any cache does: a read within a few megabytes costs a
 * third of one spread over more. A panel makes its reads hits, and costs a pass over Y. Rows whose neighbours read the
 * same lines of X gain nothing from panels (`isScattered`). The number of panels depends on the width, so the first
 * product of a width stores them. The constants divide the measurements of test/bench/RESULTS.md#gpu-spmm.
 */

import type { GpuContext } from '../blocks/gpu-context.js';
import type { GpuVector } from '../blocks/gpu-vector.js';
import type { ProductSizes } from '../sparse/formats/product-sizes.js';
import { countEntries, type RowRuns } from '../sparse/formats/row-runs.js';
import { sliceRows } from '../sparse/formats/slice-rows.js';
import { sliceRowsOnTeam } from '../sparse/formats/slice-rows-team.js';
import { slicedEllOf } from '../sparse/formats/sliced-ell.js';
import { isScattered } from '../sparse/scattered.js';
import { splitColumns } from '../sparse/split-columns.js';
import { GpuBinned, gainsByBins } from './gpu-binned.js';
import type { StoredMatrix } from './gpu-operator.js';
import { GpuSlicedEll } from './gpu-sliced-ell.js';

const PANEL = 13 * 2 ** 20;
const WHOLE = 1.3;
const READS = 8;

export function panelCount(rows: number, cols: number, nnz: number, rowBytes: number): number {
  const bytes = cols * rowBytes;
  if (bytes <= WHOLE * PANEL) return 1;
  const wanted = Math.ceil(bytes / PANEL);
  const worth = Math.floor(((nnz / Math.max(rows, 1)) * READS) / rowBytes);
  return Math.max(1, Math.min(wanted, worth));
}

/** Bytes of a row of a vector of the usual widths. */
const ROW_BYTES = [4, 8, 16, 32, 64, 128, 256];

/**
 * In panels and in bins where these may gain at some width, or panels are asked for; else as a whole, and the matrix
 * itself need not be kept.
 */
export function storeSliced(context: GpuContext, runs: RowRuns, sizes: ProductSizes = {}): StoredMatrix {
  const { rows, cols } = runs;
  const nnz = countEntries(runs);
  const { panelBytes } = sizes;
  const asked = (rowBytes: number): number => Math.max(1, Math.ceil((cols * rowBytes) / panelBytes!));
  const usual = (rowBytes: number): number => panelCount(rows, cols, nnz, rowBytes);
  const mayPanels = ROW_BYTES.some((bytes) => usual(bytes) > 1);
  const mayBins = gainsByBins(runs, nnz);
  const gains = (mayPanels || mayBins) && isScattered(runs);
  const count = panelBytes === undefined ? usual : asked;
  const isPanels = panelBytes !== undefined || (gains && mayPanels);
  const sliced = isPanels ? new GpuPanels(context, runs, count, sizes) : store(context, runs, sizes);
  return gains && mayBins ? new GpuBinned(context, runs, sliced) : sliced;
}

/** On the context's threads where they have room for it. */
function store(context: GpuContext, runs: RowRuns, sizes: ProductSizes): GpuSlicedEll {
  const { team, field, gpu } = context;
  const onTeam = team ? sliceRowsOnTeam(team, runs, field.p, gpu.maxBindingBytes, sizes) : null;
  const rows = onTeam ?? sliceRows(runs, field.p, gpu.maxBindingBytes, sizes);
  try {
    return new GpuSlicedEll(context, slicedEllOf(runs, rows, field.p, gpu.maxBindingBytes), sizes);
  } finally {
    onTeam?.release();
  }
}

export class GpuPanels implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly count: (rowBytes: number) => number;
  private readonly sizes: ProductSizes;
  private readonly lend: <T>(work: (runs: RowRuns) => T) => T;
  private readonly stored = new Map<number, GpuSlicedEll[]>(); // by the number of panels

  /** `count`: panels for rows of X of so many bytes. */
  constructor(context: GpuContext, runs: RowRuns, count: (rowBytes: number) => number, sizes: ProductSizes) {
    this.count = count;
    this.context = context;
    this.sizes = sizes;
    this.lend = runs.lend ?? ((work) => work(runs));
    this.stored.set(1, [store(context, runs, sizes)]); // a matrix that does not fit fails here
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): void {
    const rowBytes = x.bytes / Math.max(x.length, 1);
    this.panels(this.count(rowBytes)).forEach((panel, q) => {
      panel.multiply(y, x, alpha, q === 0 ? beta : 1);
    });
  }

  free(): void {
    for (const panels of this.stored.values()) for (const panel of panels) panel.free();
  }

  private panels(count: number): GpuSlicedEll[] {
    const known = this.stored.get(count);
    if (known) return known;
    const made = this.lend((runs) => cutColumns(runs, count).map((panel) => store(this.context, panel, this.sizes)));
    this.stored.set(count, made);
    return made;
  }
}

/** The matrix cut at multiples of cols / count; columns keep their numbers. */
export function cutColumns(a: RowRuns, count: number): RowRuns[] {
  return splitColumns(
    a,
    Array.from({ length: count - 1 }, (_, q) => Math.floor(((q + 1) * a.cols) / count)),
  );
}
