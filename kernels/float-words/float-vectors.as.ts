/** Vectors of floats, of 32 and of 64 bits, as spmm-floats.as.ts calculates with them, and residues made floats. */
import { runFirst } from '../threads/chunks.as';
import * as L from './float-layout';

// @ts-ignore: decorator
@final
@unmanaged
export class F32 {
  // @ts-ignore: decorator
  @inline
  lanes(): u32 {
    return 4;
  }

  /** log2 of the bytes of a number. */
  // @ts-ignore: decorator
  @inline
  shift(): usize {
    return 2;
  }

  // @ts-ignore: decorator
  @inline
  splat(a: f64): v128 {
    return f32x4.splat(f32(a));
  }

  /** The value of the entry whose column is `offset` bytes behind the first one. */
  // @ts-ignore: decorator
  @inline
  factor(values: usize, offset: usize): v128 {
    return v128.load_splat<u32>(values + offset);
  }

  // @ts-ignore: decorator
  @inline
  add(a: v128, b: v128): v128 {
    return f32x4.add(a, b);
  }

  // @ts-ignore: decorator
  @inline
  sub(a: v128, b: v128): v128 {
    return f32x4.sub(a, b);
  }

  // @ts-ignore: decorator
  @inline
  mul(a: v128, b: v128): v128 {
    return f32x4.mul(a, b);
  }

  // @ts-ignore: decorator
  @inline
  gt(a: v128, b: v128): v128 {
    return f32x4.gt(a, b);
  }

  // @ts-ignore: decorator
  @inline
  nearest(a: v128): v128 {
    return f32x4.nearest(a);
  }

  // @ts-ignore: decorator
  @inline
  toI32(a: v128): v128 {
    return i32x4.trunc_sat_f32x4_s(a);
  }
}

// @ts-ignore: decorator
@final
@unmanaged
export class F64 {
  // @ts-ignore: decorator
  @inline
  lanes(): u32 {
    return 2;
  }

  // @ts-ignore: decorator
  @inline
  shift(): usize {
    return 3;
  }

  // @ts-ignore: decorator
  @inline
  splat(a: f64): v128 {
    return f64x2.splat(a);
  }

  // @ts-ignore: decorator
  @inline
  factor(values: usize, offset: usize): v128 {
    return v128.load_splat<u64>(values + (offset << 1));
  }

  // @ts-ignore: decorator
  @inline
  add(a: v128, b: v128): v128 {
    return f64x2.add(a, b);
  }

  // @ts-ignore: decorator
  @inline
  sub(a: v128, b: v128): v128 {
    return f64x2.sub(a, b);
  }

  // @ts-ignore: decorator
  @inline
  mul(a: v128, b: v128): v128 {
    return f64x2.mul(a, b);
  }

  // @ts-ignore: decorator
  @inline
  gt(a: v128, b: v128): v128 {
    return f64x2.gt(a, b);
  }

  // @ts-ignore: decorator
  @inline
  nearest(a: v128): v128 {
    return f64x2.nearest(a);
  }

  // @ts-ignore: decorator
  @inline
  toI32(a: v128): v128 {
    return i32x4.trunc_sat_f64x2_s_zero(a);
  }
}

/** Residues above HIGHEST become negative; whole vectors, for which both arrays have room behind their end. */
export function floatsU16F32(thread: i32, threads: i32, args: usize): void {
  const p = i32x4.splat(load<i32>(args, L.FLOAT_MODULUS));
  const high = i32x4.splat(load<i32>(args, L.HIGHEST));
  const from = load<usize>(args, L.FROM);
  const to = load<usize>(args, L.TO);
  const vectors = (load<u32>(args, L.COUNT) + 3) >> 2;
  for (let t = runFirst(thread, threads, vectors), end = runFirst(thread + 1, threads, vectors); t < end; t++) {
    const r = v128.load_ext<u16>(from + (usize(t) << 3));
    v128.store(to + (usize(t) << 4), f32x4.convert_i32x4_s(balanced(r, p, high)));
  }
}

export function floatsU16F64(thread: i32, threads: i32, args: usize): void {
  doubles<u16>(thread, threads, args);
}

export function floatsU32F64(thread: i32, threads: i32, args: usize): void {
  doubles<u32>(thread, threads, args);
}

// @ts-ignore: decorator
@inline
function doubles<T>(thread: i32, threads: i32, args: usize): void {
  const p = i32x4.splat(load<i32>(args, L.FLOAT_MODULUS));
  const high = i32x4.splat(load<i32>(args, L.HIGHEST));
  const from = load<usize>(args, L.FROM);
  const to = load<usize>(args, L.TO);
  const vectors = (load<u32>(args, L.COUNT) + 3) >> 2;
  for (let t = runFirst(thread, threads, vectors), end = runFirst(thread + 1, threads, vectors); t < end; t++) {
    const at = from + usize(t) * (4 * sizeof<T>());
    const r = balanced(sizeof<T>() == 2 ? v128.load_ext<u16>(at) : v128.load(at), p, high);
    v128.store(to + (usize(t) << 5), f64x2.convert_low_i32x4_s(r));
    v128.store(to + (usize(t) << 5), f64x2.convert_low_i32x4_s(i64x2.shuffle(r, r, 1, 1)), 16);
  }
}

// @ts-ignore: decorator
@inline
function balanced(r: v128, p: v128, high: v128): v128 {
  return i32x4.sub(r, v128.and(i32x4.gt_s(r, high), p));
}
