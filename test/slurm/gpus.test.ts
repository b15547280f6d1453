/** GPUs and memory that Slurm's own daemons count: each task gets what its script asks for, or is refused aloud. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';
import { gpuMissing, SELDOM_POLLS, testGpu } from '../gpu.js';
import { slurmMissing } from './cluster.js';
import { slurmOfFile } from './of-a-file.js';

const [SIZE, RANK] = [300, 290];

/** Two tasks have room beside each other. */
const NODE = { gpus: 2, megabytes: 4000 };

const missing = slurmMissing ?? gpuMissing;

const own = slurmOfFile(NODE, missing);
const { folder } = own;
let scripts = '';
beforeAll(async () => {
  if (missing !== null) return;
  const rates = join(folder, 'rates.json');
  const sizes = ['--rows', `${SIZE}`, '--cols', `${SIZE}`, '--nnz', '1500', '-p', '65521', '--threads', '1'];
  expect((await run(['plan', ...sizes, '--budget', '0.2', '--save-rates', rates, '-q'])).code).toBe(0);
  const [file, here] = [join(folder, 'a.sms'), join(folder, 'run')];
  writeFileSync(file, deficientText(SIZE, RANK));
  const plan = ['slurm', 'plan', file, '-p', '65521', '--tasks', '2', '--gpus-per-task', '1', '--rates', rates];
  expect(await run([...plan, '-o', here, '-q'])).toMatchObject({ code: 0, stderr: '' });
  scripts = join(here, 'slurm_scripts');
});

const text = (name: string): string => readFileSync(join(scripts, name), 'utf8');

function edit(stage: string, what: string | RegExp, by: string): void {
  const script = `${stage}.sbatch`;
  writeFileSync(join(scripts, script), text(script).replace(what, by));
}

/** Hands the three jobs in, with further options. */
function submit(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...own.slurm.env, NODE_OPTIONS: SELDOM_POLLS };
  return promisify(execFile)(join(scripts, 'submit.sh'), words, { env });
}

test.skipIf(missing)(
  'each part gets a GPU and the memory that its plan tells, works on it, and the rank is right',
  async () => {
    const { slurm } = own;
    // Each says which GPUs Slurm has given it.
    for (const stage of ['krylov', 'generator', 'verify']) edit(stage, '\ncd ', '\necho "GPUs: $SLURM_JOB_GPUS"\ncd ');
    const [krylov, generator, verify] = (await submit()).stdout.trim().split(' ') as [string, string, string];
    const told = (job: string): Promise<string> => slurm.run('scontrol', '--details', 'show', 'job', job);
    const end = await slurm.endOf(verify, scripts);
    expect(end, await slurm.report(scripts)).toBe('COMPLETED');
    expect(text('rank.txt')).toBe(`${RANK}\n`);

    // The generator of so small a matrix is for threads.
    const given = async (job: string, stage: string, log: string): Promise<string> => {
      const memory = /^#SBATCH --mem=(\d+M)$/m.exec(text(`${stage}.sbatch`))![1]!;
      const details = await told(job);
      expect(details).toMatch(new RegExp(`TRES=cpu=1,mem=${memory},`));
      expect(/JOB_GRES=(.*)/.exec(details)?.[1]).toBe(stage === 'generator' ? '(null)' : 'gpu:1');
      const isOnGpu = text(log).includes(` s on ${gpu} `);
      expect(isOnGpu, text(log)).toBe(stage !== 'generator');
      return /^GPUs: (.*)$/m.exec(text(log))![1]!;
    };
    const gpu = (await testGpu()).name;
    const parts = [0, 1].map((part) => given(`${krylov}_${part}`, 'krylov', `krylov-${part}.log`));
    expect((await Promise.all(parts)).sort()).toEqual(['0', '1']);
    expect(await given(generator, 'generator', 'generator.log')).toBe('');
    expect(await given(verify, 'verify', 'verify.log')).toMatch(/^[01]$/);
  },
  320_000,
);

test.skipIf(missing)(
  'what no node has is refused aloud, and of three jobs none is left where one is refused',
  async () => {
    const { slurm } = own;
    const refusal = {
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Requested node configuration is not available'),
    };
    for (const more of [`--mem=${NODE.megabytes + 1}M`, `--gpus-per-task=${NODE.gpus + 1}`])
      await expect(submit(more), more).rejects.toMatchObject(refusal);
    // Parts that are held do not begin before their job is cancelled.
    edit('krylov', '#SBATCH --requeue', '#SBATCH --hold\n#SBATCH --requeue');
    edit('generator', /--mem=\d+M/, `--mem=${NODE.megabytes + 1}M`);
    await expect(submit()).rejects.toMatchObject(refusal);
    // A look for late parts of the test before may have been cancelled by the last of them.
    const names = ['krylov', 'generator', 'verify'].map((stage) => `wiedemann-${stage}`).join(',');
    const jobs = (...words: string[]): Promise<string> => slurm.run('squeue', '-h', '-o', '%j', '-n', names, ...words);
    expect(await jobs('-t', 'CANCELLED')).toBe('wiedemann-krylov');
    expect(await jobs()).toBe('');
  },
);
