/** Kept runs: whatever ends one, the same command goes on to the rank; another question is refused. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readManifest, writeManifest } from '../../algorithms/checkpoint/manifest.js';
import { RunFolder } from '../../src/io/run-folder.js';
import { runStatus } from '../../src/io/run-status.js';
import { gpuMissing } from '../gpu.js';
import { endingAt } from './ending-at.js';
import { endedAt, file, folder, P, RANK, stepsOf, whole, words } from './kept-rank.js';
import { run } from './run.js';

describe.each(['SIGTERM', 'SIGUSR1'] as const)('%s', (signal) => {
  test('ends a run at a checkpoint, from which the same command goes on', async () => {
    const stderr = 'rank: stopped at a checkpoint; the same command goes on\n';
    expect(await endedAt(signal, signal, 2)).toEqual({ code: 75, stdout: '', stderr });
    expect(readdirSync(join(folder, signal)).filter((name) => name.startsWith('attempt-1-blocks-'))).not.toEqual([]);
    expect(await run(words(signal))).toEqual(whole);
  });
});

test('SIGKILL at three moments: the run goes on further each time, with the same seed', async () => {
  const seen: number[] = [];
  const seeds = new Set<string>();
  for (const piece of [2, 3, 4]) {
    expect(await endedAt('kill', 'SIGKILL', piece)).toMatchObject({ code: null, stdout: '' });
    seen.push(stepsOf('kill'));
    seeds.add(JSON.parse(readFileSync(join(folder, 'kill', 'manifest.json'), 'utf8')).seed);
  }
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  const { stdout, code } = await run(words('kill', '--json'));
  const { rank, seed } = JSON.parse(stdout);
  expect([code, rank, [...seeds]]).toEqual([0, RANK, [seed]]);
  expect(readdirSync(join(folder, 'kill')).filter((name) => name.startsWith('.'))).toEqual([]);
});

// What is half written, or not followed by its fellow; test/io/losses.test.ts has all other moments.
test.each([4, 17])('SIGKILL at operation %i on a file', async (at) => {
  const name = `operation-${at}`;
  expect((await run(words(name), { nodeOptions: endingAt('SIGKILL', at) })).code).toBeNull();
  expect(await run(words(name))).toEqual(whole);
});

test('SIGKILL in the verification, twice: it goes on from its last vectors', async () => {
  for (const at of [7, 12]) {
    const { code } = await run(words('verified'), { nodeOptions: endingAt('SIGKILL', at, '-verification-') });
    expect(code).toBeNull();
  }
  expect(readdirSync(join(folder, 'verified'))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^attempt-1-verification-\d{9}$/)]),
  );
  expect(await run(words('verified'))).toEqual(whole);
});

describe('the companion matrix of x^900 - 7', () => {
  const size = 900;
  const ring = () => join(folder, 'ring.sms');
  const ones = Array.from({ length: size - 1 }, (_, i) => `${i + 2} ${i + 1} 1\n`);
  beforeAll(() => writeFileSync(ring(), `${size} ${size} M\n${ones.join('')}1 ${size} 7\n0 0 0\n`));

  test.each([
    ['minpoly', [], `${Number(P) - 7}\n${'0\n'.repeat(size - 1)}1\n`],
    ['det', ['--method', 'wiedemann'], `${Number(P) - 7}\n`],
  ] as const)(
    '%s: killed, then stopped, then answered on two threads with the same seed',
    async (verb, way, answer) => {
      const dir = join(folder, verb);
      const kept = [verb, ring(), '-p', P, ...way, '--run', dir, '--checkpoint-interval', '0'];
      const seed = () => JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).seed;
      expect((await run(kept, { nodeOptions: endingAt('SIGKILL', 10, '-blocks-') })).code).toBeNull();
      const [first, done] = [seed(), stepsOf(verb)];
      const stopped = await run([...kept, '-q'], { nodeOptions: endingAt('SIGTERM', 10, '-blocks-') });
      const stderr = `${verb}: stopped at a checkpoint; the same command goes on\n`;
      expect(stopped).toEqual({ code: 75, stdout: '', stderr });
      expect(stepsOf(verb)).toBeGreaterThan(done);
      const status = await run(['status', dir]);
      expect(status.stdout).toMatch(new RegExp(`^.*${verb}: ${verb} of 900 x 900 mod ${P} .*\nstopped .*\nsequence `));
      const { code, stdout, ...ended } = await run([...kept, '--threads', '2']);
      expect([code, stdout]).toEqual([0, answer]);
      expect(ended.stderr).toContain(`seed ${first}\n`);
      expect((await run(['status', dir])).stdout).toContain('\nended ');
      const other = ['minpoly', 'det'].find((name) => name !== verb)!;
      const refused = `${other}: checkpoint ${dir}: it is a run of ${verb}, not of ${other}\n`;
      expect(await run([other, ring(), '-p', P, '--run', dir])).toEqual({ code: 2, stdout: '', stderr: refused });
      const both = await run([verb, ring(), '-p', '0', '--run', dir]);
      expect(both).toMatchObject({ code: 2, stderr: `${verb}: checkpoint: expected a prime below 2^31, got 0\n` });
    },
  );
});

test('status: of a run that goes on, that was killed, that is over, and of what is none', async () => {
  const status = (...more: string[]) => run(['status', join(folder, 'watched'), ...more]);
  await endedAt('watched', 'SIGKILL', 3);
  // A run that waits for its matrix.
  const [waiting, watched] = [words('watched').map((word) => (word === file ? '-' : word)), join(folder, 'watched')];
  let seen: Promise<unknown> = Promise.resolve();
  const ended = run(waiting, {
    open: true,
    taken: (kill) => {
      seen = (async () => {
        while ((await runStatus(watched))?.state !== 'running') await new Promise((go) => setTimeout(go, 20));
        return Promise.all([status(), run(words('watched'))]);
      })().finally(() => kill('SIGKILL'));
    },
  });
  await ended;
  const [running, second] = (await seen) as Awaited<ReturnType<typeof run>>[];
  const lines = running!.stdout.split('\n');
  expect(lines[0]).toMatch(/watched: rank of 700 x 700 mod 2147483629 {3}block 2x1 {3}seed \d+$/);
  expect(lines[1]).toMatch(/^running {5}process \d+ on ./);
  expect(lines[2]).toMatch(
    /^(sequence {4}|order basis )\d+ of at most \d+ (steps|orders), \d+ %, attempt 1, checkpoint of 20.*Z$/,
  );
  expect(lines[3]).toMatch(/^time left {3}(at most \d+:\d\d:\d\d of this phase, at .* steps a second|not known)/);
  expect(lines[4]).toMatch(/^disk {8}\d+ bytes in \d+ files$/);
  expect(lines.slice(5)).toEqual(['']);
  expect(second).toMatchObject({ code: 74, stdout: '' });
  expect(second!.stderr).toMatch(/^rank: .*watched: process \d+ on .+ works in it\n$/);
  const stopped = JSON.parse((await status('--json', '--whole')).stdout);
  expect(stopped).toMatchObject({ schema: 1, command: 'status', state: 'stopped', verb: 'rank', damaged: [] });
  const [piece] = readdirSync(join(folder, 'watched')).filter((name) => name.startsWith('attempt-1-blocks-'));
  const bytes = readFileSync(join(folder, 'watched', piece!));
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(join(folder, 'watched', piece!), bytes);
  expect((await status('--whole')).stdout).toContain(`damaged     ${piece}: the same command makes it again\n`);
  expect(await run(words('watched'))).toEqual(whole);
  expect((await status()).stdout).toContain(`\nended       rank ${RANK}   error below 2^-6`);
  for (const [name, got] of [
    ['nowhere', 'none with a manifest that is whole'],
    ['a.sms', 'none'],
  ] as const) {
    const path = join(folder, name);
    const stderr = `status: ${path}: expected the folder of a run, got ${got}\n`;
    expect(await run(['status', path])).toEqual({ code: 65, stdout: '', stderr });
  }
});

test('the time left is that of the run, too: with the verification to come, and in it no more than the phase', async () => {
  // A clock that goes on by its looks.
  const { code: stopped } = await run(words('timed'), { nodeOptions: endingAt('SIGTERM', 25, '-blocks-', 1) });
  expect(stopped).toBe(75);
  const status = async (...more: string[]) => (await run(['status', join(folder, 'timed'), ...more])).stdout;
  const { progress } = JSON.parse(await status('--json'));
  expect(['sequence', 'sigmaBasis']).toContain(progress.phase);
  expect(progress.runSecondsLeft).toBeGreaterThan(progress.secondsLeft);
  expect(await status()).toMatch(
    /^time left {3}at most .* of this phase, at .* steps a second; about \d+:\d\d:\d\d of the run$/m,
  );
  const { code } = await run(words('timed'), { nodeOptions: endingAt('SIGKILL', 12, '-verification-') });
  expect(code).toBeNull();
  const last = JSON.parse(await status('--json')).progress;
  expect([last.phase, last.runSecondsLeft]).toEqual(['verification', last.secondsLeft]);
});

test('a file that a run makes again before it stops at a checkpoint is named', async () => {
  await endedAt('healed', 'SIGTERM', 2);
  const copy = join(folder, 'healed', 'manifest-copy.json');
  writeFileSync(copy, `${readFileSync(copy, 'utf8')} `);
  const loud = words('healed').filter((word) => word !== '-q');
  const stopped = await run(loud, { nodeOptions: endingAt('SIGTERM', 5, '-blocks-') });
  const stderr =
    'warning: checkpoint: manifest-copy.json is damaged\nrank: stopped at a checkpoint; the same command goes on\n';
  expect(stopped).toEqual({ code: 75, stdout: '', stderr });
});

test('a run that another version began goes on where the format is the same; the manifest names who began it', async () => {
  await endedAt('updated', 'SIGTERM', 2);
  const here = join(folder, 'updated');
  const store = RunFolder.reading(here);
  const { program, ...manifest } = (await readManifest(store))!;
  expect(program).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  const done = stepsOf('updated');
  for (const other of [{ program: '0.0.9' }, {}]) {
    await writeManifest(store, { ...manifest, ...other });
    const status = JSON.parse((await run(['status', here, '--json', '--whole'])).stdout);
    expect(status).toMatchObject({ program: other.program ?? null, progress: { done }, damaged: [] });
  }
  expect(await run(words('updated'))).toEqual(whole);
});

test('a folder of another format of this program is refused, and its status is not told', async () => {
  await endedAt('older', 'SIGTERM', 2);
  const here = join(folder, 'older');
  const store = RunFolder.reading(here);
  const { format, ...manifest } = (await readManifest(store))!;
  const older = { format: format - 1, ...manifest, program: '0.0.9' };
  await writeManifest(store, older);
  const names = readdirSync(here);
  const what = `format ${format - 1} of version 0.0.9, not ${format}`;
  const refused = `rank: checkpoint ${here}: it is of another version of this program: ${what}\n`;
  expect(await run(words('older'))).toEqual({ code: 2, stdout: '', stderr: refused });
  const untold = `status: ${here}: expected a run of this version of the program, got one of another: ${what}\n`;
  for (const more of [[], ['--json'], ['--whole']])
    expect(await run(['status', here, ...more])).toEqual({ code: 65, stdout: '', stderr: untold });
  expect(readdirSync(here)).toEqual(names);
  expect((await readManifest(store))!.format).toBe(format - 1);
});

test('refusals: another question than that of the folder, and what is not kept', async () => {
  const here = join(folder, 'refusals');
  const small = join(folder, 'small.sms');
  writeFileSync(small, '3 3 M\n1 1 1\n2 2 5\n0 0 0\n');
  const asked = (...more: string[]) => run(['rank', small, '--run', here, '-q', ...more]);
  expect(await asked('-p', '7')).toEqual({ code: 0, stdout: '2\n', stderr: '' });
  const other = join(folder, 'other.sms');
  writeFileSync(other, '3 3 M\n1 1 1\n2 2 6\n0 0 0\n');
  const refused = (what: string) => ({ code: 2, stdout: '', stderr: `rank: checkpoint ${here}: ${what}\n` });
  expect(await run(['rank', other, '-p', '7', '--run', here])).toEqual(refused('it is a run of another matrix'));
  expect(await asked('-p', '5')).toEqual(refused('it is a run with p 7, not 5'));
  expect(await asked('-p', '7', '--block', '2')).toEqual(refused('it is a run with block auto, not 2'));
  const byGpus = await asked('-p', '7', '--gpus', '1');
  if (gpuMissing)
    expect(byGpus).toMatchObject({ code: 69, stdout: '', stderr: expect.stringMatching(/^rank: device gpu: .*\n$/) });
  else expect(byGpus).toEqual({ code: 0, stdout: '2\n', stderr: '' });
  const { seed } = JSON.parse(readFileSync(join(here, 'manifest.json'), 'utf8'));
  expect(await asked('-p', '7', '--seed', '1')).toEqual(refused(`it is a run with seed ${seed}, not 1`));
  for (const [more, what] of [
    [['-p', '0'], 'expected a prime below 2^31, got 0'],
    [['-p', '7', '--formula', 'classical'], 'expected formula shifted, got classical'],
    [['-p', '7', '--certificate', '-'], 'expected no certificate, which is not kept'],
  ] as const) {
    expect(await asked(...more)).toEqual({ code: 2, stdout: '', stderr: `rank: checkpoint: ${what}\n` });
  }
  const nowhere = await run(['rank', small, '-p', '7', '--run', join(folder, 'no', 'folder')]);
  expect([nowhere.code, nowhere.stderr.split('\n').length]).toEqual([74, 2]);
  const inFile = `rank: ${small}: expected a folder, got a path with a file in it\n`;
  expect(await run(['rank', small, '-p', '7', '--run', small])).toEqual({ code: 74, stdout: '', stderr: inFile });
});
