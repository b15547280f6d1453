/**
 * chM-N-bK: the chessboard complex. Vertices are the squares of an M × N board (row·N + column); a K-simplex is K + 1
 * rooks of which none attacks another.
 *
 * Rank of a placement: for each rook q, all placements that agree before q and put rook q on an earlier square. A rook
 * on row r with q placed before it leaves s = size − q − 1 rooks for the M − 1 − r rows below and N − q − 1 columns:
 *
 *   completions(q, r) = C(M − 1 − r, s) · (N − q − 1)! / (N − q − 1 − s)!
 *
 * Source: Björner, Lovász, Vrećica, Živaljević, "Chessboard complexes and matching complexes", 1994.
 */
import { binomial } from '../subsets.js';
import { FamilyError, type Triplets } from '../triplets.js';
import { boundary, type Complex } from './boundary.js';

export function chessboard(m: number, n: number, dimension: number): Triplets {
  if (n > 30) throw new FamilyError(`chessboard: expected at most 30 columns, got ${n}`); // columns are bits of an int
  if (dimension >= Math.min(m, n)) {
    throw new FamilyError(`chessboard: expected dimension below ${Math.min(m, n)}, got ${dimension}`);
  }
  return boundary(complex(m, n), dimension);
}

function complex(m: number, n: number): Complex {
  return {
    name: `ch${m}-${n}`,
    count: (size) => binomial(m, size) * falling(n, size),
    forEach(size, visit) {
      const simplex = new Int32Array(size);
      const place = (q: number, firstRow: number, taken: number): void => {
        if (q === size) {
          visit(simplex);
          return;
        }
        for (let row = firstRow; row <= m - (size - q); row++) {
          for (let column = 0; column < n; column++) {
            if ((taken >> column) & 1) continue;
            simplex[q] = row * n + column;
            place(q + 1, row + 1, taken | (1 << column));
          }
        }
      };
      place(0, 0, 0);
    },
    ranker(size) {
      const completions = (q: number, row: number) =>
        binomial(m - 1 - row, size - q - 1) * falling(n - q - 1, size - q - 1);
      // above[q][r]: placements whose rook q stands above row r (and below no particular row), all columns free to it.
      const above = Array.from({ length: size }, (_, q) => {
        const sums = new Float64Array(m + 1);
        for (let row = 0; row < m; row++) sums[row + 1] = sums[row] + (n - q) * completions(q, row);
        return sums;
      });
      const here = Array.from({ length: size }, (_, q) =>
        Float64Array.from({ length: m }, (_, row) => completions(q, row)),
      );
      return (simplex) => {
        let rank = 0;
        let taken = 0;
        let firstRow = 0;
        for (let q = 0; q < size; q++) {
          const row = Math.floor(simplex[q] / n);
          const column = simplex[q] - row * n;
          // Columns left of this one that no earlier rook holds.
          const free = column - bitCount(taken & ((1 << column) - 1));
          rank += above[q][row] - above[q][firstRow] + free * here[q][row];
          taken |= 1 << column;
          firstRow = row + 1;
        }
        return rank;
      };
    },
  };
}

/** n·(n − 1)…(n − k + 1). */
function falling(n: number, k: number): number {
  let value = 1;
  for (let i = 0; i < k; i++) value *= n - i;
  return value;
}

/** The number of ones of a 32-bit integer. */
function bitCount(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
