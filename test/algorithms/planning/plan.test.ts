/** Estimates from rates that follow a law: at sizes timed, between them and beyond. */
import { expect, test } from 'vitest';
import { stopGap } from '../../../algorithms/block-wiedemann/block-shape.js';
import { basisSecondsOf } from '../../../algorithms/planning/basis-seconds.js';
import type { MachineRates } from '../../../algorithms/planning/machine-rates.js';
import { planOnDevices } from '../../../algorithms/planning/plan.js';
import { stepNumbers } from '../../../algorithms/planning/step-seconds.js';
import { WordPrime } from '../../../fields/word-prime.js';

/** An entry 1 ns and a row 10 ns a column, and a microsecond; more than ten thousand unknowns cost a tenth more. */
const law = (rows: number, cols: number, nnz: number, n: number): number =>
  (1 + n) * ((cols > 10_000 ? 1.1 : 1) * 1e-9 * nnz + 1e-8 * rows);

function rates(sizes: readonly (readonly [number, number])[], widths: readonly number[]): MachineRates {
  const steps = sizes.flatMap(([N, each]) =>
    widths.map((n) => {
      const step = law(2 * N, N, 2 * N * each, n);
      const own = { rows: 2 * N, cols: N, nnz: 2 * N * each, m: 32, n };
      return { ...own, setup: 10 * step, step, verifying: step / 2, gpuBytes: null };
    }),
  );
  const basis = (unknowns: number, seconds: number) => ({
    ...{ unknowns, m: 32, n: 16, checking: seconds / 10, combining: seconds / 100 },
    looks: [0.25, 0.5, 1].map((share) => ({
      order: Math.ceil((share * unknowns * 3) / 32),
      seconds: share ** 2 * seconds,
    })),
  });
  return {
    ...{ p: 65521, device: 'cpu', adapter: null, threads: 1, bindingBytes: null, start: 0.1, basisStart: 0, steps },
    bases: [basis(1000, 1), basis(4000, 6)],
  };
}

test('a size that was timed counts as it is', () => {
  const { value, origin } = stepNumbers(rates([[1000, 5]], [16]), { rows: 2000, cols: 1000, nnz: 10000 }, 16);
  expect(origin).toBe('measured');
  expect(value.step).toBe(law(2000, 1000, 10000, 16));
});

test('entries and rows are priced by two densities, columns by two widths', () => {
  const known = rates(
    [
      [1000, 5],
      [1000, 15],
    ],
    [4, 16],
  );
  for (const [each, n] of [
    [10, 16],
    [30, 16],
    [7, 8],
    [7, 24],
  ] as const) {
    const { value } = stepNumbers(known, { rows: 2000, cols: 1000, nnz: 2000 * each }, n);
    expect(value.step / law(2000, 1000, 2000 * each, n)).toBeCloseTo(1, 6);
  }
});

/** Sides, and entries a row. */
const TWO_SIDES = [
  [1000, 5],
  [1000, 15],
  [64000, 5],
  [64000, 15],
] as const;

test('prices between two sizes lie between theirs, and grow on beyond them', () => {
  const known = rates(TWO_SIDES, [16]);
  const at = (N: number) => stepNumbers(known, { rows: 2 * N, cols: N, nnz: 20 * N }, 16);
  const a = at(8000);
  expect(a.origin).toBe('between');
  expect(a.value.step / law(16000, 8000, 160000, 16)).toBeGreaterThan(1);
  expect(a.value.step / law(16000, 8000, 160000, 16)).toBeLessThan(1.1);
  const b = at(512000);
  expect(b.origin).toBe('beyond');
  // A power of 64 for a tenth: of 8 half of that.
  expect(b.value.step / law(1024000, 512000, 10240000, 16)).toBeCloseTo(1 + 0.5 * (Math.sqrt(1.1) - 1) * 1.1, 1);
});

test('an entry is no cheaper at larger sides, whatever was measured there', () => {
  const known = rates(TWO_SIDES, [16]);
  const [few, many] = known.steps.slice(2);
  const steps = [...known.steps.slice(0, 2), few!, { ...many!, step: few!.step }];
  const size = { rows: 128000, cols: 64000, nnz: 128000 * 300 };
  const { step } = stepNumbers({ ...known, steps }, size, 16).value;
  expect(step / law(2000, 1000, 2000 * 300, 16) / 64).toBeCloseTo(1, 1);
});

