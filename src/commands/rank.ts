/** `wiedemann rank [FILE|-] -p P`: the rank alone on stdout, what is proved about it on stderr. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
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
  const maxMemory = bytesOf(options['maxMemory'] as string | undefined);
  const path = options['certificate'] as string | undefined;
  const certificate = path !== undefined;
  const outcome = await interruptible(options, (engine, watched) =>
    engine.rank(input, { ...asked, ...watched, block, formula, method, atLeast, maxMemory, certificate }),
  );
  const rank = outcome.value;
  if (path !== undefined) writeWhole(path, outcome.certificate!);
  if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
  print(options, () => jsonOf('rank', outcome, { rank }), `${rank}`, summaryOf(`rank ${rank}`, outcome));
}

/** '2G', '500M', '64K' or a number of bytes. */
function bytesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+)([KMG]?)$/i.exec(text);
  if (!match) throw new UsageError(`--max-memory: expected bytes, such as 500M or 2G, got ${text}`);
  return Number(match[1]) * 1024 ** ' KMG'.indexOf((match[2] || ' ').toUpperCase());
}

function rankAskedFor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--at-least: expected a rank, got ${text}`);
  return Number(text);
}

/** The file has all of the text, or is as it was. */
function writeWhole(path: string, text: string): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, text);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new UsageError(`--certificate ${path}: ${(error as Error).message}`);
  }
}
