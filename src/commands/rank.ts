/** `wiedemann rank [FILE|-] -p P`: the rank alone on stdout, what is proved about it on stderr. */
import { EngineError } from '../errors.js';
import type { Method } from '../options.js';
import { interruptible, jsonOf, print, summaryOf } from './answering.js';
import { blockSize, type Options, question, rankAskedFor } from './arguments.js';
import { UsageError } from './usage-error.js';
import { WholeFile } from './whole-file.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { input, asked } = question(words, options);
  const block = blockSize(options['block'] as string | undefined);
  const formula = options['formula'] as 'shifted' | 'classical';
  const method = options['method'] as Method;
  const atLeast = rankAskedFor(options['atLeast'] as string | undefined);
  const maxMemory = bytesOf(options['maxMemory'] as string | undefined);
  const gpus = gpuCount(options['gpus'] as string | undefined);
  const path = options['certificate'] as string | undefined;
  const file = path === undefined ? null : new WholeFile('--certificate', path);
  const certificate = file !== null;
  const outcome = await interruptible(options, (engine, watched) =>
    engine.rank(input, { ...asked, ...watched, block, formula, method, atLeast, maxMemory, certificate, gpus }),
  ).catch((error: unknown) => {
    file?.giveUp();
    throw error;
  });
  const rank = outcome.value;
  if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
  print(options, () => jsonOf('rank', outcome, { rank }), `${rank}`, summaryOf(`rank ${rank}`, outcome));
  if (file === null) return;
  // The rank stands whatever becomes of its certificate.
  if (outcome.certificate !== null) file.write(outcome.certificate);
  else {
    file.giveUp();
    throw new EngineError(`no certificate: ${outcome.certificateReason}`);
  }
}

function gpuCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--gpus: expected a number, got ${text}`);
  return Number(text);
}

/** '2G', '500M', '64K' or a number of bytes. */
function bytesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+)([KMG]?)$/i.exec(text);
  if (!match) throw new UsageError(`--max-memory: expected bytes, such as 500M or 2G, got ${text}`);
  return Number(match[1]) * 1024 ** ' KMG'.indexOf((match[2] || ' ').toUpperCase());
}
