/**
 * A part as a dense matrix: the value of row i and column j is at place i·cols + j, 0 where there is no entry.
 *
 * It holds all value classes together, since zeros are values.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkPlaces, checkResidues, checkSizes } from './check.js';
import { type Format, requireValues } from './format.js';
import { countUp, WALKS } from './layout.js';

export interface Dense {
  readonly kind: 'dense';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly values: Uint32Array; // rows·cols canonical residues
}

/** Checks every claim above for residues mod p. */
function dense({ rows, cols, values }: Pick<Dense, 'rows' | 'cols' | 'values'>, p: number): Dense {
  checkSizes('dense', rows, cols);
  if (values.length !== rows * cols) {
    throw new StructureError(`dense: expected ${rows}·${cols} values, got ${values.length}`);
  }
  checkResidues('dense', values, p);
  return { kind: 'dense', rows, cols, nnz: values.reduce((count, v) => count + Math.sign(v), 0), values };
}

export const DENSE: Format<Dense> = {
  whole: true,
  fromRows: (a) => {
    const { rows, cols, nnz, rowPtr, colIdx } = a;
    checkPlaces('dense', rows * cols);
    const values = new Uint32Array(rows * cols);
    place(cols, rowPtr, colIdx, requireValues('dense', a), values);
    const part: Dense = { kind: 'dense', rows, cols, nnz, values };
    return [part];
  },
  forEachEntry({ rows, cols, values }, _unit, visit) {
    for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < cols; j++, k++) if (values[k] > 0) visit(i, j, values[k]);
  },
  check: dense,
  places: (rows, cols) => rows * cols,
  layout: ({ cols, values }) => ({ walk: WALKS.full, columns: countUp(cols), values, words: [cols] }),
  arrays: ({ values }) => [values],
  gpu: { prelude: 'dense', arrays: ({ cols, values }) => ({ indices: [], values, extent: cols }) },
};

function place(cols: number, rowPtr: Uint32Array, colIdx: Uint32Array, from: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) to[i * cols + colIdx[k]] = from[k];
  }
}
