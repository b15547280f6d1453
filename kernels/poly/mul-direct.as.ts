/**
 * Polynomial matrices by the definition: short products, sums, and the repair of a wrapped cyclic product.
 *
 * A matrix is stored by rows and groups of four columns: the four entries (i, 4g … 4g + 3) of coefficient k are the
 * vector number (i·groups + g)·stride + k. Lanes beyond the last column are zero. Lengths count coefficients.
 */
import {
  ADD_COUNT,
  ADD_FIELD,
  ADD_SOURCE,
  ADD_SOURCE_STRIDE,
  ADD_TO,
  ADD_TO_STRIDE,
  ADD_VECTORS,
} from '../residues/add-layout';
import {
  DIRECT_A,
  DIRECT_A_GROUPS,
  DIRECT_A_LENGTH,
  DIRECT_A_STRIDE,
  DIRECT_B,
  DIRECT_B_GROUPS,
  DIRECT_B_LENGTH,
  DIRECT_B_STRIDE,
  DIRECT_COUNT,
  DIRECT_FIELD,
  DIRECT_FROM,
  DIRECT_INNER,
  DIRECT_OUT,
  DIRECT_OUT_STRIDE,
  DIRECT_ROWS,
} from './mul-layout';
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';
import { addLanes, lower, reduceLanes } from '../residues/dot-u32.as';
import { F_K, F_P, F_PINV, F_RUN, F_SQUARE } from '../residues/field-layout';

/**
 * Coefficient `at` of row i, group g of a·b: Σ_j Σ_l a[i, l]_j·b[l, group]_(at−j), l < inner.
 * The sum comes out of REDC as t·2^-32; a second one with 2^64 mod p puts that right.
 */
function coefficient(
  a: usize, aGroups: i32, aStride: i32, aLength: i32,
  b: usize, bGroups: i32, bStride: i32, bLength: i32,
  i: i32, g: i32, inner: i32, at: i32, field: usize,
): v128 {
  const k = v128.load64_splat(field, F_K);
  const run = load<i32>(field, F_RUN);
  let low = i64x2.neg(k);
  let high = low;
  let left = run;
  const first = max(0, at - bLength + 1);
  const last = min(at, aLength - 1);
  for (let j = first; j <= last; j++) {
    const aAt = a + (<usize>(i * aGroups * aStride + j) << 4);
    const bAt = b + (<usize>(g * bStride + at - j) << 4);
    for (let l = 0; l < inner; l++) {
      const x = v128.load32_splat(aAt + (<usize>((l >> 2) * aStride) << 4) + (<usize>(l & 3) << 2));
      const y = v128.load(bAt + (<usize>(l * bGroups * bStride) << 4));
      low = i64x2.add(low, i64x2.extmul_low_i32x4_u(x, y));
      high = i64x2.add(high, i64x2.extmul_high_i32x4_u(x, y));
      if (--left == 0) {
        low = lower(low, k);
        high = lower(high, k);
        left = run;
      }
    }
  }
  return residues(low, high, field);
}

/** Of sums that begin at −k. */
function residues(low: v128, high: v128, field: usize): v128 {
  const p = v128.load32_splat(field, F_P);
  const pinv = v128.load32_splat(field, F_PINV);
  const k = v128.load64_splat(field, F_K);
  const r = reduceLanes(i64x2.add(lower(low, k), k), i64x2.add(lower(high, k), k), p, pinv);
  const square = v128.load32_splat(field, F_SQUARE);
  return reduceLanes(i64x2.extmul_low_i32x4_u(r, square), i64x2.extmul_high_i32x4_u(r, square), p, pinv);
}

/**
 * Coefficients at … at + 3 of row i, group g of a·b, to `out`, where a or b is constant and the other has them: a word
 * of the constant one serves all four, and those of the other stand side by side.
 */
function fourCoefficients(
  a: usize, aGroups: i32, aStride: i32, aLength: i32,
  b: usize, bGroups: i32, bStride: i32,
  i: i32, g: i32, inner: i32, at: i32, field: usize, out: usize,
): void {
  const k = v128.load64_splat(field, F_K);
  const run = load<i32>(field, F_RUN);
  const aStep: usize = aLength == 1 ? 0 : 16;
  const bStep = 16 - aStep;
  const aAt = a + (<usize>(i * aGroups * aStride) << 4) + <usize>at * aStep;
  const bAt = b + (<usize>(g * bStride) << 4) + <usize>at * bStep;
  let low0 = i64x2.neg(k);
  let low1 = low0;
  let low2 = low0;
  let low3 = low0;
  let high0 = low0;
  let high1 = low0;
  let high2 = low0;
  let high3 = low0;
  let left = run;
  for (let l = 0; l < inner; l++) {
    let xAt = aAt + (<usize>((l >> 2) * aStride) << 4) + (<usize>(l & 3) << 2);
    let yAt = bAt + (<usize>(l * bGroups * bStride) << 4);
    let x = v128.load32_splat(xAt);
    let y = v128.load(yAt);
    low0 = i64x2.add(low0, i64x2.extmul_low_i32x4_u(x, y));
    high0 = i64x2.add(high0, i64x2.extmul_high_i32x4_u(x, y));
    x = v128.load32_splat((xAt += aStep));
    y = v128.load((yAt += bStep));
    low1 = i64x2.add(low1, i64x2.extmul_low_i32x4_u(x, y));
    high1 = i64x2.add(high1, i64x2.extmul_high_i32x4_u(x, y));
    x = v128.load32_splat((xAt += aStep));
    y = v128.load((yAt += bStep));
    low2 = i64x2.add(low2, i64x2.extmul_low_i32x4_u(x, y));
    high2 = i64x2.add(high2, i64x2.extmul_high_i32x4_u(x, y));
    x = v128.load32_splat(xAt + aStep);
    y = v128.load(yAt + bStep);
    low3 = i64x2.add(low3, i64x2.extmul_low_i32x4_u(x, y));
    high3 = i64x2.add(high3, i64x2.extmul_high_i32x4_u(x, y));
    if (--left == 0) {
      low0 = lower(low0, k);
      low1 = lower(low1, k);
      low2 = lower(low2, k);
      low3 = lower(low3, k);
      high0 = lower(high0, k);
      high1 = lower(high1, k);
      high2 = lower(high2, k);
      high3 = lower(high3, k);
      left = run;
    }
  }
  v128.store(out, residues(low0, high0, field));
  v128.store(out, residues(low1, high1, field), 16);
  v128.store(out, residues(low2, high2, field), 32);
  v128.store(out, residues(low3, high3, field), 48);
}

