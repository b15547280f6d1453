/**
 * `wiedemann plan FILE -p P` and `wiedemann plan --rows M --cols N --nnz E --rank R -p P`: what a rank by block
 * Wiedemann should take, as a table with a line for each number of devices, and below it what the table rests on.
 */
import type { PlanData, PricedPlan } from '../questions/plan.js';
import { interruptible, print } from './answering.js';
import { blockSize, countOption, numberOption, type Options, question } from './arguments.js';
import { clock, readRates, sizeText } from './rates-file.js';
import { UsageError } from './usage-error.js';
import { WholeFile } from './whole-file.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const sizes = sizesOf(options);
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const file = sizes === null ? undefined : words.find((word) => !/^\d+$/.test(word));
  if (file !== undefined) throw new UsageError(`expected a FILE or its sizes, got both: ${file}`);
  const { input, asked } = sizes === null ? question(words, options) : { input: sizes, ...aboutSizes(words, options) };
  const ratesFile = text('rates');
  const rates = ratesFile === undefined ? undefined : readRates(ratesFile);
  if (rates !== undefined && text('saveRates') !== undefined)
    throw new UsageError('--save-rates: expected rates that are measured here, got --rates');
  if (rates !== undefined && text('budget') !== undefined)
    throw new UsageError('--budget: expected rates that are measured here, got --rates');
  const saved = text('saveRates');
  const out =
    saved === undefined ? null : new WholeFile('--save-rates', saved, inputFiles(sizes === null ? words : []));
  const { seed: _, ...own } = asked;
  const plan = await interruptible(options, (engine, watched) =>
    engine.plan(input, {
      ...own,
      ...watched,
      rank: countOption('--rank', text('rank')),
      block: blockSize(text('block')),
      devices: devicesOf(text('devices')),
      rates,
      budget: numberOption('--budget', text('budget')),
      pricePerHour: numberOption('--price-per-hour', text('pricePerHour')),
    }),
  );
  await out?.write(`${JSON.stringify({ schema: 1, wiedemann: 'rates', ...plan.rates })}\n`);
  await print(options, () => json(plan), tableOf(plan), summary(plan));
}

/** What is asked about sizes: the only word is the prime, and standard input is not read. */
function aboutSizes(words: readonly string[], options: Options) {
  if (words.length > 1) throw new UsageError(`expected P beside sizes, got ${words.length} words: ${words.join(' ')}`);
  if (options['maxMemory'] !== undefined) throw new UsageError('--max-memory: expected a FILE, sizes take none');
  const { asked } = question(['', ...words], options);
  return { asked: { ...asked, name: undefined } };
}

function inputFiles([file]: readonly string[]): Record<string, string> {
  return file === undefined || file === '-' ? {} : { 'the matrix': file };
}

/** Sizes in place of a file; null where there are none. */
function sizesOf(options: Options): { rows: number; cols: number; nnz: number } | null {
  const [rows, cols, nnz] = ['rows', 'cols', 'nnz'].map((name) =>
    countOption(`--${name}`, options[name] as string | undefined),
  );
  if (rows === undefined && cols === undefined && nnz === undefined) return null;
  if (rows === undefined || cols === undefined || nnz === undefined)
    throw new UsageError('expected --rows, --cols and --nnz together, or a FILE');
  return { rows, cols, nnz };
}

function devicesOf(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(,\d+)*$/.test(text)) throw new UsageError(`--devices: expected numbers, such as 1,8,64, got ${text}`);
  return text.split(',').map(Number);
}

function json({ mod, ...plan }: PlanData): string {
  return `${JSON.stringify({ schema: 1, command: 'plan', ...plan, mod: `${mod}` })}\n`;
}

/** A column a device count, a line a quantity. */
function tableOf({ plans, doubts, rates }: PlanData): string {
  const of = (name: string, cell: (plan: PricedPlan) => string): string[] => [name, ...plans.map(cell)];
  const seconds = (phase: keyof PricedPlan['seconds']) => (plan: PricedPlan) => clock(plan.seconds[phase]);
  const bytes = (what: keyof PricedPlan['bytes']) => (plan: PricedPlan) => sizeText(plan.bytes[what]);
  const lines = [
    of('devices', ({ devices }) => `${devices}`),
    of('block', ({ block: [m, n] }) => `${m} x ${n}`),
    of('setup', seconds('setup')),
    of('sequence', seconds('sequence')),
    of('order basis', seconds('sigmaBasis')),
    of('verification', seconds('verification')),
    of('time', seconds('total')),
    of('host memory', bytes('host')),
    ...(plans.every(({ bytes: { part } }) => part === null) ? [] : [of('memory of a part', bytes('part'))]),
    ...(rates.device === 'gpu' ? [of('GPU memory', bytes('gpu'))] : []),
    of('run folder', bytes('disk')),
    of('network', bytes('network')),
    of(
      rates.device === 'gpu' ? 'GPU hours' : 'machine hours',
      ({ deviceHours }) => `${Number(deviceHours.toPrecision(3))}`,
    ),
    ...(plans[0]!.price === null ? [] : [of('price', ({ price }) => price!.toFixed(2))]),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('   '),
  );
  const grounds = new Map<string, number[]>();
  for (const { devices, grounds: all } of plans)
    for (const ground of all) grounds.set(ground, [...(grounds.get(ground) ?? []), devices]);
  const rests = [...grounds].map(([ground, counts]) => `${devicesText(counts)}, ${ground}`);
  const quicker = plans.flatMap(({ devices, quicker: other }) =>
    other === null
      ? []
      : [`${devicesText([devices])}, quicker with --block ${other.block.join('x')}: ${clock(other.seconds.total)}`],
  );
  return [...table, '', ...rests, ...quicker, ...doubts].join('\n');
}

function devicesText(counts: readonly number[]): string {
  return `${counts.join(', ')} ${counts.length === 1 && counts[0] === 1 ? 'device' : 'devices'}`;
}

function summary({ rows, cols, nnz, mod, rank, isBound, method, rates, seconds }: PlanData): string {
  const { device, adapter, threads } = rates;
  const host = `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const where = device === 'gpu' ? `${adapter} and ${host}` : host;
  const what = `rank ${isBound ? 'at most ' : ''}${rank} of ${rows} x ${cols} mod ${mod}, ${nnz} entries`;
  return `plan for ${what}   method ${method}   devices: ${where}   planned in ${seconds['total']!.toFixed(2)} s\n`;
}
