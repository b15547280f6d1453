import { describe, expect, test } from 'vitest';
import { berlekampMassey } from '../../../algorithms/reference/berlekamp-massey.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { divide, lcm } from '../../../algorithms/reference/polynomial.js';
import { MultiSequenceBm } from '../../../algorithms/wiedemann/multi-sequence-bm.js';
import { ExtensionField } from '../../../fields/extension.js';
import type { Field } from '../../../fields/field.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';

const FIELDS: Field<number>[] = [
  WordPrime.of(2),
  WordPrime.of(3),
  WordPrime.of(65521),
  WordPrime.of(2147483647),
  new ExtensionField(2, 14),
];

function feed(F: Field<number>, sequences: readonly (readonly number[])[]): MultiSequenceBm {
  const register = new MultiSequenceBm(F, sequences.length);
  for (let n = 0; n < sequences[0].length; n++) register.extend(Uint32Array.from(sequences, (s) => s[n]));
  return register;
}

/** `terms` terms of random sequences annihilated by f, its first deg f terms random. */
function recurrent(
  F: Field<number>,
  f: readonly number[],
  terms: number,
  random: CounterRandom,
  from: number,
): number[] {
  const N = f.length - 1;
  const s = Array.from({ length: Math.min(N, terms) }, (_, i) => random.residueAt(from + i, Number(F.order)));
  while (s.length < terms) {
    let next = 0;
    for (let j = 0; j < N; j++) next = F.sub(next, F.mul(f[j], s[s.length - N + j]));
    s.push(next);
  }
  return s;
}

/** The least l for which a monic recurrence of length l holds for all terms: the linear systems, solved. */
function shortestLength(F: Field<number>, sequences: readonly (readonly number[])[]): number {
  const L = sequences[0].length;
  for (let l = 0; ; l++) {
    // rows: Σ_{j<l} f_j·s_(n−l+j) = −s_n; solvable when the right side adds nothing to the rank
    const rows = sequences.flatMap((s) => Array.from({ length: Math.max(0, L - l) }, (_, i) => s.slice(i, i + l + 1)));
    if (
      denseRank(F, rows) ===
      denseRank(
        F,
        rows.map((row) => row.slice(0, l)),
      )
    )
      return l;
  }
}

describe('shortest recurrence of several sequences', () => {
  test('one sequence: as Berlekamp and Massey have it, at every order', () => {
    for (const F of FIELDS) {
      const random = new CounterRandom(1, F.bits);
      for (let trial = 0; trial < 10; trial++) {
        const zeros = trial % 4;
        const s = [
          ...new Array<number>(zeros).fill(0),
          ...random.fillResidues(new Uint32Array(24), Number(F.order), trial * 64),
        ];
        const register = new MultiSequenceBm(F, 1);
        for (let n = 0; n < s.length; n++) {
          register.extend(Uint32Array.of(s[n]));
          const expected = berlekampMassey(F, s.slice(0, n + 1));
          expect(register.degree).toBe(expected.length - 1);
          // unique from 2·l terms on
          if (2 * register.degree <= n + 1) expect([...register.recurrence()]).toEqual(expected);
        }
      }
    }
  });

  test('several random sequences: the length is the least possible, at every order, and the recurrence holds', () => {
    for (const F of FIELDS) {
      const random = new CounterRandom(2, F.bits);
      for (const count of [2, 3, 5]) {
        // sparse random terms, so that short recurrences, late starts and ties all happen
        const sequences = Array.from({ length: count }, (_, t) =>
          Array.from({ length: 14 }, (_, n) =>
            random.u32At(1000 * t + n) % 3 === 0 ? random.residueAt(9000 + 100 * t + n, Number(F.order)) : 0,
          ),
        );
        const register = new MultiSequenceBm(F, count);
        for (let n = 0; n < 14; n++) {
          register.extend(Uint32Array.from(sequences, (s) => s[n]));
          const known = sequences.map((s) => s.slice(0, n + 1));
          expect(register.degree).toBe(shortestLength(F, known));
          const f = register.recurrence();
          expect(f[register.degree]).toBe(1);
          for (const s of known) {
            for (let at = register.degree; at <= n; at++) {
              let sum = 0;
              for (let j = 0; j < f.length; j++) sum = F.add(sum, F.mul(f[j], s[at - register.degree + j]));
              expect(sum).toBe(0);
            }
          }
        }
      }
    }
  });

  test('`proves` waits until f is the recurrence of the whole sequences, and f then divides the generating one', () => {
    for (const F of FIELDS) {
      const random = new CounterRandom(3, F.bits);
      for (const count of [1, 2, 4]) {
        for (const N of [0, 1, 2, 5, 12]) {
          const f = [...random.fillResidues(new Uint32Array(N), Number(F.order), 10000 + 100 * N), 1];
          const terms = 4 * N + 8;
          const sequences = Array.from({ length: count }, (_, t) =>
            recurrent(F, f, terms, random, 1000 * count + 50 * t),
          );
          const whole = sequences.map((s) => berlekampMassey(F, s)).reduce((a, b) => lcm(F, a, b));
          const register = new MultiSequenceBm(F, count);
          let provedAt = -1;
          for (let n = 0; n < terms; n++) {
            register.extend(Uint32Array.from(sequences, (s) => s[n]));
            if (!register.proves(N)) continue;
            provedAt = provedAt < 0 ? n + 1 : provedAt;
            expect([...register.recurrence()]).toEqual(whole);
            expect(divide(F, f, whole).remainder).toEqual([]);
          }
          expect(provedAt).toBeGreaterThanOrEqual(N === 0 ? 0 : 1);
          expect(provedAt).toBeLessThanOrEqual(Math.max(1, 2 * N));
        }
      }
    }
  });

  test('over a large field, m sequences of degree d need d + d/m orders', () => {
    const F = WordPrime.of(2147483647);
    const random = new CounterRandom(4, 0);
    const f = [...random.fillResidues(new Uint32Array(60), F.p), 1];
    for (const count of [1, 2, 4]) {
      const sequences = Array.from({ length: count }, (_, t) =>
        recurrent(F, f, 60 + 60 / count, random, 1000 + 100 * t),
      );
      expect([...feed(F, sequences).recurrence()]).toEqual(f);
      expect(feed(F, sequences).proves(60)).toBe(true);
      expect(
        feed(
          F,
          sequences.map((s) => s.slice(0, -1)),
        ).proves(60),
      ).toBe(false);
    }
  });

  test('zero sequences have the recurrence 1; an impulse at term n has z^(n + 1)', () => {
    const F = WordPrime.of(101);
    expect([
      ...feed(F, [
        [0, 0, 0],
        [0, 0, 0],
      ]).recurrence(),
    ]).toEqual([1]);
    expect([
      ...feed(F, [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 7, 0, 0, 0],
      ]).recurrence(),
    ]).toEqual([0, 0, 0, 1]);
  });
});
