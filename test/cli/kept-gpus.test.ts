/** `--gpus N --run DIR`: each process keeps its columns; whatever ends the run, the same command goes on. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gpuMissing, SELDOM_POLLS, testGpu } from '../gpu.js';
import { endingAt } from './ending-at.js';
import { generated } from './generated.js';
import { gpuProcesses, marked, until } from './gpu-processes.js';
import { type Ended, run } from './run.js';

const software = gpuMissing === null && (await testGpu()).software;
if (gpuMissing === null && !software) console.warn('--gpus --run is not tested: these tests are for a GPU in software');

process.env['NODE_OPTIONS'] = SELDOM_POLLS;
const SIZE = 1000;
const RANK = SIZE - 5;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-gpus-'));
  // A permutation with weights, without five of its rows.
  const entries = Array.from({ length: RANK }, (_, i) => `${i + 1} ${((i * 7) % SIZE) + 1} ${1 + (i % 5)}\n`);
  writeFileSync(join(folder, 'a.sms'), `${SIZE} ${SIZE} M\n${entries.join('')}1 2 1\n0 0 0\n`);
  writeFileSync(join(folder, 'ex.sms'), generated('ex', '2')); // of rank 553, and 287 without its pivots
  const diagonal = Array.from({ length: SIZE }, (_, i) => `${i + 1} ${i + 1} ${i % 7 === 0 ? 3 : 1}\n`);
  writeFileSync(join(folder, 'diagonal.sms'), `${SIZE} ${SIZE} M\n${diagonal.join('')}0 0 0\n`);
  writeFileSync(join(folder, 'b'), Array.from({ length: 500 }, (_, i) => `${i % 17} ${i % 5}\n`).join(''));
  writeFileSync(join(folder, 'trefethen.sms'), generated('trefethen', '500')); // nonsingular
  // A piece is kept beside further steps: of 579 unknowns without its pivots, which are not over by then.
  writeFileSync(join(folder, 'longer.sms'), generated('trefethen', '1200'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const dirOf = (name: string): string => join(folder, name);

function asking(verb: string, name: string, file: string, ...more: string[]): string[] {
  const kept = ['--run', dirOf(name), '--checkpoint-interval', '0'];
  return [verb, join(folder, file), '-p', '65521', '--seed', '7', '-q', ...kept, ...more];
}

const solving = (name: string, file: string, ...more: string[]): string[] =>
  asking('solve', name, file, join(folder, 'b'), ...more);

const words = (name: string, file: string, ...more: string[]): string[] =>
  asking('rank', name, file, '--block', '4', ...more);

/** An answer but for how fast it was found. */
function saying({ stdout }: Ended): object {
  const { seconds, ...said } = JSON.parse(stdout);
  return said;
}

const piecesOf = (name: string, share: string): number =>
  readdirSync(dirOf(name)).filter((each) => each.startsWith(`attempt-1-part-${share}-blocks-`)).length;

const keptOf = (name: string): number[] => ['0000', '0001'].map((share) => piecesOf(name, share));

/**
 * Node's options by which a process with a GPU does `what` once it has kept its first piece, `share` its part's number.
 * It goes on behind that only, so that a busy machine misses no moment; and waits for no disk, so that steps that are
 * made meanwhile do not come to their end before.
 */
function withPiece(name: string, what: string): string {
  const text = `
    import fs from 'node:fs';
    const { open, rename } = fs.promises;
    const wait = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    const isOf = (share) => (file) => file.startsWith('attempt-1-part-' + share + '-blocks-');
    const pieces = (share) => fs.readdirSync(${JSON.stringify(dirOf(name))}).filter(isOf(share)).length;
    let isFirst = true;
    if (process.argv[1]?.endsWith('process.node.js')) {
      fs.promises.open = async (...words) => Object.assign(await open(...words), { sync: async () => {} });
      fs.promises.rename = async (from, to) => {
        await rename(from, to);
        const piece = /(?:part-(\\d+)-)?blocks-[^/]*$/.exec(to);
        if (piece === null || !isFirst) return;
        isFirst = false;
        const share = piece[1];
        ${what}
      };
    }`;
  return `${SELDOM_POLLS} --import data:text/javascript,${encodeURIComponent(text)}`;
}

