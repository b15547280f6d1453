/** A block shape is chosen by the products of its width and the costs of a run around them, where it gains 5 %. */
import { expect, test } from 'vitest';
import { costs, runSeconds } from '../../../algorithms/methods/costs.js';
import { gpuRunSeconds } from '../../../algorithms/methods/gpu-costs.js';
import { chooseShape, type RunSeconds, timeShapes } from '../../../algorithms/tuning/block-shapes.js';
import { WordPrime } from '../../../fields/word-prime.js';

const USUAL = { m: 32, n: 16 };
const FIELD = WordPrime.of(65521);
const N = 1_911_130;
const gpu: RunSeconds = (shape, product) => gpuRunSeconds(FIELD, N, N, shape, product);

/** Products of 16 columns in a ms. */
const timed = (of32: number, storage = 'auto' as const) =>
  [
    [8, 0.0008],
    [16, 0.001],
    [32, of32],
  ].map(([width, seconds]) => ({ storage, width: width!, seconds: seconds!, repeats: 7 }));

test('twice the columns are taken where their product is a third longer, and not where it is two and a half times as long', () => {
  expect(chooseShape(timeShapes(timed(0.0013), USUAL, gpu))).toEqual({ m: 64, n: 32 });
  expect(chooseShape(timeShapes(timed(0.0025), USUAL, gpu))).toBeNull();
});

test('the usual shape comes first, then those whose width was timed and that fit', () => {
  const shapes = timeShapes(timed(0.0013), USUAL, gpu, ({ n }) => n < 32);
  expect(shapes.map(({ block }) => block)).toEqual([USUAL, { m: 16, n: 8 }]);
  expect(chooseShape(shapes)).toBeNull();
  expect(timeShapes(timed(0.0013).slice(2), USUAL, gpu)).toEqual([]);
});

test('a storage counts only where it gains at the width', () => {
  const other = timed(0.0013).map((line) => ({ ...line, storage: 'csr' as const, seconds: 0.5 * line.seconds }));
  const by = (products: Parameters<typeof timeShapes>[0]) => timeShapes(products, USUAL, gpu)[0]!.seconds;
  const halved = by([...other, ...timed(0.0013)]);
  const slower = other.map((line) => ({ ...line, seconds: 4 * line.seconds }));
  expect(halved).toBeLessThan(by(timed(0.0013)));
  expect(by([...timed(0.0013), ...slower])).toBe(by(timed(0.0013)));
});

test('a gain below 5 % is none', () => {
  const run =
    (of32: number): RunSeconds =>
    ({ n }) =>
      n === 32 ? of32 : 1;
  expect(chooseShape(timeShapes(timed(0.001), USUAL, run(0.951)))).toBeNull();
  expect(chooseShape(timeShapes(timed(0.001), USUAL, run(0.949)))).toEqual({ m: 64, n: 32 });
});

test('on a thread the usual shape takes what the choice of a method expects, within a fifth', () => {
  const product = 0.004;
  const { wiedemann } = costs(FIELD, N, N, 1, 1, { product });
  const same = runSeconds(FIELD, N, N, 1, USUAL, (columns) => (product * Math.max(8, columns)) / 16);
  expect(same / wiedemann).toBeGreaterThan(0.8);
  expect(same / wiedemann).toBeLessThan(1.2);
});
