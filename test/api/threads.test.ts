/** Threads that die: the run ends with an error that names the thread, never hangs, and the engine lives on. */
import { spawnSync } from 'node:child_process';
import { inspect } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { createEngine, EngineError, SparseMatrix, TeamError } from 'wiedemann';
import { generate } from '../../data/families.js';

const { rows, cols, ...entries } = generate('ch', [7, 7, 4]);
const slow = SparseMatrix.fromTriplets(rows, cols, entries);
const small = SparseMatrix.fromTriplets(2, 2, [[0, 1, 1]]);

// Node announces every thread it starts: the engine's comes first, then its compute threads.
const started: Worker[] = [];
const note = (worker: Worker): void => {
  started.push(worker);
};
process.on('worker', note);
afterEach(() => {
  started.length = 0;
});

/** The number-th thread from now on, once it has run for a while. */
async function threadAtWork(number: number): Promise<Worker> {
  while (started.length <= number) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 300));
  return started[number]!;
}

/** What is waited for, which has to come within two minutes: a run that hangs says where. */
async function soon<T>(what: string, value: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing after 120 s`)), 120_000);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

test('a compute thread that ends', async () => {
  const engine = createEngine({ threads: 3 });
  const run = engine.rank(slow, { mod: 2147483629, method: 'wiedemann' }).catch((error) => error);
  const worker = await soon('the thread', threadAtWork(2));
  await soon('its end', worker.terminate());
  const error = await soon('the run', run);
  expect(error).toBeInstanceOf(TeamError);
  expect(error.message).toMatch(/^compute thread 2 ended/);
  expect((await soon('the next run', engine.rank(small, { mod: 7 }))).value).toBe(1);
  await soon('the engine’s end', engine.dispose());
});

test('compute threads that leave before the engine is told to end them are not lost', async () => {
  const engine = createEngine();
  await engine.rank(small, { mod: 7, method: 'wiedemann', threads: 3 });
  const [thread] = started as [Worker];
  const emit = thread.emit.bind(thread);
  thread.emit = ((event: string, message?: unknown) => {
    const isLate = event === 'message' && inspect(message).includes('endThread');
    setTimeout(() => emit(event, message), isLate ? 200 : 0);
    return true;
  }) as typeof emit;
  // One team after another, of 3, 1 and 2 threads.
  const { products } = await soon('tune', engine.tune(small, { mod: 7, threads: 3, budget: 0.05, tuning: false }));
  expect(new Set(products.map(({ threads }) => threads))).toEqual(new Set([1, 2, 3]));
  await engine.dispose();
});

test('an engine’s thread that ends', async () => {
  const engine = createEngine({ threads: 2 });
  const run = engine.rank(slow, { mod: 2147483629, method: 'wiedemann' }).catch((error) => error);
  const worker = await soon('the thread', threadAtWork(0));
  await soon('its end', worker.terminate());
  const error = await soon('the run', run);
  expect(error).toBeInstanceOf(EngineError);
  expect(error.message).toMatch(/^the engine's thread ended/);
  expect((await soon('the next run', engine.rank(small, { mod: 7 }))).value).toBe(1);
  await soon('the engine’s end', engine.dispose());
});

test('no thread outlives its engine', async () => {
  const engine = createEngine({ threads: 3 });
  await engine.rank(small, { mod: 7, method: 'wiedemann' });
  expect(started).toHaveLength(3);
  const ended = Promise.all(started.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
  await engine.dispose();
  expect(await ended).toHaveLength(3);
});

test.each([
  ['on stdin', 'wiedemann', ['--input-type=module', '-']],
  ['on stdin', 'wiedemann/inline', ['--input-type', 'module', '-']],
  ['on the command line', 'wiedemann', ['--input-type=module', '-e']],
])('a program %s starts the threads of %s', (_, entry, options) => {
  const text = `import { rank, SparseMatrix } from '${entry}';
    const a = SparseMatrix.fromTriplets(2, 2, [[0, 1, 1]]);
    console.log((await rank(a, { mod: 7, method: 'wiedemann', threads: 2 })).value);`;
  const isWord = options.includes('-e');
  const program = spawnSync(process.execPath, isWord ? [...options, text] : options, {
    input: isWord ? '' : text,
    encoding: 'utf8',
  });
  expect(program).toMatchObject({ status: 0, stdout: '1\n', stderr: '' });
});
