/**
 * The sizes of a product that a tuner may change (kernels/sparse/formats/product-sizes.ts): which of them a storage has
 * on a device, and the values beside the usual one that make it another storage or another launch for this matrix.
 *
 * Without effect, and left out: cuts that part the same rows as another one, windows beyond one that has all rows,
 * panels of rows of X that fit together into a cache, and launches of a single workgroup.
 */
import { layoutOf } from '../../kernels/blocks/gpu-vector.js';
import type { Executor } from '../../kernels/executor.js';
import type { ProductSizes, SizeName } from '../../kernels/sparse/formats/product-sizes.js';
import { wholeRows } from '../../kernels/sparse/formats/row-runs.js';
import { longestShort, longRows } from '../../kernels/sparse/formats/slice-rows.js';
import { entriesByPanels } from '../../kernels/sparse/long-rows.js';
import { planOf } from '../../kernels/sparse/plan.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { isScattered } from '../../kernels/sparse/scattered.js';
import { chooseGpuFormat } from '../../kernels/spmm/gpu-bcsr.js';
import { panelCount } from '../../kernels/spmm/gpu-column-panels.js';
import type { Storage } from './formats.js';

export interface Degree {
  readonly name: SizeName;
  /** Beside the usual value, with what has been chosen of the degrees before. */
  readonly values: (chosen: ProductSizes) => readonly number[];
  /** Whether they are tried from the least on, up to the first local minimum of the time. */
  readonly isRaised?: boolean;
}

/** Windows by format, without the usual one. */
const WINDOWS: Readonly<Record<string, readonly number[]>> = {
  'csr-sorted': [2 ** 6, 2 ** 8, 2 ** 12, 2 ** 14, 2 ** 17],
  'sell-4': [2 ** 6, 2 ** 10, 2 ** 12, 2 ** 17],
  'sell-32': [2 ** 6, 2 ** 10, 2 ** 12, 2 ** 17],
  'sliced-ell': [2 ** 6, 2 ** 8, 2 ** 10, 2 ** 12],
};
const SLICES = [8, 16, 64, 128];
const CUTS = { cpu: [6, 12, 24, 96, 192], gpu: [8, 16, 32, 64, 128, 255] };
const PANEL_BYTES = [40, 80, 320, 640].map((kilobytes) => kilobytes * 2 ** 10);
const CHUNKS = [1, 4, 64];
const WORKGROUPS = [64, 128, 512];
const ROWS_EACH = [2, 4, 8];

/** Rows of a run, as a rule, from which on there are other numbers of runs. */
const LEAST_RUN = 4;

/** Panels on a GPU: numbers of them, and the bytes of X that each has at least. */
const PANELS = { counts: [1, 2, 4, 8, 16], leastBytes: 2 ** 20 };

/** Workgroups of a dispatch from which they are doubled: one for each of the compute units of a small GPU. */
const FIRST_GROUPS = 32;

export function degreesOf(
  matrix: ResidueMatrix,
  executor: Pick<Executor, 'name' | 'field' | 'threads'>,
  storage: Storage,
  width: number,
): Degree[] {
  if (executor.name === 'gpu') return degreesOnGpu(matrix, executor, storage, width);
  const { p } = executor.field;
  const { parts } = planOf(matrix, p, storage === 'auto' ? {} : { storage });
  const kinds = parts.flatMap(({ formats }) => formats.map(({ kind }) => kind));
  const hasPanels = (chosen: ProductSizes): boolean => entriesByPanels(matrix, p, chosen) > 0;
  const byPanels: Degree[] = [
    { name: 'cut', values: () => unlike(CUTS.cpu, (cut) => entriesByPanels(matrix, p, cut === null ? {} : { cut })) },
    { name: 'panelBytes', values: (chosen) => (hasPanels(chosen) ? PANEL_BYTES : []) },
  ];
  const areChosen = storage === 'auto' && !kinds.some((kind) => kind.startsWith('bcsr-'));
  const { threads } = executor;
  return [
    ...(areChosen ? byPanels : []),
    ...windowsOf(kinds, matrix.rows),
    ...(threads > 1 && matrix.rows >= LEAST_RUN * 16 * threads ? [fixed('chunks', CHUNKS)] : []),
  ];
}

function degreesOnGpu(
  matrix: ResidueMatrix,
  { field }: Pick<Executor, 'field'>,
  storage: Storage,
  width: number,
): Degree[] {
  const format = storage === 'auto' ? chooseGpuFormat(matrix, field, Number.POSITIVE_INFINITY) : storage;
  if (format === 'csc') return []; // an invocation a column, without sizes
  const form = field.isU16 && width % 2 === 0 ? 'pairs' : 'words';
  const words = matrix.rows * layoutOf(form, width).count;
  const full = ({ workgroup = 256, rowsEach = 1 }: ProductSizes): number => Math.ceil(words / (workgroup * rowsEach));
  const launch: Degree[] = [
    { name: 'workgroup', values: () => WORKGROUPS.filter((size) => 2 * size <= words) },
    { name: 'rowsEach', values: (chosen) => ROWS_EACH.filter((rows) => full({ ...chosen, rowsEach: rows }) > 1) },
    { name: 'groups', isRaised: true, values: (chosen) => doubled(FIRST_GROUPS, full(chosen)) },
  ];
  if (format !== 'sliced-ell') return [...windowsOf([format], matrix.rows), ...launch];
  const runs = wholeRows(matrix);
  const countLong = (cut: number | null): number =>
    longRows(runs, longestShort(runs, cut === null ? {} : { cut })).length;
  const rowBytes = (form === 'pairs' ? 2 : 4) * width;
  const bytes = matrix.cols * rowBytes;
  const usual = isScattered(runs) ? panelCount(matrix.rows, matrix.cols, matrix.colIdx.length, rowBytes) : 1;
  const counts = PANELS.counts.filter(
    (count) => count !== usual && (count === 1 || bytes >= count * PANELS.leastBytes),
  );
  return [
    { name: 'cut', values: () => unlike(CUTS.gpu, countLong) },
    fixed(
      'panelBytes',
      counts.map((count) => Math.ceil(bytes / count)),
    ),
    ...windowsOf([format], matrix.rows),
    {
      name: 'slice',
      values: ({ window = Number.POSITIVE_INFINITY }) =>
        SLICES.filter((slice) => slice <= window && slice < 2 * matrix.rows),
    },
    ...launch,
  ];
}

function fixed(name: SizeName, values: readonly number[]): Degree {
  return { name, values: () => values };
}

/** Of the first format that has windows; one window of all rows is enough. */
function windowsOf(kinds: readonly string[], rows: number): Degree[] {
  const kind = kinds.find((each) => WINDOWS[each] !== undefined);
  const values = kind === undefined ? [] : WINDOWS[kind]!.filter((window) => window < 2 * rows);
  return values.length === 0 ? [] : [fixed('window', values)];
}

/** The values whose effect is neither the usual one nor that of another value. */
function unlike(values: readonly number[], effect: (value: number | null) => number): number[] {
  const seen = new Set([effect(null)]);
  return values.filter((value) => {
    const of = effect(value);
    return !seen.has(of) && seen.add(of);
  });
}

function doubled(first: number, end: number): number[] {
  const out: number[] = [];
  for (let n = first; n < end; n *= 2) out.push(n);
  return out;
}