describe.skipIf(!software)('a kept run of several GPUs', () => {
  const goOn = async (asked: string[], name: string, gpus: string, what: string): Promise<Ended> => {
    const ended = await run([...asked, '--gpus', gpus], {
      env: { ...marked(name), NODE_OPTIONS: withPiece(name, what) },
    });
    await until(() => gpuProcesses(name).length === 0);
    return ended;
  };
  const isStopped = "process.kill(process.ppid, 'SIGTERM'); wait(1000);";
  const stopped = (verb: string): Ended => {
    return { code: 75, stdout: '', stderr: `${verb}: stopped at a checkpoint; the same command goes on\n` };
  };

  test.each([
    ['wiedemann', 'a.sms', words, [], { rank: RANK, upperBound: RANK }],
    ['hybrid', 'ex.sms', words, ['--method', 'hybrid'], { rank: 553, upperBound: 553 }],
    ['minpoly', 'ex.sms', asking.bind(null, 'minpoly'), ['--degree'], { degree: 104, upperBound: 104 }],
    ['det', 'trefethen.sms', asking.bind(null, 'det'), ['--method', 'wiedemann'], { det: '65092' }],
    ['pivots', 'longer.sms', asking.bind(null, 'det'), ['--method', 'hybrid'], { det: '20888' }],
    ['system', 'trefethen.sms', solving, ['--method', 'wiedemann'], { rightSides: 2, errorLog2: null }],
  ])('%s of %s: one of two dies, stopped on one, and ended on threads', async (name, file, ask, method, answer) => {
    const asked = ask(name, file, ...method);
    const verb = asked[0]!;
    // One dies when the other has a piece, too.
    const dies = `while (pieces('0000') === 0) wait(20); process.kill(process.pid, 'SIGKILL');`;
    const dead = await goOn(asked, name, '2', `if (share === '0001') { ${dies} }`);
    expect(dead).toMatchObject({ code: 69, stdout: '' });
    expect(dead.stderr).toMatch(new RegExp(`^${verb}: device gpu: process \\d of 2 ended: SIGKILL\n$`));
    const first = keptOf(name);

    expect(await goOn(asked, name, '1', isStopped)).toEqual(stopped(verb));
    expect(Math.max(...keptOf(name).map((pieces, share) => pieces - first[share]!))).toBeGreaterThan(0);
    const status = JSON.parse((await run(['status', dirOf(name), '--json'])).stdout);
    const phase = expect.stringMatching(/^(sequence|sigmaBasis)$/);
    const progress = { phase, attempt: 1, done: expect.any(Number), total: expect.any(Number) };
    expect(status).toMatchObject({ state: 'stopped', verb, progress, damaged: [] });
    expect(status.progress.phase === 'sigmaBasis' || status.progress.done > 0).toBe(true);

    const [ended, known] = await Promise.all([
      run([...asked, '--threads', '2', '--json']),
      run([...ask(`${name}-whole`, file, ...method), '--threads', '2', '--json']),
    ]);
    expect([ended.code, saying(ended)]).toMatchObject([0, { device: 'cpu', ...answer }]);
    expect(saying(ended)).toEqual(saying(known));
  });

  test.each([
    ['minpoly', 'ex.sms', 1, []],
    ['det', 'diagonal.sms', 2, ['--method', 'wiedemann']], // a dense U, which the first attempt has not
    ['solve', 'trefethen.sms', 1, ['b']], // by choice
  ])('%s of %s: begun on threads, stopped on two and on one, and ended there', async (verb, file, attempt, more) => {
    const name = `${verb}-moved`;
    const method = more.map((word) => (word === 'b' ? join(folder, word) : word));
    const asked = asking(verb, name, file, ...method);
    const nodeOptions = endingAt('SIGKILL', 5, `attempt-${attempt}-blocks-`);
    expect((await run([...asked, '--threads', '1'], { nodeOptions })).code).toBeNull();
    const count = (): number =>
      readdirSync(dirOf(name)).filter((each) => each.startsWith(`attempt-${attempt}-blocks-`)).length;
    for (const gpus of ['2', '1']) {
      const before = count();
      expect(await goOn(asked, name, gpus, isStopped)).toEqual(stopped(verb));
      expect(count()).toBeGreaterThan(before);
    }
    const [ended, known] = await Promise.all([
      run([...asked, '--threads', '1', '--json']),
      run([...asking(verb, `${name}-whole`, file, ...method), '--threads', '1', '--json']),
    ]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(saying(ended)).toEqual(saying(known));
  });

  test('a system that begins by columns and ends by block Lanczos says so', async () => {
    // The last row is the first one, of A and of B: singular, with a solution.
    const [head, ...lines] = generated('trefethen', '500').split('\n');
    const entries = lines.filter((line) => line !== '' && !/^(500|0) /.test(line));
    const copied = entries.filter((line) => line.startsWith('1 ')).map((line) => line.replace(/^1 /, '500 '));
    writeFileSync(join(folder, 'singular.sms'), [head, ...entries, ...copied, '0 0 0', ''].join('\n'));
    const b = Array.from({ length: 500 }, (_, i) => `${i === 499 ? 0 : i % 17}\n`).join('');
    writeFileSync(join(folder, 'b1'), b);
    const asked = [...asking('solve', 'falls', 'singular.sms', join(folder, 'b1')), '--explain'];
    const nodeOptions = endingAt('SIGKILL', 5, 'attempt-1-blocks-');
    expect((await run([...asked, '--threads', '1'], { nodeOptions })).code).toBeNull();
    const { code, stderr } = await run([...asked, '--gpus', '2']);
    const line = 'gpus: columns on 2 as long as a sequence was made; block-lanczos has used the first alone';
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([0, line]);
    expect(stderr).toMatch(/^hybrid: as before$[\s\S]*no solution found[\s\S]*^lanczos: /m);
  });

  test('a process that answers no more is ended some seconds behind a signal; the other one keeps its share', async () => {
    const asked = words('silent', 'a.sms');
    const silent = `while (pieces('0000') === 0) wait(20);
      process.kill(process.ppid, 'SIGTERM');
      process.kill(process.pid, 'SIGSTOP');`;
    const ended = await goOn(asked, 'silent', '2', `if (share === '0001') { ${silent} }`);
    const line = 'process 2 of 2 has not answered for 10 s and was ended; the same command goes on';
    expect(ended).toEqual({ code: 69, stdout: '', stderr: `rank: device gpu: ${line}\n` });
    expect(keptOf('silent').every((pieces) => pieces > 0)).toBe(true);
    expect(await run([...asked, '--gpus', '2'])).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
  });

  test.each([
    ['starts', 'ready', 0],
    ['takes its matrix', 'kept', 1],
    ['begins its sequence', 'started', 1],
  ])(
    'a process that hangs while it %s is ended behind a signal; what the other one has is kept',
    async (_, last, kept) => {
      const name = `hung-${last}`;
      const hung = JSON.stringify(join(folder, `${name}-first`));
      const text = `
      import fs from 'node:fs';
      if (process.argv[1]?.endsWith('process.node.js') && !fs.existsSync(${hung})) {
        fs.writeFileSync(${hung}, '');
        const { send } = process;
        process.send = (message, ...more) => {
          if (message.kind !== '${last}') return send.call(process, message, ...more);
          process.kill(process.ppid, 'SIGTERM');
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        };
      }`;
      const asked = [...words(name, 'a.sms', '--checkpoint-interval', '1000'), '--gpus', '2'];
      const env = {
        ...marked(name),
        NODE_OPTIONS: `${SELDOM_POLLS} --import data:text/javascript,${encodeURIComponent(text)}`,
      };
      const ended = await run(asked, { env });
      expect(ended).toMatchObject({ code: 69, stdout: '' });
      const line = 'process \\d of 2 has not answered for 10 s and was ended; the same command goes on';
      expect(ended.stderr).toMatch(new RegExp(`^rank: device gpu: ${line}\n$`));
      expect(keptOf(name).reduce((sum, pieces) => sum + pieces)).toBe(kept);
      await until(() => gpuProcesses(name).length === 0);
      expect(await run(asked)).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    },
  );

  test('a process that is told to end before it catches signals stops the run', async () => {
    const text = `if (process.argv[1]?.endsWith('process.node.js')) process.kill(process.pid, 'SIGTERM');`;
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(text)}` };
    const stderr = 'rank: stopped at a checkpoint; the same command goes on\n';
    expect(await run(words('early', 'a.sms', '--gpus', '2'), { env })).toEqual({ code: 75, stdout: '', stderr });
  });
});
