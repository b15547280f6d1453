/** The verbs' common arguments: the matrix's file, the modulus, and the options of a question. */
import { fstatSync } from 'node:fs';
import type { Command } from 'commander';
import { WORDS } from '../../kernels/residues/words.js';
import { FORMAT_NAMES } from '../../kernels/sparse/formats/index.js';
import { FormatError } from '../io/format-error.js';
import { INPUT_FORMATS, inputFormatOf } from '../io/input-format.js';
import type { ReadOptions } from '../io/read-matrix.js';
import type { Input } from '../questions/input.js';
import type { CheckpointOption, GpuOptions, QuestionOptions, Storage } from '../questions/options.js';
import { byteCount } from './byte-count.js';
import { UsageError } from './usage-error.js';

export type Options = Readonly<Record<string, unknown>>;

/** The help of --seed. */
export const SEED = 'where all randomness comes from (default: fresh)';

/** The help of -p for most verbs. */
export const PRIME = 'the prime modulus, of any size';

/** The same where block Wiedemann alone is meant. */
export const WORD_PRIME = 'the prime modulus, below 2^31';

/** The help of --max-memory. */
export const MAX_MEMORY = 'refuse what would take more, the matrix included: 500M, 2G or 2GiB (of 1024), 2GB (of 1000)';

/** The help of --storage. */
const STORAGE = `how products store the matrix: auto, ${FORMAT_NAMES.join(', ')}`;

/** The help of --input-format. */
export const INPUT_FORMAT = `${INPUT_FORMATS.join(', ')}: by content, but for CADO-NFS and gbla`;

/** The help of --words. */
const WORD_NAMES = `numbers that products on threads are made in: auto, ${WORDS.join(', ')}`;

/** The help of --unterminated. */
export const UNTERMINATED = 'take an SMS file without 0 0 0 at its end as it is, instead of for cut off';

/** The help of a matrix. */
const FILE = 'SMS, MatrixMarket or npz, plain, gzip or zstd; - or nothing reads standard input';

/** `modulus` is the verb's help of -p. */
export function addReadingOptions(command: Command, modulus: string): Command {
  return addStorage(addInputOptions(addFile(command), modulus));
}

function addStorage(command: Command): Command {
  return command.option('--storage <name>', STORAGE, 'auto');
}

export function addFile(command: Command): Command {
  return command.argument('[file]', FILE).argument('[p]', 'the prime, unless -p gives it');
}

/** Of verbs that answer about several matrices: files behind the first one, or the prime, unless -p gives it. */
function addFiles(command: Command): Command {
  return command
    .argument('[file]', FILE)
    .argument('[more...]', 'the prime, or with -p further files, an answer a line')
    .option('--many', 'SMS after SMS on standard input, an answer a line: ANSWER, MODULUS and NAME between tabs')
    .option('--jobs <n>', 'threads that take a matrix each, of several (default: one a core)');
}

export function addInputOptions(command: Command, modulus: string): Command {
  return command
    .option('-p, --mod <p>', modulus)
    .option('--input-format <name>', INPUT_FORMAT, 'auto')
    .option('--unterminated', UNTERMINATED)
    .option('--max-memory <bytes>', MAX_MEMORY)
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'no progress and no summary on stderr')
    .option('--no-color', 'plain text on stderr');
}

/** Of verbs whose sequence several GPUs share. */
export function addGpus(command: Command): Command {
  return addGpuMemory(
    command.option('--gpus <n>', 'GPUs that share the sequence, a process each; implies --device gpu'),
  );
}

/** The help of --gpus where each has some rows of the matrix. */
const ROWS_BY_GPU = 'GPUs that have some rows of the matrix each, in a process; implies --device gpu --method lanczos';

export function addGpusByRows(command: Command, or = ''): Command {
  return addGpuMemory(command.option('--gpus <n>', `${ROWS_BY_GPU}${or}`));
}

function addGpuMemory(command: Command): Command {
  return command.option(
    '--max-gpu-memory <bytes>',
    'what buffers may take on a GPU: 500M, 2G; beyond it block Wiedemann reads a matrix in pieces, and with --gpus rank, solve and nullspace cut rows',
  );
}

export function addDeviceOptions(command: Command, devices = 'auto, cpu, gpu or reference'): Command {
  return command
    .option('--device <name>', devices, 'auto')
    .option('--threads <n>', 'compute threads (default: as many as the work pays for, at most one a core)');
}

function addRunOptions(command: Command): Command {
  return addDeviceOptions(command).option('--seed <integer>', SEED);
}

/** Of verbs whose answers are vectors, each of which is checked: there is nothing to verify behind them. */
export function addVectorOptions(command: Command, modulus = PRIME): Command {
  return addRunOptions(addInputOptions(command, modulus)).option('--output <file>', 'where to write the answer, whole');
}

/** The same for a verb of one matrix. */
export function addKernelOptions(command: Command): Command {
  return addVectorOptions(addFile(command));
}

export function addQuestionOptions(command: Command, modulus = PRIME): Command {
  return addVerification(addReadingOptions(command, modulus));
}

/** The same for a verb that answers about several matrices, and modulo several primes. */
export function addManyOptions(command: Command): Command {
  return addVerification(
    addStorage(addInputOptions(addFiles(command), 'the prime modulus, several (2,3,5), or 0 for Q')),
  );
}

/** Of verbs whose runs may be kept. */
export function addRunFolder(command: Command): Command {
  return command
    .option('--run <dir>', 'keep the run there: after any end the same command goes on')
    .option('--checkpoint-interval <s>', 'seconds between two checkpoints of --run (default: 60)');
}

