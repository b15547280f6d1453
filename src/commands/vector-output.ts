/**
 * Where the vectors of an answer go: to a file, whole or not at all, or to standard output, piece by piece.
 *
 * A file that cannot be made is found out before the work.
 */
import { type Options, STDIN } from './arguments.js';
import { writeOut } from './standard-output.js';
import type { WholeFile } from './whole-file.js';

export interface VectorOutput {
  append(text: string): void | Promise<void>;
  /** What was appended is all. */
  finish(): Promise<void>;
  /** Leaves the file as it was. */
  giveUp(): void;
}

const STANDARD_OUTPUT: VectorOutput = { append: writeOut, finish: async () => {}, giveUp: () => {} };

/** The file that `option` names, standard output for '-', null without the option; `inputs` must not be written to. */
export async function vectorOutput(
  option: string,
  path: unknown,
  inputs: Readonly<Record<string, string | number>>,
): Promise<VectorOutput | null> {
  if (path === undefined) return null;
  return path === '-' ? STANDARD_OUTPUT : wholeFile(option, path as string, inputs);
}

/** Only a file to write loads it. */
export async function wholeFile(
  option: string,
  path: string,
  inputs: Readonly<Record<string, string | number>>,
): Promise<WholeFile> {
  const { WholeFile } = await import('./whole-file.js');
  return new WholeFile(option, path, inputs);
}

/** `--output`, or standard output where that is not taken by `--json`. */
export async function answerOutput(
  options: Options,
  inputs: Readonly<Record<string, string | number>>,
): Promise<VectorOutput | null> {
  return (await vectorOutput('--output', options['output'], inputs)) ?? (options['json'] ? null : STANDARD_OUTPUT);
}

/** What a file is compared with: the path of an input, or standard input. */
export function readFrom(input: unknown): string | number {
  return typeof input === 'string' ? input : STDIN.fd;
}
