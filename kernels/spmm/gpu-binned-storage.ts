/**
 * Where the entries of a matrix stand whose products with one vector go through bins, on the device.
 *
 *   panel   SIDE columns         bin   SIDE rows         cell   what is in one panel and one bin, filled up to groups
 *   group   eight entries side by side
 *
 *   values, columns, targets : cell after cell of a panel, panel after panel      rows, products : the same of bins
 *   targets[group] : the group among the products of its bin that has its products
 *
 * A value 0 fills a cell up. Panels are cut into tasks, so that no workgroup waits for one that has many entries.
 */
import type { GpuContext } from '../blocks/gpu-context.js';
import { MemoryError } from '../errors/memory-error.js';
import type { GpuBuffer } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import type { RowRuns } from '../sparse/formats/row-runs.js';

const GROUP = 8;

/** Groups of a task: a workgroup's part of X takes as long to be read as some hundred of them. */
const TASK = 4096;

/** Entries that are on their way to the device at one time, at most. */
const BATCH = 2 ** 22;

/** Words that placing knows of a cell. */
const CELL = 3;

export interface BinnedStorage {
  readonly tasks: GpuBuffer;
  readonly taskCount: number;
  readonly targets: GpuBuffer;
  readonly values: GpuBuffer;
  readonly columns: GpuBuffer;
  readonly bins: GpuBuffer; // first group of each bin's products, and behind the last
  readonly binCount: number;
  readonly rows: GpuBuffer;
  readonly products: GpuBuffer;
}

/**
 * null where the budget has no room, and holds nothing then. A device without room says so later, and nothing else
 * fails for that: `hasRoom` is false, and what was stored is to be freed. `side` is a power of two up to 2^16.
 */
export function tryToStore(
  context: GpuContext,
  runs: RowRuns,
  side: number,
): { readonly stored: BinnedStorage | null; readonly hasRoom: Promise<boolean> } {
  const { gpu } = context;
  const { device } = gpu;
  gpu.submit(); // what is recorded fails by itself
  for (const scope of ['validation', 'out-of-memory'] as const) device.pushErrorScope(scope);
  const errors = (): Promise<boolean> => {
    const both = Promise.all([device.popErrorScope(), device.popErrorScope()]);
    return gpu.open.watch(both).then(
      (found) => found.every((error) => error === null),
      () => false, // the device is lost, which its next use says
    );
  };
  try {
    const stored = store(context, runs, side);
    gpu.submit();
    return { stored, hasRoom: errors() };
  } catch (error) {
    const hasRoom = errors();
    if (error instanceof MemoryError) return { stored: null, hasRoom: hasRoom.then(() => false) };
    throw error;
  }
}

export function freeBinned(context: GpuContext, stored: BinnedStorage): void {
  const { tasks, targets, values, columns, bins, rows, products } = stored;
  for (const buffer of [tasks, targets, values, columns, bins, rows, products]) context.free(buffer);
}

/** Throws MemoryError where the budget has no room. */
function store(context: GpuContext, runs: RowRuns, side: number): BinnedStorage {
  const { gpu, field } = context;
  const bins = Math.ceil(runs.rows / side);
  const most = Math.min(BATCH, (runs.ends.at(-1) ?? 0) - (runs.starts[0] ?? 0));
  const { cells, tasks, binStarts, groups } = arrange(countCells(runs, side), bins, side);
  const made: GpuBuffer[] = [];
  const keep = (buffer: GpuBuffer): GpuBuffer => {
    made.push(buffer);
    return buffer;
  };
  const words = (count: number): GpuBuffer => keep(context.buffer(4 * count));
  try {
    const aWord = field.isU16 ? 2 : 1;
    const [targets, columns, rows] = [words(groups), words((groups * GROUP) / 2), words((groups * GROUP) / 2)];
    const [values, products] = [words((groups * GROUP) / aWord), words((groups * GROUP) / aWord)];
    const waiting: GpuBuffer[] = [];
    try {
      const wait = (buffer: GpuBuffer): GpuBuffer => {
        waiting.push(buffer);
        return buffer;
      };
      const [known, entries] = [wait(context.upload(cells)), wait(context.buffer(8 * most))];
      const place = context.plainKernel('binned-place', { SIDE: side, A_WORD: aWord });
      for (const { first, end, begin, stop } of batches(runs, most)) {
        const batch = context.upload(bordersOf(runs, first, end));
        gpu.write(entries, runs.colIdx.subarray(begin, stop));
        gpu.write(entries, runs.values.subarray(begin, stop), 4 * most);
        const buffers = [batch, entries, known, targets, columns, rows, values];
        gpu.run(place, buffers, [first, end - first, begin, most, bins], Math.ceil((end - first) / WORKGROUP));
        gpu.submit();
        context.free(batch);
      }
    } finally {
      for (const buffer of waiting) context.free(buffer);
    }
    return {
      ...{ tasks: keep(context.upload(tasks)), taskCount: tasks.length / 4, targets, values, columns, products },
      ...{ bins: keep(context.upload(binStarts)), binCount: bins, rows },
    };
  } catch (error) {
    for (const buffer of made) context.free(buffer);
    throw error;
  }
}

