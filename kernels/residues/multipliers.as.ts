/**
 * Residues, or codes, become multipliers (kernels/residues/storage.ts), in place: the general entries of a matrix,
 * once.
 */
import { TABLE_SHIFT } from './gf256.as';
import * as L from './multipliers-layout';
import { pairs } from './u16.as';
import { fromSums } from './u32.as';

/** The thread's share of the vectors, as addresses. */
// @ts-ignore: decorator
@inline
function address(share: i32, threads: i32, args: usize): usize {
  const vectors = u64((load<u32>(args, L.COUNT) + 3) >> 2);
  return load<usize>(args, L.AT) + (usize((vectors * share) / threads) << 4);
}

export function multipliersU16(thread: i32, threads: i32, args: usize): void {
  const end = address(thread + 1, threads, args);
  const p = i32x4.splat(load<i32>(args, L.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, L.MODULUS)));
  for (let at = address(thread, threads, args); at < end; at += 16) v128.store(at, pairs(v128.load(at), p, inverse));
}

/** v·2^64 = v·2^128 / 2^64: the factor of 2^64 times v, less than 2^62, brought to a residue as any sum is. */
export function multipliersU32(thread: i32, threads: i32, args: usize): void {
  const end = address(thread + 1, threads, args);
  const p = i32x4.splat(load<i32>(args, L.MODULUS));
  const n = i32x4.splat(load<i32>(args, L.CONSTANT));
  const scale = i32x4.splat(load<i32>(args, L.SCALE));
  const mask = i64x2.splat(0xffffffff);
  for (let at = address(thread, threads, args); at < end; at += 16) {
    const v = v128.load(at);
    const low = i64x2.extmul_low_i32x4_u(v, scale);
    const high = i64x2.extmul_high_i32x4_u(v, scale);
    const residues = fromSums(
      v128.and(low, mask),
      v128.and(high, mask),
      i64x2.shr_u(low, 32),
      i64x2.shr_u(high, 32),
      p,
      n,
    );
    v128.store(at, residues);
  }
}

/** The multiplier of a code is the address of its table. */
export function multipliersGf256(thread: i32, threads: i32, args: usize): void {
  const end = address(thread + 1, threads, args);
  const tables = i32x4.splat(load<i32>(args, L.CONSTANT));
  for (let at = address(thread, threads, args); at < end; at += 16) {
    v128.store(at, i32x4.add(tables, i32x4.shl(v128.load(at), i32(TABLE_SHIFT))));
  }
}