test('steps of a GPU that are launches of its dispatches say nothing of entries', () => {
  const gpu = { ...rates([], []), device: 'gpu' as const };
  const timed = (N: number, each: number, step: number) => {
    const own = { rows: N, cols: N, nnz: each * N, m: 64, n: 32 };
    return { ...own, setup: step, step, verifying: step, gpuBytes: 0 };
  };
  // 0.2 ms of launches, and 1 ns an entry and a row where there is more to do.
  const large = [timed(1e6, 2, 3.2e-3), timed(1e6, 10, 11.2e-3)];
  const at = (small: number) => {
    const steps = [timed(1e4, 5, 0.2e-3), timed(1e4, 15, small), ...large];
    return stepNumbers({ ...gpu, steps }, { rows: 2e6, cols: 2e6, nnz: 40e6 }, 32).value.step;
  };
  for (const small of [0.15e-3, 0.2e-3, 0.35e-3]) expect(at(small)).toBeCloseTo(42.4e-3, 6);
  expect(at(0.8e-3)).toBeCloseTo(44.8e-3, 6); // no row is left a price
});

test('fewer columns take no longer than more, whatever was measured', () => {
  const known = rates(
    [
      [1000, 5],
      [1000, 15],
    ],
    [2, 16],
  );
  const steps = known.steps.map((timed) => (timed.n === 2 ? { ...timed, step: 100 * timed.step } : timed));
  const size = { rows: 200_000, cols: 100_000, nnz: 2_000_000 };
  const wide = stepNumbers(known, size, 16).value;
  for (const n of [2, 8]) expect(stepNumbers({ ...known, steps }, size, n).value.step).toBe(wide.step);
  expect(stepNumbers(known, size, 2).value.step).toBeLessThan(wide.step / 4);
});

test('an order basis goes by a power between sizes, and an early end takes its share', () => {
  const known = rates([[1000, 5]], [16]);
  const [s, log2q] = [4, Math.log2(65521)];
  const of = (N: number, share: number) => {
    const looks = [
      Math.ceil(share * (Math.ceil(N / (32 + s)) + Math.ceil(N / 16) + stopGap({ m: 32, n: 16 }, log2q) + 2)),
    ];
    return basisSecondsOf(known, N, { m: 32, n: 16 }, s, log2q, { looks });
  };
  expect(of(2000, 1).value.basis).toBeCloseTo(Math.sqrt(6), 6);
  expect(of(4000, 1).value.basis).toBeCloseTo(6, 6);
  expect(of(4000, 0.5).value.basis / 6).toBeCloseTo(0.25, 1);
  const far = of(64000, 1);
  expect(far.origin).toBe('beyond');
  // Sixteen times the orders, and (log2 6000 / log2 380)^2, which is less than it grew before: 6 for a factor 4.
  expect(far.value.basis / 6 / 16).toBeCloseTo(2.12, 1);
});

test('beyond its sizes an order basis grows no faster than between its looks, and no more slowly than its orders', () => {
  const known = rates([[1000, 5]], [16]);
  const at = (early: number) => {
    const [half, last] = [0.5, 1].map((share) => ({ order: 3000 * share, seconds: share === 1 ? 6 : early }));
    const own = { unknowns: 32_000, m: 32, n: 16, checking: 1, combining: 1, looks: [half!, last!] };
    return basisSecondsOf({ ...known, bases: [own] }, 256_000, { m: 32, n: 16 }, 4, 16, { looks: [1e9] }).value;
  };
  const [slow, quick, unlike] = [at(4), at(3 / 2 ** 0.1), at(0.5)];
  const rest = 1e9 / slow.basis; // the share that is asked for, the same for all
  expect((quick.basis * rest) / 1e9).toBeCloseTo(8 ** 0.1, 6);
  expect((unlike.basis * rest) / 1e9).toBeGreaterThan(1.5); // by its work, where looks would say 3.6 in place of 1
  expect(unlike.checking / slow.checking).toBe(1);
  expect(slow.checking / slow.basis).toBeCloseTo(1 / 6, 2);
});

