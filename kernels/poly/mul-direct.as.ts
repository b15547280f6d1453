/**
 * Polynomial matrices by the definition: short products, sums, and the repair of a wrapped cyclic product.
 *
 * A matrix is stored by rows and groups of four columns: the four entries (i, 4g … 4g + 3) of coefficient k are the
 * vector number (i·groups + g)·stride + k. Lanes beyond the last column are zero. Lengths count coefficients.
 */
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';
import { addLanes, F_K, F_P, F_PINV, F_RUN, F_SQUARE, lower, reduceLanes } from '../residues/dot-u32.as';

// @ts-ignore: decorator
@inline
function word(args: usize, index: i32): i32 {
  return load<i32>(args + (<usize>index << 2));
}

/**
 * Coefficient `at` of row i, group g of a·b: Σ_j Σ_l a[i, l]_j·b[l, group]_(at−j), l < inner.
 * The sum comes out of REDC as t·2^-32; a second one with 2^64 mod p puts that right.
 */
function coefficient(
  a: usize, aGroups: i32, aStride: i32, aLength: i32,
  b: usize, bGroups: i32, bStride: i32, bLength: i32,
  i: i32, g: i32, inner: i32, at: i32, field: usize,
): v128 {
  const p = v128.load32_splat(field, F_P);
  const pinv = v128.load32_splat(field, F_PINV);
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
  const r = reduceLanes(i64x2.add(lower(low, k), k), i64x2.add(lower(high, k), k), p, pinv);
  const square = v128.load32_splat(field, F_SQUARE);
  return reduceLanes(i64x2.extmul_low_i32x4_u(r, square), i64x2.extmul_high_i32x4_u(r, square), p, pinv);
}

/**
 * out ← coefficients from … from + count − 1 of a·b.
 * Words: out, outStride, a, rows, aGroups, aStride, aLength, b, bGroups, bStride, bLength, inner, from, count, field.
 */
export function polyDirect(thread: i32, threads: i32, args: usize): void {
  const out = <usize>load<u32>(args);
  const outStride = word(args, 1);
  const rows = word(args, 3);
  const bGroups = word(args, 8);
  const from = word(args, 12);
  const count = word(args, 13);
  const tasks = rows * bGroups;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      const i = task / bGroups;
      const g = task % bGroups;
      for (let k = 0; k < count; k++) {
        const value = coefficient(
          <usize>load<u32>(args + 8), word(args, 4), word(args, 5), word(args, 6),
          <usize>load<u32>(args + 28), bGroups, word(args, 9), word(args, 10),
          i, g, word(args, 11), from + k, <usize>load<u32>(args + 56),
        );
        v128.store(out + (<usize>(task * outStride + k) << 4), value);
      }
    }
  }
}

/**
 * The first `period` coefficients of out hold a·b mod z^period − 1, where a·b has period + extra coefficients. The
 * first `extra` of them are computed by the definition, and what they leave of the wrapped ones is the end of the
 * product. Words as polyDirect, with extra in the place of from and period in the place of count.
 */
export function polyUnwrap(thread: i32, threads: i32, args: usize): void {
  const out = <usize>load<u32>(args);
  const outStride = word(args, 1);
  const rows = word(args, 3);
  const bGroups = word(args, 8);
  const extra = word(args, 12);
  const period = word(args, 13);
  const field = <usize>load<u32>(args + 56);
  const p = v128.load32_splat(field, F_P);
  const tasks = rows * bGroups;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      for (let k = 0; k < extra; k++) {
        const value = coefficient(
          <usize>load<u32>(args + 8), word(args, 4), word(args, 5), word(args, 6),
          <usize>load<u32>(args + 28), bGroups, word(args, 9), word(args, 10),
          task / bGroups, task % bGroups, word(args, 11), k, field,
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
 * to[i, g]_k += from[i, g]_k, k < count. Words: to, toStride, from, fromStride, vectors = rows·groups, count, field.
 */
export function polyAdd(thread: i32, threads: i32, args: usize): void {
  const to = <usize>load<u32>(args);
  const toStride = word(args, 1);
  const from = <usize>load<u32>(args + 8);
  const fromStride = word(args, 3);
  const tasks = word(args, 4);
  const count = word(args, 5);
  const p = v128.load32_splat(<usize>load<u32>(args + 24), F_P);
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