/** Where the entries of each row begin and end. */
function bordersOf({ starts, ends }: RowRuns, first: number, end: number): Uint32Array {
  const borders = new Uint32Array(2 * (end - first));
  for (let i = first, at = 0; i < end; i++) {
    borders[at++] = starts[i];
    borders[at++] = ends[i];
  }
  return borders;
}

/** Entries of each cell, the bins of a panel side by side. */
function countCells({ rows, cols, starts, ends, colIdx }: RowRuns, side: number): Uint32Array {
  const [bins, shift] = [Math.ceil(rows / side), Math.log2(side)];
  const counts = new Uint32Array(Math.ceil(cols / side) * bins);
  for (let i = 0; i < rows; i++) countRow(colIdx, starts[i], ends[i], shift, bins, i >>> shift, counts);
  return counts;
}

/** A loop of its own: kernels/sparse/residue-matrix.ts. */
function countRow(
  colIdx: Uint32Array,
  begin: number,
  end: number,
  shift: number,
  bins: number,
  bin: number,
  counts: Uint32Array,
): void {
  for (let k = begin; k < end; k++) counts[(colIdx[k] >>> shift) * bins + bin]++;
}

/** Cells as placing takes them, tasks, and the first group of each bin, from the entries of each cell. */
function arrange(counts: Uint32Array, bins: number, side: number) {
  const groupsOf = (cell: number): number => Math.ceil(counts[cell] / GROUP);
  const cells = new Uint32Array(CELL * counts.length);
  const tasks: number[] = [];
  let groups = 0;
  for (let first = 0; first < counts.length; first += bins) {
    const begin = groups;
    for (let cell = first; cell < first + bins; cell++) {
      cells[CELL * cell + 1] = groups;
      groups += groupsOf(cell);
    }
    const parts = Math.ceil((groups - begin) / TASK);
    const cut = (part: number): number => begin + Math.floor(((groups - begin) * part) / parts);
    for (let part = 0; part < parts; part++) tasks.push((first / bins) * side, cut(part), cut(part + 1), 0);
  }
  const binStarts = new Uint32Array(bins + 1);
  for (let bin = 0, at = 0; bin < bins; bin++) {
    for (let cell = bin; cell < counts.length; cell += bins) {
      cells[CELL * cell + 2] = at;
      at += groupsOf(cell);
    }
    binStarts[bin + 1] = at;
  }
  return { cells, tasks: Uint32Array.from(tasks), binStarts, groups };
}

/** Rows with `most` entries, or one row, those between them in the arrays among these. */
function* batches(
  { rows, starts, ends }: RowRuns,
  most: number,
): Generator<Record<'first' | 'end' | 'begin' | 'stop', number>> {
  for (let first = 0, end = 0; first < rows; first = end) {
    const begin = starts[first];
    do end++;
    while (end < rows && ends[end] - begin <= most);
    yield { first, end, begin, stop: ends[end - 1] };
  }
}
