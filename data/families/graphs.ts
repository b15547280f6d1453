/**
 * Adjacency matrices of seeded graphs on random points of the unit square: 1 at (i, j) and (j, i) where an edge is.
 *
 *   delaunay   the edges of the Delaunay triangulation: planar, 6 neighbours on average
 *   geometric  an edge between points nearer than r, π·r²·n = degree, so `degree` neighbours on average but at the rim
 *
 * They are of the kinds of SuiteSparse's DIMACS10/delaunay_n15 and rgg_n_2_15_s0. Source of the triangulation:
 * delaunator (Delaunay 1934; sweep-hull).
 */
import Delaunator from 'delaunator';
import { CounterRandom } from '../../fields/random.js';
import { checkExtent, FamilyError, MAX_ENTRIES, type Triplets } from '../triplets.js';

/** Points that a triangulation takes a second or two for. */
const MAX_POINTS = 2 ** 22;

export function delaunay(n: number, seed: number): Triplets {
  if (n > MAX_POINTS) throw new FamilyError(`delaunay: expected at most 2^22 points, got ${n}`);
  const { triangles } = new Delaunator(points(n, seed));
  const edges: [number, number][] = [];
  for (let t = 0; t < triangles.length; t++) {
    const [i, j] = [triangles[t]!, triangles[t % 3 === 2 ? t - 2 : t + 1]!];
    edges.push([i, j], [j, i]); // an inner edge comes from both of its triangles
  }
  return adjacency(n, edges);
}

export function geometric(n: number, degree: number, seed: number): Triplets {
  checkExtent('geometric', n, n, n * (degree + 1));
  if (n > MAX_POINTS) throw new FamilyError(`geometric: expected at most 2^22 points, got ${n}`);
  const at = points(n, seed);
  const near = n === 0 ? 0 : degree / Math.PI / n; // r²
  const cells = Math.max(1, Math.min(2048, Math.floor(1 / Math.sqrt(near))));
  const members = Array.from({ length: cells * cells }, (): number[] => []);
  const cellOf = (x: number): number => Math.min(cells - 1, Math.floor(x * cells));
  for (let i = 0; i < n; i++) members[cellOf(at[2 * i]!) * cells + cellOf(at[2 * i + 1]!)]!.push(i);
  const edges: [number, number][] = [];
  for (let i = 0; i < n; i++) {
    const [x, y] = [at[2 * i]!, at[2 * i + 1]!];
    for (let a = Math.max(0, cellOf(x) - 1); a <= Math.min(cells - 1, cellOf(x) + 1); a++) {
      for (let b = Math.max(0, cellOf(y) - 1); b <= Math.min(cells - 1, cellOf(y) + 1); b++) {
        for (const j of members[a * cells + b]!) {
          const [dx, dy] = [at[2 * j]! - x, at[2 * j + 1]! - y];
          if (j !== i && dx * dx + dy * dy < near) edges.push([i, j]);
        }
      }
    }
    if (edges.length > MAX_ENTRIES) throw new FamilyError('geometric: expected at most 2^28 entries, got more');
  }
  return adjacency(n, edges);
}

/** x and y of each point. */
function points(n: number, seed: number): Float64Array {
  const random = new CounterRandom(seed, 0);
  return Float64Array.from({ length: 2 * n }, (_, k) => random.residueAt(k, 2 ** 32) / 2 ** 32);
}

/** Row by row, an edge once. */
function adjacency(n: number, edges: readonly (readonly [number, number])[]): Triplets {
  const rows = Array.from({ length: n }, (): number[] => []);
  for (const [i, j] of edges) rows[i]!.push(j);
  const lists = rows.map((row) => [...new Set(row)].sort((a, b) => a - b));
  const colIdx = Uint32Array.from(lists.flat());
  const rowIdx = new Uint32Array(colIdx.length);
  lists.reduce((start, { length }, i) => rowIdx.fill(i, start, start + length) && start + length, 0);
  return { rows: n, cols: n, rowIdx, colIdx, values: new Int32Array(colIdx.length).fill(1) };
}