test('several devices share the sequence and nothing else, and hours are theirs together', () => {
  const known = rates(
    [
      [1000, 5],
      [1000, 15],
    ],
    [2, 16],
  );
  const size = { rows: 200_000, cols: 100_000, nnz: 2_000_000 };
  const field = WordPrime.of(65521);
  const [one, four] = [1, 4].map((devices) => planOnDevices(field, known, size, 90_000, devices, 3));
  expect([one!.block, four!.block]).toEqual([
    [32, 16],
    [128, 64],
  ]);
  expect(one!.bytes.network).toBe(0);
  expect(one!.deviceHours).toBeCloseTo(one!.seconds.total / 3600, 9);
  const { setup, sequence, total } = four!.seconds;
  expect(setup).toBeCloseTo(3 * one!.seconds.setup, 6);
  expect(four!.deviceHours).toBeCloseTo((total + 3 * (setup / 3 + sequence)) / 3600, 9);
  expect(sequence).toBeLessThan(one!.seconds.sequence / 3);
  expect(four!.bytes.network).toBeGreaterThan(4 * 8 * size.nnz);
});

test('more devices wait for one order basis, which goes with the square of the columns: as the guide of planning says', () => {
  const known = rates(
    [
      [1000, 5],
      [1000, 15],
    ],
    [2, 16],
  );
  const size = { rows: 36_200_000, cols: 36_200_000, nnz: 9_158_600_000 };
  const plan = (devices: number, n: number) =>
    planOnDevices(WordPrime.of(65521), known, size, size.cols, devices, 0, { m: 2 * n, n });
  const [few, many, narrow] = [plan(8, 128), plan(64, 128), plan(64, 64)].map(({ seconds }) => seconds);
  expect(many!.sigmaBasis).toBe(few!.sigmaBasis);
  expect(many!.sequence).toBeLessThan(few!.sequence / 4);
  expect(many!.sigmaBasis / narrow!.sigmaBasis).toBeGreaterThan(3.3);
  expect(many!.sigmaBasis / narrow!.sigmaBasis).toBeLessThan(4);
  // The memory of its machine, and of one that makes a part.
  expect(plan(64, 128).bytes.host).toBeGreaterThan(2e12);
  expect(plan(64, 128).bytes.part).toBeLessThan(1e12);
  expect(plan(1, 16).bytes.part).toBeNull();
});

test('the disk holds the order basis of a long search twice while a third is written, and looks; none of a short one', () => {
  const known = rates(
    [
      [1000, 5],
      [1000, 15],
    ],
    [2, 16],
  );
  const plan = (N: number) =>
    planOnDevices(WordPrime.of(65521), known, { rows: N, cols: N, nnz: 20 * N }, N, 1, 0, { m: 32, n: 16 });
  for (const [N, isLong] of [
    [2000, false],
    [2_000_000, true],
  ] as const) {
    const { blocks, bytes, seconds } = plan(N);
    expect(seconds.sigmaBasis >= 60).toBe(isLong);
    const [sequence, vectors, basis] = [4 * 36 * 16 * blocks, 4 * 16 * N, 4 * 52 * 20 * blocks];
    const checks = 4 * 4 * N;
    const looks = (2 * 3 * basis) / 16;
    expect(bytes.disk).toBe(sequence + 2 * vectors + checks + (isLong ? 3 * basis + looks : 0));
  }
});

test('an order basis is planned with its check, since a rank checks itself unasked', () => {
  const sizes: [number, number][] = [
    [1000, 5],
    [1000, 15],
  ];
  const known = rates(sizes, [2, 16]);
  const unchecked = { ...known, bases: known.bases.map((basis) => ({ ...basis, checking: 0 })) };
  const [field, shape] = [WordPrime.of(65521), { m: 32, n: 16 }];
  for (const N of [2000, 100_000]) {
    const [own, without] = [known, unchecked].map(
      (each) => planOnDevices(field, each, { rows: N, cols: N, nnz: 20 * N }, N, 1, 0, shape).seconds,
    );
    expect(own!.sigmaBasis).toBeGreaterThan(without!.sigmaBasis);
    expect(own!.sequence).toBe(without!.sequence);
  }
});
