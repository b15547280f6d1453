/**
 * Reads one entry's value out of bytes: small integers in place, everything else exactly, by way of its text.
 *
 *   integer   [±]digits            rational  [±]digits[/[±]digits], or as real
 *   real      [±]digits[.digits][e[±]digits], an integer all the same
 *   integral  the same, under an integer's name
 */
import { EntryError, parseEntry, type WideValue } from '../../kernels/sparse/big-entries.js';
import { type Cursor, excerpt } from './format-error.js';
import { LONGEST_LINE } from './lines.js';

/** How the values of a file are written. */
export type ValueKind = 'integer' | 'integral' | 'rational' | 'real';

const EXPECTED: Readonly<Record<ValueKind, string>> = {
  integer: 'an integer value',
  integral: 'an integer value',
  rational: 'an integer or a fraction a/b',
  real: 'a value that is an integer',
};

/** The largest exponent: 1e999999999 is a short line and a gigabyte of zeros. */
const LARGEST_EXPONENT = 9999;

const REAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[ed]([+-]?\d+))?$/i;
const [ZERO, NINE, PLUS, MINUS, DOT, SPACE] = [48, 57, 43, 45, 46, 32];

const decoder = new TextDecoder('latin1');

/** bytes[from, to) as text. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  // A copy, because browsers refuse to decode shared memory.
  return decoder.decode(bytes.slice(from, to));
}

export class ValueReader {
  value = 0; // the value just read, when `wide` is null
  wide: WideValue | null = null; // the value just read, when 32 bits do not hold it
  readonly #kind: ValueKind;
  readonly #cursor: Cursor;

  constructor(kind: ValueKind, cursor: Cursor) {
    this.#kind = kind;
    this.#cursor = cursor;
  }

  /** Reads the value that begins at bytes[at]; returns the index of the first byte after it. */
  read(bytes: Uint8Array, at: number): number {
    let k = at;
    let c = bytes[k];
    const negative = c === MINUS;
    if (negative || c === PLUS) c = bytes[++k];
    const first = k;
    let v = 0;
    // Nine digits stay below 10⁹ < 2³¹.
    while (c >= ZERO && c <= NINE && k < first + 9) {
      v = v * 10 + (c - ZERO);
      c = bytes[++k];
    }
    if (k > first && c === DOT && this.#kind !== 'integer') {
      do c = bytes[++k];
      while (c === ZERO);
    }
    if (k === first || c > SPACE) return this.#readText(bytes, at);
    this.value = negative ? -v : v;
    this.wide = null;
    return k;
  }

  #readText(bytes: Uint8Array, at: number): number {
    let end = at;
    while (bytes[end] > SPACE) end++;
    // Reading decimal takes quadratic time.
    if (end - at > LONGEST_LINE) this.#cursor.fail(EXPECTED[this.#kind], `one of ${end - at} digits`);
    const text = textOf(bytes, at, end);
    const got = text === '' ? 'the end of the line' : excerpt(text);
    const exact = this.#exact(text);
    if (exact === null) this.#cursor.fail(EXPECTED[this.#kind], got);
    try {
      const value = parseEntry(exact);
      this.wide = typeof value === 'number' ? null : value;
      this.value = typeof value === 'number' ? value : 0;
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      this.#cursor.fail(EXPECTED[this.#kind], got);
    }
    return end;
  }

  /** `text` as an integer or a fraction without point or exponent, null when it is neither. */
  #exact(text: string): string | null {
    if (this.#kind === 'integer') return /^[+-]?\d+$/.test(text) ? text : null;
    if (this.#kind === 'rational' && !/[.ed]/i.test(text)) return text;
    const parts = REAL.exec(text);
    if (parts === null) return null;
    const [, sign, whole, fraction = '', exponent = '0'] = parts;
    const digits = whole + fraction;
    if (digits === '') return null;
    if (/^0+$/.test(digits)) return '0';
    const shift = Number(exponent) - fraction.length;
    if (Math.abs(shift) > LARGEST_EXPONENT + digits.length) return null;
    if (shift >= 0) return sign + digits + '0'.repeat(shift);
    const kept = Math.max(digits.length + shift, 0);
    return /^0*$/.test(digits.slice(kept)) ? sign + digits.slice(0, kept) : null;
  }
}
