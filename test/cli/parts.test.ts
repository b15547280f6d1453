/** Runs in parts, a process each: ended, killed and doubled they lead to the rank; what does not belong is refused. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunLock } from '../../src/io/run-lock.js';
import { deficientText } from './deficient-text.js';
import { endingAt } from './ending-at.js';
import { type Ended, run } from './run.js';

const P = '2147483629';
const [SIZE, RANK] = [4000, 3900];

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-parts-'));
  file = join(folder, 'a.sms');
  writeFileSync(file, deficientText(SIZE, RANK));
});
afterAll(() => rmSync(folder, { recursive: true }));

const stage = (...words: string[]): string[] => ['run', ...words, '--threads', '1', '-q', '--checkpoint-interval', '0'];

function damage(here: string, name: string): void {
  const bytes = readFileSync(join(here, name));
  bytes[20]! ^= 1;
  writeFileSync(join(here, name), bytes);
}

/** Part `part` in the folder `here`, ended by a signal once its vectors have been kept for the first time. */
function ended(here: string, part: number, signal: NodeJS.Signals): Promise<Ended> {
  const loud = stage('krylov', here, '--part', `${part}`).filter((word) => word !== '-q');
  return run(loud, { nodeOptions: endingAt(signal, 5, `-part-000${part}-vectors-`, 1) });
}

/** What the status says of parts: their states, and the commands that are next. */
async function standing(here: string): Promise<string[]> {
  const { parts } = JSON.parse((await run(['status', here, '--json'])).stdout);
  const { stdout } = await run(['status', here]);
  const next = /^next {8}(.*)$/m.exec(stdout)?.[1] ?? 'nothing';
  const lines = stdout.match(/^part .*(?=\n)/gm) ?? [];
  for (const [i, line] of lines.entries()) {
    expect(line).toMatch(/^part \d {6}\d+ of \d+ blocks, (open|\d+ %.*|done.*)$/);
    expect(line).toContain(`part ${i} `);
  }
  return [...parts.map(({ state }: { state: string }) => state), next.replaceAll(here, 'DIR')];
}

const silent = { code: 0, stdout: '', stderr: '' };

test('parts ended, killed and made twice at the same time; then the generator, and the rank', async () => {
  const here = join(folder, 'run');
  const plan = ['run', 'plan', file, '-p', P, '--parts', '2', '--block', '4x2', '-o', here, '-q'];
  const commands = [
    ['krylov', here, '--part', '0'],
    ['krylov', here, '--part', '1'],
    ['generator', here],
    ['verify', here],
  ];
  const stdout = `${commands.map((words) => ['wiedemann', 'run', ...words].join(' ')).join('\n')}\n`;
  for (const _ of [1, 2]) expect(await run(plan)).toEqual({ code: 0, stdout, stderr: '' }); // the same plan again

  const next = 'wiedemann run krylov DIR --part';
  expect(await standing(here)).toEqual(['open', 'open', `${next} 0, and 1 more`]);
  const warning = 'warning: checkpoint: parts-copy.json is damaged, or of another run or name\n';
  const stopped = `${warning}run: stopped at a checkpoint; the same command goes on\n`;
  damage(here, 'parts-copy.json');
  expect(await ended(here, 1, 'SIGUSR1')).toEqual({ code: 75, stdout: '', stderr: stopped });
  expect(await standing(here)).toEqual(['open', 'begun', `${next} 0, and 1 more`]);
  expect(await ended(here, 0, 'SIGKILL')).toMatchObject({ code: null });
  // One of them twice at the same time, as a queue does that takes a worker for lost.
  const [once, twice] = await Promise.all([0, 0].map(() => run(stage('krylov', here, '--part', '0'))));
  expect([once, twice]).toEqual([silent, silent]);
  expect(await standing(here)).toEqual(['done', 'begun', `${next} 1`]);
  // Part 1 is left to whoever needs it.
  const { code, stderr } = await run(['run', 'generator', here, '--threads', '1']);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^generator of 4000 x 4000 mod 2147483629 done .* 1 thread\n$/),
  ]);
  expect(await standing(here)).toEqual(['done', 'done', 'wiedemann run verify DIR']);
  const rank = { code: 0, stdout: `${RANK}\n`, stderr: '' };
  for (const _ of [1, 2]) expect(await run(stage('verify', here))).toEqual(rank);
  expect(await standing(here)).toEqual(['done', 'done', 'nothing']);
  const kept = readdirSync(here).sort();
  for (const words of [
    ['generator', here],
    ['krylov', here, '--part', '1'],
  ]) {
    expect(await run(stage(...words))).toEqual(silent);
  }
  expect(readdirSync(here).filter((name) => !kept.includes(name) && !name.endsWith('progress.json'))).toEqual([]);
  expect(kept.filter((name) => name.startsWith('.'))).toEqual([]);
});

