/**
 * A format is one way to hold a part of a matrix, stated in one file of this folder and named in one line of index.ts.
 *
 *   part : entries (i, j, v) of a rows × cols matrix over F_p      v : stored, or the one element that all entries are
 *
 * Plans, executors, descriptions and options ask the registry (index.ts). Only the choices name a format: plan.ts and
 * narrow-plans.ts for the CPU, kernels/executors/gpu.ts for a GPU.
 */
import { StructureError } from '../../errors/structure-error.js';
import type { WgslName } from '../../generated/wgsl.js';
import type { Csr } from './csr.js';
import type { Layout } from './layout.js';
import type { ProductSizes } from './product-sizes.js';

export { type Layout, WALKS } from './layout.js';

/** Some part of a matrix in some format. */
export interface Stored {
  readonly kind: string; // its format's name
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number; // entries; places left free do not count
}

export type Visit = (i: number, j: number, v: number) => void;

export interface Format<F extends Stored> {
  /** The same entries in this format, and in others what it has no place for; p is what values are residues of. */
  readonly fromRows: (a: Csr, p: number, sizes?: ProductSizes) => readonly Stored[];
  /** Each entry once, columns increasing within a row; `unit` is the element of a part that stores no values. */
  readonly forEachEntry: (part: F, unit: number, visit: Visit) => void;
  /** Throws StructureError unless every invariant holds that the type states, for residues mod p. */
  readonly check: (part: F, p: number) => unknown;
  /** The arrays that hold it: indices, offsets or lengths, values. */
  readonly arrays: (part: F) => readonly (Uint32Array | null)[];
  /** The arrays that kernels on the CPU walk; absent where they take compressed rows instead. */
  readonly layout?: (part: F) => Layout;
  /** How a GPU walks its rows; absent where a format has shaders of its own. */
  readonly gpu?: GpuWalk<F>;
  /** Places for entries in so many rows of up to `longest`; absent where they follow from more than these numbers. */
  readonly places?: (rows: number, cols: number, longest: number) => number;
  /** Whether it holds entries of all value classes together, with a part for all of the matrix; default no. */
  readonly whole?: boolean;
}

/** The prelude and the arrays with which kernels/spmm/spmm-rows.wgsl multiplies by a part. */
export interface GpuWalk<F extends Stored> {
  readonly prelude: WgslName; // the shader beside the format's file
  readonly arrays: (part: F) => GpuArrays;
}

export interface GpuArrays {
  readonly indices: readonly Uint32Array[]; // in the order of the prelude's bindings
  readonly values: Uint32Array | null; // by the places that the prelude names; null: all entries are one
  readonly extent: number; // what the prelude knows as params.extent
  readonly listed?: number; // rows that have a slot, where not all have one
}

/** The lengths of the shortest and of the longest row; 0 without rows. */
export function lengthRange({ rows, rowPtr }: Csr): [min: number, max: number] {
  let [min, max] = rows === 0 ? [0, 0] : [rowPtr[rows], 0];
  for (let i = 0; i < rows; i++) {
    const length = rowPtr[i + 1] - rowPtr[i];
    if (length < min) min = length;
    if (length > max) max = length;
  }
  return [min, max];
}

/** The values of a part with one for each entry, as a format that holds all value classes is given. */
export function requireValues(who: string, { values }: Csr): Uint32Array {
  if (values === null) throw new StructureError(`${who}: expected the values of all entries, got none`);
  return values;
}
