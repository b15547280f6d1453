/**
 * Dense blocks on a grid, as simulations of reservoirs have: b unknowns a cell, and a dense b × b block for each pair
 * of a cell and one of its nearest neighbours, itself among them.
 *
 *   n = b·cells     the cells fill a cube of side ⌈cells^(1/3)⌉ in order, the last layers perhaps in part
 *   7 blocks a row : a cell and those beyond its faces     19 : its edges too     27 : its corners too
 *
 * Values are uniform in 1 … p − 1. Source of the pattern: Rossignon 2013.
 */
import { CounterRandom } from '../../fields/random.js';
import { checkExtent, FamilyError, type Triplets, TripletWriter } from '../triplets.js';

const NEAREST = 27;

export function blockStructured(n: number, b: number, blocksARow: number, p: number, seed: number): Triplets {
  if (n % b !== 0) throw new FamilyError(`block-structured: expected n to be a multiple of ${b}, got ${n}`);
  if (blocksARow > NEAREST) {
    throw new FamilyError(`block-structured: expected at most ${NEAREST} blocks a row, got ${blocksARow}`);
  }
  checkExtent('block-structured', n, n, n * b * blocksARow);
  const cells = n / b;
  const neighbours = neighboursOf(cells, blocksARow);
  let blocks = 0;
  for (let cell = 0; cell < cells; cell++) blocks += neighbours(cell).length;
  const out = new TripletWriter('block-structured', n, n, blocks * b * b);
  const values = new CounterRandom(seed, 0).fillResidues(new Uint32Array(blocks * b * b), p - 1);
  let next = 0;
  for (let cell = 0; cell < cells; cell++) {
    const columns = neighbours(cell);
    for (let i = cell * b; i < (cell + 1) * b; i++) {
      for (const other of columns) {
        for (let j = other * b; j < (other + 1) * b; j++) out.push(i, j, 1 + values[next++]!);
      }
    }
  }
  return out.finish();
}

/** The `count` nearest cells of a cell, as many of them as there are, ascending. */
function neighboursOf(cells: number, count: number): (cell: number) => number[] {
  const side = Math.ceil(Math.cbrt(cells) - 1e-9);
  const steps = [-1, 0, 1];
  const offsets = steps.flatMap((z) => steps.flatMap((y) => steps.map((x) => [x, y, z] as const)));
  const distance = ([x, y, z]: readonly [number, number, number]): number => x * x + y * y + z * z;
  const nearest = offsets.sort((s, t) => distance(s) - distance(t)).slice(0, count);
  const isInside = (at: number): boolean => at >= 0 && at < side;
  return (cell) => {
    const [x, y, z] = [cell % side, Math.floor(cell / side) % side, Math.floor(cell / side / side)];
    const near: number[] = [];
    for (const [dx, dy, dz] of nearest) {
      const other = cell + dx + side * (dy + side * dz);
      if (isInside(x + dx) && isInside(y + dy) && isInside(z + dz) && other < cells) near.push(other);
    }
    return near.sort((s, t) => s - t);
  };
}