test('refusals: no plan, another matrix, parts that there are not', async () => {
  const small = join(folder, 'small.sms');
  writeFileSync(small, '5 5 M\n1 1 1\n2 2 5\n3 3 1\n4 4 2\n0 0 0\n');
  const here = join(folder, 'refusals');
  const plan = (...more: string[]) => run(['run', 'plan', small, '-p', '7', '-o', here, '-q', ...more]);
  const usage = (line: string) => ({ code: 2, stdout: '', stderr: `run: ${line}\n` });
  const unplanned = usage(`${here}: expected the folder of a run that is planned in parts`);
  expect(await run(stage('krylov', here, '--part', '0'))).toEqual(unplanned);
  expect(readdirSync(folder)).not.toContain('refusals');
  expect(await plan('--parts', '5')).toEqual(usage('parts: expected at most 4, the columns of a block, got 5'));
  expect(await plan('--parts', '2', '--rank', '5')).toEqual(
    usage('rank: expected at most 4, the shorter side without empty lines, got 5'),
  );
  expect(await plan('--parts', '0')).toEqual(usage('parts: expected a number from 1 to 512, got 0'));
  expect((await plan('--parts', '2', '--block', '4x2')).code).toBe(0);
  expect(await plan('--parts', '1', '--block', '4x2')).toEqual(usage('checkpoint: it is a run of 2 parts, not 1'));
  expect(await run(['run', 'plan', '-', '-p', '7', '-o', here, '--parts', '2'], { input: '1 1 M\n0 0 0\n' })).toEqual(
    usage('expected a FILE, which every stage reads again'),
  );
  const missing = usage('part: expected a number from 0 to 1, got 2');
  expect(await run(stage('krylov', here, '--part', '2'))).toEqual(missing);
  expect(await run(stage('krylov', here, '--part', 'x'))).toEqual(
    usage('--part: expected an integer in decimal digits, got x'),
  );
  writeFileSync(join(folder, 'other.sms'), '5 5 M\n1 1 1\n2 2 6\n3 3 1\n4 4 2\n0 0 0\n');
  const other = usage(`checkpoint ${here}: it is a run of another matrix`);
  for (const words of [
    ['krylov', here, join(folder, 'other.sms'), '--part', '0'],
    ['verify', here, join(folder, 'other.sms')],
  ]) {
    expect(await run(stage(...words))).toEqual(other);
  }
  rmSync(small);
  const gone = await run(stage('generator', here));
  expect([gone.code, gone.stderr.split('\n').length]).toEqual([65, 2]);
  // The matrix has moved.
  writeFileSync(join(folder, 'moved.sms'), '5 5 M\n4 4 2\n3 3 1\n1 1 1\n2 2 5\n0 0 0\n');
  expect(await run(stage('verify', here, join(folder, 'moved.sms')))).toMatchObject({ code: 0, stdout: '4\n' });
  // Damage: a copy is there of the seed and of the plan, and what is damaged is made whole.
  const moved = stage('generator', here, join(folder, 'moved.sms')).filter((word) => word !== '-q');
  for (const name of ['parts.json', 'parts-copy.json']) {
    damage(here, name);
    const { code, stderr } = await run(moved);
    expect([code, stderr.match(/^warning: .*/gm)]).toEqual([0, [expect.stringContaining(`: ${name} is damaged`)]]);
  }
  damage(here, 'parts.json');
  damage(here, 'parts-copy.json');
  expect(await run(stage('generator', here))).toEqual(unplanned);
});

test('a folder is of one process until parts are planned there, and of any number from then on', async () => {
  const small = join(folder, 'bits.bin');
  writeFileSync(small, Buffer.from(Uint32Array.of(2, 0, 2, 1, 1, 1, 0, 2, 1, 2).buffer));
  const here = join(folder, 'shared');
  const plan = [
    'run',
    'plan',
    small,
    '-p',
    '7',
    '--input-format',
    'cado',
    '--parts',
    '2',
    '--block',
    '4x2',
    '-o',
    here,
  ];
  const first = await RunLock.take(here);
  const { code, stderr } = await run([...plan, '-q']);
  expect([code, stderr]).toEqual([74, expect.stringMatching(new RegExp(`^run: ${here}: process ${process.pid} on `))]);
  await first.release();
  expect((await run([...plan, '-q'])).code).toBe(0);
  const other = await RunLock.take(here);
  for (const part of ['1', '0']) expect(await run(stage('krylov', here, '--part', part))).toEqual(silent);
  expect(JSON.parse((await run(['status', here, '--json'])).stdout)).toMatchObject({
    state: 'running',
    process: { pid: process.pid },
  });
  expect(await standing(here)).toEqual(['done', 'done', 'wiedemann run generator DIR']);
  // The stages read the matrix by the format of the plan.
  expect(await run(stage('verify', here))).toEqual({ code: 0, stdout: '3\n', stderr: '' });
  await other.release();
  expect(JSON.parse((await run(['status', here, '--json', '--whole'])).stdout)).toMatchObject({
    state: 'ended',
    answer: { value: '3' },
    damaged: [],
  });
});
