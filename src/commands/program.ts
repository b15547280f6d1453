/**
 * The verbs and their options. Each verb is a file beside this one, loaded when it is called, so that `--version` and a
 * usage error cost nothing.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { printable } from '../../kernels/errors/excerpt.js';
import { hasStuckThread } from '../engine/thread.node.js';
import {
  addDeviceOptions,
  addFile,
  addGpus,
  addGpusByRows,
  addInputOptions,
  addKernelOptions,
  addManyOptions,
  addQuestionOptions,
  addReadingOptions,
  addRunFolder,
  addVectorOptions,
  INPUT_FORMAT,
  MAX_MEMORY,
  PRIME,
  parseWords,
  UNTERMINATED,
  WORD_PRIME,
} from './arguments.js';
import { CLUSTER_VERBS } from './cluster-verbs.js';
import { whatFailed } from './system-error.js';
import { InterruptedError, USAGE, WRITE_FAILED } from './usage-error.js';

/** Where the build leaves the page, below the package's own folder. */
const PAGE = 'dist/page/';
const SELF_CHECKS = 'block Wiedemann checks its steps for errors of memory, as with --run';

/** One line a verb. */
const VERBS: Readonly<Record<string, (command: Command, packageFile: URL) => Command>> = {
  rank: (command) =>
    addRunFolder(addGpus(addManyOptions(command.description('print the rank of a sparse matrix mod p, or of several'))))
      .option('--block <n|mxn>', 'columns of a block, or rows of U x columns; chosen by cost when absent')
      .option('--method <name>', 'auto, elimination, hybrid or wiedemann', 'auto')
      .option('--at-least <r>', 'stop as soon as the rank is proved to be r or more')
      .option(
        '--scratch <dir>',
        'where a matrix beyond the memory waits in pieces: block Wiedemann reads them at every step',
      )
      .option('--self-checks', SELF_CHECKS)
      .option('--no-self-checks', 'no checks of block Wiedemann, which a rank makes unasked')
      .option('--explain', 'say on stderr why that method, and what it met')
      .option(
        '--certificate <file>',
        'write a certificate that `wiedemann verify` checks; - for standard output, instead of the rank',
      )
      .option('--formula <name>', 'shifted, or classical: deg - codeg of an interpolated determinant', 'shifted')
      .action(async (...given) => (await import('./rank.js')).run(...parseWords(given))),
  minpoly: (command) =>
    addRunFolder(
      addGpus(
        addQuestionOptions(
          command.description('print the minimal polynomial of a square matrix mod p, constant term first'),
        ),
      ),
    )
      .option('--format <name>', 'coeffs, latex, pari, sage, magma or json', 'coeffs')
      .option('--degree', 'print its degree alone')
      .option('--self-checks', SELF_CHECKS)
      .option('--explain', 'say on stderr what was met')
      .action(async (...given) => (await import('./minpoly.js')).run(...parseWords(given))),
  det: (command) =>
    addRunFolder(
      addGpus(
        addManyOptions(command.description('print the determinant of a square matrix mod p or over Z, or of several')),
      ),
    )
      .option('--method <name>', 'auto, elimination, hybrid or wiedemann', 'auto')
      .option('--certain', 'with -p 0: prove it, up to the bound of Hadamard')
      .option('--self-checks', SELF_CHECKS)
      .option('--explain', 'say on stderr why that method, and what it met')
      .action(async (...given) => (await import('./det.js')).run(...parseWords(given))),
  solve: (command) =>
    addRunFolder(
      addGpusByRows(
        addVectorOptions(
          command
            .description('print a solution X of A X = B mod p, or that there is none')
            .argument('<a>', 'the matrix A, as for rank; - reads standard input')
            .argument('[b]', 'B, the same or lines of numbers, a row a line; - or nothing reads standard input')
            .argument('[p]', 'the prime, unless -p gives it'),
          `${PRIME}; 0 for a system over Q`,
        ),
        ', or that share the sequence of hybrid or wiedemann',
      ),
    )
      .option('--format <name>', 'sms, mm, lines, pari, sage, magma or json; without it the form of B')
      .option('--coordinates <list>', 'over Q: those wanted of each solution, from 1 on, such as 1,5')
      .option('--random', 'print a uniformly random one of all solutions')
      .option('--inconsistency <file>', 'where to write u with uA = 0, ub not 0, if a column b has none; - prints it')
      .option(
        '--method <name>',
        'auto, elimination, hybrid, wiedemann, lanczos or block-lu; over Q lifting or numeric',
        'auto',
      )
      .option('--explain', 'say on stderr why that method, and what it met')
      .action(async (...given) => (await import('./solve.js')).run(...parseWords(given))),
  nullspace: (command) =>
    addRunFolder(
      addGpusByRows(
        addKernelOptions(
          command.description('print a basis of the kernel of a matrix mod p, as the rows of an SMS matrix'),
        ),
      ),
    )
      .option('--format <name>', 'sms, pari, sage, magma or json', 'sms')
      .option('--left', 'of the left kernel: y with yA = 0')
      .option('--vectors <k>', 'print k random vectors of it instead')
      .option('--method <name>', 'auto, elimination or lanczos', 'auto')
      .option('--explain', 'say on stderr what was met')
      .action(async (...given) => (await import('./nullspace.js')).run(...parseWords(given))),
  verify: (command) =>
    command
      .description('check a rank certificate against the matrix it is about')
      .argument('<certificate>', 'what rank --certificate wrote; - reads standard input')
      .argument('[file]', 'the matrix, as for rank; - or nothing reads standard input')
      .option('-p, --mod <p>', 'refuse a certificate about another modulus')
      .option('--input-format <name>', INPUT_FORMAT, 'auto')
      .option('--unterminated', UNTERMINATED)
      .option('--max-memory <bytes>', MAX_MEMORY)
      .option('--at-least <r>', 'be content with a certificate that the rank is r or more')
      .option('--json', 'print one JSON object')
      .option('-q, --quiet', 'no summary on stderr')
      .option('--no-color', 'plain text on stderr, as it is anyway')
      .action(async (...given) => (await import('./verify.js')).run(...parseWords(given))),
  status: (command) =>
    command
      .description('print where the run of a folder stands: phase, progress, time left, disk')
      .argument('<dir>', 'the folder of --run')
      .option('--whole', 'read every file, and name those that are damaged')
      .option('--json', 'print one JSON object')
      .action(async (...given) => (await import('./status.js')).run(...parseWords(given))),
  info: (command) =>
    addReadingOptions(
      command.description('print sizes, values, row and column lengths and the plan of a sparse matrix'),
      `${PRIME}; 0 for Q (default: 65521)`,
    ).action(async (...given) => (await import('./info.js')).run(...parseWords(given))),
  spy: (command) =>
    addReadingOptions(
      command.description('draw a sparse matrix: its pattern in braille, or a figure in a file'),
      `${PRIME}, by which entries are +1 or -1; a figure then shows the plan, too`,
    )
      .option('-o, --output <file>', 'OUT.svg or OUT.png: pattern, row fill and histograms')
      .option('--size <wxh>', 'pixels of the pattern, or dots in braille (default: by the terminal)')
      .option('--bare', 'the pattern alone in the file')
      .action(async (...given) => (await import('./spy.js')).run(...parseWords(given))),
  tune: (command) =>
    addInputOptions(
      addFile(command.description('time the products of a matrix: formats, widths and threads')),
      WORD_PRIME,
    )
      .option('--device <name>', 'auto, cpu or gpu', 'auto')
      .option('--threads <n>', 'the most threads (default: one a core)')
      .option('--budget <seconds>', 'for the timing (default: 2 % of the run of rank, up to 10; none below 0.2)')
      .action(async (...given) => (await import('./tune.js')).run(...parseWords(given))),
  plan: (command) =>
    addDeviceOptions(
      addInputOptions(
        addFile(command.description('plan a rank by block Wiedemann: time, memory, disk, network and price')),
        WORD_PRIME,
      ),
      'auto, cpu or gpu',
    )
      .option('--rows <m>', 'rows of a matrix that is not there')
      .option('--cols <n>', 'its columns')
      .option('--nnz <e>', 'its entries')
      .option('--rank <r>', 'the rank, or a bound of it (default: the shorter side)')
      .option('--block <n|mxn>', 'columns of a block, or rows of U x columns; those that runs choose when absent')
      .option('--devices <list>', 'numbers of devices such as this one (default: 1,8,64)')
      .option('--rates <file>', 'rates that --save-rates has written, here or on another machine')
      .option('--save-rates <file>', 'where to write the rates that are measured')
      .option('--budget <seconds>', 'in which rates are measured (default: 12, on a GPU or of several shapes 24)')
      .option('--price-per-hour <x>', 'the price of a device')
      .action(async (...given) => (await import('./plan.js')).run(...parseWords(given))),
  ...CLUSTER_VERBS,
  generate: (command) =>
    command
      .description('write a matrix of a known family as SMS; without a family, list them')
      .argument('[family]')
      .argument('[arguments...]')
      .option('--format <name>', 'sms, matrixmarket, pari, sage, magma or json', 'sms')
      .action(async (...given) => (await import('./generate.js')).run(...parseWords(given))),
  serve: (command, packageFile) =>
    command
      .description('serve the page of all this to a browser of this machine')
      .option('--port <n>', 'its port, 0 for any (default: 8471, or any where that is taken)')
      .action(async (...given) => (await import('./serve.js')).run(...parseWords(given), new URL(PAGE, packageFile))),
};

