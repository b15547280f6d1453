/**
 * `wiedemann slurm plan FILE -p P --tasks N -o DIR`: a run planned in parts, and the scripts with which Slurm makes it;
 * on stdout the one that submits them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SCRIPTS, slurmScripts } from '../clusters/slurm-scripts.js';
import { print } from './answering.js';
import { countOption, type Options } from './arguments.js';
import { json, planRun, planSummary } from './run.js';
import { whatFailed } from './system-error.js';
import { UsageError, WriteError } from './usage-error.js';

export async function plan(words: readonly string[], options: Options): Promise<void> {
  const gpusPerTask = countOption('--gpus-per-task', options['gpusPerTask'] as string | undefined) ?? 0;
  const cpusPerTask = countOption('--cpus-per-task', options['cpusPerTask'] as string | undefined) ?? null;
  const time = (options['time'] as string | undefined) ?? null;
  if (cpusPerTask === 0) throw new UsageError('--cpus-per-task: expected a number from 1 on, got 0');
  if (time !== null && !/^[\d:-]+$/.test(time)) throw new UsageError(`--time: expected a time of Slurm's, got ${time}`);
  const planned = await planRun(words, options, 'tasks');
  const { answer, directory } = planned;
  const here = resolve(directory);
  const program = [process.execPath, resolve(process.argv[1]!)];
  const scripts = slurmScripts({ directory: here, program, tasks: answer.parts, gpusPerTask, cpusPerTask, time });
  const folder = `${here}/${SCRIPTS}`;
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(scripts)) writeFileSync(`${folder}/${name}`, text, { mode: 0o755 });
  } catch (error) {
    throw new WriteError(`${folder}: ${whatFailed(error)}`);
  }
  const submit = `${folder}/submit.sh`;
  await print(options, () => json('slurm plan', answer, planned.plan), submit, planSummary(planned));
}
