/**
 * mkN-bK: the matching complex. Vertices are the edges of the complete graph K_N, lexicographic; a K-simplex is K + 1
 * pairwise disjoint edges.
 *
 * Rank of a matching (a_0,b_0) < (a_1,b_1) < …: for each edge q, all matchings that agree before q and have an earlier
 * edge there. An edge (a, b) uses the smallest point of what follows, so later edges live on the free points beyond a:
 * with u of those, b among them, there are M(u − 1, s) ways to place s more edges, M(u, s) = C(u, 2s)·(2s − 1)!!.
 *
 * Source: Björner, Lovász, Vrećica, Živaljević, "Chessboard complexes and matching complexes", 1994.
 */
import { binomial } from '../subsets.js';
import { FamilyError, type Triplets } from '../triplets.js';
import { boundary, type Complex } from './boundary.js';

export function matching(n: number, dimension: number): Triplets {
  if (n > 30) throw new FamilyError(`matching: expected at most 30 points, got ${n}`); // points are bits of an int
  if (2 * (dimension + 1) > n) {
    throw new FamilyError(`matching: expected dimension below ${Math.floor(n / 2)}, got ${dimension}`);
  }
  return boundary(complex(n), dimension);
}

/** M(u, s): ways to choose s disjoint edges on u points. */
function matchings(u: number, s: number): number {
  let value = binomial(u, 2 * s);
  for (let odd = 2 * s - 1; odd > 1; odd -= 2) value *= odd;
  return value;
}

function complex(n: number): Complex {
  // Edge (a, b) is number first[a] + b − a − 1.
  const first = Int32Array.from({ length: n }, (_, a) => (a * (2 * n - a - 1)) / 2);
  const [low, high]: [number[], number[]] = [[], []];
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      low.push(a);
      high.push(b);
    }
  }
  return {
    name: `mk${n}`,
    count: (size) => matchings(n, size),
    forEach(size, visit) {
      const simplex = new Int32Array(size);
      const place = (q: number, from: number, taken: number): void => {
        if (q === size) {
          visit(simplex);
          return;
        }
        for (let a = from; a < n - 1; a++) {
          if ((taken >> a) & 1) continue;
          for (let b = a + 1; b < n; b++) {
            if ((taken >> b) & 1) continue;
            simplex[q] = first[a] + b - a - 1;
            place(q + 1, a + 1, taken | (1 << b));
          }
        }
      };
      place(0, 0, 0);
    },
    ranker(size) {
      // ways[q][u] = M(u − 1, s) for edge q of `size`, u free points beyond its lower end
      const ways = Array.from({ length: size }, (_, q) =>
        Float64Array.from({ length: n + 1 }, (_, u) => (u === 0 ? 0 : matchings(u - 1, size - q - 1))),
      );
      return (simplex) => {
        let rank = 0;
        let taken = 0; // upper ends of earlier edges
        let a = 0;
        for (let q = 0; q < size; q++) {
          const [lower, upper] = [low[simplex[q]], high[simplex[q]]];
          let free = 0; // points beyond a that no earlier edge holds
          for (let x = a; x < n; x++) free += 1 - ((taken >> x) & 1);
          for (; a < lower; a++) {
            if ((taken >> a) & 1) continue;
            free--;
            rank += free * ways[q][free];
          }
          free--;
          let before = 0; // free points between a and upper
          for (let x = lower + 1; x < upper; x++) before += 1 - ((taken >> x) & 1);
          rank += before * ways[q][free];
          taken |= 1 << upper;
          a = lower + 1;
        }
        return rank;
      };
    },
  };
}
