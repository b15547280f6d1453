/**
 * A matrix of residues with the factors of the slow twin, in and out as flat arrays.
 *
 *   R : Uint32Array of residues mod a word, bigint[] beyond one; `pack` makes one of field elements
 */
import type { Field } from '../../fields/field.js';
import { ReferenceFactors } from './factors.js';
import { type Compressed, type SparseRow, sparseRows } from './rows.js';

export interface SolvedResidues<R> {
  readonly solution: R | null; // s residues a row, row-major
  readonly inconsistent: { readonly column: number; readonly certificate: R } | null;
}

export interface PackedVectors<R> {
  readonly count: number;
  readonly ptr: Uint32Array; // count + 1 offsets
  readonly index: Uint32Array; // increasing in each vector
  readonly values: R; // not 0
}

/** Entries after which a batch ends. */
const BATCH = 1 << 16;

export class ResidueFactors<E, R> {
  readonly rank: number;
  readonly determinant: bigint; // a residue; 0 unless the matrix is square and of full rank
  readonly #F: Field<E>;
  readonly #factors: ReferenceFactors<E>;
  readonly #rows: number;
  readonly #cols: number;
  readonly #pack: (elements: E[]) => R;

  constructor(F: Field<E>, a: Compressed, pack: (elements: E[]) => R, check?: (held?: number) => void) {
    this.#F = F;
    this.#factors = new ReferenceFactors(F, sparseRows(F, a), a.cols, check);
    [this.#rows, this.#cols, this.#pack] = [a.rows, a.cols, pack];
    [this.rank, this.determinant] = [this.#factors.rank, F.to(this.#factors.determinant)];
  }

  /** X with A·X = B, or Aᵀ·X = B; B row-major. `random`: uniform elements for its free entries. */
  solve(B: ArrayLike<number | bigint>, s: number, transposed: boolean, random?: () => E): SolvedResidues<R> {
    const lines = transposed ? this.#cols : this.#rows;
    const rows = Array.from({ length: lines }, (_, i) =>
      Array.from({ length: s }, (_, t) => this.#F.from(B[i * s + t]!)),
    );
    const { solution, inconsistent } = transposed
      ? this.#factors.solveTransposed(rows, { s, random })
      : this.#factors.solve(rows, { s, random });
    return {
      solution: solution && this.#pack(solution.flat()),
      inconsistent: inconsistent && { ...inconsistent, certificate: this.#pack(inconsistent.certificate) },
    };
  }

  /** Lines at which the vectors of a kernel's basis have their 1. */
  freeLines(left: boolean): Uint32Array {
    return Uint32Array.from(left ? this.#factors.freeRows : this.#factors.freeCols);
  }

  /** A basis of the kernel, or as many uniform vectors of it as `drawn` says, in batches. */
  async *batches(left: boolean, drawn?: Drawn<E>): AsyncGenerator<PackedVectors<R>> {
    let [ptr, index, values]: [number[], number[], E[]] = [[0], [], []];
    const batch = (): PackedVectors<R> => ({
      count: ptr.length - 1,
      ptr: Uint32Array.from(ptr),
      index: Uint32Array.from(index),
      values: this.#pack(values),
    });
    for (const vector of drawn === undefined ? this.#factors.vectors(left) : this.#draw(left, drawn)) {
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

  /** Random solutions of the homogeneous system. */
  *#draw(left: boolean, { count, random }: Drawn<E>): Generator<SparseRow<E>> {
    const zeros = new Array<[E]>(left ? this.#cols : this.#rows).fill([this.#F.zero]);
    for (let drawn = 0; drawn < count; drawn++) {
      const { solution } = left
        ? this.#factors.solveTransposed(zeros, { s: 1, random })
        : this.#factors.solve(zeros, { s: 1, random });
      const entries = solution!.map(([value], j) => [j, value!] as const);
      yield new Map(entries.filter(([, value]) => !this.#F.equals(value, this.#F.zero)));
    }
  }
}

export interface Drawn<E> {
  readonly count: number;
  readonly random: () => E;
}
