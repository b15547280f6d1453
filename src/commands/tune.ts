/**
 * `wiedemann tune [FILE|-] -p P`: the products of block Wiedemann, measured on this matrix and this device, as a table;
 * on stderr the options that they speak for.
 */

import { describeSizes } from '../../kernels/sparse/formats/product-sizes.js';
import type { TuneOptions } from '../questions/options.js';
import { lineOfUntried, type Tuned, tableOf } from '../questions/tuned.js';
import { interruptible, print } from './answering.js';
import { type Options, question } from './arguments.js';
import { UsageError } from './usage-error.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { input, asked } = question(words, options);
  const { seed: _, ...own } = asked; // its products are of no random vectors
  const budget = secondsOf(options['budget'] as string | undefined);
  const tuned = await interruptible(options, (engine, watched) =>
    engine.tune(input, { ...own, ...watched, budget } satisfies TuneOptions),
  );
  const table = tuned.products.length === 0 ? [tooShort(tuned)] : tableOf(tuned.products, tuned.residues);
  const untried = lineOfUntried(tuned.untried);
  const lines = untried === null ? table : [...table, untried];
  await print(options, () => json(tuned), lines.join('\n'), tuned.products.length === 0 ? '' : summary(tuned));
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--budget: expected seconds in decimal digits, got ${text}`);
  return Number(text);
}

/** Why nothing was timed. */
function tooShort({ expected }: Tuned): string {
  return `not tuned: the run of rank should take ${expected!.toPrecision(2)} s, too short to be tuned; --budget S tunes for S seconds all the same`;
}

/** Seconds of what was not timed are null. */
function json(tuned: Tuned): string {
  return `${JSON.stringify({ schema: 1, command: 'tune', ...tuned.toJSON() })}\n`;
}

function summary({ rows, cols, transposed, mod, adapter, threads, options, runs, block, ...rest }: Tuned): string {
  const { seconds, warnings, sizes } = rest;
  const where = adapter ?? `up to ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const chosen = [`--storage ${options.storage}`, ...(options.threads ? [`--threads ${options.threads}`] : [])];
  const what = `${transposed ? 'the transpose of ' : ''}${rows} x ${cols} mod ${mod}`;
  const shapes = runs.map((run) => `${run.block.join('x')} ${run.seconds.toPrecision(3)} s`).join(', ');
  const byShape = runs.length > 1 ? [`--block ${block.join('x')} for rank, of runs by block Wiedemann: ${shapes}`] : [];
  const others = describeSizes(sizes);
  const bySizes = others.length > 0 ? [`${others.join(', ')} for rank, minpoly and det, with the kept choice`] : [];
  const line = `${chosen.join(' ')} for ${what}   ${seconds['total']!.toFixed(2)} s on ${where}`;
  return [line, ...bySizes, ...byShape, ...warnings.map((warning) => `warning: ${warning}`)]
    .map((text) => `${text}\n`)
    .join('');
}
