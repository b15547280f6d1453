/** What Slurm refuses to a look for late parts, by commands in its place. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';

let folder = '';
const here = (): string => join(folder, 'run');
const scripts = (): string => join(here(), 'slurm_scripts');

/** A run in two parts, of which the first is made. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-slurm-'));
  writeFileSync(join(folder, 'a.sms'), deficientText(300, 290));
  mkdirSync(join(folder, 'bin'));
  const plan = ['slurm', 'plan', join(folder, 'a.sms'), '-p', '65521', '--tasks', '2', '-o', here()];
  expect(await run(plan)).toMatchObject({ code: 0 });
  expect(await run(['run', 'krylov', here(), '--part', '0'])).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(join(scripts(), 'again-1'), { force: true }));

function command(name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** A line of squeue for a job that has been at work since 1970, and has said nothing. */
const atWork = (id: string): string => `echo '${id}|RUNNING|1|one|${scripts()}/krylov.sbatch'`;

/** As job 1_0 asks, which has made part 0. */
const look = () =>
  run(['slurm', 'again', here(), '--unattended', '--patience', '1'], {
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      SLURM_ARRAY_JOB_ID: '1',
      SLURM_ARRAY_TASK_ID: '0',
    },
  });

test('a late part that Slurm has no room for is made again at a later look', async () => {
  command('squeue', `${atWork('1_0')}\n${atWork('1_1')}`);
  command('sbatch', 'echo "sbatch: error: QOSMaxSubmitJobPerUserLimit" >&2; exit 1');
  expect(await look()).toMatchObject({ code: 69, stderr: expect.stringContaining('QOSMaxSubmitJobPerUserLimit') });
  expect(existsSync(join(scripts(), 'again-1'))).toBe(false);
  command('sbatch', 'echo 2');
  expect(await look()).toMatchObject({ code: 0, stderr: expect.stringMatching(/^part 1: late, .*: job 2$/m) });
  expect(await look()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('part 1: late') }); // once
});

test('a job that ends while it is told is none to wait for, and one that stays is', async () => {
  const queue = (ids: readonly string[]): string => ids.map(atWork).join('\n');
  command('sbatch', 'echo 2');
  const asked = join(folder, 'asked');
  const [before, after] = [queue(['1_0', '1_1', '5_0']), queue(['1_0', '1_1'])];
  command('squeue', `if [ -e ${asked} ]; then\n${after}\nelse\n${before}\nfi`);
  command('scancel', `touch ${asked}; echo "scancel: error: Invalid job id specified" >&2; exit 1`);
  expect(await look()).toMatchObject({ code: 0, stderr: expect.stringMatching(/^part 1: late/m) });
  command('squeue', before);
  expect(await look()).toMatchObject({
    code: 69,
    stderr: 'slurm: scancel: scancel: error: Invalid job id specified\n',
  });
});

test('by hand missing parts are submitted with what follows them, and late ones keep their marks', async () => {
  const own = join(folder, 'three');
  const plan = ['slurm', 'plan', join(folder, 'a.sms'), '-p', '65521', '--tasks', '3', '-o', own];
  expect(await run(plan)).toMatchObject({ code: 0 });
  expect(await run(['run', 'krylov', own, '--part', '0'])).toMatchObject({ code: 0 });
  command('squeue', `echo '1_1|RUNNING|1|one|${own}/slurm_scripts/krylov.sbatch'`);
  command('sbatch', 'echo 9');
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
  const { code, stderr } = await run(['slurm', 'again', own, '--patience', '1'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^part 1: late/m) });
  expect(stderr).toMatch(/^part 2: missing/m);
  expect(existsSync(join(own, 'slurm_scripts', 'again-1'))).toBe(true);
});
