import { describe, expect, test } from 'vitest';
import { CounterRandom, deriveSeed, philox } from '../../fields/random.js';

describe('Philox4x32-10', () => {
  // Known answers of the authors' Random123 1.14 (tests/kat_vectors, philox4x32 10).
  const KNOWN: [number[], number[], number[]][] = [
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344] /* digits of pi */,
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ];
  test.each(KNOWN)('counter %j key %j', (c, k, expected) => {
    expect([...philox(new Uint32Array(4), c[0], c[1], c[2], c[3], k[0], k[1])]).toEqual(expected);
  });
});

describe('CounterRandom', () => {
  test('words are lanes of the block of their index, key and stream', () => {
    const random = new CounterRandom(0x299f31d0a4093822n, 7);
    const block = philox(new Uint32Array(4), 5, 0, 7, 0, 0xa4093822, 0x299f31d0);
    expect([20, 21, 22, 23].map((i) => random.u32At(i))).toEqual([...block]);
  });

  test('any order of reading gives the same numbers, beyond 2^34 too', () => {
    const indices = [0, 1, 5, 4, 2 ** 34 + 3, 2 ** 34, 3, 2 ** 34 + 3];
    const forward = new CounterRandom(17, 0);
    const values = indices.map((i) => forward.u32At(i));
    expect(values).toEqual(indices.map((i) => new CounterRandom(17, 0).u32At(i)));
    expect(new Set(values).size).toBe(7); // only 2^34 + 3 came twice
  });

  test('filling equals reading one by one, and an offset shifts', () => {
    const random = new CounterRandom(3n, 2 ** 32 - 1);
    for (const p of [1, 2, 3, 65521, 2 ** 31 - 1, 2 ** 32 - 5, 2 ** 32]) {
      const filled = random.fillResidues(new Uint32Array(5000), p, 11);
      expect([...filled]).toEqual(Array.from({ length: 5000 }, (_, j) => random.residueAt(11 + j, p)));
      expect([...random.fillResidues(new Uint32Array(10), p, 51)]).toEqual([...filled.subarray(40, 50)]);
    }
  });

  test('words refused by residueAt are drawn again with the next draw counter', () => {
    // 3·2^30 leaves 2^30 of the 2^32 words: a quarter is refused, and a sixteenth twice.
    const bound = 3 * 2 ** 30;
    const random = new CounterRandom(99, 4);
    const block = new Uint32Array(4);
    let redrawn = 0;
    for (let i = 0; i < 400; i++) {
      let word = random.u32At(i);
      for (let draw = 1; word >= bound; draw++, redrawn++) word = philox(block, i >> 2, 0, 4, draw, 99, 0)[i & 3];
      expect(random.residueAt(i, bound)).toBe(word);
    }
    expect(redrawn).toBeGreaterThan(80);
  });

  test.each([2, 3, 7, 101])('residues mod %i are uniform (chi squared)', (p) => {
    const draws = 20000;
    const random = new CounterRandom(2024, p);
    const count = (values: Uint32Array, cells: number) => {
      const counts = new Array<number>(cells).fill(0);
      for (const v of values) counts[v]++;
      return counts;
    };
    const chi = (counts: number[]) => {
      const mean = draws / counts.length;
      return counts.reduce((sum, c) => sum + (c - mean) ** 2 / mean, 0);
    };
    // Mean p − 1, deviation sqrt(2(p − 1)): six deviations, at one fixed seed.
    const limit = (cells: number) => cells + 6 * Math.sqrt(2 * cells);
    expect(chi(count(random.fillResidues(new Uint32Array(draws), p), p))).toBeLessThan(limit(p));
    const nonzero = count(
      Uint32Array.from({ length: draws }, (_, j) => random.nonzeroAt(j, p)),
      p,
    );
    expect(nonzero[0]).toBe(0);
    expect(chi(nonzero.slice(1))).toBeLessThan(limit(p));
  });

  test('big residues stay below the modulus and use all of it', () => {
    const modulus = 2n ** 127n - 1n;
    const random = new CounterRandom(5, 5);
    const values = Array.from({ length: 64 }, (_, i) => random.bigResidueAt(i, modulus));
    expect(values.every((v) => v >= 0n && v < modulus)).toBe(true);
    expect(values.filter((v) => v > modulus / 2n).length).toBeGreaterThan(16);
    expect(new Set(values.map((v) => v & 0xffffffffn)).size).toBe(64);
    expect(values[3]).toBe(random.bigResidueAt(3, modulus));
  });

  test('a seed or stream that does not fit is refused', () => {
    expect(() => new CounterRandom(-1, 0)).toThrow('expected 0 … 2^64 - 1, got -1');
    expect(() => new CounterRandom(1n << 64n, 0)).toThrow('got 18446744073709551616');
    expect(() => new CounterRandom(0.5, 0)).toThrow('got 0.5');
    expect(() => new CounterRandom(0, 2 ** 32)).toThrow('got 4294967296');
  });
});

test('deriveSeed: every part of its input matters, and it is a 64-bit function of them', () => {
  const inputs: [bigint, string, number][] = [
    [0n, '', 0],
    [1n, '', 0],
    [1n << 32n, '', 0],
    [0n, '', 1],
    [0n, 'U', 0],
    [0n, 'U\0', 0],
    [0n, 'V', 0],
    [0n, 'a label of more than eight bytes', 0],
    [0n, 'b label of more than eight bytes', 0],
    [0n, 'a label of more than eight bytez', 0],
  ];
  const seeds = inputs.map(([seed, label, attempt]) => deriveSeed(seed, label, attempt));
  expect(new Set(seeds).size).toBe(inputs.length);
  expect(new Set(seeds.map((s) => s & 0xffffffffn)).size).toBe(inputs.length);
  expect(new Set(seeds.map((s) => s >> 32n)).size).toBe(inputs.length);
  expect(inputs.map(([seed, label, attempt]) => deriveSeed(seed, label, attempt))).toEqual(seeds);
  expect(deriveSeed(17, 'U')).toBe(deriveSeed(17n, 'U', 0));
});
