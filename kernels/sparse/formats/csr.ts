/**
 * Compressed sparse rows: row i owns entries rowPtr[i] … rowPtr[i+1] − 1.
 *
 * Without values every entry is the same element: the parts of a matrix that hold +1 and −1 store none.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkOffsets, checkSizes, checkValues } from './check.js';
import { type Layout, WALKS } from './layout.js';

export interface Csr {
  readonly kind: 'csr';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets, nondecreasing, from 0 to nnz
  readonly colIdx: Uint32Array; // nnz columns, strictly increasing within a row
  readonly values: Uint32Array | null; // nnz canonical residues, never 0; null: all entries are one
}

/** Compressed sparse rows over F_p, the one form every plan starts from. */
export interface ResidueMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets, nondecreasing, from 0 to nnz
  readonly colIdx: Uint32Array; // nnz columns, strictly increasing within a row
  readonly values: Uint32Array; // nnz residues, canonical, never 0
  /** Where the arrays are good for one call alone: gives them again for as long as `work` takes. */
  readonly lend?: (<T>(work: (a: ResidueMatrix) => T) => T) | undefined;
}

type CsrParts = Omit<Csr, 'kind' | 'nnz'>;

/** Checks every claim above for residues mod p. */
export function csr(parts: CsrParts, p: number): Csr {
  const { rows, cols, rowPtr, colIdx, values } = parts;
  checkSizes('csr', rows, cols);
  checkOffsets('csr', rowPtr, rows, colIdx.length);
  for (let i = 0; i < rows; i++) checkColumns('csr', colIdx.subarray(rowPtr[i], rowPtr[i + 1]), cols, i);
  if (values) {
    if (values.length !== colIdx.length) {
      throw new StructureError(`csr: expected ${colIdx.length} values, got ${values.length}`);
    }
    checkValues('csr', values, p);
  }
  return csrUnchecked(parts);
}

/** The caller has just built it. */
export function csrUnchecked({ rows, cols, rowPtr, colIdx, values }: CsrParts): Csr {
  return { kind: 'csr', rows, cols, nnz: colIdx.length, rowPtr, colIdx, values };
}

export function isCsr(part: { readonly kind: string }): part is Csr {
  return part.kind === 'csr';
}

/** A `Format` (format.ts): that file imports this one, so the types are written out. */
export const CSR = {
  fromRows: (a: Csr): readonly Csr[] => [a],
  forEachEntry(
    { rows, rowPtr, colIdx, values }: Csr,
    unit: number,
    visit: (i: number, j: number, v: number) => void,
  ): void {
    for (let i = 0; i < rows; i++) {
      for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) visit(i, colIdx[k], values ? values[k] : unit);
    }
  },
  check: csr,
  layout: ({ rowPtr, colIdx, values }: Csr): Layout => ({
    walk: WALKS.runs,
    columns: colIdx,
    values,
    words: [0, rowPtr],
    offsets: rowPtr,
  }),
  arrays: ({ rowPtr, colIdx, values }: Csr): readonly (Uint32Array | null)[] => [rowPtr, colIdx, values],
  gpu: {
    prelude: 'csr' as const,
    arrays: ({ rowPtr, colIdx, values }: Csr) => ({ indices: [rowPtr, colIdx], values, extent: 0 }),
  },
};
