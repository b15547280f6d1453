/**
 * `wiedemann slurm plan FILE -p P --tasks N -o DIR`: a run planned in parts, and the scripts with which Slurm makes it;
 * on stdout the one that submits them. `slurm again DIR`: parts that are late or missing once more; on stdout the
 * numbers of their jobs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { searchesOnGpu } from '../../algorithms/block-wiedemann/stages.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { type MadeAgain, makeAgain } from '../clusters/slurm-again.js';
import { NOTICE, SCRIPTS, type SlurmRun, slurmScripts } from '../clusters/slurm-scripts.js';
import { print } from './answering.js';
import { countOption, type Options } from './arguments.js';
import { clock } from './rates-file.js';
import { json, type PlannedRun, planRun, planSummary } from './run.js';
import { whatFailed } from './system-error.js';
import { UsageError, WriteError } from './usage-error.js';

export async function plan(words: readonly string[], options: Options): Promise<void> {
  const gpusPerTask = countOption('--gpus-per-task', options['gpusPerTask'] as string | undefined) ?? 0;
  const cpusPerTask = countOption('--cpus-per-task', options['cpusPerTask'] as string | undefined) ?? null;
  const time = (options['time'] as string | undefined) ?? null;
  if (gpusPerTask > 1) {
    const tasks = countOption('--tasks', options['tasks'] as string | undefined) ?? 1;
    const instead = `one for each of more tasks is --tasks ${tasks * gpusPerTask} --gpus-per-task 1`;
    throw new UsageError(`--gpus-per-task: a task runs on one GPU, got ${gpusPerTask}: ${instead}`);
  }
  if (cpusPerTask === 0) throw new UsageError('--cpus-per-task: expected a number from 1 on, got 0');
  if (time !== null) checkTime(time);
  const here = resolve(options['output'] as string);
  if (/[%\\]/.test(here))
    throw new UsageError(
      `-o: expected a path without % and \\, which Slurm reads in its own way, got ${printableName(here)}`,
    );
  const patience = options['patience'] === 'never' ? null : patienceOf(options);
  if (gpusPerTask > 0 && options['tasks'] === undefined && options['rates'] === undefined)
    throw new UsageError('expected a number of parts, --tasks N, or --rates FILE of such a GPU');
  const cores = cpusPerTask === null ? undefined : Math.min(cpusPerTask, nodeModule('node:os')!.availableParallelism());
  const planned = await planRun(words, options, 'tasks', { threads: cores });
  const { answer } = planned;
  const program = [process.execPath, resolve(process.argv[1]!)];
  const asked = { gpus: gpusOf(planned, gpusPerTask, cpusPerTask ?? 1), bytes: bytesOf(planned) };
  const run = { directory: here, program, tasks: answer.parts, cpusPerTask, time, patience, ...asked };
  const scripts = slurmScripts(run);
  const folder = `${here}/${SCRIPTS}`;
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(scripts)) writeFileSync(`${folder}/${name}`, text, { mode: 0o755 });
  } catch (error) {
    throw new WriteError(`${folder}: ${whatFailed(error)}`);
  }
  const submit = `${folder}/submit.sh`;
  await print(options, () => json('slurm plan', planned), submit, planSummary(planned));
}

export async function again([directory]: readonly string[], options: Options): Promise<void> {
  const patience = patienceOf(options);
  const made = await makeAgain(resolve(directory!), { patience, isUnattended: options['unattended'] === true });
  const jobs = [...new Set(made.flatMap(({ jobs }) => jobs))].join('\n');
  const data = (): string => `${JSON.stringify({ schema: 1, command: 'slurm again', parts: made })}\n`;
  const nothing = `no part of ${printableName(directory!)} is late or missing\n`;
  const summary = made.length === 0 ? nothing : made.map(lineOf).join('');
  if (jobs !== '' || options['json']) await print(options, data, jobs, summary);
  else if (!options['quiet']) process.stderr.write(summary);
}

function lineOf({ part, why, done, total, left, instead, jobs }: MadeAgain): string {
  const late = left === null ? '' : `, ${clock(left)} left, ${clock(instead!)} elsewhere`;
  return `part ${part}: ${why}, ${done} of ${total} blocks${late}: job ${jobs[0]}\n`;
}

function patienceOf(options: Options): number {
  const text = options['patience'] as string;
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= 0 && seconds < Number.POSITIVE_INFINITY))
    throw new UsageError(`--patience: expected a number of seconds, got ${text}`);
  return seconds;
}

/** Jobs are told NOTICE seconds before their limit: in less they would end, and be queued again, for ever. */
function checkTime(time: string): void {
  const seconds = secondsOf(time);
  if (seconds === null) throw new UsageError(`--time: expected a time of Slurm's, got ${time}`);
  if (seconds > 0 && seconds <= NOTICE)
    throw new UsageError(`--time: expected more than ${NOTICE / 60} minutes, by which jobs end before it, got ${time}`);
}

/** As sbatch takes it: M, M:S, H:M:S, D-H, D-H:M or D-H:M:S; null for anything else. */
function secondsOf(time: string): number | null {
  const match = /^(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?$/.exec(time);
  if (match === null) return null;
  const [days = null, ...parts] = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  const [first = 0, second = 0, third] = parts;
  if (days !== null) return ((24 * days + first) * 60 + second) * 60 + (third ?? 0);
  return third === undefined ? 60 * first + second : (60 * first + second) * 60 + third;
}

/** A generator over an extension, or a short one, is for threads; without verification nothing is left but the rank. */
function gpusOf({ answer, verify }: PlannedRun, gpusPerTask: number, threads: number): SlurmRun['gpus'] {
  if (gpusPerTask === 0) return new Set();
  const { rows, cols, mod } = answer;
  const [m, n] = answer.block;
  const searches = searchesOnGpu(Math.min(rows, cols), { m, n }, Number(mod), verify, threads);
  return new Set(['krylov', ...(searches ? ['generator' as const] : []), ...(verify ? ['verify' as const] : [])]);
}

/** By rates; what verifies may have to find another generator. */
function bytesOf({ plan }: PlannedRun): SlurmRun['bytes'] {
  if (plan === null) return null;
  const { host, part } = plan.bytes;
  return { krylov: part ?? host, generator: host, verify: host };
}
