/**
 * DIA: diagonals that are at least half full, each a value a row and one offset: entry (i, i + offsets[d]) is at place
 * d·rows + i, 0 where there is none.
 *
 * It holds all value classes together, since zeros are values; entries of emptier diagonals are a remainder.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkResidues, checkSizes } from './check.js';
import { type Csr, csrUnchecked } from './csr.js';
import { type Format, requireValues, type Stored } from './format.js';
import { countUp, WALKS } from './layout.js';

export interface Dia {
  readonly kind: 'dia';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly offsets: Int32Array; // j − i, strictly increasing, −rows < offset < cols
  readonly values: Uint32Array; // rows a diagonal, canonical; 0 outside of the matrix
}

/** Checks every claim above for residues mod p. */
export function dia({ rows, cols, offsets, values }: Omit<Dia, 'kind' | 'nnz'>, p: number): Dia {
  checkSizes('dia', rows, cols);
  if (values.length !== offsets.length * rows) {
    throw new StructureError(`dia: expected ${offsets.length}·${rows} values, got ${values.length}`);
  }
  checkResidues('dia', values, p);
  offsets.forEach((offset, d) => {
    if (offset <= -rows || offset >= cols || (d > 0 && offset <= offsets[d - 1])) {
      throw new StructureError(
        `dia: expected offsets in order, above ${-rows} and below ${cols}, got ${offset} at ${d}`,
      );
    }
    for (let i = 0; i < rows; i++) {
      if ((i + offset < 0 || i + offset >= cols) && values[d * rows + i] !== 0) {
        throw new StructureError(`dia: expected 0 outside of the matrix, got ${values[d * rows + i]} at row ${i}`);
      }
    }
  });
  return { kind: 'dia', rows, cols, nnz: values.reduce((count, v) => count + Math.sign(v), 0), offsets, values };
}

export const DIA: Format<Dia> = {
  whole: true,
  fromRows: cutDiagonals,
  forEachEntry({ rows, cols, offsets, values }, _unit, visit) {
    for (let i = 0; i < rows; i++) {
      for (let d = 0; d < offsets.length; d++) {
        const j = i + offsets[d];
        if (j >= 0 && j < cols && values[d * rows + i] > 0) visit(i, j, values[d * rows + i]);
      }
    }
  },
  check: dia,
  layout: ({ rows, cols, offsets, values }) => ({
    ...{ walk: WALKS.diagonals, columns: countUp(cols), values },
    words: [wordsOf(offsets), offsets.length, Uint32Array.of(rows, cols)],
  }),
  arrays: ({ offsets, values }) => [wordsOf(offsets), values],
  gpu: {
    prelude: 'dia',
    arrays: ({ cols, offsets, values }) => ({
      indices: [Uint32Array.of(cols, ...wordsOf(offsets))],
      ...{ values, extent: offsets.length },
    }),
  },
};

function wordsOf(offsets: Int32Array): Uint32Array {
  return new Uint32Array(offsets.buffer, offsets.byteOffset, offsets.length);
}

/** The share of a diagonal's places that entries fill, from which it is stored as one. */
const FULL = 1 / 2;

/** What no diagonal takes is the rest. */
function cutDiagonals(a: Csr): readonly Stored[] {
  const { rows, cols, nnz, rowPtr, colIdx } = a;
  const from = requireValues('dia', a);
  const counts = new Uint32Array(rows + cols); // of offset o at o + rows
  countDiagonals(rowPtr, colIdx, counts);
  const chosen: number[] = [];
  for (let at = 1; at < rows + cols; at++) {
    const length = Math.min(rows, cols, at, rows + cols - at);
    if (counts[at] > 0 && counts[at] >= FULL * length) chosen.push(at);
  }
  if (chosen.length === 0) return [a];
  const places = new Int32Array(rows + cols).fill(-1);
  chosen.forEach((at, d) => {
    places[at] = d;
  });
  const inside = chosen.reduce((sum, at) => sum + counts[at], 0);
  const values = new Uint32Array(chosen.length * rows);
  const restPtr = new Uint32Array(rows + 1);
  const [restIdx, rest] = [new Uint32Array(nnz - inside), new Uint32Array(nnz - inside)];
  deal(rowPtr, colIdx, from, places, values, restPtr, restIdx, rest);
  const offsets = Int32Array.from(chosen, (at) => at - rows);
  const main: Dia = { kind: 'dia', rows, cols, nnz: inside, offsets, values };
  if (inside === nnz) return [main];
  return [main, csrUnchecked({ rows, cols, rowPtr: restPtr, colIdx: restIdx, values: rest })];
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function countDiagonals(rowPtr: Uint32Array, colIdx: Uint32Array, counts: Uint32Array): void {
  const rows = rowPtr.length - 1;
  for (let i = 0; i < rows; i++)
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) counts[colIdx[k] - i + rows]++;
}

function deal(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  from: Uint32Array,
  places: Int32Array,
  values: Uint32Array,
  restPtr: Uint32Array,
  restIdx: Uint32Array,
  rest: Uint32Array,
): void {
  const rows = rowPtr.length - 1;
  for (let i = 0, next = 0; i < rows; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const d = places[colIdx[k] - i + rows];
      if (d >= 0) values[d * rows + i] = from[k];
      else {
        restIdx[next] = colIdx[k];
        rest[next++] = from[k];
      }
    }
    restPtr[i + 1] = next;
  }
}
