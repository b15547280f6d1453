/**
 * Structural pivots of matrices that are asked about modulo several primes: the places of the entries that a prime
 * leaves are mostly the same, and pivots depend on nothing else.
 */
import { type Pattern, samePlaces } from './pattern.js';
import { type PivotSearch, type StructuralPivots, structuralPivots } from './structural-pivots.js';

/** Patterns that are kept: of the matrix, and of what its core leaves (presolve.ts). */
const KEPT = 4;

interface Known {
  readonly a: Pattern;
  readonly found: StructuralPivots;
  readonly isWhole: boolean; // false: the search ended with pivots that were enough
}

export class KnownPivots implements PivotSearch {
  private known: readonly Known[] = [];

  /** As structuralPivots does, or those of the same pattern that are known. */
  find(a: Pattern, at: Pattern, enough: (found: StructuralPivots) => boolean): StructuralPivots {
    const known = this.known.find((other) => samePlaces(other.a, a));
    if (known !== undefined && (enough(known.found) || known.isWhole)) return known.found;
    let isWhole = true;
    const found = structuralPivots(a, at, (some) => {
      const ends = enough(some);
      if (ends) isWhole = false;
      return ends;
    });
    const others = this.known.filter((other) => other !== known);
    this.known = [{ a, found, isWhole }, ...others].slice(0, KEPT);
    return found;
  }
}
