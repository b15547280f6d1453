/** Kernels and systems of the library against PARI/GP: matker of A and Aᵀ, matsolvemod of A·x = b. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine, SparseMatrix } from '../../dist/src/index.js';
import { type ExpectedAnswer, noise } from '../algorithms/expected/matrices.js';

interface ExpectedSystems extends Pick<ExpectedAnswer, 'shape' | 'p'> {
  readonly folded: 0 | 1;
  readonly kernel: readonly (readonly string[])[]; // in reduced echelon form
  readonly leftKernel: readonly (readonly string[])[];
  readonly consistent: readonly [boolean, boolean]; // for b = A·(1, …, n), and for b_i = i² mod 97
}

const SYSTEMS = JSON.parse(
  readFileSync(new URL('../algorithms/expected/systems.json', import.meta.url), 'utf8'),
) as readonly ExpectedSystems[];

const METHODS = ['auto', 'elimination', 'hybrid', 'wiedemann'] as const;

/** They solve for nonsingular matrices alone, and refute nothing. */
const BY_VECTORS: ReadonlySet<string> = new Set(['hybrid', 'wiedemann']);

/** Systems by vectors over other fields are those of test/algorithms/solve: tables of an extension take long. */
const FIELDS_BY_VECTORS: ReadonlySet<string> = new Set(['3', '7', '65521', '2147483629']);

let engine: Engine;
beforeAll(() => {
  engine = createEngine({ threads: 1 });
});
afterAll(() => engine.dispose());

/** The matrix of systems.gp: folded, its last ⌊n/3⌋ columns are those ⌊n/3⌋ before plus the first. */
function matrixOf({ shape, folded }: ExpectedSystems): SparseMatrix {
  const [n] = shape;
  const { rowIdx, colIdx, values } = noise(shape).toCoo();
  const k = folded ? Math.floor(n / 3) : 0;
  const entries: [number, number, bigint][] = [];
  rowIdx.forEach((i, at) => {
    const [j, x] = [colIdx[at]!, BigInt(values[at]!)];
    if (j < n - k) entries.push([i, j, x]);
    if (j >= n - 2 * k && j < n - k) entries.push([i, j + k, x]);
    if (j === 0) for (let c = n - k; c < n; c++) entries.push([i, c, x]);
  });
  return SparseMatrix.fromTriplets(n, n, entries);
}

const modulo = (x: bigint, p: bigint): bigint => ((x % p) + p) % p;

function inverse(x: bigint, p: bigint): bigint {
  let [a, b, u, v] = [x, p, 1n, 0n];
  while (b !== 0n) [a, b, u, v] = [b, a % b, v, u - (a / b) * v];
  return modulo(u, p);
}

/** The rows of a basis in reduced echelon form, which is the same for every basis of the space. */
function echelon(rows: bigint[][], p: bigint): bigint[][] {
  let rank = 0;
  for (let j = 0; rank < rows.length && j < rows[0]!.length; j++) {
    const at = rows.findIndex((row, i) => i >= rank && row[j] !== 0n);
    if (at < 0) continue;
    const scale = inverse(rows[at]![j]!, p);
    const pivot = rows[at]!.map((x) => (x * scale) % p);
    [rows[at], rows[rank]] = [rows[rank]!, pivot];
    rows.forEach((row, i) => {
      const factor = row[j]!;
      if (i !== rank && factor !== 0n) rows[i] = row.map((x, k) => modulo(x - factor * pivot[k]!, p));
    });
    rank++;
  }
  return rows;
}

function denseRows(basis: SparseMatrix): bigint[][] {
  const rows = Array.from({ length: basis.rows }, () => new Array<bigint>(basis.cols).fill(0n));
  const { rowIdx, colIdx, values } = basis.toCoo();
  rowIdx.forEach((i, k) => {
    rows[i]![colIdx[k]!] = BigInt(values[k]!);
  });
  return rows;
}

describe.each(SYSTEMS.map((each) => ({ ...each, n: each.shape[0], fill: each.shape[1] })))(
  'n = $n, fill $fill, mod $p',
  (expected) => {
    const a = matrixOf(expected);
    const p = BigInt(expected.p);
    const image = (v: ArrayLike<number | bigint>): bigint[] =>
      Array.from(a.multiply(Array.from(v, BigInt)), (y) => modulo(BigInt(y), p));

    test.each([false, true])('kernel, left: %s', async (left) => {
      const wanted = left ? expected.leftKernel : expected.kernel;
      const { value, dimension } = await engine.nullspace(a, { mod: p, left });
      expect(dimension).toBe(wanted.length);
      expect(echelon(denseRows(value!), p).map((row) => row.map(String))).toEqual(wanted);
    });

    test.each(METHODS.filter((method) => !BY_VECTORS.has(method) || FIELDS_BY_VECTORS.has(expected.p)))(
      'systems by %s',
      async (method) => {
        const nonsingular = expected.kernel.length === 0;
        const sides = [
          image(Array.from({ length: a.cols }, (_, j) => j + 1)),
          Array.from({ length: a.rows }, (_, i) => modulo(BigInt((i + 1) ** 2 % 97), p)),
        ];
        for (const [k, b] of sides.entries()) {
          const { value, inconsistent } = await engine.solve(a, b, { mod: p, method, seed: 5 });
          if (value !== null) expect(image(value as ArrayLike<number | bigint>)).toEqual(b);
          if (!BY_VECTORS.has(method))
            expect([value !== null, inconsistent === null]).toEqual([expected.consistent[k], expected.consistent[k]]);
          else expect([value !== null, inconsistent]).toEqual([nonsingular, null]);
        }
      },
    );
  },
);
