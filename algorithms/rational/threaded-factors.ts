/**
 * The factors of an integer matrix modulo a prime by pivots on threads (algorithms/factor): for lifting of large ones.
 *
 *   G : of generalized-inverse.ts; the direction that was asked for last stays open
 */
import { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { GeneralizedInverse } from '../factor/generalized-inverse.js';
import { PivotFactors } from '../factor/pivot-factors.js';
import { findPivots } from '../factor/pivot-search.js';
import type { ModularFactors, RationalContext } from './context.js';
import type { IntegerSystem } from './integer-system.js';

export class ThreadedFactors implements ModularFactors {
  readonly p: number;
  readonly #team: Team;
  readonly #check: () => void;
  readonly #factors: PivotFactors;
  #open: { readonly inverse: GeneralizedInverse; readonly transposed: boolean } | null = null;

  private constructor(p: number, team: Team, factors: PivotFactors, check: () => void) {
    [this.p, this.#team, this.#factors, this.#check] = [p, team, factors, check];
  }

  /** MethodError where dense Schur complements do not fit. */
  static async of(
    system: IntegerSystem,
    p: number,
    team: Team,
    { check, maxBytes, onPhase }: Pick<RationalContext, 'check' | 'maxBytes' | 'onPhase'>,
  ): Promise<ThreadedFactors> {
    const [field, matrix] = [WordPrime.of(p), residueMatrix(system, p)];
    const found = await findPivots(team, field, matrix, { check, maxBytes, onPhase });
    return new ThreadedFactors(p, team, new PivotFactors(field, matrix, found), check);
  }

  get rank(): number {
    return this.#factors.rank;
  }

  async apply(columns: readonly Float64Array[], transposed: boolean): Promise<Float64Array[]> {
    const s = columns.length;
    const b = new Uint32Array(columns[0].length * s);
    columns.forEach((column, t) => {
      for (let i = 0; i < column.length; i++) b[i * s + t] = column[i];
    });
    const x = await this.#inverse(transposed).apply(b, s);
    return columns.map((_, t) => {
      const column = new Float64Array(x.length / s);
      for (let j = 0; j < column.length; j++) column[j] = x[j * s + t];
      return column;
    });
  }

  free(): void {
    this.#open?.inverse.free();
    this.#open = null;
  }

  #inverse(transposed: boolean): GeneralizedInverse {
    if (this.#open?.transposed !== transposed) {
      this.free();
      const inverse = this.#factors.inverse({ team: this.#team, check: this.#check }, transposed);
      this.#open = { inverse, transposed };
    }
    return this.#open!.inverse;
  }
}

/** A mod p. */
function residueMatrix({ rows, cols, rowPtr, colIdx, values, big }: IntegerSystem, p: number): ResidueMatrix {
  const ptr = new Uint32Array(rows + 1);
  const [index, residues] = [new Uint32Array(colIdx.length), new Uint32Array(colIdx.length)];
  let filled = 0;
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      const rest = values === null ? Number(big[k] % BigInt(p)) : values[k] % p;
      if (rest === 0) continue;
      index[filled] = colIdx[k];
      residues[filled++] = rest < 0 ? rest + p : rest;
    }
    ptr[i + 1] = filled;
  }
  return { rows, cols, rowPtr: ptr, colIdx: index.slice(0, filled), values: residues.slice(0, filled) };
}
