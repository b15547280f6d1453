/** Scripts for Slurm: a shell reads them as they are meant, whatever the folder's name is; what each stage asks for. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { searchesOnGpu } from '../../algorithms/block-wiedemann/stages.js';
import { slurmScripts } from '../../src/clusters/slurm-scripts.js';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'wiedemann-scripts-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

test.each(['/plain', '/a > b > c', "/it's", '/a $(touch x) `b`', '/-x "y" ; z', '/a\\b &'])('%s', (directory) => {
  const run = { directory, program: ['node', '/p q/cli.js'], tasks: 2, cpusPerTask: 3, time: null };
  const scripts = slurmScripts({ ...run, gpus: new Set(), bytes: null });
  for (const text of Object.values(scripts)) execFileSync('bash', ['-n'], { input: text });
  // The line of the stage, printed word by word in place of run.
  const line = scripts['verify.sbatch']!.split('\n').find((each) => each.includes(' run '))!;
  const [words, output] = line.replace(/ &$/, '').split(/ > (?=rank\.txt$)/);
  expect(output).toBe('rank.txt');
  const printed = execFileSync('bash', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' });
  const expected = ['node', '/p q/cli.js', 'run', 'verify', directory, '--device', 'cpu', '--threads', '3'];
  expect(printed.trimEnd().split('\n')).toEqual(expected);
});

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
