/** Each format read as its definition says: what the reference executor multiplies with and tests compare plans by. */
import type { Coo } from './coo.js';
import type { Csr } from './csr.js';
import type { Ell } from './ell.js';
import type { EllR } from './ell-r.js';

export type Format = Csr | Coo | Ell | EllR;

/** Each entry of a format: row, column, place of its value. One case a format. */
export function forEachEntry(format: Format, visit: (i: number, j: number, k: number) => void): void {
  switch (format.kind) {
    case 'coo':
      for (let k = 0; k < format.nnz; k++) visit(format.rowIdx[k], format.colIdx[k], k);
      break;
    case 'csr':
      for (let i = 0; i < format.rows; i++) {
        for (let k = format.rowPtr[i]; k < format.rowPtr[i + 1]; k++) visit(i, format.colIdx[k], k);
      }
      break;
    case 'ell':
      for (let k = 0; k < format.nnz; k++) visit(Math.floor(k / format.width), format.colIdx[k], k);
      break;
    case 'ell-r':
      for (let i = 0; i < format.rows; i++) {
        for (let t = 0; t < format.lengths[i]; t++) {
          const k = i * format.width + t;
          visit(i, format.colIdx[k], k);
        }
      }
      break;
  }
}
