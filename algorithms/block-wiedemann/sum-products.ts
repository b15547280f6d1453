/**
 * Sums of products of small blocks over GF(q), on the host:
 *
 *   Σ_i E_i·S_i, E_i : rows × inner and S_i : inner × cols codes
 *
 * Doubles add exactly below 2^53. Over F_p, p ≤ 2^16, a product is below 2^32, so that 2^21 of them are added before a
 * reduction; above, factors are cut in halves of 16 bits, and 2^6 products of 2^16·2^31 are. Over GF(p^k) a
 * product is looked up by logarithms, its k digits standing in floor(53/k) bits each, which are added as one double;
 * over GF(2^k) the sum is an exclusive or.
 *
 * A word of S_i that is no code, which memory that errs may leave, has no product, and there is no sum then.
 */
import { ExtensionField } from '../../fields/extension.js';
import { digitsBeforeReduction } from '../../fields/reduction.js';
import type { WorkingField } from './working-field.js';

const CUT = 2 ** 16;

/** Of rows × inner by inner × cols. */
interface ProductShape {
  readonly rows: number;
  readonly inner: number;
  readonly cols: number;
}

export interface SumShape extends ProductShape {
  readonly count: number;
}

/** `factors` are E_0, E_1, … one after another; null where a word of a block is no code. */
export function sumProducts(
  working: WorkingField,
  factors: Uint32Array,
  blockAt: (i: number) => Uint32Array,
  { count, ...shape }: SumShape,
): Uint32Array | null {
  const sum = sumOver(working, shape);
  for (let i = 0; i < count; i++) if (!sum.add(factors, i * shape.rows * shape.inner, blockAt(i))) return null;
  return sum.take();
}

interface Sum {
  /** Adds the left factor that begins at `at`, times the right one; false where a word of that is no code. */
  add(left: Uint32Array, at: number, right: Uint32Array): boolean;
  /** The sum so far, which then is 0. */
  take(): Uint32Array;
}

function sumOver({ field }: WorkingField, shape: ProductShape): Sum {
  if (!(field instanceof ExtensionField)) return sumModulo(field.p, shape);
  return (field.p === 2 ? sumOfBits : sumOfDigits)(field, shape);
}

function sumModulo(p: number, shape: ProductShape): Sum {
  const { rows, inner, cols } = shape;
  const halves = p <= CUT ? [new Float64Array(rows * cols)] : [0, 1].map(() => new Float64Array(rows * cols));
  const most = p <= CUT ? 2 ** 20 : 32; // half of the bound, beside what is left over
  let terms = 0;
  const reduce = (): void => {
    for (const half of halves) reduceAll(half, p);
    terms = 0;
  };
  return {
    add(left, at, right) {
      if (!areBelow(right, p)) return false;
      for (let first = 0; first < inner; first += most) {
        const end = Math.min(inner, first + most);
        if (terms + end - first > most) reduce();
        terms += end - first;
        halves.forEach((half, h) => {
          addProducts(half, left, at, 16 * h, right, shape, first, end);
        });
      }
      return true;
    },
    take() {
      reduce();
      const out = new Uint32Array(halves[0]);
      if (halves.length > 1) for (let i = 0; i < out.length; i++) out[i] = (out[i] + ((halves[1][i] * CUT) % p)) % p;
      for (const half of halves) half.fill(0);
      return out;
    },
  };
}

/** Products by the sum of two logarithms; those by 0 behind them. */
interface Products {
  readonly log: Uint32Array; // 2(q − 1) for 0
  readonly exp: Float64Array; // digits Σ_c c_i·2^(bits·i)
  readonly bits: number;
}

const made = new WeakMap<ExtensionField, Products>();

function productsIn(field: ExtensionField): Products {
  const kept = made.get(field);
  if (kept) return kept;
  const units = field.size - 1;
  const bits = field.p === 2 ? 1 : Math.floor(53 / field.degree);
  const log = new Uint32Array(field.size).fill(2 * units);
  const exp = new Float64Array(3 * units + 1);
  let power = field.one;
  for (let n = 0; n < units; n++) {
    log[power] = n;
    exp[n] = field.coefficients(power).reduceRight((sum, c) => sum * 2 ** bits + c, 0);
    exp[n + units] = exp[n];
    power = field.mul(power, field.p); // the generator x
  }
  const products = { log, exp, bits };
  made.set(field, products);
  return products;
}

/** Over GF(2^k): codes are added by exclusive or. */
function sumOfBits(field: ExtensionField, shape: ProductShape): Sum {
  const { rows, inner, cols } = shape;
  const { log, exp } = productsIn(field);
  const codes = Uint32Array.from(exp);
  const sums = new Uint32Array(rows * cols);
  const logs = new Uint32Array(inner * cols);
  return {
    add(left, at, right) {
      if (!areBelow(right, field.size)) return false;
      lookUp(logs, log, right);
      addBits(sums, log, codes, left, at, logs, shape);
      return true;
    },
    take() {
      const out = sums.slice();
      sums.fill(0);
      return out;
    },
  };
}

