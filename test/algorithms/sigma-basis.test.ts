import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExtensionPolyEngine, PolyEngine, type PolyEngineOptions } from '../../algorithms/sigma-basis/engine.js';
import { sigmaBasisReference } from '../../algorithms/sigma-basis/reference.js';
import { ExtensionField } from '../../fields/extension.js';
import { WordPrime } from '../../fields/word-prime.js';
import { Team } from '../../kernels/team.js';

const PRIMES = [
  2, 3, 5, 65521 /* last below 2^16 */, 65537, 2147483629,
  2147483647 /* two products a correction, REDC at its limit */,
];

/** Seeded residues; `density` of them nonzero. */
function residues(count: number, p: number, seed: number, density = 1): Uint32Array {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const next = (): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return Uint32Array.from({ length: count }, () => (next() % 1000 < density * 1000 ? next() % p : 0));
}

interface Case {
  name: string;
  rows: number;
  n: number;
  orders: number;
  passengers?: number;
  degrees?: number[];
  /** Changes the random series. */
  shape?: (g: Uint32Array, rows: number, n: number) => void;
}

const CASES: Case[] = [
  { name: 'scalar', rows: 2, n: 1, orders: 37 },
  { name: 'order 1', rows: 6, n: 4, orders: 1 },
  { name: 'no orders', rows: 3, n: 2, orders: 0 },
  { name: 'leaf − 1', rows: 6, n: 4, orders: 7 },
  { name: 'leaf', rows: 6, n: 4, orders: 8 },
  { name: 'leaf + 1', rows: 6, n: 4, orders: 9 },
  { name: 'odd order, odd block', rows: 7, n: 3, orders: 41 },
  { name: 'wide block', rows: 5, n: 9, orders: 21 },
  { name: 'degrees to begin with', rows: 6, n: 3, orders: 30, degrees: [5, 0, 9, 0, 1, 1] },
  { name: 'passengers', rows: 9, n: 4, orders: 45, passengers: 2 },
  { name: 'passengers and degrees', rows: 8, n: 3, orders: 33, passengers: 3, degrees: [0, 0, 1, 1, 1, 0, 0, 0] },
  {
    name: 'S_0 = 0',
    rows: 6,
    n: 3,
    orders: 25,
    shape: (g, rows, n) => g.fill(0, 0, 5 * rows * n),
  },
  {
    name: 'a zero column',
    rows: 6,
    n: 3,
    orders: 25,
    shape: (g, _, n) => {
      for (let k = 1; k < g.length; k += n) g[k] = 0;
    },
  },
  {
    name: 'rank below the block, passengers',
    rows: 7,
    n: 4,
    orders: 40,
    passengers: 1,
    shape: (g) => {
      for (let k = 0; k < g.length; k += 4) {
        g[k + 2] = g[k]!;
        g[k + 3] = 0;
      }
    },
  },
  { name: 'all zero', rows: 5, n: 2, orders: 20, shape: (g) => g.fill(0) },
];

function series(c: Case, p: number, seed: number): Uint32Array {
  const g = residues(c.rows * c.n * c.orders, p, seed, seed % 2 === 0 ? 1 : 0.3);
  c.shape?.(g, c.rows, c.n);
  return g;
}

function fast(
  engine: PolyEngine | ExtensionPolyEngine,
  c: Case,
  blocks: Uint32Array,
): { basis: number[][]; degrees: number[] } {
  const g = engine.create(c.rows, c.n, c.orders);
  engine.write(g, blocks);
  const degrees = Int32Array.from({ length: c.rows }, (_, i) => c.degrees?.[i] ?? 0);
  const p = engine.sigmaBasis(g, degrees, c.passengers ?? 0);
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
      const basis = sigmaBasisReference(field, g, c.rows, c.n, degrees, c.passengers ?? 0);
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
});
