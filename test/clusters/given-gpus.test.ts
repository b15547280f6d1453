/**
 * Scripts for Slurm on a node of several GPUs: each stage sees the one that it has been given, and so does a task by
 * the script of the guide.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { slurmScripts } from '../../src/clusters/slurm-scripts.js';
import { textOf } from '../tracked.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'wiedemann-given-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** A folder with such nodes of GPUs, and commands that tell that write what is mounted to `asked`.new. */
function node(nodes: readonly number[], isAllowed: boolean): { directory: string; asked: string } {
  const directory = mkdtempSync(join(FOLDER, 'gpus-'));
  const asked = join(directory, 'asked');
  for (const node of nodes) writeFileSync(join(directory, `nvidia${node}`), '');
  const unshare = isAllowed ? 'until [ "$1" = sh ]; do shift; done; exec "$@"' : 'exit 1';
  writeFileSync(join(directory, 'unshare'), `#!/bin/sh\n${unshare}\n`, { mode: 0o755 });
  const mount = `#!/bin/sh\necho "$*" | sed "s#${directory}/##" >> ${asked}.new\n`;
  writeFileSync(join(directory, 'mount'), mount, { mode: 0o755 });
  return { directory, asked };
}

/** What is mounted before a stage on a GPU begins, where Slurm has given such a one of those of its node. */
function hidden(given: string, nodes: readonly number[], isAllowed = true): { hidden: string[]; said: string } {
  const { directory, asked } = node(nodes, isAllowed);
  mkdirSync(join(directory, 'slurm_scripts'));
  const stage = `cp ${asked}.new ${asked} 2>/dev/null; echo "stage $*"`;
  const run = {
    directory,
    program: ['sh', '-c', stage, 'sh'],
    tasks: 3,
    cpusPerTask: null,
    time: null,
    patience: null,
  };
  const script = slurmScripts({ ...run, gpus: new Set(['krylov']), bytes: null })['krylov.sbatch']!;
  const input = script.replace('/dev/nvidia[', `${directory}/nvidia[`).replace('#/dev/nvidia', `#${directory}/nvidia`);
  const ids = { SLURM_JOB_ID: '7', SLURM_ARRAY_JOB_ID: '7', SLURM_ARRAY_TASK_ID: '2', SLURM_JOB_GPUS: given };
  const env = { ...process.env, ...ids, PATH: `${directory}:${process.env['PATH']}` };
  const { stdout, status } = spawnSync('bash', { input, env, encoding: 'utf8' });
  expect(status).toBe(0);
  const [ran, ...said] = stdout.trimEnd().split('\n').reverse();
  expect(ran).toBe(`stage run krylov ${directory} --part 2 --device gpu`);
  const lines = existsSync(asked) ? readFileSync(asked, 'utf8').trimEnd().split('\n') : [];
  return { hidden: [...new Set(lines)], said: said.join('\n') };
}

const hiding = (...nodes: number[]): string[] => nodes.map((node) => `--bind /dev/null nvidia${node}`);

test('a stage sees the GPU that Slurm has given it, where Slurm leaves others open', () => {
  expect(hidden('1', [0, 1, 2])).toEqual({ hidden: hiding(0, 2), said: '' });
  expect(hidden('1', [1, 10, 11])).toEqual({ hidden: hiding(10, 11), said: '' });
  const said = expect.stringMatching(/^slurm: the GPUs of other tasks cannot be hidden here, .* ConstrainDevices=yes/);
  expect(hidden('1', [0, 1], false)).toEqual({ hidden: [], said });
});

test.each([
  ['the only one that is open', '1', [1]],
  ['another number than that which is open', '1', [3]],
  ['none', '', [0, 1]],
])('nothing is hidden where Slurm has given %s', (_, given, nodes) => {
  expect(hidden(given, nodes)).toEqual({ hidden: [], said: '' });
});

/** As `hidden`, where a task of one's own begins by the script of the guide. */
function hiddenByGuide(given: NodeJS.ProcessEnv, nodes: readonly number[]): string[] {
  const { directory, asked } = node(nodes, true);
  const script = /^```text\n(#!\/bin\/sh\n.*?)^```$/ms.exec(textOf('src/guides/long-runs.md'))![1]!;
  const file = join(directory, 'own-gpu.sh');
  writeFileSync(file, script.replaceAll('/dev/nvidia', `${directory}/nvidia`), { mode: 0o755 });
  const { SLURM_JOB_GPUS: _, SLURM_STEP_GPUS: __, ...env } = process.env;
  const task = ['printf', '%s\n', 'a task', 'b'];
  const path = `${directory}:${process.env['PATH']}`;
  const { stdout } = spawnSync(file, task, { env: { ...env, ...given, PATH: path }, encoding: 'utf8' });
  expect(stdout).toBe('a task\nb\n');
  return existsSync(`${asked}.new`) ? readFileSync(`${asked}.new`, 'utf8').trimEnd().split('\n') : [];
}

test('a task of a script of its own sees its GPU by the script of the guide', () => {
  expect(hiddenByGuide({ SLURM_STEP_GPUS: '1', SLURM_JOB_GPUS: '0,1' }, [0, 1, 11])).toEqual(hiding(0, 11));
  expect(hiddenByGuide({ SLURM_JOB_GPUS: '2' }, [0, 2])).toEqual(hiding(0));
  expect(hiddenByGuide({ SLURM_STEP_GPUS: '1' }, [1])).toEqual([]);
  expect(hiddenByGuide({}, [0, 1])).toEqual(hiding(0, 1));
});
