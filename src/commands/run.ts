/**
 * `wiedemann run plan FILE -p P [--parts N] -o DIR`, then `run krylov DIR --part I`, `run generator DIR` and
 * `run verify DIR`: a run of many processes, which needs nothing but its folder and the matrix.
 *
 * plan prints the other commands, verify the rank; the others say on stderr what is done.
 */
import { resolve } from 'node:path';
import { finishRun, type KeptPlan, readPlan, runStage, type StageRun } from '../clusters/kept-plan.js';
import { shellCommand } from '../clusters/shell-words.js';
import type { QuestionOptions } from '../questions/options.js';
import type { PricedPlan } from '../questions/plan.js';
import type { StageData } from '../questions/stage.js';
import { interruptible, jsonOf, print, summaryOf, warningLines } from './answering.js';
import {
  blockSize,
  checkpointInterval,
  countOption,
  numberOption,
  type Options,
  question,
  rankOption,
  readingOptions,
} from './arguments.js';
import { proposeParts } from './proposed-parts.js';
import { clock, readRates, sizeText } from './rates-file.js';
import { UsageError } from './usage-error.js';

export async function plan(words: readonly string[], options: Options): Promise<void> {
  const planned = await planRun(words, options, 'parts');
  const { answer, directory } = planned;
  const commands = [...stagesOf(answer.parts), ['generator', directory], ['verify', directory]].map((stage) =>
    typeof stage === 'number' ? ['krylov', directory, '--part', `${stage}`] : stage,
  );
  const text = commands.map((stage) => shellCommand(['wiedemann', 'run', ...stage])).join('\n');
  await print(options, () => json('run plan', planned), text, planSummary(planned));
}

export interface PlannedRun {
  readonly answer: StageData;
  readonly plan: PricedPlan | null; // by the rates that are given, or that the number of parts rests on
  readonly why: string | null; // of the number of parts, where none was asked for
  readonly directory: string;
  readonly file: string;
  readonly verify: boolean;
}

/** Plans the run that the command line describes; `parts` is the name of the option that says in how many. */
export async function planRun(
  words: readonly string[],
  options: Options,
  parts: 'parts' | 'tasks',
  on: Pick<QuestionOptions, 'threads'> = {},
): Promise<PlannedRun> {
  const { input, asked } = question(words, options);
  if (typeof input !== 'string') throw new UsageError('expected a FILE, which every stage reads again');
  const directory = options['output'] as string | undefined;
  if (directory === undefined) throw new UsageError('expected a folder for the run: -o DIR');
  const count = countOption(`--${parts}`, options[parts] as string | undefined);
  const file = resolve(input);
  const verify = options['verify'] as boolean;
  const rank = countOption('--rank', options['rank'] as string | undefined) ?? null;
  const ratesFile = options['rates'] as string | undefined;
  const given = ratesFile === undefined ? undefined : readRates(ratesFile);
  const budget = numberOption('--budget', options['budget'] as string | undefined);
  if (budget !== undefined && (count !== undefined || given !== undefined))
    throw new UsageError(`--budget: expected neither --${parts} nor --rates, with which nothing is measured`);
  const block = blockSize(options['block'] as string | undefined);
  const { answer, plan, why } = await interruptible(options, async (engine, watched) => {
    const { seed: _, ...sizes } = asked;
    const about = { ...sizes, ...watched, rank: rank ?? undefined, block, budget };
    const proposed =
      count === undefined
        ? await proposeParts(engine, input, { ...about, rates: given, device: given?.device, ...on })
        : null;
    const rates = proposed?.rates ?? given;
    const answer = await engine.stage(input, {
      ...asked,
      ...watched,
      verify,
      block,
      atLeast: rankOption(options['atLeast'] as string | undefined),
      checkpoint: { directory },
      stage: { kind: 'plan', parts: proposed?.parts ?? count!, rank, file },
    });
    const why = proposed?.why ?? null;
    if (rates === undefined) return { answer, plan: null, why };
    const { rows, cols, nnz, mod } = answer;
    const own = { mod, rates, device: rates.device, block: answer.block, rank: rank ?? undefined };
    const planned = await engine.plan({ rows, cols, nnz }, { ...own, devices: [answer.parts] });
    return { answer, plan: planned.plans[0]!, why };
  });
  return { answer, plan, why, directory, file, verify };
}

