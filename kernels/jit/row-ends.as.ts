/**
 * What compiled rows call: reductions, and the end of a row, y ← alpha·r + beta·y.
 *
 *   args : jit-layout.ts        count : residues of the vector that belong to the row
 *   later : whether r is a further part of a long row, so that y ← alpha·r + y
 */
import { affine, evenSum, highColumns, lowColumns, reduce, reducePacked, storePart } from '../residues/u16.as';
import { affineU32, fromSums, storeU32 } from '../residues/u32.as';
import * as L from './jit-layout';

/** One residue, from r and the y that was. */
export function jitEndWord(args: usize, r: u32, y: u32, later: u32): u32 {
  const beta: u64 = later ? 1 : load<u32>(args, L.PLAIN_BETA);
  return u32((u64(load<u32>(args, L.PLAIN_ALPHA)) * r + beta * y) % load<u32>(args, L.MODULUS));
}

// @ts-ignore: decorator
@inline
function inverseOf(args: usize): v128 {
  return f32x4.splat(f32(1) / f32(load<u32>(args, L.MODULUS)));
}

// @ts-ignore: decorator
@inline
function modulusOf(args: usize): v128 {
  return i32x4.splat(load<i32>(args, L.MODULUS));
}

/** The sums of ±1 entries of columns 0 … 3, or 4 … 7. */
export function jitLowU16(s: v128, o: v128): v128 {
  return lowColumns(evenSum(s, o), o);
}

export function jitHighU16(s: v128, o: v128): v128 {
  return highColumns(evenSum(s, o), o);
}

export function jitReduceU16(args: usize, sums: v128): v128 {
  return reduce(sums, modulusOf(args), inverseOf(args));
}

export function jitEndUnitsU16(args: usize, y: usize, s: v128, o: v128, count: u32, later: u32): void {
  endU16(args, y, reducePacked(s, o, modulusOf(args), inverseOf(args)), count, later);
}

export function jitEndU16(args: usize, y: usize, low: v128, high: v128, count: u32, later: u32): void {
  const p = modulusOf(args);
  const inverse = inverseOf(args);
  endU16(args, y, i16x8.narrow_i32x4_u(reduce(low, p, inverse), reduce(high, p, inverse)), count, later);
}

// @ts-ignore: decorator
@inline
function endU16(args: usize, y: usize, r: v128, count: u32, later: u32): void {
  if (load<u32>(args, L.AFFINE) | later) {
    const beta = later ? load<u32>(args, L.ONE) : load<u32>(args, L.BETA);
    r = affine(r, load<u32>(args, L.ALPHA), v128.load(y), beta, load<u32>(args, L.MODULUS));
  }
  if (count == 8) v128.store(y, r);
  else storePart(y, r, count);
}

/** The residues of sums of products, high·2^32 + acc (u32.as.ts). */
export function jitReduceU32(args: usize, acc0: v128, acc1: v128, high0: v128, high1: v128): v128 {
  return fromSums(acc0, acc1, high0, high1, modulusOf(args), i32x4.splat(load<i32>(args, L.CONSTANT)));
}

export function jitEndU32(args: usize, y: usize, r: v128, count: u32, later: u32): void {
  if (load<u32>(args, L.AFFINE) | later) {
    const alpha = i32x4.splat(load<i32>(args, L.ALPHA));
    const beta = i32x4.splat(later ? load<i32>(args, L.ONE) : load<i32>(args, L.BETA));
    r = affineU32(r, alpha, v128.load(y), beta, modulusOf(args), i32x4.splat(load<i32>(args, L.CONSTANT)));
  }
  if (count == 4) v128.store(y, r);
  else storeU32(y, r, r, count);
}
