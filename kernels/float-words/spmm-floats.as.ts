/**
 * Y ← alpha·A·X + beta·Y in floating-point numbers: X and the values of A are floats, Y holds integers.
 *
 *   X : f32 or f64, `width` a row, residues 0 … p − 1 or balanced      Y : u16 or u32, canonical
 *   F : how a vector of floats is calculated with, F32 or F64      E : how residues are stored, EndU16 or EndU32
 *   arguments: spmm-layout.ts, but values are floats, and FLOAT_HIGHEST is the largest residue of the representation
 *
 * A row's +1, −1 and general entries are added up in turn; a sum is reduced after as many terms as
 * floatEntriesBeforeReduction of fields/reduction.ts allows, which has the proof of `reduce`. Rows are walked as CSR,
 * ELL and ELL_R are (kernels/spmm/walk-runs.as.ts).
 */
import { affine, storePart } from '../residues/u16.as';
import { affineU32, storeU32 } from '../residues/u32.as';
import * as A from '../spmm/spmm-arguments.as';
import { Runs } from '../spmm/walk-runs.as';
import { takeChunk } from '../threads/chunks.as';
import * as L from './float-layout';
import { F32, F64 } from './float-vectors.as';

export function spmmF32U16(thread: i32, threads: i32, args: usize): void {
  spmm<F32, EndU16>(thread, threads, args);
}

export function spmmF64U16(thread: i32, threads: i32, args: usize): void {
  spmm<F64, EndU16>(thread, threads, args);
}

export function spmmF64U32(thread: i32, threads: i32, args: usize): void {
  spmm<F64, EndU32>(thread, threads, args);
}

function spmm<F, E>(thread: i32, threads: i32, args: usize): void {
  const chunks = load<usize>(args, A.CHUNKS);
  const count = load<u32>(args, A.CHUNK_COUNT);
  for (;;) {
    const chunk = takeChunk(thread, threads, count);
    if (chunk < 0) return;
    const at = chunks + (usize(chunk) << 2);
    const last = load<u32>(at, 4);
    for (let i = load<u32>(at); i < last; i += A.ROWS_TOGETHER) rows<F, E>(args, i, min(last, i + A.ROWS_TOGETHER));
  }
}

function rows<F, E>(args: usize, first: u32, last: u32): void {
  const f = changetype<F>(0);
  const width = load<u32>(args, A.WIDTH);
  let column: u32 = 0;
  for (; column + 4 * f.lanes() <= width; column += 4 * f.lanes()) fourVectors<F, E>(args, first, last, column);
  for (; column < width; column += f.lanes()) {
    oneVector<F, E>(args, first, last, column, min(f.lanes(), width - column));
  }
}

function fourVectors<F, E>(args: usize, first: u32, last: u32, column: u32): void {
  tile<F, E>(args, first, last, column, changetype<F>(0).lanes(), true);
}

/** `count` columns of a vector; what is read behind them is not stored. */
function oneVector<F, E>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  tile<F, E>(args, first, last, column, count, false);
}

