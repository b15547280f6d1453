/** Primes, widths and matrices that executors are held to; everything is a pure function of its name. */
import { CounterRandom } from '../../../fields/random.js';
import type { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, Executor } from '../../../kernels/executor.js';
import type { ResidueMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

export const PRIMES = [
  2 /* 1 = -1 */, 3 /* no general values */, 5, 7, 101, 2039,
  32749 /* balanced residues reach the end of i16 only above 2^15 */,
  65521 /* last below 2^16: fewest terms in 32 bits */, 65537 /* first in 32-bit storage */, 2147483629,
  2147483647 /* only 4 products in 64 bits */,
];

/** Whole tiles, tiles and parts of tiles, parts alone. */
export const WIDTHS = [1, 3, 4, 5, 8, 16, 20, 32, 56, 64];

/** Residues that hit the extremes: 0, 1, p − 1, p/2 and random ones. */
export function extremes(count: number, p: number, seed: number): Uint32Array {
  const random = new CounterRandom(seed, 1);
  const values = random.fillResidues(new Uint32Array(count), p);
  const kinds = random.fillResidues(new Uint32Array(count), 8, count + 4);
  const special = [p - 1, p - 1, p >> 1, Math.ceil(p / 2), 0, 1];
  return values.map((v, i) => (kinds[i] < 6 ? special[kinds[i]] % p : v));
}

/** Dense rows X·Y, X m × r and Y r × n random: rank at most r. */
export function planted(F: WordPrime, m: number, n: number, r: number, seed: number): Uint32Array[] {
  const random = new CounterRandom(seed, 4);
  const x = random.fillResidues(new Uint32Array(m * r), F.p);
  const y = random.fillResidues(new Uint32Array(n * r), F.p, m * r);
  return Array.from({ length: m }, (_, i) =>
    Uint32Array.from({ length: n }, (_, j) => F.dot(x.subarray(i * r, (i + 1) * r), y.subarray(j * r, (j + 1) * r))),
  );
}

/** What a matrix's entries are drawn from. */
type Values = 'unit' | 'general' | 'mixed';

function entry(values: Values, p: number, word: number, kind: number): number {
  const unit = kind & 1 ? 1 : -1;
  if (values === 'unit' || (values === 'mixed' && kind < 4)) return unit;
  return kind === 7 ? p >> 1 : word % p;
}

/** rows × cols, row i with lengths(i) entries at spread columns. */
export function matrixOf(
  rows: number,
  cols: number,
  p: number,
  values: Values,
  lengths: (i: number) => number,
  seed = 1,
): ResidueMatrix {
  const random = new CounterRandom(seed, 2);
  const entries: [number, number, number][] = [];
  let word = 0;
  for (let i = 0; i < rows; i++) {
    const length = Math.min(cols, lengths(i));
    const step = length > 0 ? Math.floor(cols / length) : 1;
    const shift = length > 0 ? random.residueAt(word++, cols - step * (length - 1)) : 0;
    for (let t = 0; t < length; t++) {
      const drawn = random.residueAt(word++, 2 ** 31);
      entries.push([i, shift + t * step, entry(values, p, drawn, drawn & 7)]);
    }
  }
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

/** rows × 64, row i with so many entries 1, −1 and general ones, scattered among each other. */
function classes(
  rows: number,
  p: number,
  [plus, minus, general]: readonly [(i: number) => number, (i: number) => number, (i: number) => number],
): ResidueMatrix {
  const entries: [number, number, number][] = [];
  for (let i = 0; i < rows; i++) {
    const values = [
      ...Array.from({ length: plus(i) }, () => 1),
      ...Array.from({ length: minus(i) }, () => -1),
      ...Array.from({ length: general(i) }, (_, t) => 2 + ((31 * i + 17 * t) % Math.max(1, p - 3))),
    ];
    values.forEach((v, t) => {
      entries.push([i, (i + 37 * t) % 64, v]);
    });
  }
  return SparseMatrix.fromTriplets(rows, 64, entries).residues(p);
}

/** rows × cols: diagonals, one with gaps, and runs of adjacent columns up to the last one. */
function bands(rows: number, cols: number, p: number): ResidueMatrix {
  const entries = new Map<number, [number, number, number]>();
  for (let i = 0; i < rows; i++) {
    const runs = Array.from({ length: i % 6 }, (_, t) => cols - 1 - t - (i % 4 === 0 ? 0 : (5 * i) % 40));
    for (const j of [i - 2, i % 3 ? i : -1, i + 20, ...runs]) {
      if (j >= 0 && j < cols) entries.set(i * cols + j, [i, j, [1, -1, 2 + ((31 * i + 17 * j) % p)][(i + j) % 3]!]);
    }
  }
  return SparseMatrix.fromTriplets(rows, cols, [...entries.values()]).residues(p);
}

/** Columns 2 and 7 with an entry in most rows, beside a few others. */
function columns(rows: number, p: number): ResidueMatrix {
  const entries = Array.from({ length: rows }, (_, i) => [
    ...(i % 9 === 4 ? [] : [[i, 2, [1, -1, 5 + i * 31][i % 3]!] as const]),
    ...(i % 2 === 0 ? [[i, 7, i % 4 === 0 ? 1 : 3 + i * 77] as const] : []),
    ...(i % 5 === 0 ? [[i, 8 + (i % 20), p - 1 - (i % 2)] as const] : []),
  ]).flat();
  return SparseMatrix.fromTriplets(rows, 33, entries).residues(p);
}

export interface Case {
  readonly name: string;
  readonly matrix: (p: number) => ResidueMatrix;
}

/** Each matrix is made once a modulus: nobody changes one. */
function madeOnce(cases: readonly Case[]): readonly Case[] {
  return cases.map(({ name, matrix }) => {
    const known = new Map<number, ResidueMatrix>();
    return {
      name,
      matrix: (p) => {
        const made = known.get(p) ?? matrix(p);
        known.set(p, made);
        return made;
      },
    };
  });
}

const dense = (n: number) => (i: number) => (i === 1 ? n : i % 3);

export const CASES: readonly Case[] = madeOnce([
  { name: 'no rows', matrix: (p) => matrixOf(0, 5, p, 'mixed', () => 1) },
  { name: 'no columns', matrix: (p) => matrixOf(5, 0, p, 'mixed', () => 1) },
  { name: '1 x 1', matrix: (p) => matrixOf(1, 1, p, 'general', () => 1) },
  { name: 'no entries', matrix: (p) => matrixOf(4, 3, p, 'unit', () => 0) },
  { name: 'equal rows of units of either sign', matrix: (p) => matrixOf(70, 40, p, 'unit', () => 6) },
  { name: 'equal rows of values: ELL', matrix: (p) => matrixOf(67, 40, p, 'general', () => 5) },
  { name: 'values nearly all 5 a row: ELL_R', matrix: (p) => matrixOf(67, 40, p, 'general', (i) => (i % 20 ? 5 : 4)) },
  { name: 'values from none to 9 a row: CSR', matrix: (p) => matrixOf(67, 40, p, 'general', (i) => (7 * i) % 10) },
  { name: 'mixed rows from 14 to 16', matrix: (p) => matrixOf(129, 50, p, 'mixed', (i) => 14 + (i % 3)) },
  { name: 'all classes, each even: ELL', matrix: (p) => classes(70, p, [() => 5, () => 4, () => 3]) },
  {
    name: 'all classes, uneven: CSR',
    matrix: (p) => classes(65, p, [(i) => 21 + (i % 3), (i) => 22 - (i % 2), (i) => i % 4]),
  },
  {
    name: 'units nearly all 12 a row beside a few values: ELL_R',
    matrix: (p) => classes(70, p, [(i) => (i % 30 ? 12 : 11), () => 0, (i) => (i % 9 ? 0 : 1)]),
  },
  {
    name: 'empty rows and long ones: CSR',
    matrix: (p) => matrixOf(65, 300, p, 'mixed', (i) => (i % 7 === 0 ? 290 : i % 5)),
  },
  { name: 'diagonals and runs of columns', matrix: (p) => bands(77, 83, p) },
  { name: 'dense columns', matrix: (p) => columns(71, p) },
  { name: 'a dense row of values', matrix: (p) => matrixOf(3, 1500, p, 'general', dense(1500)) },
  { name: 'a dense row of units', matrix: (p) => matrixOf(3, 9001, p, 'unit', dense(9001)) },
  {
    name: 'long rows of small segments and of others',
    matrix: (p) => matrixOf(12, 2600, p, 'mixed', (i) => [2500, 4, 256, 0, 257, 60, 2049, 3, 256, 1, 60, 7][i]!),
  },
]);

/**
 * Strictly lower triangular behind `given` columns: row i has lengths(i) entries, those of matrixOf that are allowed.
 */
function triangle(
  given: number,
  steps: number,
  p: number,
  values: Values,
  lengths: (i: number) => number,
): ResidueMatrix {
  const full = matrixOf(steps, given + steps, p, values, lengths, 7);
  const entries: [number, number, number][] = [];
  for (let i = 0; i < steps; i++) {
    for (let k = full.rowPtr[i]; k < full.rowPtr[i + 1]; k++) {
      // Columns are folded back below the diagonal, so that rows behind need rows right before them too.
      const allowed = given + i;
      if (allowed > 0) entries.push([i, full.colIdx[k] % allowed, full.values[k]]);
    }
  }
  return SparseMatrix.fromTriplets(steps, given + steps, entries).residues(p);
}

/** Every row needs the one before it. */
function chain(steps: number, p: number): ResidueMatrix {
  const entries = Array.from({ length: steps }, (_, i) => [i, i, i % 3 === 0 ? 1 : -1] as const);
  return SparseMatrix.fromTriplets(steps, steps + 1, entries).residues(p);
}

/** `levels` runs of `run` rows: those of a run need the run before, and what is given. */
export function layered(levels: number, run: number, p: number): ResidueMatrix {
  const entries: [number, number, number][] = [];
  for (let i = 0; i < levels * run; i++) {
    const before = (Math.floor(i / run) - 1) * run;
    const columns =
      before < 0 ? [i % run, (i * 7) % run] : [i - run, before + ((i * 5) % run), before + ((i * 3) % run)];
    for (const c of new Set(columns)) entries.push([i, before < 0 ? c : run + c, 1 + ((i + c) % 3)]);
  }
  return SparseMatrix.fromTriplets(levels * run, (levels + 1) * run, entries).residues(p);
}

export const SUBSTITUTIONS: readonly Case[] = madeOnce([
  { name: 'no steps', matrix: (p) => triangle(4, 0, p, 'unit', () => 1) },
  { name: 'nothing given', matrix: (p) => triangle(0, 5, p, 'unit', () => 2) },
  { name: 'one step', matrix: (p) => triangle(3, 1, p, 'general', () => 2) },
  { name: 'a chain', matrix: (p) => chain(300, p) },
  { name: 'units', matrix: (p) => triangle(20, 200, p, 'unit', (i) => i % 6) },
  { name: 'values of all kinds', matrix: (p) => triangle(50, 150, p, 'mixed', (i) => 3 + (i % 20)) },
  { name: 'runs long enough to share', matrix: (p) => layered(3, 6000, p) },
]);

/** A vector of extremes. */
export function filled(executor: Executor, length: number, width: number, seed: number): BlockVector {
  const v = executor.vector(length, width);
  executor.write(v, extremes(length * width, executor.extension?.size ?? executor.field.p, seed));
  return v;
}

/** The residues x and v < p < 2^16 for which byte products lo·v + hi·(256·v mod p), both balanced, come out largest. */
export function worstPair(p: number): { x: number; v: number } {
  const balanced = (a: number): number => (a > p / 2 ? a - p : a);
  let [best, worst] = [0, { x: p - 1, v: 1 }];
  for (const x of [p - 1, ((p - 1) & ~255) - 1].filter((x) => x > 0)) {
    for (let v = 2; v < p - 1; v++) {
      const size = (x & 255) * balanced(v) + (x >> 8) * balanced((256 * v) % p);
      if (size > best) [best, worst] = [size, { x, v }];
    }
  }
  return worst;
}

/** One after the other. */
export function concat(...parts: readonly Uint32Array[]): Uint32Array {
  const out = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
