/**
 * A = L·U on the pattern of each problem of a batch, in place, and L·X = B, U·X = B by the factors: a problem is taken
 * whole by a thread, row by row as kernels/block-sparse/reference.ts has them.
 *
 * A block is inverted by Gauss and Jordan on (A | I) with exchanges of rows. The pivot's row times 1/pivot and the
 * multiples of it are products with Montgomery residues, so that one REDC leaves plain numbers.
 */
import { addMultiple, exchange } from '../dense/determinants.as';
import { invMontgomery, mulMontgomery, reduceLanes } from '../residues/dot-u32.as';
import { F_P, F_PINV, F_SQUARE } from '../residues/field-layout';
import * as L from './block-kernels-layout';
import { nextProblem } from './block-products.as';
import { addProducts, useField, useShape } from './block-tile.as';

/** values ← L and U, inverses ← U_ii^-1, singular[k] ← the first block row with a singular pivot block, or −1. */
export function blockFactor(thread: i32, threads: i32, args: usize): void {
  const scratch = load<usize>(args, L.SCRATCH) + <usize>(thread * L.SCRATCH_BYTES);
  const starts = load<usize>(args, L.STARTS);
  useField(load<usize>(args, L.FIELD));
  for (let k = nextProblem(args); k >= 0; k = nextProblem(args)) {
    const end = load<i32>(starts + (<usize>(k + 1) << 2));
    let singular = -1;
    for (let i = load<i32>(starts + (<usize>k << 2)); i < end && singular < 0; i++) {
      if (!factorRow(args, i, scratch)) singular = i;
    }
    store<i32>(load<usize>(args, L.SINGULAR) + (<usize>k << 2), singular);
  }
}

/** Whether the pivot block of block row i is invertible. */
function factorRow(args: usize, i: i32, scratch: usize): bool {
  const b = load<i32>(args, L.BLOCK);
  const bytes = <usize>(b * b) << 2;
  const ptr = load<usize>(args, L.PTR);
  const columns = load<usize>(args, L.OTHERS);
  const diagonal = load<usize>(args, L.DIAGONAL);
  const values = load<usize>(args, L.VALUES);
  const inverses = load<usize>(args, L.INVERSES);
  const positions = load<usize>(args, L.POSITIONS);
  const zero = load<usize>(args, L.ZERO);
  const first = load<i32>(ptr + (<usize>i << 2));
  const last = load<i32>(ptr + (<usize>i << 2), 4);
  const pivot = load<i32>(diagonal + (<usize>i << 2));
  for (let s = first; s < last; s++) store<i32>(positions + (<usize>load<u32>(columns + (<usize>s << 2)) << 2), s + 1);
  for (let s = first; s < pivot; s++) {
    const k = load<u32>(columns + (<usize>s << 2));
    const factor = values + <usize>s * bytes;
    // L_ik ← A_ik·U_kk^-1
    memory.fill(scratch, 0, bytes);
    useShape(b, b, b, false, false);
    addProducts(scratch, b, factor, inverses + <usize>k * bytes, 0, zero, 0, 1, -1);
    memory.copy(factor, scratch, bytes);
    // A_ij ← A_ij − L_ik·U_kj
    useShape(b, b, b, false, true);
    const end = load<i32>(ptr + (<usize>k << 2), 4);
    for (let t = load<i32>(diagonal + (<usize>k << 2)) + 1; t < end; t++) {
      const place = load<i32>(positions + (<usize>load<u32>(columns + (<usize>t << 2)) << 2));
      if (place == 0) continue;
      addProducts(values + <usize>(place - 1) * bytes, b, factor, values + <usize>t * bytes, 0, zero, 0, 1, -1);
    }
  }
  for (let s = first; s < last; s++) store<i32>(positions + (<usize>load<u32>(columns + (<usize>s << 2)) << 2), 0);
  return invertBlock(
    values + <usize>pivot * bytes,
    inverses + <usize>i * bytes,
    b,
    scratch,
    load<usize>(args, L.FIELD),
  );
}

