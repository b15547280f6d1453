/** What `slurm plan` asks Slurm for: GPUs, time and memory of each stage, and what it refuses. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { searchesOnGpu } from '../../algorithms/block-wiedemann/stages.js';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'wiedemann-slurm-plan-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** The stages whose scripts ask for a GPU, each of which runs with the device that it asks for. */
async function stagesOnGpu(name: string, ...words: string[]): Promise<string[]> {
  const [file, here] = [join(FOLDER, 'a.sms'), join(FOLDER, name)];
  writeFileSync(file, deficientText(3000, 2990));
  const plan = ['slurm', 'plan', file, '-p', '65521', '--tasks', '2', '--gpus-per-task', '1', '-o', here, '-q'];
  expect(await run([...plan, ...words])).toMatchObject({ code: 0, stderr: '' });
  return ['krylov', 'generator', 'verify'].filter((stage) => {
    const text = readFileSync(join(here, 'slurm_scripts', `${stage}.sbatch`), 'utf8');
    const asks = text.includes('#SBATCH --gpus-per-task=1\n');
    expect(text.includes(' --device gpu ')).toBe(asks);
    return asks;
  });
}

test('a GPU is asked for by the stages that have something to do for it', async () => {
  expect(await stagesOnGpu('all', '--block', '64x32')).toEqual(['krylov', 'generator', 'verify']);
  // Its order basis is sooner made by so many threads.
  expect(await stagesOnGpu('threads', '--block', '64x32', '--cpus-per-task', '16')).toEqual(['krylov', 'verify']);
  expect(await stagesOnGpu('bound', '--block', '64x32', '--no-verify')).toEqual(['krylov', 'generator']);
});

test('an order basis that is short, or over an extension, has nothing to do for a GPU', () => {
  const shape = { m: 64, n: 32 };
  expect(searchesOnGpu(1e6, shape, 65521, true, 1)).toBe(true);
  expect(searchesOnGpu(1e6, shape, 2, true, 1)).toBe(false);
  expect(searchesOnGpu(1e3, shape, 65521, true, 1)).toBe(false);
});

test.each([
  ['no time of Slurm', "a time of Slurm's", ['--', '1:2:3:4', '1-', '8h']],
  ['less than jobs are told before it', 'more than 2 minutes', ['1', '2', '2:00', '00:02:00', '0-0:2', '1:59']],
])('%s: nothing is planned', async (_, expected, times) => {
  const here = join(FOLDER, 'short');
  for (const time of times) {
    const plan = ['slurm', 'plan', join(FOLDER, 'a.sms'), '-p', '7', '--tasks', '3', `--time=${time}`, '-o', here];
    const { code, stdout, stderr } = await run(plan);
    expect([code, stdout], time).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`--time: expected ${expected}.*, got ${time}`));
  }
  expect(existsSync(here)).toBe(false);
});

test.each(['50%', 'a\\b'])(
  'a folder in whose name Slurm reads something of its own, %s: nothing is planned',
  async (name) => {
    const here = join(FOLDER, name);
    const plan = ['slurm', 'plan', join(FOLDER, 'a.sms'), '-p', '7', '--tasks', '3', '-o', join(here, 'run')];
    const { code, stdout, stderr } = await run(plan);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^slurm: -o: expected a path without % and \\, .*\n$/);
    expect(existsSync(here)).toBe(false);
  },
);

test('several GPUs a task are refused, since a part runs on one: nothing is planned', async () => {
  const here = join(FOLDER, 'refused');
  const plan = ['slurm', 'plan', join(FOLDER, 'a.sms'), '-p', '7', '--tasks', '3', '--gpus-per-task', '2', '-o', here];
  const stderr =
    'slurm: --gpus-per-task: a task runs on one GPU, got 2: one for each of more tasks is --tasks 6 --gpus-per-task 1\n';
  expect(await run(plan)).toEqual({ code: 2, stdout: '', stderr });
});

test('memory is asked for where rates are given: a part does without the order basis', async () => {
  const rates = join(FOLDER, 'rates.json');
  const sizes = ['--rows', '3000', '--cols', '2000', '--nnz', '30000', '-p', '65521', '--threads', '1'];
  expect((await run(['plan', ...sizes, '--budget', '0.2', '--save-rates', rates, '-q'])).code).toBe(0);
  const [file, here] = [join(FOLDER, 'b.sms'), join(FOLDER, 'memory')];
  writeFileSync(file, deficientText(3000, 2990));
  const plan = ['slurm', 'plan', file, '-p', '65521', '--tasks', '4', '--rates', rates, '-o', here, '--json'];
  const { bytes } = JSON.parse((await run(plan)).stdout).plan;
  expect(bytes.part).toBeLessThan(bytes.host / 4);
  const asked = ['krylov', 'generator', 'verify'].map((stage) => {
    const text = readFileSync(join(here, 'slurm_scripts', `${stage}.sbatch`), 'utf8');
    return Number(/^#SBATCH --mem=(\d+)M$/m.exec(text)?.[1]);
  });
  // Beside what Node takes.
  const most = (counted: number): number => Math.ceil(counted / 2 ** 20) + 512;
  expect(asked).toEqual([bytes.part, bytes.host, bytes.host].map(most));
});
