/**
 * From polynomial matrices to their values at the N-th roots of unity modulo several primes q_l, and back with the
 * Chinese remainder theorem to residues mod p. The products of values in between are pointwise-u32.as.ts.
 *
 * Values: prime l, row i, group g is the run of N vectors from (l·rows·groups + i·groups + g)·stride on, with a stride
 * a little above N, so that the matrix at one point does not fall into few sets of the cache.
 */
import { Q, Q_RECIPROCAL, MAGIC, EARLIER, PRIME_BYTES, C_P, C_MAGIC, C_BIAS, C_WEIGHTS } from './ntt-u32-layout';
import * as L from './mul-layout';
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';
import { forward, inverse, mulRoot, reduce } from './ntt-u32.as';
import { addLanes } from '../residues/dot-u32.as';
import { F_HALF, F_P } from '../residues/field-layout';

/**
 * The groups first … first + groups − 1 of columns of a matrix.
 */
export function nttForwardU32(thread: i32, threads: i32, args: usize): void {
  const values = <usize>load<u32>(args, L.FORWARD_VALUES);
  const source = <usize>load<u32>(args, L.FORWARD_SOURCE);
  const rows = load<i32>(args, L.FORWARD_ROWS);
  const sourceGroups = load<i32>(args, L.FORWARD_SOURCE_GROUPS);
  const firstGroup = load<i32>(args, L.FORWARD_FIRST_GROUP);
  const groups = load<i32>(args, L.FORWARD_GROUPS);
  const sourceStride = load<i32>(args, L.FORWARD_SOURCE_STRIDE);
  const count = load<i32>(args, L.FORWARD_COUNT);
  const n = load<i32>(args, L.FORWARD_N);
  const stride = load<i32>(args, L.FORWARD_STRIDE);
  const primes = load<i32>(args, L.FORWARD_PRIMES);
  const table = <usize>load<u32>(args, L.FORWARD_TABLE);
  const field = <usize>load<u32>(args, L.FORWARD_FIELD);
  const reduces = load<i32>(args, L.FORWARD_REDUCES) != 0;
  const p = v128.load32_splat(field, F_P);
  const half = v128.load32_splat(field, F_HALF);
  const vectors = rows * groups;
  const tasks = vectors * primes;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      const l = task / vectors;
      const vector = task % vectors;
      const prime = table + <usize>l * PRIME_BYTES;
      const q = v128.load32_splat(prime, Q);
      const qr = v128.load32_splat(prime, Q_RECIPROCAL);
      const magic = v128.load32_splat(prime, MAGIC);
      const place = (vector / groups) * sourceGroups + firstGroup + (vector % groups);
      const from = source + (<usize>(place * sourceStride) << 4);
      const to = values + ((<usize>(l * vectors + vector) * <usize>stride) << 4);
      const bytes = <usize>count << 4;
      for (let k: usize = 0; k < bytes; k += 16) {
        const x = v128.load(from + k);
        let balanced = i32x4.sub(x, v128.and(p, i32x4.gt_s(x, half)));
        if (reduces) balanced = reduce(balanced, qr, q, magic);
        v128.store(to + k, balanced);
      }
      memory.fill(to + bytes, 0, (<usize>n << 4) - bytes);
      forward(to, n, prime);
    }
  }
}

const BLOCK: usize = 256; // bytes: 16 vectors of each prime at a time

/**
 * out ← the coefficients start … start + count − 1 mod p from the values, which are overwritten.
 *
 * Garner: c = v_0 + q_0·(v_1 + q_1·(v_2 + …)), v_l = (…((r_l − v_0)/q_0 − v_1)/q_1 …) mod q_l, |v_l| ≤ 0.82·q_l. That
 * is c itself when |c| ≤ Π q_l / digitSlack(0.82) (fields/transform-bounds.ts).
 */