function sumOfDigits(field: ExtensionField, shape: ProductShape): Sum {
  const { rows, inner, cols } = shape;
  const { log, exp, bits } = productsIn(field);
  const { p, degree } = field;
  const sums = new Float64Array(rows * cols);
  const logs = new Uint32Array(inner * cols);
  const most = digitsBeforeReduction(p, bits);
  let terms = 0;
  const codes = (): Uint32Array => codesOfDigits(sums, bits, p, degree);
  return {
    add(left, at, right) {
      if (!areBelow(right, field.size)) return false;
      lookUp(logs, log, right);
      for (let first = 0; first < inner; first += most) {
        const end = Math.min(inner, first + most);
        if (terms + end - first > most) {
          codes().forEach((code, i) => {
            sums[i] = exp[log[code]];
          });
          terms = 0;
        }
        terms += end - first;
        addDigits(sums, log, exp, left, at, logs, shape, first, end);
      }
      return true;
    },
    take() {
      const out = codes();
      sums.fill(0);
      terms = 0;
      return out;
    },
  };
}

// Loops by themselves: V8 compiles each once, instead of every caller with all that it calls.

/**
 * sums += (left >> shift mod 2^16)·right, the terms from `first` to `end`; rows in pairs, whose sums stay in registers.
 */
function addProducts(
  sums: Float64Array,
  left: Uint32Array,
  at: number,
  shift: number,
  right: Uint32Array,
  { rows, inner, cols }: ProductShape,
  first: number,
  end: number,
): void {
  for (let a = 0; a < rows; a += 2) {
    const b = Math.min(a + 1, rows - 1);
    const [leftOfA, leftOfB] = [at + a * inner, at + b * inner];
    for (let j = 0; j < cols; j++) {
      let [sumOfA, sumOfB] = [sums[a * cols + j], sums[b * cols + j]];
      for (let r = first, from = first * cols + j; r < end; r++, from += cols) {
        const factor = right[from];
        sumOfA += ((left[leftOfA + r] >>> shift) & 0xffff) * factor;
        sumOfB += ((left[leftOfB + r] >>> shift) & 0xffff) * factor;
      }
      sums[a * cols + j] = sumOfA;
      sums[b * cols + j] = sumOfB;
    }
  }
}

/** Whether all words are codes of a field of `bound` elements. */
export function areBelow(words: Uint32Array, bound: number): boolean {
  for (let i = 0; i < words.length; i++) if (words[i] >= bound) return false;
  return true;
}

/** Logarithms of codes. */
function lookUp(out: Uint32Array, log: Uint32Array, codes: Uint32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = log[codes[i]];
}

/** The same with digits, by the logarithms of right. */
function addDigits(
  sums: Float64Array,
  log: Uint32Array,
  exp: Float64Array,
  left: Uint32Array,
  at: number,
  logs: Uint32Array,
  { rows, inner, cols }: ProductShape,
  first: number,
  end: number,
): void {
  for (let a = 0; a < rows; a++) {
    for (let r = first; r < end; r++) {
      const factor = left[at + a * inner + r];
      if (factor === 0) continue;
      const l = log[factor];
      for (let j = 0; j < cols; j++) sums[a * cols + j] += exp[l + logs[r * cols + j]];
    }
  }
}

function addBits(
  sums: Uint32Array,
  log: Uint32Array,
  exp: Uint32Array,
  left: Uint32Array,
  at: number,
  logs: Uint32Array,
  { rows, inner, cols }: ProductShape,
): void {
  for (let a = 0; a < rows; a++) {
    for (let r = 0; r < inner; r++) {
      const factor = left[at + a * inner + r];
      if (factor === 0) continue;
      const l = log[factor];
      for (let j = 0; j < cols; j++) sums[a * cols + j] ^= exp[l + logs[r * cols + j]];
    }
  }
}

/** Digits below 2^31. */
function codesOfDigits(words: Float64Array, bits: number, p: number, degree: number): Uint32Array {
  const out = new Uint32Array(words.length);
  const unit = 2 ** bits;
  for (let i = 0; i < out.length; i++) {
    let word = words[i];
    let power = 1;
    for (let c = 0; c < degree; c++) {
      const rest = Math.floor(word / unit);
      out[i] += (((word - rest * unit) | 0) % p) * power;
      power *= p;
      word = rest;
    }
  }
  return out;
}

/** Words below 2^53 mod p: the quotient by doubles is one off at most. */
function reduceAll(words: Float64Array, p: number): void {
  const inverse = 1 / p;
  for (let i = 0; i < words.length; i++) {
    const rest = words[i] - Math.floor(words[i] * inverse) * p;
    words[i] = rest < 0 ? rest + p : rest >= p ? rest - p : rest;
  }
}
