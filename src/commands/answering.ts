/**
 * The common part of the verbs that compute: ask the engine, show progress, end at a signal, and print.
 *
 * stdout gets the answer and nothing else; stderr gets one line about the proof, unless --quiet.
 */
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { type StagedEngine, ThreadedEngine } from '../engine/engine.js';
import { claimOf } from '../questions/claim.js';
import type { QuestionOptions } from '../questions/options.js';
import type { Outcome } from '../questions/outcome.js';
import type { Options } from './arguments.js';
import { type Progress, progressBar } from './progress.js';
import { catchSignals } from './signals.js';
import { writeOut } from './standard-output.js';

/**
 * Runs one question to its end; SIGINT, SIGTERM and SIGHUP end it with an InterruptedError. `isKept`: some of them
 * abort `stop` instead (signals.ts).
 */
export async function interruptible<T>(
  options: Options,
  ask: (engine: StagedEngine, watched: Pick<QuestionOptions, 'signal' | 'onProgress'>, stop: AbortSignal) => Promise<T>,
  isKept = false,
): Promise<T> {
  const caught = catchSignals(isKept);
  const progress: Progress | undefined = showsProgress(options) ? progressBar(hasColor(options)) : undefined;
  const engine: StagedEngine = new ThreadedEngine({});
  const answering = async (): Promise<T> =>
    ask(engine, { signal: caught.signal, onProgress: progress?.show }, caught.stop);
  try {
    return await answering().finally(() => progress?.clear());
  } catch (error) {
    if (error instanceof StoppedError && !options['quiet']) process.stderr.write(warningLines(error.warnings));
    throw error;
  } finally {
    caught.release();
    await engine.dispose();
  }
}

/** A terminal that moves no cursor would show every state of a bar with its codes. */
function showsProgress(options: Options): boolean {
  return process.stderr.isTTY === true && options['quiet'] !== true && process.env['TERM'] !== 'dumb';
}

function hasColor(options: Options): boolean {
  return options['color'] !== false && !process.env['NO_COLOR'];
}

/** The JSON object of an answer: `own` are the verb's own fields, in front of those that all verbs share. */
export function jsonOf(command: string, outcome: Outcome<unknown>, own: object): string {
  const {
    rows,
    cols,
    nnz,
    mod,
    lowerBound,
    upperBound,
    errorLog2,
    method,
    device,
    adapter,
    threads,
    block,
    seed,
    warnings,
    seconds,
  } = outcome;
  return `${JSON.stringify({
    schema: 1,
    command,
    ...own,
    rows,
    cols,
    nnz,
    mod: mod.toString(),
    lowerBound,
    upperBound,
    errorLog2: errorLog2 !== null && Number.isFinite(errorLog2) ? errorLog2 : null,
    method,
    device,
    ...(adapter === null ? {} : { adapter }),
    threads,
    block,
    seed: seed.toString(),
    ...(warnings.length === 0 ? {} : { warnings }),
    seconds: Object.fromEntries(Object.entries(seconds).map(([phase, s]) => [phase, Number(s.toFixed(6))])),
  })}\n`;
}

/** One line about an answer, for a person. */
export function summaryOf(subject: string, outcome: Outcome<unknown>): string {
  const { rows, cols, mod, device, adapter, threads, seed, seconds } = outcome;
  const host = device === 'reference' ? 'the reference executor' : `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const where = adapter === null ? host : `${adapter} and ${host}`;
  const time = `${seconds['total']!.toFixed(2)} s on ${where}`;
  return `${subject} of ${rows} x ${cols} ${mod === 0n ? 'over Q' : `mod ${mod}`}   ${claimOf(outcome)}   ${time}   seed ${seed}\n${warningLines(outcome.warnings)}`;
}

export function warningLines(warnings: readonly string[]): string {
  return warnings.map((line) => `warning: ${line}\n`).join('');
}

/** Prints the answer: `result` alone on stdout, or the JSON object instead. */
export async function print(options: Options, json: () => string, result: string, summary: string): Promise<void> {
  await writeOut(options['json'] ? json() : `${result}\n`);
  if (!options['quiet'] && !options['json']) process.stderr.write(summary);
}
