/**
 * The one inner loop of the kernels on small blocks, p < 2^31: four rows × four columns of
 *
 *   Y ± Σ_s A_s·X_s        over a list of blocks A_s, each with its own rows X_s
 *
 * A coefficient is splat over the columns, so that sums stay in eight registers of two 64-bit lanes. They begin at −K
 * and lose K after `run` products (kernels/residues/dot-u32.as.ts). REDC leaves Σ·2^-32; a second one, of its product
 * with 2^64 mod p, makes it plain, once for a whole list. Steps by rows and by terms make A_s or its transpose of the
 * same words.
 */
import { addLanes, lower, reduceLanes } from '../residues/dot-u32.as';
import { F_K, F_P, F_PINV, F_RUN, F_SQUARE } from '../residues/field-layout';

// Of the command at hand; each thread has an instance of the module, and so its own.
let field: usize = 0;
let run: i32 = 0;
let isMinus: bool = false;
let aRow: usize = 0; // bytes from a row of A to the next
let aTerm: usize = 0; // and from a column
let aBlock: usize = 0; // and from a block
let terms: i32 = 0; // columns of A
let xRow: usize = 0; // bytes of a row of X and Y
let xBlock: usize = 0;

export function useField(at: usize): void {
  field = at;
  run = load<i32>(at, F_RUN);
}

/** Blocks of `depth` terms a row; `isTransposed`: stored as the transpose, `height` × depth being what is meant. */
export function useShape(height: i32, depth: i32, width: i32, isTransposed: bool, minus: bool): void {
  terms = depth;
  aRow = isTransposed ? 4 : <usize>depth << 2;
  aTerm = isTransposed ? <usize>height << 2 : 4;
  aBlock = <usize>(height * depth) << 2;
  xRow = <usize>width << 2;
  xBlock = <usize>depth * xRow;
  isMinus = minus;
}

/**
 * Rows 0 … height − 1 of Y ± the list's blocks first … last − 1: block places[s], or s where `places` is 0, times the
 * rows of X at block others[s]. Blocks at column `skip` are left out.
 */
export function addProducts(
  y: usize,
  height: i32,
  a: usize,
  x: usize,
  places: usize,
  others: usize,
  first: i32,
  last: i32,
  skip: i32,
): void {
  for (let r = 0; r < height; r += 4) {
    const rows = a + <usize>r * aRow;
    const to = y + <usize>r * xRow;
    for (let c: usize = 0; c < xRow; c += 16) addTile(to + c, rows, x + c, places, others, first, last, skip);
  }
}

function addTile(
  y: usize,
  rows: usize,
  columns: usize,
  places: usize,
  others: usize,
  first: i32,
  last: i32,
  skip: i32,
): void {
  const k = v128.load64_splat(field, F_K);
  const start = i64x2.neg(k);
  let l0 = start;
  let h0 = start;
  let l1 = start;
  let h1 = start;
  let l2 = start;
  let h2 = start;
  let l3 = start;
  let h3 = start;
  let room = run;
  for (let s = first; s < last; s++) {
    const other = load<i32>(others + (<usize>s << 2));
    if (other == skip) continue;
    const place = places == 0 ? s : load<i32>(places + (<usize>s << 2));
    let a = rows + <usize>place * aBlock;
    let x = columns + <usize>other * xBlock;
    for (let left = terms; left > 0; ) {
      if (room == 0) {
        l0 = lower(l0, k);
        h0 = lower(h0, k);
        l1 = lower(l1, k);
        h1 = lower(h1, k);
        l2 = lower(l2, k);
        h2 = lower(h2, k);
        l3 = lower(l3, k);
        h3 = lower(h3, k);
        room = run;
      }
      const count = min(left, room);
      left -= count;
      room -= count;
      for (const stop = a + <usize>count * aTerm; a < stop; a += aTerm, x += xRow) {
        const v = v128.load(x);
        let c = v128.load32_splat(a);
        l0 = i64x2.add(l0, i64x2.extmul_low_i32x4_u(c, v));
        h0 = i64x2.add(h0, i64x2.extmul_high_i32x4_u(c, v));
        c = v128.load32_splat(a + aRow);
        l1 = i64x2.add(l1, i64x2.extmul_low_i32x4_u(c, v));
        h1 = i64x2.add(h1, i64x2.extmul_high_i32x4_u(c, v));
        c = v128.load32_splat(a + 2 * aRow);
        l2 = i64x2.add(l2, i64x2.extmul_low_i32x4_u(c, v));
        h2 = i64x2.add(h2, i64x2.extmul_high_i32x4_u(c, v));
        c = v128.load32_splat(a + 3 * aRow);
        l3 = i64x2.add(l3, i64x2.extmul_low_i32x4_u(c, v));
        h3 = i64x2.add(h3, i64x2.extmul_high_i32x4_u(c, v));
      }
    }
  }
  finish(y, l0, h0, k);
  finish(y + xRow, l1, h1, k);
  finish(y + 2 * xRow, l2, h2, k);
  finish(y + 3 * xRow, l3, h3, k);
}

/** y ± the sums; p − 0 counts as p, which addLanes takes off. */
// @ts-ignore: decorator
@inline
function finish(y: usize, low: v128, high: v128, k: v128): void {
  const p = v128.load32_splat(field, F_P);
  const pinv = v128.load32_splat(field, F_PINV);
  const square = v128.load32_splat(field, F_SQUARE);
  const sum = reduceLanes(i64x2.add(lower(low, k), k), i64x2.add(lower(high, k), k), p, pinv);
  const plain = reduceLanes(
    i64x2.extmul_low_i32x4_u(sum, square),
    i64x2.extmul_high_i32x4_u(sum, square),
    p,
    pinv,
  );
  v128.store(y, addLanes(v128.load(y), isMinus ? i32x4.sub(p, plain) : plain, p));
}
