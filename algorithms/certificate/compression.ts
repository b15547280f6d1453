/**
 * The two maps of a certificate over E, P : r × m' and Q : n' × r, as lists of entries that follow from its commitment.
 *
 *   i-th pivot row of A'        ↦ row i of P, coefficient 1
 *   the other rows, in order    ↦ each to one of P's last r − (pivots) rows in every layer, with a nonzero coefficient
 *
 * and Qᵀ likewise with the columns of A'. In a layer the other rows are dealt out evenly: sorted by a word of
 * SHAKE128("rows L SEED") each (ties by number), position t of T goes to the floor(t·R/T)-th of the R rows; T more
 * words w of the same stream give the coefficients 1 + w mod (q − 1). When there are as many rows as places, they keep
 * their order, with coefficient 1. Nothing is claimed of these maps; that P·A·Q is nonsingular is what the challenges
 * show.
 */
import { certificateField } from './certificate-field.js';
import { streamOfWords } from './challenges.js';
import type { Commitment } from './format.js';

/**
 * Entries (place[e], line[e], factor[e]): line number `line` of A' enters row `place` of the map. Some pairs may
 * repeat.
 */
export interface LineMap {
  readonly place: Uint32Array;
  readonly line: Uint32Array;
  readonly factor: Uint32Array;
}

/** `size`: how many rows or columns A' has; the rank and the pivots are at most that. */
export function lineMap(c: Commitment, which: 'rows' | 'cols', size: number): LineMap {
  const { q } = certificateField(c.p);
  const pivots = which === 'rows' ? c.pivotRows : c.pivotCols;
  const others = otherLines(size, pivots);
  const places = c.rank - pivots.length;
  const dealt = places === 0 ? 0 : others.length === places ? 1 : c.layers;
  const count = pivots.length + dealt * others.length;
  const place = new Uint32Array(count);
  const line = new Uint32Array(count);
  const factor = new Uint32Array(count).fill(1);
  pivots.forEach((pivot, i) => {
    place[i] = i;
    line[i] = pivot;
  });
  let at = pivots.length;
  for (let layer = 0; layer < dealt; layer++) {
    const T = others.length;
    const words = T === places ? null : streamOfWords(`${which} ${layer} ${c.seed}`, 2 * T);
    const order = Uint32Array.from({ length: T }, (_, i) => i);
    if (words) order.sort((a, b) => words[a] - words[b] || a - b);
    for (let t = 0; t < T; t++, at++) {
      place[at] = pivots.length + Number((BigInt(t) * BigInt(places)) / BigInt(T));
      line[at] = others[order[t]];
      if (words) factor[at] = 1 + (words[T + t] % (q - 1));
    }
  }
  return { place, line, factor };
}

/** 0 … size − 1 without the pivots. */
function otherLines(size: number, pivots: Uint32Array): Uint32Array {
  const isPivot = new Uint8Array(size);
  for (const pivot of pivots) isPivot[pivot] = 1;
  return Uint32Array.from({ length: size }, (_, i) => i).filter((i) => isPivot[i] === 0);
}
