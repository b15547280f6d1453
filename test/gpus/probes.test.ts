/**
 * Signs of life of a process with a GPU, by programs that stand for one: what has none for some seconds is ended,
 * whatever it is at, and what is busy is waited for.
 */
import { expect, test } from 'vitest';
import { WordPrime } from '../../dist/fields/word-prime.js';
import { prober } from '../../dist/src/gpus/processes.node.js';
import { processorTime } from '../../dist/src/gpus/processor-time.node.js';
import { RemoteProcess } from '../../dist/src/gpus/remote-process.node.js';
import { DeviceError } from '../../kernels/errors/device-error.js';

const SEQUENCE = { shape: { m: 1, n: 1, s: 1, shift: 1 as const }, length: 1, moments: 1 };
const TASK = { preconditioner: 'hash', seed: 1n, ...SEQUENCE } as const;

/** Each array more than the pipe holds, beside its row. */
const WORDS = new Uint32Array(2 ** 18);
const MATRIX = { rows: 0, cols: 0, rowPtr: new Uint32Array(1), colIdx: WORDS, values: WORDS };
const BYTES = 4 + 2 * WORDS.byteLength;

/** Milliseconds between probes, how many may stay out, and of a busy process: longer than that silence. */
const [BETWEEN, MOST, LONG] = [300, 6, 3500];
const LINE = 'device gpu: the process has not answered for 1.8 s and was ended; the same command goes on';

/** A process that does this code, and is probed until `ask` has an answer. */
async function probed<T>(code: string, ask: (made: RemoteProcess) => Promise<T>): Promise<T> {
  const known = `
    const say = (kind) => process.send({ kind, name: 'a GPU', software: true, bus: null });
    const sleep = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    const spin = () => { for (const start = Date.now(); Date.now() < start + ${LONG}; ); };
    const read = (count) => {
      const bytes = Buffer.alloc(Math.min(count, 2 ** 24));
      for (let at = 0; at < count; ) at += fs.readSync(0, bytes, 0, Math.min(bytes.length, count - at));
    };
    const on = (what) => process.on('message', ({ kind }) => what[kind]?.());
  `;
  const made = new RemoteProcess('the process', null, [process.execPath, '-e', `${known} ${code}`]);
  const probing = setInterval(() => made.probe(MOST, BETWEEN), BETWEEN);
  try {
    return await ask(made);
  } finally {
    clearInterval(probing);
    expect(await made.end()).toBeNull();
  }
}

const start = (made: RemoteProcess) => made.start(TASK);
const NONE = new Uint32Array(0);
const SCHUR = { at: { ...MATRIX, rowPtr: NONE, colIdx: NONE, values: NONE }, pivots: { rows: WORDS, cols: WORDS } };
const hold = (made: RemoteProcess) => made.hold(MATRIX, WordPrime.of(7), SCHUR);
const holdRows = (made: RemoteProcess) => made.holdRows(MATRIX, WordPrime.of(7), false);

test.each([
  ['starts', 'sleep();', holdRows],
  ['takes its matrix', `say('ready'); on({ matrix: () => { read(${BYTES / 2}); sleep(); } });`, holdRows],
  ['brings its matrix to the GPU', `say('ready'); on({ matrix: () => { read(${BYTES}); sleep(); } });`, holdRows],
  ['begins a sequence', "on({ start: () => sleep() }); say('ready');", start],
])('a process that hangs while it %s is ended', async (_, code, ask) => {
  await expect(probed(code, ask as (made: RemoteProcess) => Promise<unknown>)).rejects.toThrow(new DeviceError(LINE));
});

const slowly = `for (let piece = 0; piece < 4; piece++) { sleep(700); read(${WORDS.byteLength}); }`;

test.skipIf(process.platform !== 'linux').each([
  ['starts', "spin(); on({ start: () => say('started') }); say('ready');", start],
  ['takes its matrix', `on({ matrix: () => { read(4); ${slowly} } }); say('ready');`, hold],
  [
    'brings its matrix to the GPU',
    `on({ matrix: () => { read(${BYTES}); spin(); say('kept'); } }); say('ready');`,
    holdRows,
  ],
  ['begins a sequence', "on({ start: () => { spin(); say('started'); } }); say('ready');", start],
  [
    'answers',
    `on({ probe: () => say('alive'), start: () => setTimeout(say, ${LONG}, 'started') }); say('ready');`,
    start,
  ],
])('a process that is busy while it %s is waited for', async (_, code, ask) => {
  await probed(code, ask as (made: RemoteProcess) => Promise<unknown>);
});

test('a process that computes and answers nothing behind the beginning of its sequence is ended', async () => {
  const code = "on({ start: () => { say('started'); setTimeout(() => { for (;;); }); } }); say('ready');";
  const nothing = (): void => {};
  const extended = probed(code, async (made) => (await made.start(TASK)).extend(1, 1, nothing, nothing));
  await expect(extended).rejects.toThrow(new DeviceError(LINE));
});

test('whether a run is to end is asked once at a time: answers that come late make one probe', async () => {
  let probes = 0;
  const answers: ((ends: boolean) => void)[] = [];
  const stops = () => new Promise<boolean>((resolve) => answers.push(resolve));
  const probe = prober([{ probe: () => void probes++ }], stops);
  const asked = Array.from({ length: 12 }, () => probe());
  expect(answers.length).toBe(1);
  answers[0]!(true);
  await Promise.all(asked);
  expect(probes).toBe(1);
  const again = probe();
  answers[1]!(true);
  await again;
  expect(probes).toBe(2);
});

test.skipIf(process.platform !== 'linux')('the processor time of a process is what it has computed', () => {
  const computed = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const before = processorTime(process.pid)!;
  const start = computed();
  expect(Math.abs(before - start)).toBeLessThan(0.5);
  while (computed() < start + 0.2); // however long that takes beside others
  expect(processorTime(process.pid)! - before).toBeGreaterThan(0.1);
  expect(processorTime(2 ** 30)).toBeNull();
});
