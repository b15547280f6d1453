/**
 * `wiedemann rank FILE... -p P,P...` and `rank - --many`, `det` alike: one question about many matrices or modulo
 * several primes, an answer a line, in order.
 *
 *   stdout : ANSWER MODULUS NAME, tab-separated; with --json an object a line
 *   stderr : a line a matrix without an answer, which the others outlive
 */
import { printableName } from '../../kernels/errors/excerpt.js';
import { hostBytes } from '../../kernels/platform/host-memory.js';
import type { Engine } from '../engine/engine.js';
import { matricesInARow } from '../io/matrices-in-a-row.js';
import { claimOf } from '../questions/claim.js';
import type { Answered, AnswerStream, Many, RanksOptions } from '../questions/many.js';
import type { QuestionOptions } from '../questions/options.js';
import type { Outcome } from '../questions/outcome.js';
import { MAX_THREADS } from '../questions/settings.js';
import { interruptible, jsonOf } from './answering.js';
import { type Options, readingOptions, runOptions, STDIN, standardInput } from './arguments.js';
import { writeOut } from './standard-output.js';
import { UnansweredError, UsageError } from './usage-error.js';

/** Options that speak of one run. */
const SINGLE = ['certificate', 'run', 'checkpointInterval', 'gpus', 'maxGpuMemory', 'explain', 'threads'] as const;

/** A matrix in a stream may take so much of the memory as text. */
const SHARE = 1 / 16;

type ManyOptions = ReturnType<typeof manyOptions>;

/** Whether the words ask about several matrices or primes. */
export function asksForMany(words: readonly string[], options: Options): boolean {
  const mod = options['mod'] as string | undefined;
  if (options['many'] === true || options['jobs'] !== undefined || mod?.includes(',')) return true;
  // FILE P -p P is one matrix.
  return words.length > 2 || (words.length === 2 && mod !== undefined && !/^\d+$/.test(words[1]!));
}

export async function runMany<T>(
  verb: 'rank' | 'det',
  words: readonly string[],
  options: Options,
  ask: (engine: Engine, source: Many<string | Uint8Array>, shared: ManyOptions) => AnswerStream<Outcome<T | null>>,
): Promise<void> {
  for (const name of SINGLE) {
    if (options[name] !== undefined && options[name] !== false)
      throw new UsageError(`--${kebab(name)}: expected one matrix and one modulus, got several`);
  }
  const shared = manyOptions(options);
  const names = sources(words, options);
  if (names === null && !['auto', 'sms', undefined].includes(shared.inputFormat))
    throw new UsageError(`--many: expected input format sms, got ${shared.inputFormat}`);
  const source = names ?? matricesInARow(standardInput(), STDIN.name, hostBytes() * SHARE);
  const start = performance.now();
  const counts = await interruptible({ ...options, quiet: true }, (engine, { signal }) => {
    // The source waits for its next bytes, which may never come.
    if (names === null) signal?.addEventListener('abort', () => process.stdin.destroy());
    return print(verb, options, names, ask(engine, source, { ...shared, signal }));
  });
  const { answered, unanswered, code } = counts;
  if (!options['quiet'] && !options['json']) {
    process.stderr.write(
      `${answered} ${answered === 1 ? 'answer' : 'answers'} in ${((performance.now() - start) / 1000).toFixed(2)} s\n`,
    );
  }
  if (unanswered > 0) throw new UnansweredError(`${unanswered} of ${answered + unanswered} without an answer`, code);
}

/** Prints each answer as it comes; `code` is the exit code of the first error. */
async function print<T>(
  verb: 'rank' | 'det',
  options: Options,
  names: readonly string[] | null,
  answers: AnswerStream<Outcome<T | null>>,
): Promise<{ readonly answered: number; readonly unanswered: number; readonly code: number }> {
  let [answered, unanswered, code] = [0, 0, 0];
  for await (const answer of answers) {
    const name = names?.[answer.index] ?? `${STDIN.name} matrix ${answer.index + 1}`;
    const error = answer.error ?? (answer.outcome.value === null ? new Error('no answer was found') : null);
    if (error === null) {
      answered++;
      const { value, mod } = answer.outcome!;
      const json = () => jsonOf(verb, answer.outcome!, { file: name, [verb]: verb === 'det' ? `${value}` : value });
      await writeOut(options['json'] ? json() : `${value}\t${mod}\t${printableName(name)}\n`);
      if (answer.outcome!.kind === 'oneSided' && !options['quiet'])
        process.stderr.write(`${verb}: ${printableName(name)} mod ${mod}: ${claimOf(answer.outcome!)}\n`);
      continue;
    }
    unanswered++;
    const failed = (await import('./exit-codes.js')).exitCode(error, verb);
    if (code === 0) code = failed.code;
    await tell(verb, options, name, answer, failed.line);
  }
  return { answered, unanswered, code };
}

async function tell(
  verb: string,
  options: Options,
  file: string,
  { mod }: Answered<unknown>,
  line: string,
): Promise<void> {
  const name = printableName(file);
  const what = line.replace(/^<input>/, () => name);
  const message = what.startsWith(name) ? what : `${name}: ${what}`;
  if (options['json'])
    await writeOut(`${JSON.stringify({ schema: 1, command: verb, file, mod: mod && `${mod}`, error: message })}\n`);
  else process.stderr.write(`${verb}: ${message}\n`);
}

/** The files; null for matrices in a row on standard input. */
function sources(words: readonly string[], options: Options): readonly string[] | null {
  const isStream = words.length === 0 || (words.length === 1 && words[0] === '-');
  if (options['many'] === true && !isStream)
    throw new UsageError(`--many: expected standard input alone, got ${words.map(printableName).join(' ')}`);
  if (isStream) return null;
  if (words.includes('-')) throw new UsageError('expected files, or - alone');
  if (options['mod'] === undefined) throw new UsageError('expected a prime modulus behind several files: -p P');
  return words;
}

function manyOptions(options: Options) {
  const mod = options['mod'] as string | undefined;
  if (mod === undefined) throw new UsageError('expected a prime modulus: -p P, or several: -p 2,3,65521');
  const jobs = options['jobs'] as string | undefined;
  if (jobs !== undefined && !(/^[1-9]\d*$/.test(jobs) && Number(jobs) <= MAX_THREADS))
    throw new UsageError(`--jobs: expected an integer from 1 to ${MAX_THREADS}, got ${jobs}`);
  const { tuning: _, ...way } = runOptions(options); // choices of tune are about one matrix
  const { format: inputFormat, ...reading } = readingOptions(options);
  return {
    mod: mod.split(','),
    threads: jobs === undefined ? undefined : Number(jobs),
    device: options['device'] as RanksOptions['device'],
    seed: options['seed'] as string | undefined,
    transfer: true,
    signal: undefined as QuestionOptions['signal'],
    ...way,
    inputFormat,
    ...reading,
  };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