export function planSummary({ answer, plan, why, directory }: PlannedRun): string {
  const { rows, cols, mod, block, parts, blocks, seed } = answer;
  const [m, n] = block;
  const each = `${n / parts < 1 ? 1 : Math.round(n / parts)} of ${n} columns, ${m} rows, ${blocks} blocks each`;
  const line = `run in ${parts} parts of ${rows} x ${cols} mod ${mod} in ${directory}   ${each}   seed ${seed}\n${why === null ? '' : `${why}\n`}`;
  if (plan === null) return line;
  const times = Object.entries(plan.stages ?? { run: plan.seconds.total }).map(
    ([stage, seconds]) => `${stage} ${clock(seconds)}`,
  );
  const { host, part, disk } = plan.bytes;
  const memory = `${part === null ? '' : `${sizeText(part)} of memory a part, `}${sizeText(host)} the generator`;
  return `${line}by these rates: ${times.join(', ')}; ${memory}, ${sizeText(disk)} in the folder\n`;
}

const stagesOf = (parts: number): number[] => Array.from({ length: parts }, (_, part) => part);

export async function krylov(words: readonly string[], options: Options): Promise<void> {
  const part = countOption('--part', options['part'] as string | undefined);
  if (part === undefined) throw new UsageError('expected the number of a part: --part I');
  const { answer } = await stage(words, options, { kind: 'krylov', part });
  await done(options, 'run krylov', `part ${part} of ${answer.parts}`, answer);
}

export async function generator(words: readonly string[], options: Options): Promise<void> {
  const { answer } = await stage(words, options, { kind: 'generator' });
  await done(options, 'run generator', 'generator', answer);
}

async function stage(words: readonly string[], options: Options, what: Parameters<typeof runStage>[2]) {
  const { plan, run } = await planned(words, options);
  const ask = (engine: Parameters<typeof runStage>[0], watched: Watched, stop: AbortSignal) =>
    runStage(engine, plan, what, { ...run, ...watched, stop });
  return { plan, answer: await interruptible(options, ask, true) };
}

export async function verify(words: readonly string[], options: Options): Promise<void> {
  const { plan, run } = await planned(words, options);
  const outcome = await interruptible(
    options,
    (engine, watched, stop) => finishRun(engine, plan, { ...run, ...watched, stop }),
    true,
  );
  const rank = outcome.value;
  if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
  await print(options, () => jsonOf('run verify', outcome, { rank }), `${rank}`, summaryOf(`rank ${rank}`, outcome));
}

type Watched = Pick<QuestionOptions, 'signal' | 'onProgress'>;

async function planned(words: readonly string[], options: Options): Promise<{ plan: KeptPlan; run: StageRun }> {
  const [directory, file] = words;
  if (directory === undefined || words.length > 2) throw new UsageError('expected DIR, and FILE where it has moved');
  const threads = countOption('--threads', options['threads'] as string | undefined);
  const device = options['device'] as NonNullable<StageRun['device']>;
  const interval = checkpointInterval(options);
  const { maxMemory, unterminated } = readingOptions(options);
  return { plan: await readPlan(directory), run: { file, device, threads, interval, maxMemory, unterminated } };
}

async function done(options: Options, command: string, what: string, answer: StageData): Promise<void> {
  const { rows, cols, mod, blocks, device, adapter, threads, explanation, warnings, seconds } = answer;
  if (options['explain']) process.stderr.write(explanation.map((line) => `${line}\n`).join(''));
  const host = device === 'reference' ? 'the reference executor' : `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const where = adapter === null ? host : `${adapter} and ${host}`;
  const time = `${seconds['total']!.toFixed(2)} s on ${where}`;
  const line = `${what} of ${rows} x ${cols} mod ${mod} done   ${blocks} blocks   ${time}`;
  const summary = `${line}\n${warningLines(warnings)}`;
  if (options['json']) await print(options, () => json(command, { answer, plan: null, why: null }), '', summary);
  else if (!options['quiet']) process.stderr.write(summary);
}

export function json(command: string, { answer, plan, why }: Pick<PlannedRun, 'answer' | 'plan' | 'why'>): string {
  const { mod, seed, ...own } = answer;
  const planned = { ...(plan === null ? {} : { plan }), ...(why === null ? {} : { why }) };
  return `${JSON.stringify({ schema: 1, command, ...own, mod: `${mod}`, seed: `${seed}`, ...planned })}\n`;
}
