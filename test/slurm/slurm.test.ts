/** A run by Slurm's own daemons: an array of parts, of which one is queued again and one is killed, to the rank. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';
import { slurmMissing } from './cluster.js';
import { slurmOfFile } from './of-a-file.js';
import { STOPS, stoppedProcess } from './stopped-process.js';

type Three = [string, string, string];

const [SIZE, RANK] = [5000, 4900]; // a part has seconds left where Slurm takes its time between going on and ending
const AGAIN = 1; // the part that is queued again
const LAST = 3; // the part whose job has the number of the whole array

const own = slurmOfFile();
const { folder } = own;

test.skipIf(slurmMissing)(
  'an array of parts, one queued again and one killed, then the rank',
  async () => {
    const { slurm } = own;
    const file = join(folder, 'a.sms');
    writeFileSync(file, deficientText(SIZE, RANK));
    const here = join(folder, 'run');
    const scripts = join(here, 'slurm_scripts');
    const submit = join(scripts, 'submit.sh');
    const plan = `slurm plan -p 2147483629 --tasks ${LAST + 1} --block 8x4 -q`.split(' ');
    expect(await run([...plan, file, '-o', here])).toEqual({ code: 0, stdout: `${submit}\n`, stderr: '' });

    // Vectors are kept at once, and the first ones stop a process.
    const script = join(scripts, 'krylov.sbatch');
    const text = readFileSync(script, 'utf8');
    writeFileSync(script, text.replace(' --device cpu', ' --device cpu --checkpoint-interval 0'));
    const stops = { STOPS_ONCE: `${AGAIN},${LAST}`, NODE_OPTIONS: `--require "${STOPS}"` };
    const { stdout } = await promisify(execFile)(submit, { env: { ...slurm.env, ...stops } });
    const [krylov, generator, verify] = stdout.trim().split(' ') as Three;
    // Tasks of the array that have begun before the next job is handed in have taken numbers between theirs.
    expect(Number(generator)).toBeGreaterThan(Number(krylov));
    expect(Number(verify)).toBeGreaterThan(Number(generator));
    const restartsOf = async (job: string): Promise<number> =>
      Number(/Restarts=(\d+)/.exec(await slurm.run('scontrol', 'show', 'job', job))?.[1] ?? -1);
    const haveStopped = async () => [AGAIN, LAST].every((part) => stoppedProcess(here, part) !== null);
    await slurm.until('parts at work', 90_000, scripts, haveStopped);
    process.kill(stoppedProcess(here, LAST)!, 'SIGKILL');
    // Slurm lets what has stopped go on, and ends it.
    await slurm.run('scontrol', 'requeue', `${krylov}_${AGAIN}`);
    const end = await slurm.endOf(verify, scripts);
    expect(end, await slurm.report(scripts)).toBe('COMPLETED');
    expect(readFileSync(join(scripts, 'rank.txt'), 'utf8')).toBe(`${RANK}\n`);
    const restarts = await Promise.all([0, AGAIN, 2, LAST].map((part) => restartsOf(`${krylov}_${part}`)));
    expect(restarts).toEqual([0, 1, 0, 1]);
    const said = readFileSync(join(scripts, `krylov-${AGAIN}.log`), 'utf8');
    expect(said).toMatch(/^run: stopped at a checkpoint; .*\npart 1 of 4 .* done /m);
  },
  320_000,
);

test.skipIf(slurmMissing)(
  'where parts fail for good what waits for them is cancelled, and submitted again it comes to the rank',
  async () => {
    const { slurm } = own;
    const [file, moved, here] = ['b.sms', 'moved.sms', 'failed'].map((name) => join(folder, name)) as Three;
    writeFileSync(file, deficientText(100, 90));
    const plan = ['slurm', 'plan', file, '-p', '65521', '--tasks', '2', '-o', here, '-q'];
    expect((await run(plan)).code).toBe(0);
    const scripts = join(here, 'slurm_scripts');
    const end = async (): Promise<string> => {
      const { stdout } = await promisify(execFile)(join(scripts, 'submit.sh'), { env: slurm.env });
      return slurm.endOf(stdout.trim().split(' ')[2]!, scripts);
    };
    renameSync(file, moved);
    expect(await end(), await slurm.report(scripts)).toBe('CANCELLED');
    renameSync(moved, file);
    expect(await end(), await slurm.report(scripts)).toBe('COMPLETED');
    expect(readFileSync(join(scripts, 'rank.txt'), 'utf8')).toBe('90\n');
  },
  500_000,
);

test.skipIf(slurmMissing).each([
  ['a word of `submit.sh`', ['--array=0-1%1'], {}],
  ['the environment', [], { SBATCH_ARRAY_INX: '0-1%1' }],
])(
  'by an array that %s asks for parts are made one at once, and what is behind them once',
  async (_, words, asked) => {
    const { slurm } = own;
    const here = mkdtempSync(join(folder, 'array-'));
    const [file, planned] = [join(here, 'c.sms'), join(here, 'run')];
    writeFileSync(file, deficientText(100, 90));
    expect((await run(['slurm', 'plan', file, '-p', '65521', '--tasks', '2', '-o', planned, '-q'])).code).toBe(0);
    const scripts = join(planned, 'slurm_scripts');
    const env = { ...slurm.env, ...asked };
    const jobs = (await promisify(execFile)(join(scripts, 'submit.sh'), words, { env })).stdout.trim().split(' ');
    expect(await slurm.endOf(jobs[2]!, scripts), await slurm.report(scripts)).toBe('COMPLETED');
    expect(readFileSync(join(scripts, 'rank.txt'), 'utf8')).toBe('90\n');
    const tasks = await Promise.all(jobs.map((job) => slurm.run('scontrol', '-o', 'show', 'job', job)));
    expect(tasks.map((lines) => lines.split('\n').length)).toEqual([2, 1, 1]);
    expect(tasks.map((lines) => lines.includes(' ArrayTaskThrottle=1 '))).toEqual([true, false, false]);
  },
  320_000,
);
