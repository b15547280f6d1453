/** Series whose order bases are hazardous: short, wide, degenerate, with right-hand rows; for every engine. */

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

export interface Case {
  name: string;
  rows: number;
  n: number;
  orders: number;
  rhsRows?: number;
  degrees?: number[];
  /** Changes the random series. */
  shape?: (g: Uint32Array, rows: number, n: number) => void;
}

export const CASES: Case[] = [
  { name: 'scalar', rows: 2, n: 1, orders: 37 },
  { name: 'order 1', rows: 6, n: 4, orders: 1 },
  { name: 'no orders', rows: 3, n: 2, orders: 0 },
  { name: 'leaf − 1', rows: 6, n: 4, orders: 7 },
  { name: 'leaf', rows: 6, n: 4, orders: 8 },
  { name: 'leaf + 1', rows: 6, n: 4, orders: 9 },
  { name: 'odd order, odd block', rows: 7, n: 3, orders: 41 },
  { name: 'wide block', rows: 5, n: 9, orders: 21 },
  { name: 'degrees to begin with', rows: 6, n: 3, orders: 30, degrees: [5, 0, 9, 0, 1, 1] },
  { name: 'right-hand rows', rows: 9, n: 4, orders: 45, rhsRows: 2 },
  { name: 'right-hand rows and degrees', rows: 8, n: 3, orders: 33, rhsRows: 3, degrees: [0, 0, 1, 1, 1, 0, 0, 0] },
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
    name: 'rank below the block, right-hand rows',
    rows: 7,
    n: 4,
    orders: 40,
    rhsRows: 1,
    shape: (g) => {
      for (let k = 0; k < g.length; k += 4) {
        g[k + 2] = g[k]!;
        g[k + 3] = 0;
      }
    },
  },
  { name: 'all zero', rows: 5, n: 2, orders: 20, shape: (g) => g.fill(0) },
];

export function series(c: Case, p: number, seed: number): Uint32Array {
  const g = residues(c.rows * c.n * c.orders, p, seed, seed % 2 === 0 ? 1 : 0.3);
  c.shape?.(g, c.rows, c.n);
  return g;
}
