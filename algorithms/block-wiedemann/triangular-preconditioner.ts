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
import type { BlockVector, Call, Executor } from '../../kernels/executor.js';
import { KeptVectors } from './kept-vectors.js';
import { type Entries, factorOf, type LeftFactor, sparseFactor } from './sparse-factor.js';
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
  const { elements: F } = working;
  const source = new CounterRandom(deriveSeed(seed, 'D'), 0);
  const d = Uint32Array.from({ length: N }, (_, i) => working.randomNonzero(source, i));
  const ones = new Uint32Array(N).fill(F.one);
  // L·D scales column j of L by d_j.
  const ld = sparseFactor(executor, triangular(N, 'lower', d, working, deriveSeed(seed, 'L')), working);
  let r: LeftFactor;
  try {
    r = sparseFactor(executor, triangular(N, 'upper', ones, working, deriveSeed(seed, 'R')), working);
  } catch (error) {
    ld.free();
    throw error;
  }
  const kept = new KeptVectors(executor, [N]);
  const calls = (to: BlockVector, from: BlockVector, transposed: boolean): Call[] => {
    const [between] = kept.of(from.width);
    const [first, second] = transposed ? [ld, r] : [r, ld];
    return [
      { do: 'apply', map: first, y: between, x: from, transposed },
      { do: 'apply', map: second, y: to, x: between, transposed },
    ];
  };
  const free = (): void => {
    ld.free();
    r.free();
    kept.free();
  };
  const determinant = d.reduce((product, x) => F.mul(product, x), F.one);
  return { determinant, ...factorOf(executor, calls, free) };
}

/** Rows with scale[i] at i and EXTRA·scale[j] entries beside it. */
function triangular(
  N: number,
  side: 'lower' | 'upper',
  scale: Uint32Array,
  working: WorkingField,
  seed: bigint,
): Entries {
  const F = working.elements;
  const places = new CounterRandom(deriveSeed(seed, 'places'), 0);
  const values = new CounterRandom(deriveSeed(seed, 'entries'), 0);
  const [row, col, code] = [0, 1, 2].map(() => new Uint32Array(N * (EXTRA + 1)));
  let count = 0;
  for (let i = 0; i < N; i++) {
    const entries = new Map<number, number>([[i, scale[i]]]);
    const room = side === 'lower' ? i : N - 1 - i; // columns on that side of the diagonal
    for (let t = 0; t < EXTRA && room > 0; t++) {
      const at = places.residueAt(i * EXTRA + t, room);
      const j = side === 'lower' ? at : i + 1 + at;
      entries.set(j, F.mul(scale[j], working.randomNonzero(values, i * EXTRA + t)));
    }
    for (const [j, value] of entries) {
      row[count] = i;
      col[count] = j;
      code[count++] = value;
    }
  }
  const [rows, cols, codes] = [row, col, code].map((words) => words.subarray(0, count));
  return { rows: N, cols: N, row: rows, col: cols, code: codes };
}
