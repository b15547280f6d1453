import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExtensionPolyEngine, PolyEngine, type PolyEngineOptions } from '../../../algorithms/sigma-basis/pm-basis.js';
import { sigmaBasisReference } from '../../../algorithms/sigma-basis/reference.js';
import { ExtensionField } from '../../../fields/extension.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { Team } from '../../../kernels/threads/team.js';
import { CASES, type Case, series } from './cases.js';

const PRIMES = [
  2, 3, 5, 65521 /* last below 2^16 */, 65537, 2147483629,
  2147483647 /* two products a correction, REDC at its limit */,
];

function fast(
  engine: PolyEngine | ExtensionPolyEngine,
  c: Case,
  blocks: Uint32Array,
): { basis: number[][]; degrees: number[] } {
  const g = engine.create(c.rows, c.n, c.orders);
  engine.write(g, blocks);
  const degrees = Int32Array.from({ length: c.rows }, (_, i) => c.degrees?.[i] ?? 0);
  const p = engine.sigmaBasis(g, degrees, c.rhsRows ?? 0);
  const words = engine.read(p);
  const size = p.rows * p.cols;
  const basis = Array.from({ length: p.length }, (_, k) => [...words.subarray(k * size, (k + 1) * size)]);
  while (basis.length > 1 && basis.at(-1)!.every((v) => v === 0)) basis.pop();
  engine.release(p);
  engine.release(g);
  return { basis, degrees: [...degrees] };
}

describe('sigma-basis', () => {
  let team: Team;
  beforeAll(async () => {
    team = await Team.create(1);
  });
  afterAll(() => team.dispose());

  const agree = (field: WordPrime | ExtensionField): void => {
    const engines = [{ leaf: 8 }, { leaf: 1000 }].map((options: PolyEngineOptions) =>
      field instanceof WordPrime ? new PolyEngine(team, field, options) : new ExtensionPolyEngine(team, field, options),
    );
    for (const [seed, c] of [...CASES, ...CASES].entries()) {
      const blocks = series(c, Number(field.order), seed);
      const size = c.rows * c.n;
      const g = Array.from({ length: c.orders }, (_, k) => [...blocks.subarray(k * size, (k + 1) * size)]);
      const degrees = Int32Array.from({ length: c.rows }, (_, i) => c.degrees?.[i] ?? 0);
      const basis = sigmaBasisReference(field, g, c.rows, c.n, degrees, c.rhsRows ?? 0);
      for (const [i, engine] of engines.entries()) {
        const got = fast(engine, c, blocks);
        expect(got, `${c.name}, ${i === 0 ? 'recursion' : 'iteration'}`).toEqual({ basis, degrees: [...degrees] });
      }
    }
    for (const engine of engines) engine.dispose();
  };

  test.each(PRIMES)('recursion, iteration and the reference agree mod %i on every hazard', (p) => {
    agree(WordPrime.of(p));
  });

  test.each([
    [2, 8],
    [2, 14],
    [2, 3],
    [3, 9],
    [5, 7],
    [7, 5],
    [127, 2],
    [127, 3], // the largest tables
  ])('and over GF(%i^%i)', (p, k) => {
    agree(new ExtensionField(p, k));
  });

  // 64 products of 16-bit lanes are the most in one sum (kernels/poly/dot-u16.as.ts); 251 is small, 65521 the largest.
  test.each([251, 65521])('blocks about as wide as sums by digits reach, mod %i', (p) => {
    const field = WordPrime.of(p);
    const engine = new PolyEngine(team, field);
    for (const n of [63, 64, 65]) {
      const c: Case = { name: `${n} columns`, rows: n + 5, n, orders: 3 };
      const blocks = series(c, p, n);
      // Residuals p − 1 wherever they are drawn high.
      for (let i = 0; i < blocks.length; i++) if (blocks[i]! > p / 2) blocks[i] = p - 1;
      const size = c.rows * n;
      const g = Array.from({ length: c.orders }, (_, k) => [...blocks.subarray(k * size, (k + 1) * size)]);
      const degrees = new Int32Array(c.rows);
      const basis = sigmaBasisReference(field, g, c.rows, n, degrees, 0);
      expect(fast(engine, c, blocks), c.name).toEqual({ basis, degrees: [...degrees] });
    }
    engine.dispose();
  });

  test('of no orders looks at nothing, whatever the memory holds', () => {
    const dirty = team.memory.alloc(2 ** 20);
    team.memory.u8(dirty, 2 ** 20).fill(127); // as a code far outside the tables
    team.memory.release(dirty);
    const engine = new ExtensionPolyEngine(team, new ExtensionField(3, 6));
    const identity = { basis: [[1]], degrees: [0] };
    expect(fast(engine, { name: 'wide, no orders', rows: 1, n: 6, orders: 0 }, new Uint32Array(0))).toEqual(identity);
    engine.dispose();
  });
});
