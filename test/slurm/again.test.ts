/** Parts that are late, or that no job makes, once more by Slurm's own daemons: by a job that is done, and by hand. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { MadeAgain } from '../../src/clusters/slurm-again.js';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';
import { slurmMissing } from './cluster.js';
import { slurmOfFile } from './of-a-file.js';
import { STOPS, stoppedProcess } from './stopped-process.js';

const [SIZE, RANK] = [1500, 1450];

const own = slurmOfFile();
const { folder } = own;
writeFileSync(join(folder, 'a.sms'), deficientText(SIZE, RANK));

/** The folder of a run in three parts, whose vectors are kept at once. */
async function planned(name: string, patience: string): Promise<string> {
  const here = join(folder, name);
  const plan = `slurm plan -p 2147483629 --tasks 3 --block 8x3 --patience ${patience} -q`.split(' ');
  expect(await run([...plan, join(folder, 'a.sms'), '-o', here])).toMatchObject({ code: 0, stderr: '' });
  const script = join(here, 'slurm_scripts/krylov.sbatch');
  const text = readFileSync(script, 'utf8');
  writeFileSync(script, text.replace(' --device cpu', ' --device cpu --checkpoint-interval 0'));
  return here;
}

/** Hands the jobs in; part `stops` stops once it has kept vectors, and says nothing more. */
async function submit(here: string, stops: number | null, ...words: string[]): Promise<string[]> {
  const stopping = stops === null ? {} : { STOPS_ONCE: `${stops}`, NODE_OPTIONS: `--require "${STOPS}"` };
  const env = { ...own.slurm.env, ...stopping };
  return (await promisify(execFile)(join(here, 'slurm_scripts/submit.sh'), words, { env })).stdout.trim().split(' ');
}

const again = (here: string, ...words: string[]) => run(['slurm', 'again', here, ...words], { env: own.slurm.env });

const queue = async (): Promise<string[]> => (await own.slurm.run('squeue', '-h', '-r', '-o', '%i %T %j')).split('\n');

test.skipIf(slurmMissing)(
  'a part that says nothing is made by another job, whose end ends the first one well, and the rank follows',
  async () => {
    const here = await planned('late', '1');
    const scripts = join(here, 'slurm_scripts');
    const [krylov, , verify] = (await submit(here, 1)) as [string, string, string];
    expect(await own.slurm.endOf(verify, scripts), await own.slurm.report(scripts)).toBe('COMPLETED');
    expect(readFileSync(join(scripts, 'rank.txt'), 'utf8')).toBe(`${RANK}\n`);
    const ends = await own.slurm.run('scontrol', '-o', 'show', 'job', krylov);
    expect(ends.match(/JobState=\w+|ExitCode=\d+:\d+|Restarts=\d+/g)).toEqual(
      [0, 1, 2].flatMap(() => ['JobState=COMPLETED', 'Restarts=0', 'ExitCode=0:0']),
    );
    const backup = readFileSync(join(scripts, 'again-1'), 'utf8').trim();
    const said = /^part 1: late, \d+ of \d+ blocks, .* left, .* elsewhere: job (\d+)$/m;
    const looks = readFileSync(join(scripts, 'look.log'), 'utf8');
    expect(said.exec(looks)?.[1]).toBe(backup.replace(/_1$/, ''));
    // A machine that is busy may hold up others, too.
    for (const part of [0, 2])
      expect(existsSync(join(scripts, `again-${part}`))).toBe(looks.includes(`part ${part}: late`));
    await own.slurm.until('an empty queue', 60_000, scripts, async () => (await queue()).join('') === '');
  },
  320_000,
);

test.skipIf(slurmMissing)(
  'by hand: what is late by the patience that is asked for, and what was cancelled, with what comes behind it',
  async () => {
    const here = await planned('by-hand', 'never');
    const scripts = join(here, 'slurm_scripts');
    expect(existsSync(join(scripts, 'look.sbatch'))).toBe(false);
    await submit(here, 2, '--comment', 'of submit.sh', '--array=1-2');
    await own.slurm.until('a part that has stopped', 90_000, scripts, async () => stoppedProcess(here, 2) !== null);
    const isAlone = async (): Promise<boolean> =>
      (await queue()).filter((line) => line.includes('krylov')).length === 1;
    await own.slurm.until('the end of the other part', 90_000, scripts, isAlone);

    // Part 0 has no job, and generator and verify wait for part 2, which is late once its silence has lasted.
    const made: MadeAgain[] = [];
    const isLate = ({ part, why }: MadeAgain): boolean => part === 2 && why === 'late';
    await own.slurm.until('a late part', 90_000, scripts, async () => {
      const { code, stdout, stderr } = await again(here, '--patience', '1', '--json');
      expect(code, stderr).toBe(0);
      made.push(...JSON.parse(stdout).parts);
      return made.some(isLate);
    });
    const late = made.find(isLate)!;
    expect(late.jobs).toEqual([expect.stringMatching(/^\d+$/)]);
    expect(late.left).toBeGreaterThan(2 * late.instead! + 1);
    const [missing, ...more] = made.filter(({ why }) => why === 'missing');
    expect(missing).toMatchObject({ part: 0, done: 0, left: null, instead: null });
    expect([missing!.jobs, more]).toEqual([[expect.stringMatching(/^\d+$/)], []]);
    const submitted = await own.slurm.run('scontrol', 'show', 'job', late.jobs[0]!);
    expect(submitted).toContain('Comment=of submit.sh');
    // Both have jobs by now.
    const nothing = { code: 0, stdout: '', stderr: `no part of ${here} is late or missing\n` };
    expect(await again(here)).toEqual(nothing);
    const isOver = async (): Promise<boolean> => (await queue()).filter((line) => line.includes('krylov')).length <= 1;
    await own.slurm.until('parts made', 90_000, scripts, isOver);

    // Parts of which some are cancelled: what waited for them goes, and `again` submits the three jobs of the rest.
    const lost = await planned('lost', '300');
    const jobs = await submit(lost, null, '--hold');
    await own.slurm.run('scancel', `${jobs[0]}_1`, jobs[1]!, jobs[2]!);
    const { stdout: numbers, stderr } = await again(lost);
    expect(stderr).toMatch(/^part 1: missing, 0 of \d+ blocks: job \d+\n$/);
    expect(numbers.trim().split('\n')).toHaveLength(3);
  },
  320_000,
);

test('what is no run in parts, no number of seconds, and a machine without Slurm get a line each', async () => {
  const here = await planned('refused', '300');
  expect(await run(['slurm', 'again', folder])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('in parts\n'),
  });
  const { code, stderr } = await run(['slurm', 'again', here, '--patience', 'x']);
  expect([code, stderr]).toEqual([2, 'slurm: --patience: expected a number of seconds, got x\n']);
  const none = await run(['slurm', 'again', here], { env: { PATH: '/nowhere' } });
  expect(none).toMatchObject({
    code: 69,
    stderr: 'slurm: squeue is missing: expected the commands of Slurm in PATH\n',
  });
});
