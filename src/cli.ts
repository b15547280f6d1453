#!/usr/bin/env node
/**
 * The command line: `wiedemann VERB …`. Verbs are one file each in commands/ and loaded when they are called, so that
 * `--version` and a usage error cost nothing.
 *
 * Results go to stdout, everything else to stderr. Exit codes: 0 answered, 1 certificate refused, 2 usage, 65 bad data,
 * 69 device missing, 70 internal, 130 interrupted.
 */
import './commands/ahead.js';
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addQuestionOptions, addReadingOptions } from './commands/arguments.js';
import { INTERNAL, USAGE } from './commands/usage-error.js';

const program = new Command('wiedemann');

// Before the first .command(): commander copies these settings to a subcommand when it is made.
program
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(`${text.replace(/^error: /, `${verbGiven()}: `).trim()}\n`) })
  .description('Exact sparse linear algebra mod p: rank, minimal polynomial and determinant by block Wiedemann.')
  .option('-V, --version', 'print the version')
  .on('option:version', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    process.stdout.write(`${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });

/** One line a verb. */
const VERBS: Readonly<Record<string, (command: Command) => Command>> = {
  rank: (command) =>
    addQuestionOptions(command.description('print the rank of a sparse matrix mod p'))
      .option('--block <n|mxn>', 'columns of a block, or rows of U x columns; chosen by cost when absent')
      .option('--method <name>', 'auto, elimination, hybrid or wiedemann', 'auto')
      .option('--at-least <r>', 'stop as soon as the rank is proved to be r or more')
      .option('--max-memory <bytes>', 'refuse a run that would take more beside the matrix, such as 2G')
      .option('--gpus <n>', 'GPUs that share the sequence, a process each; implies --device gpu --method wiedemann')
      .option('--explain', 'say on stderr why that method, and what it met')
      .option('--certificate <file>', 'write a certificate that `wiedemann verify` checks')
      .option('--formula <name>', 'shifted, or classical: deg - codeg of an interpolated determinant', 'shifted')
      .action(async (...given) => (await import('./commands/rank.js')).run(...parsed(given))),
  minpoly: (command) =>
    addQuestionOptions(
      command.description('print the minimal polynomial of a square matrix mod p, constant term first'),
    )
      .option('--format <name>', 'coeffs (one a line), pari or latex', 'coeffs')
      .action(async (...given) => (await import('./commands/minpoly.js')).run(...parsed(given))),
  det: (command) =>
    addQuestionOptions(command.description('print the determinant of a square matrix mod p')).action(async (...given) =>
      (await import('./commands/det.js')).run(...parsed(given)),
    ),
  verify: (command) =>
    command
      .description('check a rank certificate against the matrix it is about')
      .argument('<certificate>', 'what rank --certificate wrote')
      .argument('[file]', 'the matrix, as for rank; - or nothing reads standard input')
      .option('-p, --mod <p>', 'refuse a certificate about another modulus')
      .option('--at-least <r>', 'be content with a proof that the rank is r or more')
      .option('--json', 'print one JSON object')
      .option('-q, --quiet', 'no summary on stderr')
      .action(async (...given) => (await import('./commands/verify.js')).run(...parsed(given))),
  info: (command) =>
    addReadingOptions(command.description('print sizes, values, row lengths and the plan of a sparse matrix')).action(
      async (...given) => (await import('./commands/info.js')).run(...parsed(given)),
    ),
  generate: (command) =>
    command
      .description('write a matrix of a known family as SMS; without a family, list them')
      .argument('[family]')
      .argument('[arguments...]')
      .option('--format <name>', 'sms or matrixmarket', 'sms')
      .action(async (...given) => (await import('./commands/generate.js')).run(...parsed(given))),
};

/** The verb on the command line, for messages; the program's own name before there is one. */
function verbGiven(): string {
  const word = process.argv[2];
  return word !== undefined && Object.hasOwn(VERBS, word) ? word : 'wiedemann';
}

/** commander's action arguments, (file, mod, options, command), as (positional words, options). */
function parsed(given: readonly unknown[]): [words: string[], options: Record<string, unknown>] {
  const command = given.at(-1) as Command;
  return [command.args, command.opts()];
}

for (const [verb, define] of Object.entries(VERBS)) define(program.command(verb));

// A reader that has seen enough (`… | head`) is no error; a full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`${verbGiven()}: standard output: ${error.message}\n`);
  process.exit(INTERNAL);
});
// The answer does not depend on anyone reading the remarks.
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Help asked for is an answer; help shown because nothing was asked, or a message already printed, is usage.
    process.exitCode = error.exitCode === 0 && error.code !== 'commander.help' ? 0 : USAGE;
  } else {
    const { exitCode } = await import('./commands/exit-codes.js');
    const { line, code } = exitCode(error);
    const verb = verbGiven();
    process.stderr.write(`${verb}: ${line.replace(`${verb}: `, '')}\n`);
    process.exitCode = code;
  }
}
