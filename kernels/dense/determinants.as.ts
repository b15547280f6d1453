/**
 * Determinants of many small dense matrices over F_p by Gaussian elimination, each thread a range of them.
 *
 *   matrix number k : s rows of `groups` vectors of four columns, canonical residues; columns s … 4·groups − 1 are 0
 *   row i ← row i + f·row c,  f = −a_ic / a_cc as a Montgomery residue, so that REDC(f·x) is the plain product
 *
 * a_cc is taken for a Montgomery residue when it is inverted: its value is a_cc·2^-32, the inverse's residue
 * 2^64 / a_cc, and REDC(a_ic·2^64 / a_cc) = 2^32·a_ic / a_cc, the residue of the ratio.
 * f·x < p² ≤ 2^32·p / 2 as REDC needs.
 */
import { addLanes, invMontgomery, mulMontgomery, reduceLanes } from '../residues/dot-u32.as';
import { F_P, F_PINV, F_SQUARE } from '../residues/field-layout';
import * as L from './determinants-layout';

/** out[k] ← det of matrix k, which is overwritten. */
export function determinants(thread: i32, threads: i32, args: usize): void {
  const s = load<i32>(args, L.SIZE);
  const count = load<i32>(args, L.COUNT);
  const out = <usize>load<u32>(args, L.OUT);
  const field = <usize>load<u32>(args, L.FIELD);
  const groups = (s + 3) >> 2;
  const bytes = <usize>(s * groups) << 4;
  const first = <i32>((<i64>count * thread) / threads);
  const end = <i32>((<i64>count * (thread + 1)) / threads);
  for (let k = first; k < end; k++) {
    const value = determinant(<usize>load<u32>(args, L.MATRICES) + <usize>k * bytes, s, groups, field);
    store<u32>(out + (<usize>k << 2), value);
  }
}

function determinant(a: usize, s: i32, groups: i32, field: usize): u32 {
  const p = load<u32>(field, F_P);
  const pinv = load<u32>(field, F_PINV);
  const square = load<u32>(field, F_SQUARE);
  const rowBytes = <usize>groups << 4;
  let product: u32 = 1;
  for (let c = 0; c < s; c++) {
    const column = <usize>c << 2;
    const top = a + <usize>c * rowBytes;
    let pivot = c;
    while (pivot < s && load<u32>(a + <usize>pivot * rowBytes + column) == 0) pivot++;
    if (pivot == s) return 0;
    if (pivot != c) {
      exchange(top, a + <usize>pivot * rowBytes, groups);
      product = product == 0 ? 0 : p - product;
    }
    const head = load<u32>(top + column);
    product = mulMontgomery(product, mulMontgomery(head, square, p, pinv), p, pinv);
    const inverse = invMontgomery(head, field);
    for (let i = c + 1; i < s; i++) {
      const row = a + <usize>i * rowBytes;
      const value = load<u32>(row + column);
      if (value != 0) addMultiple(row, top, mulMontgomery(p - value, inverse, p, pinv), c >> 2, groups, p, pinv);
    }
  }
  return product;
}

/** row += f·top from vector `first` on; columns left of the pivot are 0 in `top`. */
export function addMultiple(row: usize, top: usize, f: u32, first: i32, groups: i32, p: u32, pinv: u32): void {
  const factor = i32x4.splat(f);
  const prime = i32x4.splat(p);
  const inverse = i32x4.splat(pinv);
  for (let g = first; g < groups; g++) {
    const at = <usize>g << 4;
    const x = v128.load(top + at);
    const low = i64x2.extmul_low_i32x4_u(factor, x);
    const high = i64x2.extmul_high_i32x4_u(factor, x);
    v128.store(row + at, addLanes(v128.load(row + at), reduceLanes(low, high, prime, inverse), prime));
  }
}

export function exchange(a: usize, b: usize, groups: i32): void {
  for (let g = 0; g < groups; g++) {
    const at = <usize>g << 4;
    const kept = v128.load(a + at);
    v128.store(a + at, v128.load(b + at));
    v128.store(b + at, kept);
  }
}
