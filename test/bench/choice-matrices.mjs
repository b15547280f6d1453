/**
 * The matrices on which a choice of method is judged: families, random ones of all densities, planted ones, near
 * points.
 *
 * By name a function that gives triplets mod p: random values are residues, so they depend on it.
 */
const DIST = new URL('../../dist/', import.meta.url);

const FAMILIES = [
  ['bibd_49_3', 'bibd', 49, 3],
  ['bibd_81_3', 'bibd', 81, 3],
  ['W_3_5_16', 'inclusion', 3, 5, 16],
  ['ch6-6-b4', 'ch', 6, 6, 4],
  ['ch7-7-b3', 'ch', 7, 7, 3],
  ['ch7-7-b4', 'ch', 7, 7, 4],
  ['mk11-b3', 'mk', 11, 3],
  ['mk11-b4', 'mk', 11, 4],
  ['mk12-b3', 'mk', 12, 3],
  ['EX2', 'ex', 2],
  ['EX5', 'ex', 5],
  ['Trefethen_2000', 'trefethen', 2000],
  ['Trefethen_8000', 'trefethen', 8000],
  ['PG(2,47)', 'pg', 47],
  ['kneser_8_3_1', 'kneser', 8, 3],
  ['wheel_601_1', 'wheel', 601],
];

/** rows, columns, entries a row, rows that are combinations of others. */
const RANDOM = [
  [40000, 40000, 2, 0],
  [20000, 20000, 3, 0],
  [20000, 20000, 4, 0],
  [10000, 10000, 5, 0],
  [8000, 8000, 7, 0],
  [6000, 6000, 10, 0],
  [4000, 4000, 20, 0],
  [3000, 3000, 40, 0],
  [10000, 10000, 20, 0],
  [30000, 3000, 6, 0],
  [2000, 40000, 12, 0],
  [12000, 9000, 3, 0],
  [5000, 5000, 6, 1000],
  [6000, 6000, 4, 3000],
  [20000, 20000, 3, 15000],
  [3000, 3000, 15, 2800],
];

/** points, neighbours of a point. */
const POINTS = [
  [5000, 6],
  [20000, 6],
  [8000, 16],
];

const [{ generate }, { CounterRandom }] = await Promise.all(
  ['data/families.js', 'fields/random.js'].map((path) => import(new URL(path, DIST).href)),
);

export const MATRICES = new Map([
  ...FAMILIES.map(([name, family, ...words]) => [name, () => generate(family, words)]),
  ...RANDOM.map(([rows, cols, r, planted]) => [
    `random ${rows} x ${cols}, ${r} a row${planted ? `, ${planted} planted` : ''}`,
    (p) => generate('random', [rows, cols, r, p, 1, planted]),
  ]),
  ['power law 8000 x 8000', (p) => generate('power-law', [8000, 8000, Math.max(p, 5), 1])],
  ...POINTS.map(([count, degree]) => [`points ${count}, ${degree} near`, () => points(count, degree)]),
]);

/** The graph of points of a square that are near to each other, about `degree` to each. */
function points(count, degree) {
  const random = new CounterRandom(11n, 3);
  const near = Math.sqrt(degree / Math.PI / count);
  const side = Math.floor(1 / near);
  const place = (t) => random.residueAt(t, 2 ** 30) / 2 ** 30;
  const at = Array.from({ length: count }, (_, i) => [place(2 * i), place(2 * i + 1)]);
  const cells = new Map();
  at.forEach(([x, y], i) => {
    const cell = Math.floor(x * side) * side + Math.floor(y * side);
    if (!cells.has(cell)) cells.set(cell, []);
    cells.get(cell).push(i);
  });
  const [rowIdx, colIdx] = [[], []];
  at.forEach(([x, y], i) => {
    const [cx, cy] = [Math.floor(x * side), Math.floor(y * side)];
    for (let a = Math.max(0, cx - 1); a <= Math.min(side - 1, cx + 1); a++) {
      for (let b = Math.max(0, cy - 1); b <= Math.min(side - 1, cy + 1); b++) {
        for (const j of cells.get(a * side + b) ?? []) {
          if (i === j || (at[j][0] - x) ** 2 + (at[j][1] - y) ** 2 >= near ** 2) continue;
          rowIdx.push(i);
          colIdx.push(j);
        }
      }
    }
  });
  const values = new Int32Array(rowIdx.length).fill(1);
  return { rows: count, cols: count, rowIdx: Uint32Array.from(rowIdx), colIdx: Uint32Array.from(colIdx), values };
}
