/**
 * GF(p^k) by tables, elements being the codes Σ c_i·p^i, and the way from and to polynomials over F_p.
 *
 *   LOG[a] : logarithm of a ≠ 0     CODE[e] : g^e, 0 ≤ e < 2(q − 1)
 *   SUM[e] : the same with coefficient i in bits b·i … b·i + b − 1, b = floor(64 / k)
 *
 * A sum of products is one addition of 64 bits a term; `run` terms fit above a reduced sum (elementsBeforeReduction of
 * fields/reduction.ts).
 */

import {
  ADD_COUNT,
  ADD_FIELD,
  ADD_SOURCE,
  ADD_SOURCE_STRIDE,
  ADD_TO,
  ADD_TO_STRIDE,
  ADD_VECTORS,
} from './add-layout';
import {
  F_CODE, F_CODES, F_DEGREE, F_FOLD, F_LOG, F_P, F_RECIPROCAL, F_RUN, F_SUM, F_UNITS,
} from './field-layout';
import { timesTable } from './gf256.as';
import * as S from './spread-layout';

export function negateByTables(a: u32, field: usize): u32 {
  if (a == 0 || load<u32>(field, F_P) == 2) return a;
  const e = load<u32>(<usize>load<u32>(field, F_LOG) + (<usize>a << 2)) + (load<u32>(field, F_UNITS) >> 1);
  return load<u32>(<usize>load<u32>(field, F_CODE) + (<usize>e << 2));
}

export function invertByTables(a: u32, field: usize): u32 {
  const e = load<u32>(field, F_UNITS) - load<u32>(<usize>load<u32>(field, F_LOG) + (<usize>a << 2));
  return load<u32>(<usize>load<u32>(field, F_CODE) + (<usize>e << 2));
}

export function timesByTables(a: u32, b: u32, field: usize): u32 {
  if (a == 0 || b == 0) return 0;
  const log = <usize>load<u32>(field, F_LOG);
  const e = load<u32>(log + (<usize>a << 2)) + load<u32>(log + (<usize>b << 2));
  return load<u32>(<usize>load<u32>(field, F_CODE) + (<usize>e << 2));
}

export function addByTables(a: u32, b: u32, field: usize): u32 {
  const p = load<u32>(field, F_P);
  if (p == 2) return a ^ b;
  const degree = load<u32>(field, F_DEGREE);
  return codeOf(sumOf(a, field) + sumOf(b, field), p, 64 / degree, degree);
}

/** An element's coefficients, each in its bits of a sum. */
function sumOf(a: u32, field: usize): u64 {
  if (a == 0) return 0;
  const e = load<u32>(<usize>load<u32>(field, F_LOG) + (<usize>a << 2));
  return load<u64>(<usize>load<u32>(field, F_SUM) + (<usize>e << 3));
}

/** Every coefficient of a sum mod p. */
function reduceSum(sum: u64, p: u32, bits: u32, degree: u32): u64 {
  const mask: u64 = (<u64>1 << bits) - 1;
  let result: u64 = 0;
  for (let shift: u32 = 0, i: u32 = 0; i < degree; i++, shift += bits) {
    result |= <u64>(<u32>((sum >> shift) & mask) % p) << shift;
  }
  return result;
}

/** The element that a sum stands for. */
function codeOf(sum: u64, p: u32, bits: u32, degree: u32): u32 {
  const mask: u64 = (<u64>1 << bits) - 1;
  let code: u32 = 0;
  for (let i = degree; i > 0; i--) code = code * p + (<u32>((sum >> (bits * (i - 1))) & mask) % p);
  return code;
}

/** The same for codes of a byte, which are the lowest of each word: the others look up 0·v = 0. */
function combineGf256InWords(
  to: usize, c: usize, rows: usize, terms: i32, offset: usize, count: i32, codes: usize,
): void {
  const end = to + (<usize>count << 4);
  for (let j = 0; j < terms; j++) {
    const factor = load<u32>(c + (<usize>j << 2));
    if (factor == 0) continue;
    const table = codes + (<usize>factor << 5);
    let from = <usize>load<u32>(rows + (<usize>j << 2)) + offset;
    for (let at = to; at < end; at += 16, from += 16) {
      v128.store(at, v128.xor(v128.load(at), timesTable(v128.load(from), table)));
    }
  }
}

