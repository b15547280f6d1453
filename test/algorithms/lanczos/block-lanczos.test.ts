/** Blocks over a field so small that many of them are singular, against the slow twin with the same D and E. */
import { expect, test } from 'vitest';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { blockLanczos } from '../../../algorithms/lanczos/block-lanczos.js';
import { FieldSpace } from '../../../algorithms/lanczos/field-space.js';
import { NormalOperator } from '../../../algorithms/lanczos/normal-operator.js';
import { selectColumns } from '../../../algorithms/lanczos/selection.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { scalarLanczos } from '../../../algorithms/reference/lanczos.js';
import { denseRows, sparseRows } from '../../../algorithms/reference/rows.js';
import { random } from '../../../data/families/random.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const P = 251; // the least prime with 3^5 elements or more: 'block' draws from the prime field
const F = WordPrime.of(P);
const draw = (count: number, stream: number): Uint32Array =>
  new CounterRandom(11n, stream).fillResidues(new Uint32Array(count), P);

/** One run on each side, at X of Aᵀ·D·A·X = Aᵀ·D·B; null where either ended early. */
async function compare(n: number, seed: number) {
  const executor = new ReferenceExecutor(F);
  const working = new WorkingField(executor, 'block');
  const family = random(40, 33, 3, P, 5, 8);
  const matrix = SparseMatrix.fromTriplets(family.rows, family.cols, family).residues(P);
  const { rows, cols } = matrix;
  const b = new NormalOperator(executor, executor.operator(matrix), working, BigInt(seed));
  const right = draw(rows, seed);
  const vector = (length: number, width: number, data?: Uint32Array) => {
    const v = executor.vector(length, width);
    if (data) executor.write(v, data);
    return v;
  };
  const [c, z, x] = [vector(cols, 1), vector(cols, 1), vector(cols, 1)];
  await b.adjoint(c, vector(rows, 1, right));
  const space = new FieldSpace(executor, b, working, n, 1);
  const y = vector(cols, n, draw(cols * n, 1000 + seed));
  const run = await blockLanczos(
    space,
    (v) => b.apply(v, y),
    c,
    z,
    () => {},
  );
  await b.e.apply(x, z);
  // D and E, as they map the unit vectors.
  const mapped = async (map: typeof b.e, size: number): Promise<Uint32Array> => {
    const image = vector(size, size);
    const units = new Uint32Array(size * size);
    for (let i = 0; i < size; i++) units[i * size + i] = 1;
    await map.apply(image, vector(size, size, units));
    return executor.read(image);
  };
  const [d, e] = [await mapped(b.d, rows), await mapped(b.e, cols)];
  const scaling = {
    d: Array.from({ length: rows }, (_, i) => d[i * rows + i]),
    e: Array.from(
      { length: cols },
      (_, i) => new Map(Array.from(e.subarray(i * cols, (i + 1) * cols), (value, j) => [j, value] as const)),
    ),
  };
  const start = Array.from(draw(cols, 2000 + seed));
  const twin = scalarLanczos(F, sparseRows(F, matrix), cols, scaling, start, Array.from(right));
  const rank = denseRank(F, denseRows(F, matrix));
  return { run, twin, rank, x: Array.from(executor.read(x)) };
}

test.each([1, 2, 3, 5])('%d columns: the solution and the dimension of the slow twin', async (n) => {
  let [compared, narrowed] = [0, 0];
  for (let seed = 0; seed < 80; seed++) {
    const { run, twin, rank, x } = await compare(n, seed);
    expect(run.dimension).toBeLessThanOrEqual(rank);
    if (run.isComplete && run.dimension === rank) narrowed += run.narrowed;
    if (!run.isComplete || run.dimension < rank || !twin.isComplete || twin.dimension < rank) continue;
    expect(x).toEqual(twin.x);
    compared++;
  }
  expect(compared).toBeGreaterThan(40);
  // A single column ends where it is orthogonal to itself; of several the others go on.
  if (n === 2 || n === 3) expect(narrowed).toBeGreaterThan(0);
});

test('of a symmetric matrix as many columns as its rank are selected, those left out before first', () => {
  // Over F_251: a hyperbolic plane, whose diagonal vanishes, beside a zero.
  const g = Uint32Array.of(0, 1, 0, 1, 0, 0, 0, 0, 0);
  expect(selectColumns(F, g, 3)).toEqual({
    isSelected: [true, true, false],
    count: 2,
    inverse: Uint32Array.of(0, 1, 0, 1, 0, 0, 0, 0, 0),
  });
  const ones = new Uint32Array(9).fill(1);
  expect(selectColumns(F, ones, 3)!.isSelected).toEqual([true, false, false]);
  expect(selectColumns(F, ones, 3, [true, true, false])!.isSelected).toEqual([false, false, true]);
});
