/** Kept runs: whatever ends one, the same command goes on to the rank; another question is refused. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run.js';

const P = '2147483629';
// Seconds of one thread: a signal sent after some steps comes before the end.
const [SIZE, RANK] = [6400, 6200];

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-run-'));
  file = join(folder, 'a.sms');
  writeFileSync(file, textOf());
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The first RANK rows are triangular, the others sums of two of them. */
function textOf(): string {
  const base = (i: number): Map<number, number> => {
    const others = [1, 2, 3, 4].map((k) => i + 1 + ((i * 7919 + k * 104729) % (SIZE - i)));
    return new Map([[i, 1], ...others.filter((j) => j < SIZE).map((j): [number, number] => [j, 2])]);
  };
  const sum = (i: number): Map<number, number> => {
    const both = base(i);
    for (const [j, value] of base(i + 1)) both.set(j, (both.get(j) ?? 0) + value);
    return both;
  };
  const rows = Array.from({ length: SIZE }, (_, i) => (i < RANK ? base(i) : sum(i - RANK)));
  const lines = rows.flatMap((row, i) => [...row].map(([j, value]) => `${i + 1} ${j + 1} ${value}\n`));
  return `${SIZE} ${SIZE} M\n${lines.join('')}0 0 0\n`;
}

const words = (name: string, ...more: string[]): string[] => {
  const kept = ['--run', join(folder, name), '--checkpoint-interval', '0.05'];
  return ['rank', file, '-p', P, '--block', '2x1', '--threads', '1', '-q', ...kept, ...more];
};

/** The run ended by a signal once its sequence has so many steps, by its own word. */
function endedAt(name: string, signal: NodeJS.Signals, steps: number) {
  return run(words(name), {
    taken: (kill) => {
      const look = setInterval(() => {
        if (stepsOf(name) < steps) return;
        clearInterval(look);
        kill(signal);
      }, 5);
      setTimeout(() => clearInterval(look), 20_000);
    },
  });
}

/** -1 where there is no progress. */
function stepsOf(name: string): number {
  try {
    const { phase, done } = JSON.parse(readFileSync(join(folder, name, 'progress.json'), 'utf8'));
    return phase === 'sequence' ? done : -1;
  } catch {
    return -1;
  }
}

const whole = { code: 0, stdout: `${RANK}\n`, stderr: '' };

describe.each(['SIGTERM', 'SIGUSR1'] as const)('%s', (signal) => {
  test('ends a run at a checkpoint, from which the same command goes on', async () => {
    const stderr = 'rank: stopped at a checkpoint; the same command goes on\n';
    expect(await endedAt(signal, signal, 100)).toEqual({ code: 75, stdout: '', stderr });
    expect(readdirSync(join(folder, signal)).filter((name) => name.startsWith('attempt-1-blocks-'))).not.toEqual([]);
    expect(await run(words(signal))).toEqual(whole);
  });
});

test('SIGKILL at three moments: the run goes on further each time, with the same seed', async () => {
  const seen: number[] = [];
  const seeds = new Set<string>();
  for (const steps of [1, 500, 1500]) {
    expect(await endedAt('kill', 'SIGKILL', steps)).toMatchObject({ code: null, stdout: '' });
    seen.push(stepsOf('kill'));
    seeds.add(JSON.parse(readFileSync(join(folder, 'kill', 'manifest.json'), 'utf8')).seed);
  }
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen[2]).toBeGreaterThan(seen[0]!);
  const { stdout, code } = await run(words('kill', '--json'));
  const { rank, seed } = JSON.parse(stdout);
  expect([code, rank, [...seeds]]).toEqual([0, RANK, [seed]]);
  expect(readdirSync(join(folder, 'kill')).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('every array damaged, the manifest too: still the rank', async () => {
  await endedAt('damaged', 'SIGTERM', 300);
  const names = readdirSync(join(folder, 'damaged'));
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) {
    const bytes = readFileSync(join(folder, 'damaged', name));
    bytes[bytes.length >> 1]! ^= 4;
    writeFileSync(join(folder, 'damaged', name), bytes);
  }
  const { code, stdout, stderr } = await run(words('damaged', '--explain'));
  expect([code, stdout]).toEqual([0, `${RANK}\n`]);
  expect(stderr).toContain('checkpoint: manifest.json is damaged\n');
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
  const { seed } = JSON.parse(readFileSync(join(here, 'manifest.json'), 'utf8'));
  expect(await asked('-p', '7', '--seed', '1')).toEqual(refused(`it is a run with seed ${seed}, not 1`));
  for (const [more, what] of [
    [['-p', '7', '--method', 'hybrid'], 'expected method wiedemann, got hybrid'],
    [['-p', '0'], 'expected a prime below 2^31, got 0'],
    [['-p', '7', '--formula', 'classical'], 'expected formula shifted, got classical'],
    [['-p', '7', '--certificate', '-'], 'expected no certificate, which is not kept'],
  ] as const) {
    expect(await asked(...more)).toEqual({ code: 2, stdout: '', stderr: `rank: checkpoint: ${what}\n` });
  }
  const nowhere = await run(['rank', small, '-p', '7', '--run', join(folder, 'no', 'folder')]);
  expect([nowhere.code, nowhere.stderr.split('\n').length]).toEqual([74, 2]);
});