/** As combine of dot-u32.as.ts. */
export function combineByTables(
  to: usize, c: usize, rows: usize, terms: i32, offset: usize, count: i32, field: usize,
): void {
  const codes = <usize>load<u32>(field, F_CODES);
  if (codes != 0) {
    combineGf256InWords(to, c, rows, terms, offset, count, codes);
    return;
  }
  const p = load<u32>(field, F_P);
  const log = <usize>load<u32>(field, F_LOG);
  const table = <usize>load<u32>(field, F_SUM);
  const degree = load<u32>(field, F_DEGREE);
  const bits = 64 / degree;
  const run = load<i32>(field, F_RUN);
  for (let i = 0; i < count; i++) {
    const target = to + (<usize>i << 4);
    const at = offset + (<usize>i << 4);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const x = load<u32>(target + lane);
      let sum = sumOf(x, field);
      let left = run;
      for (let j = 0; j < terms; j++) {
        const cj = load<u32>(c + (<usize>j << 2));
        const y = load<u32>(<usize>load<u32>(rows + (<usize>j << 2)) + at + lane);
        if (cj == 0 || y == 0) continue;
        if (left-- == 0) {
          sum = reduceSum(sum, p, bits, degree);
          left = run - 1;
        }
        const e = load<u32>(log + (<usize>cj << 2)) + load<u32>(log + (<usize>y << 2));
        sum += load<u64>(table + (<usize>e << 3));
      }
      store<u32>(target + lane, codeOf(sum, p, bits, degree));
    }
  }
}

/**
 * floor(x/p) for x < 2^22 (floorQuotientBound of fields/quotients.ts).
 */
// @ts-ignore: decorator
@inline
function quotient(x: v128, reciprocal: v128): v128 {
  const y = f32x4.mul(f32x4.add(f32x4.convert_i32x4_s(x), f32x4.splat(0.5)), reciprocal);
  return i32x4.trunc_sat_f32x4_u(y);
}

/** Vector number `vector` of the groups first … first + width − 1 of a matrix: its first coefficient. */
// @ts-ignore: decorator
@inline
function vectorOf(matrix: usize, stride: i32, groups: i32, first: i32, width: i32, vector: i32): usize {
  return matrix + (<usize>(((vector / width) * groups + first + (vector % width)) * stride) << 4);
}

/**
 * Some groups of columns with the coefficients of their elements spread over 2k − 1 places: element Σ c_i·p^i of
 * coefficient j gives c_i at place (2k − 1)·j + i, so that products do not overlap (Kronecker substitution).
 */
export function polySpread(thread: i32, threads: i32, args: usize): void {
  const spread = <usize>load<u32>(args, S.SPREAD);
  const spreadStride = load<i32>(args, S.SPREAD_STRIDE);
  const width = load<i32>(args, S.GROUPS);
  const vectors = load<i32>(args, S.ROWS) * width;
  const count = load<i32>(args, S.COUNT);
  const field = <usize>load<u32>(args, S.FIELD);
  const degree = load<i32>(field, F_DEGREE);
  const p = v128.load32_splat(field, F_P);
  const reciprocal = v128.load32_splat(field, F_RECIPROCAL);
  const end = <i32>((<i64>vectors * (thread + 1)) / threads);
  for (let vector = <i32>((<i64>vectors * thread) / threads); vector < end; vector++) {
    let at = spread + (<usize>(vector * spreadStride) << 4);
    const from = vectorOf(
      <usize>load<u32>(args, S.CODES), load<i32>(args, S.CODES_STRIDE), load<i32>(args, S.CODES_GROUPS),
      load<i32>(args, S.FIRST_GROUP), width, vector,
    );
    for (let j = 0; j < count; j++) {
      let x = v128.load(from + (<usize>j << 4));
      for (let i = 0; i < degree; i++, at += 16) {
        const high = quotient(x, reciprocal);
        v128.store(at, i32x4.sub(x, i32x4.mul(high, p)));
        x = high;
      }
      for (let i = 1; i < degree; i++, at += 16) v128.store(at, i32x4.splat(0));
    }
  }
}

/**
 * The way back: places s_0 … s_(2k−2) are Σ_i (s_i + Σ_j s_(k+j)·[x^i](x^(k+j) mod f))·x^i, sums below k·p² < 2^22.
 */
