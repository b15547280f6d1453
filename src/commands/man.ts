/** `wiedemann man`: the manual page, in roff, made of the verbs and their options. Source of the macros: man(7). */
import type { Command } from 'commander';
import { type ShownVerb, verbsOf } from './command-tree.js';
import { writeOut } from './standard-output.js';
import { EXIT_STATUS } from './usage-error.js';

export async function run(program: Command): Promise<void> {
  await writeOut(page(program));
}

/** A line that begins with a dot or an apostrophe would be a request; hyphens of options are no hyphens of words. */
const roff = (text: string): string => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/gm, '\\&$&');

function page(program: Command): string {
  const verbs = verbsOf(program);
  return [
    `.TH WIEDEMANN 1 "" "wiedemann" "User Commands"`,
    '.SH NAME',
    'wiedemann \\- exact sparse linear algebra modulo primes',
    '.SH SYNOPSIS',
    ...verbs.flatMap(({ name, words }) => [
      `.B wiedemann ${name}`,
      `${roff(words.map(({ term }) => term).join(' '))} [options]`,
      '.br',
    ]),
    '.SH DESCRIPTION',
    roff(program.description()),
    'The answer alone goes to standard output, everything else to standard error.',
    '.SH COMMANDS',
    ...verbs.flatMap(section),
    '.SH EXIT STATUS',
    ...EXIT_STATUS.flatMap(([codes, meaning]) => ['.TP', `.B ${codes}`, roff(meaning)]),
    '.SH FILES',
    '.TP',
    '.I ~/.cache/wiedemann',
    'what tune has chosen; $XDG_CACHE_HOME/wiedemann where that is set',
    '',
  ].join('\n');
}

function section({ name, description, words, options }: ShownVerb): string[] {
  return [
    `.SS ${name}`,
    roff(`${description}.`),
    ...words
      .filter((word) => word.description !== '')
      .flatMap((word) => ['.TP', `.I ${roff(word.term)}`, roff(word.description)]),
    ...options.flatMap(({ short, long, value, description: text }) => [
      '.TP',
      `.B ${roff([short, long].filter(Boolean).join(', '))}${value === null ? '' : ` ${roff(value)}`}`,
      roff(text),
    ]),
  ];
}
