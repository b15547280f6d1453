/**
 * A random invertible left factor of known determinant: C = L·D·R over GF(q), L unit lower and R unit upper triangular,
 * D a nonzero diagonal, so det C = Π d_i. It gives C·A distinct elementary divisors where A has none of its own: with
 * D alone, C·1 = D has repeated eigenvalues as soon as N is beyond √q or so.
 *
 *   row i of L (R) : 1 at i and `EXTRA` random nonzero entries at random columns below (above) i
 *
 * Heuristic in its sparseness: nothing is proved about how often the minimal polynomial of C·A is the characteristic
 * one, and nothing needs to be, since the degree shows it. Source of the diagonal case: Chen, Eberly, Kaltofen,
 * Saunders, Turner, Villard 2002.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { BlockVector, Call, Executor, Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { KeptVectors } from './kept-vectors.js';
import { factorOf, type LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

const EXTRA = 2;

export interface TriangularPreconditioner extends LeftFactor {
  /** det C as a code of GF(q), never 0. */
  readonly determinant: number;
}

export function triangularPreconditioner(
  executor: Executor,
  N: number,
  working: WorkingField,
  seed: bigint,
): TriangularPreconditioner {
  const { k, elements: F } = working;
  const source = new CounterRandom(deriveSeed(seed, 'D'), 0);
  const d = Uint32Array.from({ length: N }, (_, i) => working.randomNonzero(source, i));
  const ones = new Uint32Array(N).fill(F.one);
  // L·D scales column j of L by d_j.
  const ld = executor.operator(triangular(N, 'lower', d, working, deriveSeed(seed, 'L')));
  let r: Operator;
  try {
    r = executor.operator(triangular(N, 'upper', ones, working, deriveSeed(seed, 'R')));
  } catch (error) {
    ld.free?.();
    throw error;
  }
  const kept = new KeptVectors(executor, [N]);
  // An element's k coordinates become rows of their own.
  const view = (v: BlockVector): BlockVector => (k === 1 ? v : executor.view(v, N * k, v.width / k));
  const calls = (to: BlockVector, from: BlockVector, transposed: boolean): Call[] => {
    const [between] = kept.of(from.width);
    const [first, second] = transposed ? [ld, r] : [r, ld];
    return [
      { do: 'apply', map: first, y: view(between), x: view(from), transposed },
      { do: 'apply', map: second, y: view(to), x: view(between), transposed },
    ];
  };
  const free = (): void => {
    ld.free?.();
    r.free?.();
    kept.free();
  };
  const determinant = d.reduce((product, x) => F.mul(product, x), F.one);
  return { determinant, ...factorOf(executor, calls, free) };
}

/** Rows with scale[i] at i and EXTRA·scale[j] entries beside it, each element a k × k block over F_p. */
function triangular(
  N: number,
  side: 'lower' | 'upper',
  scale: Uint32Array,
  working: WorkingField,
  seed: bigint,
): ResidueMatrix {
  const { k, elements: F } = working;
  const places = new CounterRandom(deriveSeed(seed, 'places'), 0);
  const entries = new CounterRandom(deriveSeed(seed, 'entries'), 0);
  const rowPtr = new Uint32Array(N * k + 1);
  const colIdx = new Uint32Array(N * k * k * (EXTRA + 1));
  const values = new Uint32Array(colIdx.length);
  let nnz = 0;
  for (let i = 0; i < N; i++) {
    const row = new Map<number, number>([[i, scale[i]]]);
    const room = side === 'lower' ? i : N - 1 - i; // columns on that side of the diagonal
    for (let t = 0; t < EXTRA && room > 0; t++) {
      const at = places.residueAt(i * EXTRA + t, room);
      const j = side === 'lower' ? at : i + 1 + at;
      row.set(j, F.mul(scale[j], working.randomNonzero(entries, i * EXTRA + t)));
    }
    const sorted = [...row].sort(([x], [y]) => x - y).map(([j, code]) => ({ j, block: working.mulMatrix(code) }));
    for (let c = 0; c < k; c++) {
      for (const { j, block } of sorted) {
        for (let b = 0; b < k; b++) {
          if (block[c * k + b] === 0) continue;
          colIdx[nnz] = j * k + b;
          values[nnz++] = block[c * k + b];
        }
      }
      rowPtr[i * k + c + 1] = nnz;
    }
  }
  const size = N * k;
  return { rows: size, cols: size, rowPtr, colIdx: colIdx.subarray(0, nnz), values: values.subarray(0, nnz) };
}
