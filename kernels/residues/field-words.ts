/**
 * The constants of a field as the polynomial kernels read them, one block of words each: F_p for
 * kernels/residues/dot-u32.as.ts, GF(p^k) for kernels/residues/gfq-tables.as.ts, which say what they are for.
 *
 *   run : products between two corrections by K = run·p² (fields/reduction.ts)
 */
import type { ExtensionField } from '../../fields/extension.js';
import { FieldError } from '../../fields/field.js';
import { inverseModWord } from '../../fields/inverse.js';
import { largestTableField } from '../../fields/quotients.js';
import { elementsBeforeReduction, runBeforeCorrection } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { argumentList } from '../threads/argument-list.js';
import type { KernelMemory } from '../threads/memory.js';
import * as L from './field-layout.js';
import { gf256Tables, hasGf256Storage } from './storage.js';

/** Moduli whose sums of products go by digits, kernels/poly/dot-u16.as.ts, and the constant of its quotients. */
const DIGITS = 2n ** 16n;
const MAGIC_BITS = 0x4b400000n; // 1.5·2^23 as f32

/** Writes the block; the caller releases it. */
export function polyField(memory: KernelMemory, field: WordPrime): number {
  const p = field.modulus;
  const even = p === 2n;
  const radix = 2n ** 32n;
  const { run, K } = runBeforeCorrection(p);
  const one = even ? 1n : radix % p;
  // biome-ignore format: a line a group of words
  const words = argumentList(
    [L.F_P, field.p], [L.F_PINV, even ? 2 ** 31 : inverseModWord(field.p)],
    [L.F_ONE, Number(one)], [L.F_SQUARE, Number((one * one) % p)],
    [L.F_K, Number(K % radix)], [L.F_K_HIGH, Number(K / radix)], [L.F_RUN, Number(run)], [L.F_HALF, Number(p / 2n)],
  );
  // Zeroed: F_TABLES must say that there are none.
  const at = memory.allocZeroed(L.FIELD_BYTES);
  memory.u32(at, words.length).set(words);
  if (!even && p < DIGITS) {
    memory.f32(at + L.F_DIGIT_RECIPROCAL, 1)[0] = 1 / field.p;
    memory.u32(at + L.F_BIAS, 1)[0] = Number((MAGIC_BITS * p) % radix);
  }
  return at;
}

/** Longer than any sum of products. */
const LONGEST_RUN = 2 ** 28;

/** Writes the block of GF(p^k) and its tables; the caller releases all addresses, the first being the block's. */
export function polyExtensionField(memory: KernelMemory, field: ExtensionField): number[] {
  const { p, degree: k, size } = field;
  if (k < 2 || size > largestTableField) {
    throw new FieldError(`polyExtensionField: expected 2 ≤ k and p^k ≤ ${largestTableField}, got ${p}^${k}`);
  }
  const units = size - 1;
  const bits = Math.floor(64 / k);
  const addresses = [
    memory.allocZeroed(L.FIELD_BYTES),
    memory.allocZeroed(size * 4),
    memory.alloc(units * 8),
    memory.alloc(units * 16),
    memory.alloc(k * (k - 1) * 4),
  ];
  const [block, log, code, sum, fold] = addresses as [number, number, number, number, number];
  const modulus = Uint32Array.from(field.modulusPolynomial);
  fillPowers(p, k, modulus, bits, memory.u32(log, size), memory.u32(code, units * 2), memory.u32(sum, units * 4));
  // The code of x is p.
  for (let j = 0; j < k - 1; j++) {
    memory.u32(fold + j * k * 4, k).set(field.coefficients(field.pow(p, k + j)));
  }
  const run = Math.min(LONGEST_RUN, elementsBeforeReduction(p, k));
  let codeTablesAt = 0;
  if (hasGf256Storage(field)) {
    const tables = gf256Tables(field);
    codeTablesAt = memory.alloc(tables.length);
    memory.u8(codeTablesAt, tables.length).set(tables);
    addresses.push(codeTablesAt);
  }
  // biome-ignore format: a line a group of words
  const words = argumentList(
    [L.F_P, p], [L.F_ONE, 1], [L.F_RUN, run], [L.F_CODES, codeTablesAt], [L.F_TABLES, 1], [L.F_LOG, log],
    [L.F_CODE, code], [L.F_SUM, sum], [L.F_UNITS, units], [L.F_DEGREE, k], [L.F_FOLD, fold],
  );
  memory.u32(block, words.length).set(words);
  memory.f32(block + L.F_RECIPROCAL, 1)[0] = 1 / p;
  return addresses;
}

// A loop of its own: kernels/sparse/residue-matrix.ts. A million elements for p = 101.

/** Logarithms; codes of x^e, and their digits `bits` apart in 64, for 0 ≤ e < 2·units. */
function fillPowers(
  p: number,
  k: number,
  f: Uint32Array,
  bits: number,
  logs: Uint32Array,
  codes: Uint32Array,
  sums: Uint32Array,
): void {
  const units = logs.length - 1;
  const digits = new Uint32Array(k);
  digits[0] = 1;
  for (let e = 0; e < units; e++) {
    let [a, low, high] = [0, 0, 0];
    for (let i = k - 1; i >= 0; i--) {
      const c = digits[i]!;
      a = a * p + c;
      // Bits b·i … of 64, in two words.
      const at = bits * i;
      if (at >= 32) high |= c << (at - 32);
      else {
        low |= c << at;
        if (at > 0) high |= c >>> (32 - at);
      }
    }
    logs[a] = e;
    codes[e] = a;
    sums[2 * e] = low;
    sums[2 * e + 1] = high;
    // x generates the units (f is primitive): from x^e to x^(e+1) by one shift and one multiple of f.
    const back = p - digits[k - 1]!;
    for (let i = k - 1; i > 0; i--) digits[i] = (digits[i - 1]! + back * f[i]!) % p;
    digits[0] = (back * f[0]!) % p;
  }
  codes.copyWithin(units, 0, units);
  sums.copyWithin(2 * units, 0, 2 * units);
}