export function polyFold(thread: i32, threads: i32, args: usize): void {
  const spread = <usize>load<u32>(args, S.SPREAD);
  const spreadStride = load<i32>(args, S.SPREAD_STRIDE);
  const width = load<i32>(args, S.GROUPS);
  const vectors = load<i32>(args, S.ROWS) * width;
  const count = load<i32>(args, S.COUNT);
  const field = <usize>load<u32>(args, S.FIELD);
  const degree = load<i32>(field, F_DEGREE);
  const fold = <usize>load<u32>(field, F_FOLD);
  const p = v128.load32_splat(field, F_P);
  const reciprocal = v128.load32_splat(field, F_RECIPROCAL);
  const end = <i32>((<i64>vectors * (thread + 1)) / threads);
  for (let vector = <i32>((<i64>vectors * thread) / threads); vector < end; vector++) {
    const from = spread + (<usize>(vector * spreadStride) << 4);
    const to = vectorOf(
      <usize>load<u32>(args, S.CODES), load<i32>(args, S.CODES_STRIDE), load<i32>(args, S.CODES_GROUPS),
      load<i32>(args, S.FIRST_GROUP), width, vector,
    );
    for (let j = 0; j < count; j++) {
      const places = from + (<usize>(j * (2 * degree - 1)) << 4);
      let code = i32x4.splat(0);
      for (let i = degree - 1; i >= 0; i--) {
        let sum = v128.load(places + (<usize>i << 4));
        for (let h = 0; h < degree - 1; h++) {
          const x = v128.load(places + (<usize>(degree + h) << 4));
          sum = i32x4.add(sum, i32x4.mul(x, v128.load32_splat(fold + (<usize>(h * degree + i) << 2))));
        }
        sum = i32x4.sub(sum, i32x4.mul(quotient(sum, reciprocal), p));
        code = i32x4.add(i32x4.mul(code, p), sum);
      }
      v128.store(to + (<usize>j << 4), code);
    }
  }
}

/** to += from, entry by entry, through places: words as polyAdd of mul-direct.as.ts. */
export function polyAddByTables(thread: i32, threads: i32, args: usize): void {
  const to = <usize>load<u32>(args, ADD_TO);
  const toStride = load<i32>(args, ADD_TO_STRIDE);
  const from = <usize>load<u32>(args, ADD_SOURCE);
  const fromStride = load<i32>(args, ADD_SOURCE_STRIDE);
  const vectors = load<i32>(args, ADD_VECTORS);
  const count = load<i32>(args, ADD_COUNT);
  const field = <usize>load<u32>(args, ADD_FIELD);
  const degree = load<i32>(field, F_DEGREE);
  const p = v128.load32_splat(field, F_P);
  const reciprocal = v128.load32_splat(field, F_RECIPROCAL);
  const binary = load<u32>(field, F_P) == 2;
  const end = <i32>((<i64>vectors * (thread + 1)) / threads);
  for (let vector = <i32>((<i64>vectors * thread) / threads); vector < end; vector++) {
    for (let k = 0; k < count; k++) {
      if (binary) {
        const at = to + (<usize>(vector * toStride + k) << 4);
        v128.store(at, v128.xor(v128.load(at), v128.load(from + (<usize>(vector * fromStride + k) << 4))));
        continue;
      }
      const at = to + (<usize>(vector * toStride + k) << 4);
      let x = v128.load(at);
      let y = v128.load(from + (<usize>(vector * fromStride + k) << 4));
      let weight = i32x4.splat(1);
      let code = i32x4.splat(0);
      for (let i = 0; i < degree; i++) {
        const xHigh = quotient(x, reciprocal);
        const yHigh = quotient(y, reciprocal);
        // digits: x − p·xHigh + y − p·yHigh, less p where that is not below p
        const sum = i32x4.sub(i32x4.add(x, y), i32x4.mul(i32x4.add(xHigh, yHigh), p));
        code = i32x4.add(code, i32x4.mul(weight, i32x4.min_u(sum, i32x4.sub(sum, p))));
        weight = i32x4.mul(weight, p);
        x = xHigh;
        y = yHigh;
      }
      v128.store(at, code);
    }
  }
}
