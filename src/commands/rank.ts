/** `wiedemann rank [FILE|-] -p P`: the rank alone on stdout, what is proved about it on stderr. */

import type { Method } from '../options.js';
import { interruptible, jsonOf, print, summaryOf } from './answering.js';
import { blockSize, type Options, question } from './arguments.js';
import { UsageError } from './usage-error.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { input, asked } = question(words, options);
  const block = blockSize(options['block'] as string | undefined);
  const formula = options['formula'] as 'shifted' | 'classical';
  const method = options['method'] as Method;
  const atLeast = rankAskedFor(options['atLeast'] as string | undefined);
  const outcome = await interruptible(options, (engine, watched) =>
    engine.rank(input, { ...asked, ...watched, block, formula, method, atLeast }),
  );
  const rank = outcome.value;
  if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
  print(options, () => jsonOf('rank', outcome, { rank }), `${rank}`, summaryOf(`rank ${rank}`, outcome));
}

function rankAskedFor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--at-least: expected a rank, got ${text}`);
  return Number(text);
}
