/**
 * Coordinate entries modulo p, repeats added up and zeros dropped, and products with vectors of residues: a word
 * prime's in arrays of 32 bits, a larger one's as bigints, slowly.
 */
import { WordPrime } from '../../fields/word-prime.js';
import type { Coordinates } from './coordinates.js';
import { compress, compressOrdered, merge, type ResidueMatrix } from './residue-matrix.js';

/** Compressed sparse rows over the integers modulo a modulus of any size: what the reference executor reads. */
export interface BigResidueMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets
  readonly colIdx: Uint32Array; // strictly increasing within a row
  readonly values: bigint[]; // canonical, never 0
}

/** A mod p, 2 ≤ p < 2³¹. `where` names entry number k in an EntryError, thrown where p divides its denominator. */
export function wordResidues(a: Coordinates, p: number, where: (k: number) => string): ResidueMatrix {
  const residues = residuesOf(a, p, where);
  const ordered = compressOrdered(a.rows, a.cols, a.rowIdx, a.colIdx, residues);
  if (ordered !== null) return ordered;
  const sum = (x: number, y: number): number => (x + y) % p; // below 2^32
  return merge(compress(a.rows, a.cols, a.rowIdx, a.colIdx, residues), sum);
}

/** Entries mod p in their order. */
export function residuesOf(
  { values, wide }: Pick<Coordinates, 'values' | 'wide'>,
  p: number,
  where: (k: number) => string,
): Uint32Array {
  const residues = new Uint32Array(values.length);
  reduce(values, p, residues);
  wide.residues(BigInt(p), where).forEach((residue, w) => {
    residues[wide.positions[w]] = Number(residue);
  });
  return residues;
}

/** A mod p of any size. */
export function bigResidues(a: Coordinates, p: bigint, where: (k: number) => string): BigResidueMatrix {
  const { rows, cols, wide } = a;
  const residues = Array.from(a.values, (v) => ((BigInt(v) % p) + p) % p);
  wide.residues(p, where).forEach((residue, w) => {
    residues[wide.positions[w]] = residue;
  });
  const order = compress(rows, cols, a.rowIdx, a.colIdx, Uint32Array.from(residues.keys()));
  const rowPtr = new Uint32Array(rows + 1);
  const colIdx: number[] = [];
  const values: bigint[] = [];
  for (let i = 0; i < rows; i++) {
    for (let k = order.rowPtr[i]; k < order.rowPtr[i + 1]; ) {
      const j = order.colIdx[k];
      let sum = 0n;
      for (; k < order.rowPtr[i + 1] && order.colIdx[k] === j; k++) sum += residues[order.values[k]];
      if (sum % p === 0n) continue;
      colIdx.push(j);
      values.push(sum % p);
    }
    rowPtr[i + 1] = colIdx.length;
  }
  return { rows, cols, rowPtr, colIdx: Uint32Array.from(colIdx), values };
}

/** A·X mod p for X of `width` columns, row-major. */
export function wordProduct(a: ResidueMatrix, x: readonly bigint[], width: number, p: number): Uint32Array {
  const F = WordPrime.of(p);
  const residues = Uint32Array.from(x, (value) => Number(((value % BigInt(p)) + BigInt(p)) % BigInt(p)));
  const y = new Uint32Array(a.rows * width);
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) {
      for (let c = 0, from = a.colIdx[k] * width; c < width; c++)
        y[i * width + c] = F.add(y[i * width + c], F.mul(a.values[k], residues[from + c]));
    }
  }
  return y;
}

/** A·X mod p of any size. */
export function bigProduct(a: BigResidueMatrix, x: readonly bigint[], width: number, p: bigint): bigint[] {
  const y = new Array<bigint>(a.rows * width).fill(0n);
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) {
      for (let c = 0; c < width; c++) y[i * width + c] += a.values[k] * x[a.colIdx[k] * width + c];
    }
  }
  return y.map((sum) => ((sum % p) + p) % p);
}

/** Signs that change at random take no branch: only what is not between -p and p does. */
function reduce(values: Int32Array, p: number, residues: Uint32Array): void {
  for (let k = 0; k < values.length; k++) {
    const v = values[k];
    const r = (v + (p & (v >> 31))) >>> 0; // beyond p, too, where v is -p or less
    residues[k] = r < p ? r : ((v % p) + p) % p;
  }
}
