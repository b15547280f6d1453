/**
 * Nullstellensatz certificates of degree 1 that a graph has no 3-colouring, as a linear system: a row a monomial, a
 * column a multiple of a polynomial of the system, entries its coefficients.
 *
 *   for every edge ij (i < j) and vertex k:   x_k·(x_i² + x_i·x_j + x_j²)     |E|·|V| columns of three ones
 *   once:                                     x_0³ − 1                         the last column
 *
 *   rows: 1, then the cubic monomials x_a·x_b·x_c, a ≤ b ≤ c, that occur, lexicographic in (a, b, c)
 *
 * Worked out from the published sizes and ranks of wheel_n_1, kneser_a_b_1 and flower_n_1 (known-ranks.ts).
 * Source: De Loera, Lee, Malkin, Margulies, "Hilbert's Nullstellensatz and an algorithm for proving combinatorial
 * infeasibility", ISSAC 2008.
 */
import { binomial, forEachSubset } from '../subsets.js';
import { checkExtent, FamilyError, MAX_ENTRIES, rowMajor, type Triplets, TripletWriter } from '../triplets.js';

type Edge = readonly [number, number];

/** The wheel: vertex 0 joined to every vertex of an n-cycle. */
export function wheel(n: number): Triplets {
  if (n < 3) throw new FamilyError(`wheel: expected a rim of 3 or more, got ${n}`);
  checkSystem(`wheel_${n}_1`, n + 1, 2 * n);
  const edges: Edge[] = [];
  for (let i = 0; i < n; i++) edges.push([0, 1 + i], [1 + i, 1 + ((i + 1) % n)]);
  return certificateSystem(`wheel_${n}_1`, n + 1, edges);
}

/** The Kneser graph: the b-subsets of [a], adjacent when disjoint. */
export function kneser(a: number, b: number): Triplets {
  const name = `kneser_${a}_${b}_1`;
  const vertices = binomial(a, b);
  checkSystem(name, vertices, (vertices * binomial(a - b, b)) / 2);
  if (vertices * b > MAX_ENTRIES) throw new FamilyError(`${name}: expected at most 2^28 elements, got ${vertices * b}`);
  const subsets: Set<number>[] = [];
  forEachSubset(a, b, (subset) => {
    subsets.push(new Set(subset));
  });
  const edges: Edge[] = [];
  for (let i = 0; i < subsets.length; i++) {
    for (let j = i + 1; j < subsets.length; j++) {
      if (![...subsets[i]].some((x) => subsets[j].has(x))) edges.push([i, j]);
    }
  }
  return certificateSystem(name, subsets.length, edges);
}

/** The flower: the n-antiprism, that is the cycle of 2n vertices with its chords of length two. */
export function flower(n: number): Triplets {
  if (n < 3) throw new FamilyError(`flower: expected 3 or more petals, got ${n}`);
  const size = 2 * n;
  checkSystem(`flower_${n}_1`, size, 2 * size);
  const edges: Edge[] = [];
  for (let i = 0; i < size; i++) edges.push([i, (i + 1) % size], [i, (i + 2) % size]);
  return certificateSystem(`flower_${n}_1`, size, edges);
}

/** Refuses a graph that memory cannot hold, before its edges are listed. */
function checkSystem(name: string, vertices: number, edges: number): void {
  const columns = edges * vertices + 1;
  checkExtent(name, Math.ceil(vertices ** 3 / 6), columns, 3 * columns);
}

function certificateSystem(name: string, vertices: number, edges: readonly Edge[]): Triplets {
  const sorted = edges.map(([x, y]): Edge => (x < y ? [x, y] : [y, x])).sort((e, f) => e[0] - f[0] || e[1] - f[1]);
  const columns = sorted.length * vertices + 1;
  const key = (a: number, b: number, c: number): number => {
    const [x, y, z] = [a, b, c].sort((s, t) => s - t);
    return (x * vertices + y) * vertices + z;
  };
  // Keys of the monomials of each column, three by three, then x_0³ whose key is 0.
  const keys = new Float64Array(3 * (columns - 1) + 1);
  let at = 0;
  for (const [i, j] of sorted) {
    for (let k = 0; k < vertices; k++) {
      keys[at++] = key(k, i, i);
      keys[at++] = key(k, i, j);
      keys[at++] = key(k, j, j);
    }
  }
  const monomials = keys.slice().sort();
  let count = 0;
  for (const monomial of monomials) if (count === 0 || monomial !== monomials[count - 1]) monomials[count++] = monomial;
  const out = new TripletWriter(name, count + 1, columns, 3 * (columns - 1) + 2);
  for (let entry = 0; entry < 3 * (columns - 1); entry++)
    out.push(1 + indexOf(monomials, count, keys[entry]), Math.floor(entry / 3), 1);
  out.push(0, columns - 1, -1);
  out.push(1 + indexOf(monomials, count, 0), columns - 1, 1);
  return rowMajor(out.finish());
}

/** The place of `key` among the first `count` of `ascending`, which has it. */
function indexOf(ascending: Float64Array, count: number, key: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
