/**
 * EX-type: the 3rd symmetric power of a strongly regular graph G. Vertices are the 3-subsets of G's vertices,
 * lexicographic; two are adjacent iff their symmetric difference is an edge of G.
 *
 *   EX1: the 4 × 4 rook graph     EX2: the Shrikhande graph     EX5: disjointness of the 35 lines of PG(3, 2)
 *
 * EX1 and EX2 share the parameters (16,6,2,2); EX5's graph is SRG(35,16,6,8).
 * Source: Audenaert, Godsil, Royle, Rudolph, "Symmetric squares of graphs", 2007.
 */
import { binomial, forEachSubset, subsetRanker } from '../subsets.js';
import { FamilyError, rowMajor, type Triplets, TripletWriter } from '../triplets.js';

type Graph = readonly (readonly number[])[]; // the neighbours of each vertex

export function symmetricPower(number: number): Triplets {
  const graph = GRAPHS.get(number);
  if (graph === undefined) throw new FamilyError(`ex: expected 1, 2 or 5, got ${number}`);
  return symmetricCube(`EX${number}`, graph());
}

const GRAPHS = new Map<number, () => Graph>([
  [1, () => graphOf(16, (x, y) => x >> 2 === y >> 2 || x % 4 === y % 4)],
  [2, () => graphOf(16, shrikhande)],
  [5, () => disjointLines()],
]);

function graphOf(size: number, adjacent: (x: number, y: number) => boolean): Graph {
  const vertices = Array.from({ length: size }, (_, x) => x);
  return vertices.map((x) => vertices.filter((y) => x !== y && adjacent(x, y)));
}

/** The Cayley graph of Z₄ × Z₄ with connection set ±(1,0), ±(0,1), ±(1,1). */
function shrikhande(x: number, y: number): boolean {
  const [di, dj] = [((x >> 2) - (y >> 2) + 4) % 4, ((x % 4) - (y % 4) + 4) % 4];
  return [10, 30, 1, 3, 11, 33].includes(10 * di + dj);
}

/** The lines of PG(3, 2): triples {x, y, x ⊕ y} of nonzero 4-bit vectors; two are adjacent when they do not meet. */
function disjointLines(): Graph {
  const lines: number[][] = [];
  for (let x = 1; x < 16; x++) for (let y = x + 1; y < 16; y++) if ((x ^ y) > y) lines.push([x, y, x ^ y]);
  return graphOf(lines.length, (a, b) => !lines[a].some((point) => lines[b].includes(point)));
}

function symmetricCube(name: string, graph: Graph): Triplets {
  const v = graph.length;
  const edges = graph.reduce((sum, neighbours) => sum + neighbours.length, 0); // each counted from both ends
  const size = binomial(v, 3);
  // An edge {a, b} with two vertices beside it, replaced one by the other: C(v − 2, 2) entries an ordered edge.
  const out = new TripletWriter(name, size, size, edges * binomial(v - 2, 2));
  const rank = subsetRanker(v, 3);
  forEachSubset(v, 3, (subset, i) => {
    for (let k = 0; k < 3; k++) {
      for (const b of graph[subset[k]]) {
        if (subset.includes(b)) continue;
        const moved = subset.slice();
        moved[k] = b;
        out.push(i, rank(moved.sort()), 1);
      }
    }
  });
  return rowMajor(out.finish());
}
