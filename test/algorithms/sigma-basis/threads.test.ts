/** Threads start from dist/ only, so everything here comes from there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExtensionPolyEngine, PolyEngine } from '../../../dist/algorithms/sigma-basis/pm-basis.js';
import { ExtensionField } from '../../../dist/fields/extension.js';
import { CounterRandom } from '../../../dist/fields/random.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { Team } from '../../../dist/kernels/threads/team.js';

const THREADS = [1, 2, 3, 8];
let teams: Team[];
beforeAll(async () => {
  teams = await Promise.all(THREADS.map((threads) => Team.create(threads)));
});
afterAll(() => Promise.all(teams.map((team) => team.dispose())));

const [ROWS, COLS] = [20, 8];
const [WIDE_ROWS, WIDE_COLS] = [50, 26];
const PASSENGERS = 3;

type Fields = WordPrime | ExtensionField;

interface Shape {
  readonly leaf?: number;
  readonly rows?: number;
  readonly cols?: number;
  readonly rhsRows?: number;
}

function basisOf(
  team: Team,
  field: Fields,
  orders: number,
  { leaf, rows = ROWS, cols = COLS, rhsRows = PASSENGERS }: Shape = {},
): { words: Uint32Array; degrees: number[] } {
  const options = leaf === undefined ? {} : { leaf };
  const engine =
    field instanceof WordPrime ? new PolyEngine(team, field, options) : new ExtensionPolyEngine(team, field, options);
  const g = engine.create(rows, cols, orders);
  const random = new CounterRandom(3n, 1);
  engine.write(g, random.fillResidues(new Uint32Array(rows * cols * orders), Number(field.order)));
  const degrees = Int32Array.from({ length: rows }, (_, i) => i % 3);
  const basis = engine.sigmaBasis(g, degrees, rhsRows);
  const words = engine.read(basis);
  const residual = engine.residual(basis, g, 0, orders);
  expect(engine.read(residual).every((x) => x === 0)).toBe(true);
  for (const a of [g, basis, residual]) engine.release(a);
  engine.dispose();
  return { words, degrees: [...degrees] };
}

test.each([
  ['2', WordPrime.of(2), 300],
  ['65521', WordPrime.of(65521), 500],
  ['2^31 − 1', WordPrime.of(2147483647), 500],
  ['GF(2^8)', new ExtensionField(2, 8), 450 /* products of two variables */],
  ['GF(2^14)', new ExtensionField(2, 14), 150],
  ['GF(3^9)', new ExtensionField(3, 9), 150],
] as [string, Fields, number][])(
  'the same basis with any number of threads, and by iteration alone: %s',
  (_, field, orders) => {
    const one = basisOf(teams[0]!, field, orders);
    for (const team of teams.slice(1)) expect(basisOf(team, field, orders)).toEqual(one);
    expect(basisOf(teams[0]!, field, orders, { leaf: orders })).toEqual(one);
  },
);

test.each([65521, 2147483647])('the same basis of wide blocks with any number of threads, mod %i', (p) => {
  const shape = { rows: WIDE_ROWS, cols: WIDE_COLS };
  const one = basisOf(teams[0]!, WordPrime.of(p), 70, shape);
  for (const team of teams.slice(1)) expect(basisOf(team, WordPrime.of(p), 70, shape)).toEqual(one);
});

test.each([65521, 2147483647])('the same basis of odd shapes with any number of threads, mod %i', (p) => {
  for (const [rows, cols, orders, rhsRows] of [
    [9, 5, 64, 0], // more runs than groups of columns
    [6, 11, 64, 0], // fewer rows than columns
    [60, 30, 7, 1], // more threads than orders
    [30, 20, 1, 0],
    [40, 7, 61, 30],
  ]) {
    const shape = { rows, cols, rhsRows };
    const one = basisOf(teams[0]!, WordPrime.of(p), orders, shape);
    for (const team of teams.slice(1)) expect(basisOf(team, WordPrime.of(p), orders, shape)).toEqual(one);
  }
});
