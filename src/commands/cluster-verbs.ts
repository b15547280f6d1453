/** The verbs of runs of many processes, as program.ts defines the others. */
import type { Command } from 'commander';
import {
  addDeviceOptions,
  addFile,
  addInputOptions,
  MAX_MEMORY,
  parseWords,
  SEED,
  UNTERMINATED,
  WORD_PRIME,
} from './arguments.js';

const PROPOSED = 'as many as pay, by --rates or rates that are measured here, when absent';

/** A plan of a run in parts. */
function addPlanOptions(command: Command): Command {
  return addInputOptions(addFile(command), WORD_PRIME)
    .requiredOption('-o, --output <dir>', 'the folder of the run, which every process is to see')
    .option('--block <n|mxn>', 'columns of a block, or rows of U x columns; chosen by the parts when absent')
    .option('--rank <r>', 'what the rank is at most, as far as is known: parts are then made as long as that takes')
    .option(
      '--rates <file>',
      'rates of the machines, which `wiedemann plan --save-rates` has written: say what it takes',
    )
    .option('--budget <s>', 'seconds in which rates are measured, where neither they nor a number is given')
    .option('--at-least <r>', 'stop as soon as the rank is proved to be r or more')
    .option('--no-verify', 'skip the verification pass: the answer is then a proved lower bound only')
    .option('--seed <integer>', SEED);
}

/** A stage of a run that is planned. */
function addStageOptions(command: Command): Command {
  return addDeviceOptions(
    command
      .argument('<dir>', 'the folder of the run')
      .argument('[file]', 'the matrix, where it has moved since the plan was made')
      .option('--checkpoint-interval <s>', 'seconds between two checkpoints (default: 60)')
      .option('--unterminated', UNTERMINATED)
      .option('--max-memory <bytes>', MAX_MEMORY)
      .option('--explain', 'say on stderr what was met')
      .option('--json', 'print one JSON object')
      .option('-q, --quiet', 'no progress and no summary on stderr')
      .option('--no-color', 'plain text on stderr'),
  );
}

const PATIENCE = 'seconds that a part may come later than elsewhere before it is made there, too';

function addQueueOptions(command: Command): Command {
  return command
    .option('--redis <url>', 'where Redis is', 'redis://127.0.0.1:6379')
    .option('--name <queue>', 'the name of the queue', 'wiedemann');
}

export const CLUSTER_VERBS: Readonly<Record<string, (command: Command) => Command>> = {
  run: (command) => {
    command.description('make a rank in stages, by as many processes as there are parts');
    addPlanOptions(command.command('plan').description('plan a run in parts; print the commands of its stages'))
      .option('--parts <n>', `the parts that the columns of the sequence are cut into; ${PROPOSED}`)
      .action(async (...given) => (await import('./run.js')).plan(...parseWords(given)));
    addStageOptions(command.command('krylov').description('make a part of the sequence'))
      .requiredOption('--part <i>', 'its number, from 0')
      .action(async (...given) => (await import('./run.js')).krylov(...parseWords(given)));
    addStageOptions(command.command('generator').description('find the generator, once the parts are made')).action(
      async (...given) => (await import('./run.js')).generator(...parseWords(given)),
    );
    addStageOptions(command.command('verify').description('verify it and print the rank')).action(async (...given) =>
      (await import('./run.js')).verify(...parseWords(given)),
    );
    return command;
  },
  slurm: (command) => {
    command.description('write the scripts with which Slurm makes a rank');
    addPlanOptions(
      command
        .command('plan')
        .description('plan a run in parts, and write its scripts; print the one that submits them'),
    )
      .option('--tasks <n>', `parts, a task of the array each; ${PROPOSED}`)
      .option('--gpus-per-task <n>', '1: a GPU for each task that has something to do for it; none when absent')
      .option('--cpus-per-task <n>', 'cores that a task asks for, and threads that it takes')
      .option('--time <t>', 'time limit of a job, as sbatch takes it: what is not done by then goes on')
      .option('--patience <s>', `${PATIENCE}; never: by nobody but \`slurm again\``, '300')
      .action(async (...given) => (await import('./slurm.js')).plan(...parseWords(given)));
    command
      .command('again')
      .description('submit the parts that are late, or that no job makes, once more; print the numbers of their jobs')
      .argument('<dir>', 'the folder of the run, as `slurm plan` was told')
      .option('--patience <s>', PATIENCE, '300')
      .option('--unattended', 'as a job asks when its part is made: late parts alone, each once, and a later look')
      .option('--json', 'print one JSON object')
      .option('-q, --quiet', 'nothing on stderr')
      .action(async (...given) => (await import('./slurm.js')).again(...parseWords(given)));
    return command;
  },
  queue: (command) => {
    command.description('make a rank through a queue of BullMQ on Redis');
    addQueueOptions(command.command('submit').description('queue the stages of a planned run, and print its rank'))
      .argument('<dir>', 'the folder of the run, which every worker is to see, but with --upload')
      .option('--upload', 'put the run and its matrix into Redis: workers need not see them')
      .option('--no-wait', 'do not wait for the rank')
      .option('--json', 'print one JSON object')
      .action(async (...given) => (await import('./queue.js')).submit(...parseWords(given)));
    addDeviceOptions(addQueueOptions(command.command('worker').description('take stages until a signal comes')))
      .option('--lost-after <s>', 'seconds of silence after which others take a job (default: 30)')
      .option('--checkpoint-interval <s>', 'seconds between two checkpoints (default: 60)')
      .option('--max-memory <bytes>', MAX_MEMORY)
      .option('-q, --quiet', 'no lines about stages on stderr')
      .action(async (...given) => (await import('./queue.js')).worker(...parseWords(given)));
    return command;
  },
};