function invertBlock(block: usize, inverse: usize, b: i32, rows: usize, field: usize): bool {
  const p = load<u32>(field, F_P);
  const pinv = load<u32>(field, F_PINV);
  const square = load<u32>(field, F_SQUARE);
  const half = <usize>b << 2;
  const groups = b >> 1; // vectors of a row of (A | I)
  memory.fill(rows, 0, 2 * half * <usize>b);
  for (let r = 0; r < b; r++) {
    const row = rows + <usize>(2 * r) * half;
    memory.copy(row, block + <usize>r * half, half);
    store<u32>(row + half + (<usize>r << 2), 1);
  }
  for (let c = 0; c < b; c++) {
    const column = <usize>c << 2;
    const top = rows + <usize>(2 * c) * half;
    let found = c;
    while (found < b && load<u32>(rows + <usize>(2 * found) * half + column) == 0) found++;
    if (found == b) return false;
    if (found != c) exchange(top, rows + <usize>(2 * found) * half, groups);
    scale(top, mulMontgomery(invMontgomery(load<u32>(top + column), field), 1, p, pinv), groups, p, pinv);
    for (let r = 0; r < b; r++) {
      const row = rows + <usize>(2 * r) * half;
      const value = load<u32>(row + column);
      if (r != c && value != 0) addMultiple(row, top, mulMontgomery(p - value, square, p, pinv), 0, groups, p, pinv);
    }
  }
  for (let r = 0; r < b; r++) memory.copy(inverse + <usize>r * half, rows + <usize>(2 * r + 1) * half, half);
  return true;
}

/**
 * row ← row·f for the Montgomery residue f. invMontgomery(x) is 2^64/x for a plain x, so a REDC of it is 2^32/x: the
 * Montgomery residue of 1/x.
 */
function scale(row: usize, f: u32, groups: i32, p: u32, pinv: u32): void {
  const factor = i32x4.splat(f);
  for (let g = 0; g < groups; g++) {
    const x = v128.load(row + (<usize>g << 4));
    const low = i64x2.extmul_low_i32x4_u(factor, x);
    const high = i64x2.extmul_high_i32x4_u(factor, x);
    v128.store(row + (<usize>g << 4), reduceLanes(low, high, i32x4.splat(p), i32x4.splat(pinv)));
  }
}

/** X ← L^-1·X, or U^-1·X; of a problem with a singular pivot block it is left as it is. */
export function blockSubstitute(thread: i32, threads: i32, args: usize): void {
  const starts = load<usize>(args, L.STARTS);
  const isUpper = load<u32>(args, L.IS_UPPER) != 0;
  const scratch = load<usize>(args, L.SCRATCH) + <usize>(thread * L.SCRATCH_BYTES);
  useField(load<usize>(args, L.FIELD));
  for (let k = nextProblem(args); k >= 0; k = nextProblem(args)) {
    if (load<i32>(load<usize>(args, L.SINGULAR) + (<usize>k << 2)) >= 0) continue;
    const first = load<i32>(starts + (<usize>k << 2));
    const end = load<i32>(starts + (<usize>(k + 1) << 2));
    if (isUpper) for (let i = end - 1; i >= first; i--) solveRow(args, i, true, scratch);
    else for (let i = first; i < end; i++) solveRow(args, i, false, scratch);
  }
}

function solveRow(args: usize, i: i32, isUpper: bool, scratch: usize): void {
  const b = load<i32>(args, L.BLOCK);
  const width = load<i32>(args, L.WIDTH);
  const bytes = <usize>(b * width) << 2;
  const list = load<usize>(args, L.PTR) + (<usize>i << 2);
  const pivot = load<i32>(load<usize>(args, L.DIAGONAL) + (<usize>i << 2));
  const row = load<usize>(args, L.X) + <usize>i * bytes;
  const first = isUpper ? pivot + 1 : load<i32>(list);
  const last = isUpper ? load<i32>(list, 4) : pivot;
  // X_i ← X_i − Σ A_ij·X_j
  useShape(b, b, width, false, true);
  const others = load<usize>(args, L.OTHERS);
  addProducts(row, b, load<usize>(args, L.VALUES), load<usize>(args, L.X), 0, others, first, last, -1);
  if (!isUpper) return;
  // X_i ← U_ii^-1·X_i
  memory.copy(scratch, row, bytes);
  memory.fill(row, 0, bytes);
  useShape(b, b, width, false, false);
  const inverse = load<usize>(args, L.INVERSES) + (<usize>(i * b * b) << 2);
  addProducts(row, b, inverse, scratch, 0, load<usize>(args, L.ZERO), 0, 1, -1);
}
