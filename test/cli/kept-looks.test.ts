/** A signal inside a look for the generator ends a kept run there, and the same command goes on inside it. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deficientText } from './deficient-text.js';
import { endingAt } from './ending-at.js';
import { run } from './run.js';

const P = '2147483629';
const [SIZE, RANK] = [700, 650];
const FULL = 7000; // of the system, whose blocks are wider

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-looks-'));
  file = join(folder, 'a.sms');
  writeFileSync(file, deficientText(SIZE, RANK));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Bases that are kept in a run's folder, [order, orders of a look behind it], the furthest last. */
function basesIn(name: string): (readonly [number, number])[] {
  const names = readdirSync(join(folder, name)).sort();
  const parts = names.map((each) => /-basis-(\d+)-\d+(?:-look-(\d+))?$/.exec(each)).filter((each) => each !== null);
  return parts.map(([, order, reached]) => [Number(order), Number(reached ?? -1)] as const);
}

/** The command, ended behind the write of a look once and again; then on to its end. */
async function endedInLooks(name: string, command: readonly string[]) {
  const seen: (readonly [number, number])[] = [];
  for (const signal of ['SIGTERM', 'SIGUSR1'] as const) {
    // Of a file there are five operations; a look that has one base case, of 64 orders, has others to come.
    const { code, stderr, stdout } = await run(command, { nodeOptions: endingAt(signal, 5, '-look-000000064', 1000) });
    expect({ code, stdout }).toEqual({ code: 75, stdout: '' });
    expect(stderr).toMatch(/stopped at a checkpoint; the same command goes on\n$/);
    seen.push(basesIn(name).at(-1)!);
  }
  // It ends inside a look, before its next base case, and the next run goes on behind it.
  const [first, second] = seen as [readonly [number, number], readonly [number, number]];
  for (const [, reached] of [first, second]) expect(reached).toBe(64);
  expect(second[0]).toBeGreaterThan(first[0]);
  return run(command);
}

const kept = (name: string): string[] => ['--run', join(folder, name), '--checkpoint-interval', '0', '-q'];

test('rank', async () => {
  const name = 'rank';
  const words = ['rank', file, '-p', P, '--block', '2x1', '--threads', '2', ...kept(name)];
  expect(await endedInLooks(name, words)).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
});

test('a system', async () => {
  const [a, b] = ['full', 'right'].map((name) => join(folder, `${name}.sms`)) as [string, string];
  writeFileSync(a, deficientText(FULL, FULL));
  writeFileSync(b, `${FULL} 1 M\n1 1 1\n${FULL} 1 3\n0 0 0\n`);
  const words = ['solve', a, b, '-p', P, '--threads', '2', '--format', 'lines'];
  const { code, stdout, stderr } = await endedInLooks('system', [...words, '--method', 'wiedemann', ...kept('system')]);
  const expected = await run([...words, '--method', 'elimination', '-q']);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expected.stdout, stderr: '' });
});

test('the stage generator of a run in parts', async () => {
  const here = join(folder, 'parts');
  const stage = (...words: string[]): string[] => [
    'run',
    ...words,
    '--threads',
    '1',
    '-q',
    '--checkpoint-interval',
    '0',
  ];
  const plan = ['run', 'plan', file, '-p', P, '--parts', '2', '--block', '2x2', '-o', here, '-q'];
  expect((await run(plan)).code).toBe(0);
  for (const part of ['0', '1']) expect((await run(stage('krylov', here, '--part', part))).code).toBe(0);
  expect(await endedInLooks('parts', stage('generator', here))).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await run(stage('verify', here))).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
});