function addVerification(command: Command): Command {
  return addRunOptions(command)
    .option('--words <name>', WORD_NAMES, 'auto')
    .option('--reorder <name>', 'rows and columns in another order for block Wiedemann: none or rcm', 'none')
    .option('--no-verify', 'skip the verification pass: the answer is then a proved lower bound only')
    .option('--no-tune', 'use no choice of storage and threads that `wiedemann tune` has kept');
}

/** commander's action arguments, (file, mod, options, command), as (positional words, options). */
export function parseWords(given: readonly unknown[]): [words: string[], options: Record<string, unknown>] {
  const command = given.at(-1) as Command;
  return [command.args, command.opts()];
}

/** The file of a verb's words, null for standard input, and the modulus, undefined if there is none. */
export function fileAndModulus(words: readonly string[], options: Options): { file: string | null; mod?: string } {
  if (words.length > 2) throw new UsageError(`expected FILE and P, got ${words.length} words: ${words.join(' ')}`);
  const given = options['mod'] as string | undefined;
  const [first, second] = words;
  if (second !== undefined && given !== undefined && second !== given) {
    throw new UsageError(`expected one modulus, got ${second} and -p ${given}`);
  }
  const mod = given ?? second;
  const file = first === undefined || first === '-' ? null : first;
  return mod === undefined ? { file } : { file, mod };
}

/** Standard input as chunks; a terminal there means that a file was forgotten. Node takes a directory for empty. */
export function standardInput(): AsyncIterable<Uint8Array> {
  if (process.stdin.isTTY) throw new UsageError('expected a FILE, or a matrix on standard input');
  if (fstatSync(STDIN.fd).isDirectory()) throw new FormatError(STDIN.name, 0, 'a readable file', 'a directory');
  return process.stdin;
}

export function question(
  words: readonly string[],
  options: Options,
): { input: Input; asked: Omit<QuestionOptions, 'verify' | 'storage' | 'words' | 'reorder' | 'tuning'> } {
  const { file, mod } = fileAndModulus(words, options);
  if (mod === undefined) throw new UsageError('expected a prime modulus: -p P');
  const threads = options['threads'] as string | undefined;
  if (threads !== undefined && !/^\d+$/.test(threads)) {
    throw new UsageError(`--threads: expected an integer from 1 on, got ${threads}`);
  }
  const { format: inputFormat, ...reading } = readingOptions(options);
  return {
    input: file ?? standardInput(),
    asked: {
      mod,
      name: file ?? STDIN.name,
      device: options['device'] as NonNullable<QuestionOptions['device']>,
      threads: threads === undefined ? undefined : Number(threads),
      seed: options['seed'] as string | undefined,
      inputFormat,
      ...reading,
    },
  };
}

/** The options of questions that solve and nullspace have not. */
export function runOptions(
  options: Options,
): Pick<QuestionOptions, 'verify' | 'storage' | 'words' | 'reorder' | 'tuning'> {
  const { verify, storage, tune: tuning } = options as { verify: boolean; storage: Storage; tune: boolean };
  const named = { words: options['words'], reorder: options['reorder'] } as Pick<QuestionOptions, 'words' | 'reorder'>;
  return { verify, storage, ...named, tuning };
}

/** The N of --gpus, and the bytes of each. */
export function gpuOptions(options: Options): GpuOptions {
  const gpus = countOption('--gpus', options['gpus'] as string | undefined);
  const maxGpuMemory = byteCount('--max-gpu-memory', options['maxGpuMemory'] as string | undefined);
  return { gpus, maxGpuMemory };
}

/** The file of standard input, for messages and for comparison. */
export const STDIN = { name: '<stdin>', fd: 0 };

/** The options of the reader. */
export function readingOptions(options: Options): Pick<ReadOptions, 'format' | 'maxMemory' | 'unterminated'> {
  const maxMemory = byteCount('--max-memory', options['maxMemory'] as string | undefined);
  return {
    format: inputFormatOf('--input-format', options['inputFormat']),
    maxMemory,
    unterminated: options['unterminated'] === true,
  };
}

/** '8' → 8, '16x8' → [16, 8]. */
export function blockSize(text: string | undefined): number | readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+)(?:x(\d+))?$/.exec(text);
  if (!match) throw new UsageError(`--block: expected n or mxn, such as 8 or 16x8, got ${text}`);
  return match[2] === undefined ? Number(match[1]) : [Number(match[1]), Number(match[2])];
}

/** A number of things, from 0 on. */
export function countOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`${name}: expected an integer in decimal digits, got ${text}`);
  return Number(text);
}

/** The folder of --run, and the seconds of --checkpoint-interval. */
export function keptRun(options: Options): Pick<CheckpointOption, 'directory' | 'interval'> | undefined {
  const directory = options['run'] as string | undefined;
  const interval = checkpointInterval(options);
  if (interval !== undefined && directory === undefined)
    throw new UsageError('--checkpoint-interval: expected --run DIR');
  return directory === undefined ? undefined : { directory, interval };
}

/** A number of things that need not be whole, from 0 on. */
export function numberOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`${name}: expected a number in decimal digits, got ${text}`);
  return Number(text);
}

/** The seconds of --checkpoint-interval. */
export function checkpointInterval(options: Options): number | undefined {
  const text = options['checkpointInterval'] as string | undefined;
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--checkpoint-interval: expected seconds, got ${text}`);
  return Number(text);
}

/** The R of --at-least. */
export function rankOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--at-least: expected a rank, got ${text}`);
  return Number(text);
}
