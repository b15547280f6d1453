/**
 * The formats by name: what a plan, an executor, `info` and the option `storage` choose from. A new one is a line in
 * FORMATS; kernels/sparse/plan.ts chooses where none is asked for.
 */
import { BCSR_2, BCSR_3, BCSR_4, BCSR_8, BCSR_16 } from './bcsr.js';
import { COO } from './coo.js';
import { COO_S } from './coo-s.js';
import { CSC } from './csc.js';
import { CSR, type Csr, csrUnchecked } from './csr.js';
import { CSR_SORTED } from './csr-sorted.js';
import { DENSE } from './dense.js';
import { DENSE_COLUMNS } from './dense-columns.js';
import { DIA } from './dia.js';
import { ELL } from './ell.js';
import { ELL_R } from './ell-r.js';
import type { Format, Stored, Visit } from './format.js';
import { JAD } from './jad.js';
import { JIT } from './jit.js';
import { SELL_4, SELL_32, SLICES_4, SLICES_32 } from './sell.js';
import { SLICED_ELL } from './sliced-ell.js';
import { SLICES_1X2, SLICES_1X4 } from './slices-blocks.js';
import { SLICES_DIA } from './slices-dia.js';
import { SLICES_V } from './slices-v.js';

export type { Stored };

export const FORMATS = {
  csr: CSR,
  'csr-sorted': CSR_SORTED,
  csc: CSC,
  coo: COO,
  'coo-s': COO_S,
  ell: ELL,
  'ell-r': ELL_R,
  'sliced-ell': SLICED_ELL,
  jad: JAD,
  'sell-4': SELL_4,
  'sell-32': SELL_32,
  'slices-4': SLICES_4,
  'slices-32': SLICES_32,
  'slices-v': SLICES_V,
  'slices-1x2': SLICES_1X2,
  'slices-1x4': SLICES_1X4,
  'slices-dia': SLICES_DIA,
  dia: DIA,
  'bcsr-2': BCSR_2,
  'bcsr-3': BCSR_3,
  'bcsr-4': BCSR_4,
  'bcsr-8': BCSR_8,
  'bcsr-16': BCSR_16,
  dense: DENSE,
  'dense-columns': DENSE_COLUMNS,
  jit: JIT,
} satisfies { readonly [name: string]: Format<never> };

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

export function isFormatName(name: unknown): name is FormatName {
  return typeof name === 'string' && Object.hasOwn(FORMATS, name);
}

export function formatNamed(name: FormatName): Format<Stored> {
  return FORMATS[name] as unknown as Format<Stored>;
}

/** The format of `part`. */
export function formatOf(part: Stored): Format<Stored> {
  return formatNamed(part.kind as FormatName);
}

/** Each entry of a part; `unit` is what an entry is that stores no value. */
export function forEachEntry(part: Stored, unit: number, visit: Visit): void {
  formatOf(part).forEachEntry(part, unit, visit);
}

export function bytesOf(part: Stored): number {
  return formatOf(part)
    .arrays(part)
    .reduce((sum, array) => sum + (array?.byteLength ?? 0), 0);
}

/** The entries as compressed rows again, each with its value. */
export function toRows(part: Stored, unit: number): Csr {
  const { rows, cols, nnz } = part;
  const rowPtr = new Uint32Array(rows + 1);
  forEachEntry(part, unit, (i) => rowPtr[i + 1]++);
  for (let i = 0; i < rows; i++) rowPtr[i + 1] += rowPtr[i];
  const next = rowPtr.slice(0, rows);
  const [colIdx, values] = [new Uint32Array(nnz), new Uint32Array(nnz)];
  forEachEntry(part, unit, (i, j, v) => {
    colIdx[next[i]] = j;
    values[next[i]++] = v;
  });
  return csrUnchecked({ rows, cols, rowPtr, colIdx, values });
}
