/** Block matrices for the tests of kernels on small blocks, and dense arithmetic on integers to compare with. */
import { CounterRandom } from '../../../fields/random.js';
import type { WordPrime } from '../../../fields/word-prime.js';
import { BlockPattern } from '../../../kernels/block-sparse/block-pattern.js';
import type { BlockMatrix } from '../../../kernels/block-sparse/reference.js';

export const PRIMES = [2, 3, 7, 101, 65521, 65537, 2147483629];
export const BLOCK_SIZES = [4, 8, 16];

export type Dense = readonly (readonly bigint[])[];

export function patternOf(rows: readonly (readonly number[])[]): BlockPattern {
  const rowPtr = new Uint32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) rowPtr[i + 1] = rowPtr[i]! + row.length;
  return new BlockPattern(rowPtr, Uint32Array.from(rows.flat()));
}

/** Places (i, j) that a predicate names. */
export function patternWhere(n: number, has: (i: number, j: number) => boolean): BlockPattern {
  const all = Array.from({ length: n }, (_, i) => i);
  return patternOf(all.map((i) => all.filter((j) => has(i, j))));
}

export function randomResidues(length: number, p: number, stream: number): Uint32Array {
  return new CounterRandom(11, stream).fillResidues(new Uint32Array(length), p);
}

export function randomMatrix(pattern: BlockPattern, b: number, p: number, stream: number): BlockMatrix {
  return { b, pattern, values: randomResidues(pattern.blocks * b * b, p, stream) };
}

/**
 * A matrix with invertible pivot blocks: random factors L, U with U_ii = P·T_i, T_i a triangle with a nonzero diagonal
 * and P the reversal of rows, so that pivots exchange rows; A is their product on the pattern, formed on integers.
 */
export function factorable(field: WordPrime, pattern: BlockPattern, b: number, stream: number): BlockMatrix {
  const drawn = randomMatrix(pattern, b, field.p, stream);
  const nonzero = new CounterRandom(12, stream);
  for (const at of pattern.diagonal)
    for (let r = 0; r < b; r++)
      for (let c = 0; c <= b - 1 - r; c++)
        drawn.values[at * b * b + r * b + c] = c < b - 1 - r ? 0 : nonzero.nonzeroAt(at * b + r, field.p);
  const lower = expand(drawn, (i, j) => j < i);
  for (let r = 0; r < lower.length; r++) lower[r]![r] = 1n;
  const size = pattern.n * b;
  const whole = plusProduct(
    zeros(size, size),
    1,
    lower,
    expand(drawn, (i, j) => j >= i),
    field.p,
  );
  const values = new Uint32Array(drawn.values.length);
  for (let i = 0; i < pattern.n; i++)
    for (let s = pattern.rowPtr[i]!; s < pattern.rowPtr[i + 1]!; s++)
      for (let e = 0; e < b * b; e++)
        values[s * b * b + e] = Number(whole[i * b + Math.floor(e / b)]![pattern.colIdx[s]! * b + (e % b)]);
  return { b, pattern, values };
}

/** The rows of a row-major array. */
export function denseOf(data: Uint32Array, width: number): Dense {
  return Array.from({ length: data.length / width }, (_, r) =>
    Array.from(data.subarray(r * width, (r + 1) * width), BigInt),
  );
}

/** The whole matrix, of the blocks that `keep` names. */
export function expand({ b, pattern, values }: BlockMatrix, keep = (_i: number, _j: number) => true): bigint[][] {
  const size = pattern.n * b;
  const out = Array.from({ length: size }, () => new Array<bigint>(size).fill(0n));
  for (let i = 0; i < pattern.n; i++)
    for (let s = pattern.rowPtr[i]!; s < pattern.rowPtr[i + 1]!; s++) {
      const j = pattern.colIdx[s]!;
      if (!keep(i, j)) continue;
      for (let e = 0; e < b * b; e++) out[i * b + Math.floor(e / b)]![j * b + (e % b)] = BigInt(values[s * b * b + e]!);
    }
  return out;
}

export function transpose(a: Dense): Dense {
  return a.length === 0 ? [] : a[0]!.map((_, c) => a.map((row) => row[c]!));
}

/** (y + sign·a·x) mod p */
export function plusProduct(y: Dense, sign: number, a: Dense, x: Dense, p: number): Dense {
  const m = BigInt(p);
  return y.map((row, r) =>
    row.map((v, c) => {
      const sum = a[r]!.reduce((s, e, d) => (e === 0n ? s : s + e * x[d]![c]!), 0n);
      return (((v + BigInt(sign) * sum) % m) + m) % m;
    }),
  );
}

export function zeros(rows: number, cols: number): Dense {
  return Array.from({ length: rows }, () => new Array<bigint>(cols).fill(0n));
}
