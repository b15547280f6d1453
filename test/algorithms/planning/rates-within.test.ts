/** What is measured for a plan within its seconds, by a clock of the test, on machines that follow a law. */
import { expect, test } from 'vitest';
import type { BlockShape } from '../../../algorithms/block-wiedemann/block-shape.js';
import { basisWork } from '../../../algorithms/planning/basis-seconds.js';
import type { Size, TimedSteps } from '../../../algorithms/planning/machine-rates.js';
import { type PlannedShape, ratesWithin, type Timers } from '../../../algorithms/planning/rates-within.js';
import { secondsEach } from '../../../algorithms/planning/seconds-each.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';

/** Seconds of an entry: to be made, to be set up, and of a step a column, `dearer` times so much out of the caches. */
interface Law {
  readonly kind: 'cpu' | 'gpu';
  readonly make: number;
  readonly setup: number;
  readonly step: number;
  readonly dearer: number;
  readonly alone: number; // a step beside its entries
  readonly basis: number; // of basisWork
  readonly beside: number; // what an order basis takes beside its search, as a share of it
  readonly compile: number;
}

const THREADS: Law = {
  ...{
    kind: 'cpu',
    make: 1e-7,
    setup: 1.5e-7,
    step: 4e-10,
    dearer: 3,
    alone: 0,
    basis: 3e-12,
    beside: 0.5,
    compile: 0.05,
  },
};
const SLOW: Law = { ...THREADS, make: 4e-7, setup: 6e-7, step: 2e-9, basis: 1.5e-11 };
const GPU: Law = { ...THREADS, kind: 'gpu', step: 5e-12, alone: 2e-5, basis: 2e-13, compile: 0.4 };

const GL7D19: Size = { rows: 1955309, cols: 1911130, nnz: 37322725 };
const DLP: Size = { rows: 36.2e6, cols: 36.2e6, nnz: 36.2e6 * 253 };
const RSA: Size = { rows: 282e6, cols: 282e6, nnz: 282e6 * 200 };

const of = (n: number, columns: number): PlannedShape => ({ m: 2 * n, n, columns });
const ONE = [of(16, 16)];
const THREE = [of(16, 16), of(128, 13), of(128, 2)];

async function measured(law: Law, budget: number, size: Size, shapes: readonly PlannedShape[], given = false) {
  let clock = 0;
  const known = new Set<string>();
  const compile = (what: string): void => {
    if (!known.has(what)) clock += law.compile;
    known.add(what);
  };
  const make = ({ rows, cols, nnz }: Size): ResidueMatrix => {
    clock += law.make * nnz;
    return { rows, cols, colIdx: { length: nnz } } as unknown as ResidueMatrix;
  };
  const timers: Timers = {
    kind: law.kind,
    p: 65521,
    now: () => clock,
    make,
    steps: async ({ rows, cols, colIdx: { length: nnz } }, widths: readonly BlockShape[], seconds) => {
      const timed: TimedSteps[] = [];
      for (const [at, { m, n }] of widths.entries()) {
        const setup = law.setup * nnz;
        clock += setup;
        const each = law.step * nnz * n * (cols > 100_000 ? law.dearer : 1);
        const work = async (count: number): Promise<void> => {
          compile(`${n}`);
          clock += 1e-4 + count * (each + law.alone);
        };
        const one = (share: number, waking: number) => secondsEach(work, share * seconds, 4096, waking, () => clock);
        const isFirst = law.kind === 'gpu' && at === 0;
        const step = await one(0.6 / widths.length, isFirst ? 0.25 : 0.02);
        const verifying = at === 0 ? await one(0.4, 0.02) : timed[0]!.verifying;
        timed.push({ rows, cols, nnz, m, n, setup, step, verifying, gpuBytes: null });
      }
      return timed;
    },
    basis: async (unknowns, { m, n }) => {
      compile('basis');
      const seconds = law.basis * basisWork(unknowns, { m, n }, 4, 16);
      clock += (1 + law.beside) * seconds;
      return { unknowns, m, n, looks: [{ order: 1, seconds }], checking: 0, combining: 0 };
    },
  };
  const rates = await ratesWithin(budget, timers, size, shapes, given ? make(size) : null);
  return { rates, seconds: clock - (given ? law.make * size.nnz : 0) };
}

const LAWS = { threads: THREADS, 'slow threads': SLOW, 'a GPU': GPU };
const SIZES = { GL7d19: GL7D19, 'DLP-240': DLP, 'RSA-240': RSA };
const CASES = Object.entries(LAWS).flatMap(([law, { ...own }]) =>
  Object.entries(SIZES).flatMap(([name, size]) =>
    [ONE, THREE].map((shapes) => [`${name}, ${shapes.length} numbers of devices, ${law}`, own, size, shapes] as const),
  ),
);

test.each(CASES)('seconds are kept: %s', async (_, law, size, shapes) => {
  const { seconds: least } = await measured(law, 0, size, shapes);
  for (const budget of [1, 8, 20, 60]) {
    const { seconds, rates } = await measured(law, budget, size, shapes);
    expect(seconds).toBeLessThan(1.1 * budget + least);
    if (budget < 60) expect(seconds).toBeGreaterThan(0.5 * budget);
    // Steps are timed at two densities of the largest sides, and at smaller ones.
    const sides = rates.steps.map(({ cols }) => cols);
    if (budget >= 8) expect(new Set(sides).size).toBe(2);
  }
});

test.each([
  [12, [of(32, 32), ...THREE.slice(1)], 4e6],
  [12, ONE, 9e6],
  [30, [of(32, 32), ...THREE.slice(1)], 1.5e7],
])('a GPU times large matrices: %d seconds', async (budget, shapes, entries) => {
  const { rates } = await measured(GPU, budget, GL7D19, shapes);
  expect(Math.max(...rates.steps.map(({ nnz }) => nnz))).toBeGreaterThan(entries);
});

test('a GPU times the smallest order basis of each shape, whatever the budget, and threads do not', async () => {
  for (const [law, count] of [
    [GPU, 2],
    [THREADS, 1],
  ] as const) {
    const { rates } = await measured(law, 1, DLP, THREE);
    expect(new Set(rates.bases.map(({ n }) => n)).size).toBe(count);
  }
});

test.each(Object.entries(LAWS))(
  'seconds are kept with a matrix that is there, beside its setup: %s',
  async (_, law) => {
    for (const size of [{ rows: 50_000, cols: 50_000, nnz: 1e6 }, GL7D19, DLP]) {
      const { seconds: least } = await measured(law, 0, size, THREE, true);
      for (const budget of [1, 8, 60]) {
        const { seconds, rates } = await measured(law, budget, size, THREE, true);
        expect(seconds).toBeLessThan(1.1 * budget + least);
        expect(rates.steps.map(({ nnz, n }) => [nnz, n])).toEqual([
          [size.nnz, 16],
          [size.nnz, 2],
        ]);
      }
    }
  },
);
