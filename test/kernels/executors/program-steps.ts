/** A step with a call of every kind, and what calls made one by one leave of it. */
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { CpuExecutor } from '../../../dist/kernels/executors/cpu.js';
import type { Call, Executor, Projection } from '../../../kernels/executor.js';
import { CASES, type Case, concat, extremes, filled, SUBSTITUTIONS } from './cases.js';

export const STEPS = 12;
export const WIDTH = 16;

export const named = (cases: readonly Case[], wanted: string): Case['matrix'] =>
  cases.find(({ name }) => name === wanted)!.matrix;

/** Every kind of call, once a step, on vectors that every step changes, and some that none does. */
export function stepOf(executor: Executor) {
  const { p } = executor.field;
  const a = executor.operator(named(CASES, 'mixed rows from 14 to 16')(p));
  const t = executor.substitution!(named(SUBSTITUTIONS, 'runs long enough to share')(p));
  const [x, y] = [filled(executor, a.cols, WIDTH, 3), filled(executor, a.rows, WIDTH, 4)];
  const [given, solved] = [filled(executor, t.given, WIDTH, 5), executor.vector(t.given + t.steps, WIDTH)];
  const [d, kept] = [filled(executor, a.rows, 1, 6), executor.vector(a.rows, WIDTH)];
  const left = filled(executor, a.cols, 3, 7);
  const u: Projection = {
    rows: 2,
    layers: 1,
    bounds: Uint32Array.of(0, 3, a.cols),
    coefficients: extremes(a.cols, p, 8),
  };
  const dots = executor.blocks(STEPS, 3, WIDTH);
  const rows = executor.blocks(STEPS, 2, WIDTH);
  const ends = executor.blocks(STEPS, WIDTH, WIDTH);
  const step: Call[] = [
    { do: 'blockDot', out: dots, x: left, z: x },
    { do: 'apply', map: a, y, x },
    { do: 'scale', v: y, d },
    { do: 'copy', to: kept, from: y },
    { do: 'apply', map: a, y: x, x: kept, transposed: true, alpha: p - 1, beta: 1 },
    { do: 'project', out: rows, u, z: x },
    { do: 'substitute', by: t, v: solved, x: given },
    { do: 'blockDot', out: ends, x: solved, z: solved },
  ];
  /** The same, call by call. */
  const asked = async (index: number): Promise<void> => {
    executor.blockDot(dots, index, left, x);
    await a.apply(y, x);
    executor.scale(y, d);
    executor.copy(kept, y);
    await a.applyTransposed(x, kept, p - 1, 1);
    executor.project(rows, index, u, x);
    await t.run(solved, given);
    executor.blockDot(ends, index, solved, solved);
  };
  const results = async (): Promise<Uint32Array> => {
    const blocks = await Promise.all([dots, rows, ends].map((each) => executor.readBlocks(each, 0, STEPS)));
    const vectors = await Promise.all([x, y, kept, solved].map((v) => executor.read(v)));
    return concat(...blocks, ...vectors);
  };
  return { step, asked, results, a, t, x, y, dots };
}

/** Of the kernels behind the type of the sources. */
export async function cpu(p: number, threads = 1): Promise<CpuExecutor & Executor> {
  return (await CpuExecutor.create(WordPrime.of(p), { threads })) as CpuExecutor & Executor;
}

/** What calls made one by one leave. */
export async function leftMod(p: number, steps = STEPS): Promise<Uint32Array> {
  const executor = await cpu(p);
  const { asked, results } = stepOf(executor);
  for (let i = 0; i < steps; i++) await asked(i);
  const expected = await results();
  executor.dispose();
  return expected;
}

const known = new Map<number, Promise<Uint32Array>>();

export function expectedMod(p: number): Promise<Uint32Array> {
  const expected = known.get(p) ?? leftMod(p);
  known.set(p, expected);
  return expected;
}

/** How many steps the team did in one go, call by call of `replay`. */
export function watchReplays(executor: CpuExecutor): [first: number, end: number][] {
  const seen: [number, number][] = [];
  const { team } = executor;
  const replay = team.replay.bind(team);
  Object.assign(team, {
    replay: (steps: { count: number }, first: number, end: number) => {
      seen.push([first / steps.count, end / steps.count]);
      replay(steps as never, first, end);
    },
  });
  return seen;
}
