/**
 * `wiedemann status DIR`: where the run of a folder stands, a line each for its question, state, progress, time left
 * and disk; of a run in parts for each of them, and for the command that is next. It reads only, so it may be asked of
 * a run that goes on.
 */

import { printable, printableName } from '../../kernels/errors/excerpt.js';
import { shellCommand } from '../clusters/shell-words.js';
import { FormatError } from '../io/format-error.js';
import { RunFolderError } from '../io/run-folder.js';
import { type RunPart, type RunProgress, type RunReport, runStatus } from '../io/run-status.js';
import type { Options } from './arguments.js';
import { bytesText } from './byte-count.js';
import { writeOut } from './standard-output.js';

export async function run([folder]: readonly string[], options: Options): Promise<void> {
  const report = await runStatus(folder!, { whole: options['whole'] === true }).catch((error: unknown) => {
    // What cannot be read is bad data here, and no failed writing.
    if (error instanceof RunFolderError) throw new FormatError(folder!, 0, 'the folder of a run', 'none');
    throw error;
  });
  if (report === null) throw new FormatError(folder!, 0, 'the folder of a run', 'none with a manifest that is whole');
  await writeOut(
    options['json'] ? `${JSON.stringify({ schema: 1, command: 'status', ...report })}\n` : text(folder!, report),
  );
}

function text(folder: string, report: RunReport): string {
  const { verb, rows, cols, mod, block, seed, progress, parts, next, disk, damaged } = report;
  const blocks = block === 'auto' ? '' : `   block ${block}`;
  const lines = [
    `${printableName(folder)}: ${verb} of ${rows} x ${cols} mod ${mod}${blocks}   seed ${seed}`,
    stateOf(report),
    ...(next === null ? [] : [`next        ${nextOf(folder, next, parts!)}`]),
    ...(progress === null ? [] : linesOf(progress)),
    // Of a run whose parts are joined nothing is to be known of them any more.
    ...(next === 'krylov' || next === 'generator' ? parts!.map(lineOf) : []),
    ...(disk === null ? [] : [`disk        ${bytesText(disk.bytes)} in ${disk.files} files`]),
    ...damaged.map((name) => `damaged     ${printable(name)}: the same command makes it again`),
  ];
  return `${lines.join('\n')}\n`;
}

function nextOf(folder: string, stage: NonNullable<RunReport['next']>, parts: readonly RunPart[]): string {
  const [first, ...others] = parts.filter(({ state }) => state !== 'done');
  const own = stage === 'krylov' ? ['--part', `${first!.part}`] : [];
  const more = stage === 'krylov' && others.length > 0 ? `, and ${others.length} more` : '';
  return `${printable(shellCommand(['wiedemann', 'run', stage, folder, ...own]))}${more}`;
}

function lineOf({ part, state, done, total, secondsLeft, at }: RunPart): string {
  const share = state === 'begun' ? `${Math.floor((100 * done) / total)} %` : state;
  const left = state !== 'begun' || secondsLeft === null ? '' : `, at most ${clock(secondsLeft)} left`;
  const when = state === 'open' || at === null ? '' : `, checkpoint of ${at}`;
  return `${`part ${part}`.padEnd(11)} ${done} of ${total} blocks, ${share}${left}${when}`;
}

function stateOf({ state, process, verb, answer, next }: RunReport): string {
  if (state === 'running') return `running     process ${process!.pid} on ${printableName(process!.host)}`;
  if (state === 'stopped') return `stopped     ${next === null ? 'the same command goes on' : 'nobody works in it'}`;
  const { value, upperBound, errorLog2 } = answer!;
  const claim = errorLog2 === null ? '' : `   error below 2^${Math.ceil(errorLog2)}`;
  const bound = verb === 'rank' && upperBound === null ? '   a lower bound' : claim;
  return `ended       ${value === null ? 'the same command prints the answer' : `${verb} ${value}`}${bound}`;
}

function linesOf({ phase, attempt, done, total, rate, secondsLeft, runSecondsLeft, at }: RunProgress): string[] {
  const [name, unit] = phase === 'sigmaBasis' ? ['order basis', 'orders'] : [phase, 'steps'];
  const share = total > 0 ? `, ${Math.floor((100 * done) / total)} %` : '';
  const run = runSecondsLeft === null ? '' : `; about ${clock(runSecondsLeft)} of the run`;
  const left =
    secondsLeft === null
      ? `not known before some ${unit}`
      : `at most ${clock(secondsLeft)} of this phase, at ${rate < 10 ? rate.toFixed(2) : Math.round(rate)} steps a second${run}`;
  return [
    `${name.padEnd(11)} ${done} of at most ${total} ${unit}${share}, attempt ${attempt}, checkpoint of ${at}`,
    `time left   ${left}`,
  ];
}

/** Hours, minutes and seconds. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
