/** A run by Slurm's own daemons: an array of parts, of which one is queued again and one is killed, to the rank. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../cli/run.js';
import { SlurmCluster, slurmMissing, until } from './cluster.js';

const [SIZE, RANK] = [3000, 2900];

let folder = '';
let cluster: SlurmCluster | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-slurm-'));
  if (slurmMissing === null) cluster = await SlurmCluster.start(join(folder, 'slurm'));
}, 60_000);
afterAll(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true });
}, 60_000);

/** Rows i < RANK are triangular, the others sums of two of them. */
function textOf(): string {
  const base = (i: number): [number, number][] => {
    const others = [1, 2, 3].map((k) => i + 1 + ((i * 7919 + k * 104729) % (SIZE - i))).filter((j) => j < SIZE);
    return [[i, 1], ...[...new Set(others)].map((j): [number, number] => [j, 2])];
  };
  const sum = (i: number): [number, number][] => {
    const both = new Map(base(i));
    for (const [j, value] of base(i + 1)) both.set(j, (both.get(j) ?? 0) + value);
    return [...both];
  };
  const lines = Array.from({ length: SIZE }, (_, i) =>
    (i < RANK ? base(i) : sum(i - RANK)).map(([j, value]) => `${i + 1} ${j + 1} ${value}\n`).join(''),
  );
  return `${SIZE} ${SIZE} M\n${lines.join('')}0 0 0\n`;
}

/** The number of the process that makes a part, as its command line shows it; null where it has ended. */
function processOf(here: string, part: number): number | null {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0');
      if (words.includes(here) && words.includes('krylov') && words[words.indexOf('--part') + 1] === `${part}`)
        return Number(entry);
    } catch {
      // It has ended meanwhile.
    }
  }
  return null;
}

/** Whether there was one. */
function kill(process_: number | null): boolean {
  try {
    return process_ !== null && process.kill(process_, 'SIGKILL');
  } catch {
    return false;
  }
}

test.skipIf(slurmMissing)(
  'an array of parts, one queued again and one killed, then the rank',
  async () => {
    const slurm = cluster!;
    const file = join(folder, 'a.sms');
    writeFileSync(file, textOf());
    const here = join(folder, 'run');
    const scripts = join(here, 'slurm_scripts');
    const submit = join(scripts, 'submit.sh');
    const plan = ['slurm', 'plan', file, '-p', '2147483629', '--tasks', '4', '--block', '8x4', '-o', here, '-q'];
    expect(await run(plan)).toEqual({ code: 0, stdout: `${submit}\n`, stderr: '' });

    const { stdout } = await promisify(execFile)(submit, { env: slurm.env });
    const [krylov, generator, verify] = stdout.trim().split(' ') as [string, string, string];
    // Tasks of the array that have begun before the next job is handed in have taken numbers between theirs.
    expect(Number(generator)).toBeGreaterThan(Number(krylov));
    expect(Number(verify)).toBeGreaterThan(Number(generator));
    const isKept = (part: number) =>
      readdirSync(here).some((name) => name.startsWith(`attempt-1-part-000${part}-vectors`));
    const restartsOf = async (job: string): Promise<number> =>
      Number(/Restarts=(\d+)/.exec(await slurm.run('scontrol', 'show', 'job', job))?.[1] ?? -1);
    await until('parts at work', 90_000, async () => [1, 2].every(isKept));
    // Either may have ended before, and then Slurm makes it again all the same, or there is nothing to kill.
    await slurm.run('scontrol', 'requeue', `${krylov}_1`);
    const isKilled = kill(processOf(here, 2));

    // Slurm holds what is queued again for two minutes, so that nodes come to rest: it is told not to.
    await until('the rank', 200_000, async () => {
      const waiting = await slurm.run('squeue', '-h', '-r', '-t', 'PENDING', '-o', '%i %r');
      for (const line of waiting.split('\n')) {
        const [job, reason] = line.split(' ');
        if (reason === 'BeginTime') await slurm.run('scontrol', 'update', `JobId=${job}`, 'StartTime=now');
      }
      return /JobState=(COMPLETED|FAILED|CANCELLED)/.test(await slurm.run('scontrol', 'show', 'job', verify));
    });
    const log = readdirSync(scripts).filter((name) => name.endsWith('.log'));
    const said = log.map((name) => `${name}: ${readFileSync(join(scripts, name), 'utf8')}`).join('');
    expect(await slurm.run('scontrol', 'show', 'job', verify), said).toContain('JobState=COMPLETED');
    expect(readFileSync(join(scripts, 'rank.txt'), 'utf8')).toBe(`${RANK}\n`);
    expect(await restartsOf(`${krylov}_1`)).toBe(1);
    expect(await restartsOf(`${krylov}_2`)).toBe(isKilled ? 1 : 0);
    expect(await restartsOf(`${krylov}_0`)).toBe(0);
  },
  320_000,
);