/** What the others are about. */
const ABOUT: Readonly<Record<string, (command: Command) => Command>> = {
  doctor: (command) =>
    command
      .description('say what this machine gives, measured, and what is missing')
      .option('--json', 'print one JSON object')
      .option('-q, --quiet', 'no progress on stderr')
      .option('--no-color', 'plain text on stderr')
      .action(async (...given) => (await import('./doctor.js')).run(parseWords(given)[1])),
  completion: (command) =>
    command
      .description('print a script that completes words: source <(wiedemann completion bash)')
      .argument('<shell>', 'bash, zsh or fish')
      .action(async () => (await import('./completion.js')).run(command.args, command.parent!)),
  man: (command) =>
    command
      .description('print the manual page: wiedemann man | man -l -')
      .action(async () => (await import('./man.js')).run(command.parent!)),
};

/** The verb on the command line, for messages; the program's own name before there is one. */
function verbGiven(): string {
  const word = process.argv[2];
  return word !== undefined && Object.hasOwn({ ...VERBS, ...ABOUT }, word) ? word : 'wiedemann';
}

/** Runs what the command line asks for; `packageFile` is where --version looks. Sets the exit code, never throws. */
export async function runProgram(packageFile: URL): Promise<void> {
  watchOutputs();
  try {
    await program(packageFile).parseAsync();
  } catch (error) {
    process.exitCode = await report(error);
    // The system does not wait, as Node would, for a thread in a read that never returns.
    if (error instanceof InterruptedError && hasStuckThread()) process.kill(process.pid, error.signal);
  }
}