export function nttInverseU32(thread: i32, threads: i32, args: usize): void {
  const out = <usize>load<u32>(args, L.INVERSE_OUT);
  const outStride = load<i32>(args, L.INVERSE_OUT_STRIDE);
  const outGroups = load<i32>(args, L.INVERSE_OUT_GROUPS);
  const firstGroup = load<i32>(args, L.INVERSE_FIRST_GROUP);
  const values = <usize>load<u32>(args, L.INVERSE_VALUES);
  const rows = load<i32>(args, L.INVERSE_ROWS);
  const groups = load<i32>(args, L.INVERSE_GROUPS);
  const n = load<i32>(args, L.INVERSE_N);
  const bytes = <usize>load<u32>(args, L.INVERSE_STRIDE) << 4;
  const primes = load<i32>(args, L.INVERSE_PRIMES);
  const table = <usize>load<u32>(args, L.INVERSE_TABLE);
  const constants = <usize>load<u32>(args, L.INVERSE_CONSTANTS);
  const start = <usize>load<u32>(args, L.INVERSE_START) << 4;
  const count = <usize>load<u32>(args, L.INVERSE_COUNT) << 4;
  const vectors = rows * groups;
  const p = v128.load32_splat(constants, C_P);
  const pMagic = v128.load32_splat(constants, C_MAGIC);
  const bias = v128.load32_splat(constants, C_BIAS);
  const runs = runCount(vectors, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, vectors);
    for (let task = <i32>runFirst(run, runs, vectors); task < end; task++) {
      const x = values + <usize>task * bytes;
      for (let l = 0; l < primes; l++) inverse(x + <usize>(l * vectors) * bytes, n, table + <usize>l * PRIME_BYTES);
      const to = out + (<usize>((task / groups * outGroups + firstGroup + task % groups) * outStride) << 4);
      for (let first: usize = 0; first < count; first += BLOCK) {
        const stop = min(count, first + BLOCK);
        for (let l = 0; l < primes; l++) {
          const prime = table + <usize>l * PRIME_BYTES;
          const xl = x + <usize>(l * vectors) * bytes + start;
          const q = v128.load32_splat(prime, Q);
          const magic = v128.load32_splat(prime, MAGIC);
          // v_l ← r_l/N, then for every earlier digit v_l ← (v_l − v_i)/q_i
          let w = v128.load32_splat(args + L.INVERSE_LENGTHS + (<usize>l << 3));
          let wq = v128.load32_splat(args + L.INVERSE_LENGTHS + 4 + (<usize>l << 3));
          for (let k = first; k < stop; k += 16) v128.store(xl + k, mulRoot(v128.load(xl + k), w, wq, q, magic));
          for (let i = 0; i < l; i++) {
            w = v128.load32_splat(prime + EARLIER + (<usize>i << 3));
            wq = v128.load32_splat(prime + EARLIER + 4 + (<usize>i << 3));
            const xi = x + <usize>(i * vectors) * bytes + start;
            for (let k = first; k < stop; k += 16) {
              v128.store(xl + k, mulRoot(i32x4.sub(v128.load(xl + k), v128.load(xi + k)), w, wq, q, magic));
            }
          }
          // c ← c + v_l·(q_0·…·q_(l−1) mod p); the quotient by p as in mulRoot, |v_l| < 2^21, so |r| < 0.63·p
          w = v128.load32_splat(constants + C_WEIGHTS + (<usize>l << 3));
          wq = v128.load32_splat(constants + C_WEIGHTS + 4 + (<usize>l << 3));
          for (let k = first; k < stop; k += 16) {
            const v = v128.load(xl + k);
            const quotient = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(v), wq), pMagic);
            let r = i32x4.add(i32x4.sub(i32x4.mul(v, w), i32x4.mul(quotient, p)), bias);
            r = i32x4.min_u(r, i32x4.add(r, p));
            v128.store(to + k, l == 0 ? r : addLanes(r, v128.load(to + k), p));
          }
        }
      }
    }
  }
}
