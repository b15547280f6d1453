import type { Executor, Projection } from '../../../kernels/executor.js';
import { CASES, extremes, filled, SUBSTITUTIONS } from '../executors/cases.js';

/** Every operation of an executor once; what is left in memory. */
export async function everything(executor: Executor): Promise<number[]> {
  const { p } = executor.field;
  const out: number[] = [];
  const keep = async (values: Uint32Array | Promise<Uint32Array>): Promise<void> => {
    for (const value of await values) out.push(value);
  };
  for (const { matrix } of CASES) {
    const a = executor.operator(matrix(p));
    const [x, y] = [filled(executor, a.cols, 21, 3), filled(executor, a.rows, 21, 4)];
    await a.apply(y, x);
    await a.applyTransposed(x, y, p - 1, 1);
    await keep(executor.read(x));
  }
  for (const { matrix } of SUBSTITUTIONS) {
    const t = executor.substitution!(matrix(p));
    const [x, v] = [filled(executor, t.given, 17, 3), executor.vector(t.given + t.steps, 17)];
    await t.run(v, x);
    await keep(executor.read(v));
  }
  const drawn = executor.vector(5000, 9);
  executor.random!(drawn, 77n, 3);
  await keep(executor.read(drawn));
  out.push(await executor.columnRank!([filled(executor, 300, 40, 12), filled(executor, 300, 17, 13)]));
  const length = 3000;
  const u: Projection = {
    rows: 3,
    layers: 2,
    bounds: Uint32Array.of(0, 10, 2100, length),
    coefficients: extremes(2 * length, p, 5),
  };
  const [x, z] = [filled(executor, length, 3, 6), filled(executor, length, 18, 7)];
  const [dots, rows] = [executor.blocks(1, 3, 18), executor.blocks(1, 6, 18)];
  executor.blockDot(dots, 0, x, z);
  executor.blockAxpy(z, x, extremes(3 * 18, p, 8));
  executor.project(rows, 0, u, z);
  executor.expand(z, u, await executor.readBlocks(rows, 0, 1));
  executor.scale(z, filled(executor, length, 1, 9));
  await keep(executor.readBlocks(dots, 0, 1));
  await keep(executor.readBlocks(rows, 0, 1));
  await keep(executor.read(z));
  return out;
}