function program(packageFile: URL): Command {
  const program = new Command('wiedemann');
  // Before the first .command(): commander copies these settings to a subcommand when it is made.
  program
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        const lines = text
          .replace(/^error: /, `${verbGiven()}: `)
          .trim()
          .split('\n');
        write(`${lines.map(printable).join('\n')}\n`);
      },
    })
    .description('Exact sparse linear algebra mod p: rank, minimal polynomial, determinant, systems and kernels.')
    .option('-V, --version', 'print the version')
    .on('option:version', () => {
      const { version } = JSON.parse(readFileSync(packageFile, 'utf8'));
      process.stdout.write(`${version}\n`);
      throw new CommanderError(0, 'commander.version', version);
    });
  for (const [verb, define] of Object.entries({ ...VERBS, ...ABOUT })) define(program.command(verb), packageFile);
  return program;
}

function watchOutputs(): void {
  // A reader that has seen enough (`… | head`) is no error; a full disk is one.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`${verbGiven()}: standard output: ${whatFailed(error)}\n`);
    process.exit(WRITE_FAILED);
  });
  // The answer does not depend on anyone reading the remarks.
  process.stderr.on('error', () => {});
}

/** Prints the one line of an error; returns the exit code. */
async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    // Help on request is an answer; help without a verb, or a message already printed, is a usage error.
    return error.exitCode === 0 && error.code !== 'commander.help' ? 0 : USAGE;
  }
  const { exitCode } = await import('./exit-codes.js');
  const verb = verbGiven();
  const { line, code } = exitCode(error, verb);
  process.stderr.write(`${verb}: ${line}\n`);
  return code;
}
