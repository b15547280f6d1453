/**
 * Products of polynomial matrices over F_p: any range of the coefficients of a·b.
 */
import type { WordPrime } from '../fields/word-prime.js';
import { polyField } from './poly-field.js';
import { allocPoly, groupsOf, type PolyMatrix, PolyShapeError } from './poly-matrix.js';
import type { Team } from './team.js';

export class PolyProduct {
  readonly team: Team;
  readonly field: number; // address of the field's constants

  constructor(team: Team, field: WordPrime) {
    this.team = team;
    this.field = polyField(team.memory, field);
  }

  dispose(): void {
    this.team.memory.release(this.field);
  }

  /** Coefficients from … from + count − 1 of a·b. */
  range(a: PolyMatrix, b: PolyMatrix, from: number, count: number): PolyMatrix {
    if (a.cols !== b.rows) throw new PolyShapeError(`product: expected ${a.cols} rows in b, got ${b.rows}`);
    const out = allocPoly(this.team.memory, a.rows, b.cols, count);
    this.direct(out, a, b, from, count);
    return out;
  }

  /** to += a for matrices of one shape; a may have fewer coefficients. */
  addInto(to: PolyMatrix, a: PolyMatrix): void {
    if (to.rows !== a.rows || to.cols !== a.cols || to.length < a.length) {
      throw new PolyShapeError(
        `add: expected at most ${to.rows} × ${to.cols} × ${to.length}, got ${a.rows} × ${a.cols} × ${a.length}`,
      );
    }
    this.team.run('polyAdd', to.at, to.stride, a.at, a.stride, to.rows * groupsOf(to.cols), a.length, this.field);
  }

  private direct(out: PolyMatrix, a: PolyMatrix, b: PolyMatrix, from: number, count: number): void {
    this.team.run(
      'polyDirect',
      ...[out.at, out.stride],
      ...[a.at, a.rows, groupsOf(a.cols), a.stride, a.length],
      ...[b.at, groupsOf(b.cols), b.stride, b.length],
      ...[a.cols, from, count, this.field],
    );
  }
}
