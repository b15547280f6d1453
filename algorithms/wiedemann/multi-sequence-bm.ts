/**
 * The shortest linear recurrence of several sequences at once, found while they are still being computed.
 *
 *   s^(t)_n, 1 ≤ t ≤ T, over a field      f monic of degree l:  Σ_j f_j·s^(t)_(n−l+j) = 0 for l ≤ n < L and all t
 *   row t = (f^(t), l^(t), n^(t), d^(t)) : the recurrence given up when sequence t last made f longer, where it failed
 *   first (n^(t)), by how much (d^(t));  z^(L−n^(t))·row t is again a recurrence of all terms, of length L − n^(t) +
 *   l^(t)
 *
 * f and these T shifted rows are a reduced basis of the module of all recurrences of the first L terms, the lengths
 * being the degrees (their sum is T·(L + 1), the invariant l + Σ (l^(t) − n^(t)) = T of `extend`). Hence:
 *   l is at most the degree of the recurrence of the infinite sequences;
 *   if every other row is longer than a bound ≥ that degree, f is that recurrence itself: `proves(bound)`.
 *
 * Cost: 2·T·l operations an order. Sources: Massey 1969; Feng and Tzeng 1991 and Schmidt and Sidorenko 2006 (their
 * Algorithm 2) for several sequences.
 */
import type { Field } from '../../fields/field.js';
import { WordPrime } from '../../fields/word-prime.js';

interface GivenUp {
  f: Uint32Array; // coefficients 0 … length, constant term first; the array may be longer
  length: number;
  order: number;
  discrepancy: number;
}

export class MultiSequenceBm {
  readonly field: Field<number>;
  readonly count: number; // T
  private readonly terms: Uint32Array[]; // of each sequence
  private readonly rows: GivenUp[];
  private f: Uint32Array;
  private l = 0;
  private known = 0;
  private idle = 0;

  constructor(field: Field<number>, count: number) {
    this.field = field;
    this.count = count;
    this.terms = Array.from({ length: count }, () => new Uint32Array(64));
    // The zero polynomial of length 0 that failed at order −1: the first nonzero term n gives length n + 1.
    this.rows = Array.from({ length: count }, () => ({ f: new Uint32Array(64), length: 0, order: -1, discrepancy: 1 }));
    this.f = new Uint32Array(64);
    this.f[0] = 1;
  }

  /** Terms of each sequence taken in so far. */
  get order(): number {
    return this.known;
  }

  /** The length of the recurrence: its degree as a polynomial. */
  get degree(): number {
    return this.l;
  }

  /** Orders in a row at which the recurrence already held for all sequences. */
  get confirmed(): number {
    return this.idle;
  }

  /** f_0, …, f_l = 1. */
  recurrence(): Uint32Array {
    return this.f.slice(0, this.l + 1);
  }

  /** Whether f is the recurrence of the infinite sequences, given that theirs has degree at most `bound`. */
  proves(bound: number): boolean {
    return this.l <= bound && this.rows.every((row) => row.length + this.known - row.order > bound);
  }

  /** Takes in the next term of every sequence: `next` holds T elements. */
  extend(next: Uint32Array): void {
    const n = this.known;
    let changed = false;
    for (let t = 0; t < this.count; t++) {
      if (n === this.terms[t].length) this.terms[t] = grow(this.terms[t], 2 * n);
      this.terms[t][n] = next[t];
    }
    for (let t = 0; t < this.count; t++) {
      if (n < this.l) break; // a recurrence of length l says nothing before term l
      // d = Σ_j f_j·s_(n−l+j)
      const d = dot(this.field, this.f, this.terms[t].subarray(n - this.l, n + 1));
      if (d === 0) continue;
      changed = true;
      this.correct(t, n, d);
    }
    this.known = n + 1;
    this.idle = changed ? 0 : this.idle + 1;
  }

  /** f ← z^growth·f − (d / d^(t))·z^shift·f^(t), so that the discrepancy d of sequence t at order n vanishes. */
  private correct(t: number, n: number, d: number): void {
    const row = this.rows[t];
    const F = this.field;
    const factor = F.neg(F.mul(d, F.inv(row.discrepancy)));
    const shift = this.l - (row.length + n - row.order);
    if (shift >= 0) {
      addMultiple(F, this.f, shift, factor, row.f, row.length + 1);
      return;
    }
    // Longer by −shift: the new f is built where f^(t) lies, and the old f becomes f^(t).
    const old = { f: this.f, length: this.l, order: n, discrepancy: d };
    const length = this.l - shift;
    const room = length + 1 > row.f.length ? grow(row.f, 2 * length) : row.f;
    scaleInto(F, room, factor, row.length + 1, length + 1);
    addMultiple(F, room, -shift, F.one, old.f, old.length + 1);
    this.f = room;
    this.l = length;
    this.rows[t] = old;
  }
}

function grow(a: Uint32Array, length: number): Uint32Array {
  const out = new Uint32Array(length);
  out.set(a);
  return out;
}

/** Σ a_j·b_j over b.length terms. */
function dot(F: Field<number>, a: Uint32Array, b: Uint32Array): number {
  if (F instanceof WordPrime) return F.dot(a.subarray(0, b.length), b);
  let sum = F.zero;
  for (let j = 0; j < b.length; j++) if (a[j] !== 0 && b[j] !== 0) sum = F.add(sum, F.mul(a[j], b[j]));
  return sum;
}

/** out[shift + j] += factor·a[j], j < length. */
function addMultiple(
  F: Field<number>,
  out: Uint32Array,
  shift: number,
  factor: number,
  a: Uint32Array,
  length: number,
): void {
  for (let j = 0; j < length; j++) {
    if (a[j] !== 0) out[shift + j] = F.add(out[shift + j], F.mul(factor, a[j]));
  }
}

/** a[j] ← factor·a[j] for j < used, 0 for used ≤ j < length. */
function scaleInto(F: Field<number>, a: Uint32Array, factor: number, used: number, length: number): void {
  for (let j = 0; j < used; j++) a[j] = F.mul(factor, a[j]);
  a.fill(0, used, length);
}
