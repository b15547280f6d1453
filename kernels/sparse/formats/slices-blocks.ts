/**
 * Sliced ELLPACK of 1 × b blocks: entries of a row in adjacent columns share one index. Block t of row i is at place
 * slots[2·i] + 32·t, its first column is colIdx[place], and the value of column c of it is at b·place + c.
 *
 * Slices have 32 rows and are as long as the row of most blocks. A row is covered from the left, each block beginning
 * at the first entry that none has: no other cover has fewer blocks, since any has one that takes that entry and ends
 * no later. Only a block that would stand out of the matrix begins earlier and may reach into the one before; the entry
 * then belongs to that one, and the other has 0 there. It holds all value classes together, since zeros are values.
 * Source: Monakov, Velesevich, Platonov, Avetisyan 2013.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkPlaces, checkResidues, checkSizes } from './check.js';
import type { Csr } from './csr.js';
import { type Format, requireValues, type Stored } from './format.js';
import { countUp, WALKS } from './layout.js';

type BlockWidth = 2 | 4;

export interface BlockSlices<B extends BlockWidth = BlockWidth> {
  readonly kind: `slices-1x${B}`;
  readonly rows: number;
  readonly cols: number; // at least b
  readonly nnz: number;
  readonly b: B;
  readonly slots: Uint32Array; // (place of the first block, blocks) of each row
  readonly colIdx: Uint32Array; // first columns, strictly increasing within a row; any at free places
  readonly values: Uint32Array; // b a place, canonical; any at free places
}

/** Rows of a slice; the walks know it. */
const HEIGHT = 32;

/** Checks every claim above for residues mod p. */
function check(part: BlockSlices, p: number): void {
  const { kind, rows, cols, nnz, b, slots, colIdx, values } = part;
  checkSizes(kind, rows, cols);
  if (slots.length !== 2 * rows) throw new StructureError(`${kind}: expected 2·${rows} words, got ${slots.length}`);
  let places = 0;
  for (let s = 0; s < rows; s += HEIGHT) {
    let most = 0;
    for (let i = s; i < Math.min(rows, s + HEIGHT); i++) {
      if (slots[2 * i] !== places + i - s) throw new StructureError(`${kind}: expected row ${i} beside the others`);
      most = Math.max(most, slots[2 * i + 1]);
    }
    places += HEIGHT * most;
  }
  if (colIdx.length !== places || values.length !== b * places) {
    throw new StructureError(
      `${kind}: expected ${places} blocks of ${b}, got ${colIdx.length}, ${values.length} values`,
    );
  }
  checkResidues(kind, values, p);
  let entries = 0;
  for (let i = 0; i < rows; i++) {
    let [before, last] = [-1, -1];
    for (let t = 0, k = slots[2 * i]; t < slots[2 * i + 1]; t++, k += HEIGHT) {
      const first = colIdx[k];
      if (first + b > cols || first <= before) {
        throw new StructureError(`${kind}: expected blocks in order up to column ${cols}, got ${first} in row ${i}`);
      }
      before = first;
      for (let c = 0; c < b; c++) {
        if (values[b * k + c] === 0) continue;
        if (first + c <= last) throw new StructureError(`${kind}: expected (${i}, ${first + c}) once`);
        last = first + c;
        entries++;
      }
    }
  }
  if (entries !== nnz) throw new StructureError(`${kind}: expected ${nnz} entries, got ${entries}`);
}

/** The format of blocks of b columns. */
function slicesOf<B extends BlockWidth>(b: B): Format<BlockSlices<B>> {
  return {
    whole: true,
    fromRows: (a) => toBlockSlices(a, b),
    forEachEntry({ rows, slots, colIdx, values }, _unit, visit) {
      for (let i = 0; i < rows; i++) {
        for (let t = 0, k = slots[2 * i]; t < slots[2 * i + 1]; t++, k += HEIGHT) {
          for (let c = 0; c < b; c++) if (values[b * k + c] > 0) visit(i, colIdx[k] + c, values[b * k + c]);
        }
      }
    },
    check,
    layout: ({ cols, slots, colIdx, values }) => ({
      ...{ walk: WALKS.blockSlices, columns: countUp(cols), values, words: [slots, colIdx, Math.log2(b)] },
    }),
    arrays: ({ slots, colIdx, values }) => [slots, colIdx, values],
    gpu: {
      prelude: 'slices-blocks',
      arrays: ({ slots, colIdx, values }) => ({ indices: [slots, colIdx], values, extent: b }),
    },
  };
}

export const SLICES_1X2 = slicesOf(2);
export const SLICES_1X4 = slicesOf(4);

/** A matrix narrower than a block stays as it is. */
function toBlockSlices<B extends BlockWidth>(a: Csr, b: B): readonly Stored[] {
  const { rows, cols, nnz, rowPtr, colIdx: columns } = a;
  if (cols < b) return [a];
  const kind = `slices-1x${b}` as const;
  const from = requireValues(kind, a);
  const slots = new Uint32Array(2 * rows);
  const places = countPlaces(rowPtr, columns, b, slots);
  checkPlaces(kind, b * places);
  const [colIdx, values] = [new Uint32Array(places), new Uint32Array(b * places)];
  fill(rowPtr, columns, from, b, cols, slots, colIdx, values);
  const part: BlockSlices<B> = { kind, rows, cols, nnz, b, slots, colIdx, values };
  return [part];
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Places of all slices; `slots` becomes what they are for each row. */
function countPlaces(rowPtr: Uint32Array, columns: Uint32Array, b: number, slots: Uint32Array): number {
  const rows = rowPtr.length - 1;
  let places = 0;
  for (let s = 0; s < rows; s += HEIGHT) {
    let most = 0;
    for (let i = s; i < Math.min(rows, s + HEIGHT); i++) {
      let [blocks, covered] = [0, 0]; // columns below `covered` have a block
      for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
        if (columns[k] < covered) continue;
        covered = columns[k] + b;
        blocks++;
      }
      slots[2 * i] = places + i - s;
      slots[2 * i + 1] = blocks;
      most = Math.max(most, blocks);
    }
    places += HEIGHT * most;
  }
  return places;
}

function fill(
  rowPtr: Uint32Array,
  columns: Uint32Array,
  from: Uint32Array,
  b: number,
  cols: number,
  slots: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
): void {
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    let [place, covered] = [slots[2 * i] - HEIGHT, 0];
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      if (columns[k] >= covered) {
        covered = columns[k] + b;
        place += HEIGHT;
        colIdx[place] = Math.min(columns[k], cols - b);
      }
      values[b * place + columns[k] - colIdx[place]] = from[k];
    }
  }
}
