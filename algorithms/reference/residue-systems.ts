/**
 * Systems and kernels of a matrix of residues by the slow twins of solve.ts, in and out as flat arrays.
 *
 *   R : Uint32Array of residues mod a word, bigint[] beyond one; `pack` makes one of field elements
 */
import type { Field } from '../../fields/field.js';
import { type Compressed, type SparseRow, sparseRows } from './rows.js';
import { nullspaceReference, solveReference, transposeRows } from './solve.js';

export interface ResidueSystem<E, R> {
  readonly F: Field<E>;
  readonly a: Compressed;
  readonly pack: (elements: E[]) => R;
  readonly check?: (() => void) | undefined;
}

export interface SolvedResidues<R> {
  readonly solution: R | null; // cols × s, row-major
  readonly inconsistent: { readonly column: number; readonly certificate: R } | null;
}

/** X with A·X = B, rows × s and row-major, or u for a column without solution. `random`: uniform elements. */
export function solveResidues<E, R>(
  { F, a, pack, check }: ResidueSystem<E, R>,
  B: ArrayLike<number | bigint>,
  s: number,
  random?: () => E,
): SolvedResidues<R> {
  const rows = Array.from({ length: a.rows }, (_, i) => Array.from({ length: s }, (_, t) => F.from(B[i * s + t]!)));
  const { solution, inconsistent } = solveReference(F, sparseRows(F, a), a.cols, rows, { random, s, check });
  return {
    solution: solution && pack(solution.flat()),
    inconsistent: inconsistent && { column: inconsistent.column, certificate: pack(inconsistent.certificate) },
  };
}

export interface PackedVectors<R> {
  readonly count: number;
  readonly ptr: Uint32Array; // count + 1 offsets
  readonly index: Uint32Array; // increasing in each vector
  readonly values: R; // not 0
}

export interface ResidueKernel<R> {
  readonly rank: number;
  readonly dimension: number;
  readonly freeLines: Uint32Array;
  batches(): AsyncGenerator<PackedVectors<R>>;
}

/** Entries after which a batch ends. */
const BATCH = 1 << 16;

/** A basis of the kernel, or as many uniform vectors of it as `drawn` says, from uniform elements. */
export function nullspaceResidues<E, R>(
  { F, a, pack, check }: ResidueSystem<E, R>,
  left: boolean,
  drawn?: { readonly count: number; readonly random: () => E },
): ResidueKernel<R> {
  const own = sparseRows(F, a);
  const [matrix, cols] = left ? [transposeRows(own, a.cols), a.rows] : [own, a.cols];
  const kernel = nullspaceReference(F, matrix, cols, check);
  const vectors = (): Generator<SparseRow<E>> | SparseRow<E>[] => {
    if (drawn === undefined) return kernel.vectors();
    const { count, random } = drawn;
    const zeros = matrix.map(() => new Array<E>(count).fill(F.zero));
    const { solution } = solveReference(F, matrix, cols, zeros, { random, s: count, check });
    return Array.from({ length: count }, (_, t) => {
      const entries = solution!.map((row, j) => [j, row[t]!] as const);
      return new Map(entries.filter(([, value]) => !F.equals(value, F.zero)));
    });
  };
  async function* batches(): AsyncGenerator<PackedVectors<R>> {
    let [ptr, index, values]: [number[], number[], E[]] = [[0], [], []];
    const batch = (): PackedVectors<R> => ({
      count: ptr.length - 1,
      ptr: Uint32Array.from(ptr),
      index: Uint32Array.from(index),
      values: pack(values),
    });
    for (const vector of vectors()) {
      for (const [j, value] of vector) {
        index.push(j);
        values.push(value);
      }
      ptr.push(index.length);
      if (index.length < BATCH) continue;
      yield batch();
      [ptr, index, values] = [[0], [], []];
    }
    if (ptr.length > 1) yield batch();
  }
  const freeLines = Uint32Array.from(kernel.freeCols);
  return { rank: kernel.rank, dimension: freeLines.length, freeLines, batches };
}
