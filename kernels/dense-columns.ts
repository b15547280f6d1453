/** Columns of block vectors on the cpu executor as rows of dense matrices: kernels/wasm/vector-rows.ts. */
import type { BitMatrix } from './bit-matrix.js';
import { cpuVector } from './cpu-vector.js';
import type { DenseMatrix } from './dense-matrix.js';
import type { BlockVector } from './executor.js';
import type { Team } from './team.js';

/** Rows first … first + count − 1 of `to` ← the first columns of v, which are residues of as many bytes, or 0 and 1. */
export function columnsToRows(
  team: Team,
  to: DenseMatrix | BitMatrix,
  first: number,
  v: BlockVector,
  count: number,
): void {
  if (v.length !== to.cols || count > v.width || first + count > to.rows) {
    const room = `${to.cols} x ${Math.min(v.width, to.rows - first)}`;
    throw new RangeError(`columnsToRows: expected ${room} or less, got ${v.length} x ${count}`);
  }
  const bits = to.bytes === 0 ? 1 : 0;
  const bytes = to.bytes === 0 ? 2 : to.bytes; // p = 2 is in 16-bit lanes
  const place = [to.at + first * to.stride, to.stride, bits, count];
  team.run('vectorRows', cpuVector(v).at, v.length, v.width, bytes, ...place);
}