/**
 * out ← coefficients from … from + count − 1 of a·b.
 */
export function polyDirect(thread: i32, threads: i32, args: usize): void {
  const out = <usize>load<u32>(args, DIRECT_OUT);
  const outStride = load<i32>(args, DIRECT_OUT_STRIDE);
  const rows = load<i32>(args, DIRECT_ROWS);
  const bGroups = load<i32>(args, DIRECT_B_GROUPS);
  const from = load<i32>(args, DIRECT_FROM);
  const count = load<i32>(args, DIRECT_COUNT);
  const a = <usize>load<u32>(args, DIRECT_A);
  const aGroups = load<i32>(args, DIRECT_A_GROUPS);
  const aStride = load<i32>(args, DIRECT_A_STRIDE);
  const aLength = load<i32>(args, DIRECT_A_LENGTH);
  const b = <usize>load<u32>(args, DIRECT_B);
  const bStride = load<i32>(args, DIRECT_B_STRIDE);
  const bLength = load<i32>(args, DIRECT_B_LENGTH);
  const inner = load<i32>(args, DIRECT_INNER);
  const field = <usize>load<u32>(args, DIRECT_FIELD);
  // Coefficients of a product with a constant matrix that are made by fours.
  const fours = min(aLength, bLength) == 1 ? min(count, max(aLength, bLength) - from) & ~3 : 0;
  const tasks = rows * bGroups;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      const i = task / bGroups;
      const g = task % bGroups;
      const to = out + (<usize>(task * outStride) << 4);
      let k = 0;
      for (; k < fours; k += 4) {
        const at = to + (<usize>k << 4);
        fourCoefficients(a, aGroups, aStride, aLength, b, bGroups, bStride, i, g, inner, from + k, field, at);
      }
      for (; k < count; k++) {
        const value = coefficient(
          a, aGroups, aStride, aLength, b, bGroups, bStride, bLength, i, g, inner, from + k, field,
        );
        v128.store(to + (<usize>k << 4), value);
      }
    }
  }
}

/**
 * The first `period` coefficients of out hold a·b mod z^period − 1, where a·b has period + extra coefficients. The
 * first `extra` of them are computed by the definition, and what they leave of the wrapped ones is the end of the
 * product. The arguments are those of polyDirect, with extra for FROM and period for COUNT.
 */
export function polyUnwrap(thread: i32, threads: i32, args: usize): void {
  const out = <usize>load<u32>(args, DIRECT_OUT);
  const outStride = load<i32>(args, DIRECT_OUT_STRIDE);
  const rows = load<i32>(args, DIRECT_ROWS);
  const bGroups = load<i32>(args, DIRECT_B_GROUPS);
  const extra = load<i32>(args, DIRECT_FROM);
  const period = load<i32>(args, DIRECT_COUNT);
  const field = <usize>load<u32>(args, DIRECT_FIELD);
  const p = v128.load32_splat(field, F_P);
  const tasks = rows * bGroups;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      for (let k = 0; k < extra; k++) {
        const value = coefficient(
          <usize>load<u32>(args, DIRECT_A), load<i32>(args, DIRECT_A_GROUPS),
          load<i32>(args, DIRECT_A_STRIDE), load<i32>(args, DIRECT_A_LENGTH),
          <usize>load<u32>(args, DIRECT_B), bGroups, load<i32>(args, DIRECT_B_STRIDE), load<i32>(args, DIRECT_B_LENGTH),
          task / bGroups, task % bGroups, load<i32>(args, DIRECT_INNER), k, field,
        );
        const at = out + (<usize>(task * outStride + k) << 4);
        const difference = i32x4.sub(v128.load(at), value);
        v128.store(at + (<usize>period << 4), i32x4.min_u(difference, i32x4.add(difference, p)));
        v128.store(at, value);
      }
    }
  }
}

/**
 * to[i, g]_k += from[i, g]_k, k < count.
 */
export function polyAdd(thread: i32, threads: i32, args: usize): void {
  const to = <usize>load<u32>(args, ADD_TO);
  const toStride = load<i32>(args, ADD_TO_STRIDE);
  const from = <usize>load<u32>(args, ADD_SOURCE);
  const fromStride = load<i32>(args, ADD_SOURCE_STRIDE);
  const tasks = load<i32>(args, ADD_VECTORS);
  const count = load<i32>(args, ADD_COUNT);
  const p = v128.load32_splat(<usize>load<u32>(args, ADD_FIELD), F_P);
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      for (let k = 0; k < count; k++) {
        const at = to + (<usize>(task * toStride + k) << 4);
        v128.store(at, addLanes(v128.load(at), v128.load(from + (<usize>(task * fromStride + k) << 4)), p));
      }
    }
  }
}