/** `four` vectors, or one; known where this is inlined. */
// @ts-ignore: decorator
@inline
function tile<F, E>(args: usize, first: u32, last: u32, column: u32, count: u32, four: bool): void {
  const f = changetype<F>(0);
  const walk = changetype<Runs>(0);
  const stride = usize(load<u32>(args, A.WIDTH)) << f.shift();
  const x = load<usize>(args, A.X) + (usize(column) << f.shift());
  const p = f.splat(f64(load<u32>(args, A.MODULUS)));
  const c = f.splat(1.0 / f64(load<u32>(args, A.MODULUS)));
  const high = f.splat(f64(load<u32>(args, L.FLOAT_HIGHEST)));
  const low = f.splat(f64(load<u32>(args, L.FLOAT_HIGHEST)) - f64(load<u32>(args, A.MODULUS) - 1));
  const unitTerms = load<usize>(args, A.UNIT_TERMS);
  const terms = load<usize>(args, A.GENERAL_TERMS);
  const plus = args + A.PLUS;
  const minus = args + A.MINUS;
  const general = args + A.GENERAL;
  const hasPlus = A.isPresent(plus);
  const hasMinus = A.isPresent(minus);
  const hasGeneral = A.isPresent(general);
  const columns = load<usize>(general, A.COLUMNS);
  const values = load<usize>(general, A.VALUES);
  let plusAt = hasPlus ? walk.seek(plus, first) : 0;
  let minusAt = hasMinus ? walk.seek(minus, first) : 0;
  let generalAt = hasGeneral ? walk.seek(general, first) : 0;
  for (let i = first; i < last; i++) {
    let s0 = f.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    if (hasPlus) {
      const end = walk.end(plus, plusAt, i);
      for (let k = plusAt; k < end; ) {
        const stop = min(end, k + unitTerms);
        for (; k < stop; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          s0 = f.add(s0, v128.load(at));
          if (four) {
            s1 = f.add(s1, v128.load(at, 16));
            s2 = f.add(s2, v128.load(at, 32));
            s3 = f.add(s3, v128.load(at, 48));
          }
        }
        s0 = reduce<F>(s0, p, c, low, high);
        if (four) {
          s1 = reduce<F>(s1, p, c, low, high);
          s2 = reduce<F>(s2, p, c, low, high);
          s3 = reduce<F>(s3, p, c, low, high);
        }
      }
      plusAt = walk.next(plus, plusAt, end, i);
    }
    if (hasMinus) {
      const end = walk.end(minus, minusAt, i);
      for (let k = minusAt; k < end; ) {
        const stop = min(end, k + unitTerms);
        for (; k < stop; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          s0 = f.sub(s0, v128.load(at));
          if (four) {
            s1 = f.sub(s1, v128.load(at, 16));
            s2 = f.sub(s2, v128.load(at, 32));
            s3 = f.sub(s3, v128.load(at, 48));
          }
        }
        s0 = reduce<F>(s0, p, c, low, high);
        if (four) {
          s1 = reduce<F>(s1, p, c, low, high);
          s2 = reduce<F>(s2, p, c, low, high);
          s3 = reduce<F>(s3, p, c, low, high);
        }
      }
      minusAt = walk.next(minus, minusAt, end, i);
    }
    if (hasGeneral) {
      const end = walk.end(general, generalAt, i);
      for (let k = generalAt; k < end; ) {
        const stop = min(end, k + terms);
        for (; k < stop; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          const v = f.factor(values, k - columns);
          s0 = f.add(s0, f.mul(v128.load(at), v));
          if (four) {
            s1 = f.add(s1, f.mul(v128.load(at, 16), v));
            s2 = f.add(s2, f.mul(v128.load(at, 32), v));
            s3 = f.add(s3, f.mul(v128.load(at, 48), v));
          }
        }
        s0 = reduce<F>(s0, p, c, low, high);
        if (four) {
          s1 = reduce<F>(s1, p, c, low, high);
          s2 = reduce<F>(s2, p, c, low, high);
          s3 = reduce<F>(s3, p, c, low, high);
        }
      }
      generalAt = walk.next(general, generalAt, end, i);
    }
    const e = changetype<E>(0);
    const step = usize(f.lanes()) << e.shift();
    const y = load<usize>(args, A.Y) + ((usize(i) * usize(load<u32>(args, A.WIDTH)) + usize(column)) << e.shift());
    e.store(args, y, toIntegers<F>(s0, p), count);
    if (four) {
      e.store(args, y + step, toIntegers<F>(s1, p), count);
      e.store(args, y + 2 * step, toIntegers<F>(s2, p), count);
      e.store(args, y + 3 * step, toIntegers<F>(s3, p), count);
    }
  }
}

/** The residue between `low` and `high` of each sum. */
// @ts-ignore: decorator
@inline
function reduce<F>(s: v128, p: v128, c: v128, low: v128, high: v128): v128 {
  const f = changetype<F>(0);
  const r = f.sub(s, f.mul(f.nearest(f.mul(s, c)), p));
  return f.add(f.sub(r, v128.and(f.gt(r, high), p)), v128.and(f.gt(low, r), p));
}

/** Canonical residues as i32 in the first lanes. */
// @ts-ignore: decorator
@inline
function toIntegers<F>(r: v128, p: v128): v128 {
  const f = changetype<F>(0);
  return f.toI32(f.add(r, v128.and(f.gt(f.splat(0), r), p)));
}

// @ts-ignore: decorator
@final
@unmanaged
class EndU16 {
  // @ts-ignore: decorator
  @inline
  shift(): usize {
    return 1;
  }

  // @ts-ignore: decorator
  @inline
  store(args: usize, y: usize, r: v128, count: u32): void {
    let residues = i16x8.narrow_i32x4_u(r, r);
    if (load<u32>(args, A.AFFINE)) {
      const p = load<u32>(args, A.MODULUS);
      residues = affine(residues, load<u32>(args, A.ALPHA), v128.load(y), load<u32>(args, A.BETA), p);
    }
    storePart(y, residues, count);
  }
}

// @ts-ignore: decorator
@final
@unmanaged
class EndU32 {
  // @ts-ignore: decorator
  @inline
  shift(): usize {
    return 2;
  }

  // @ts-ignore: decorator
  @inline
  store(args: usize, y: usize, r: v128, count: u32): void {
    let residues = r;
    if (load<u32>(args, A.AFFINE)) {
      const p = i32x4.splat(load<i32>(args, A.MODULUS));
      const alpha = i32x4.splat(load<i32>(args, A.ALPHA));
      const beta = i32x4.splat(load<i32>(args, A.BETA));
      residues = affineU32(r, alpha, v128.load(y), beta, p, i32x4.splat(load<i32>(args, A.CONSTANT)));
    }
    storeU32(y, residues, residues, count);
  }
}
