/** `wiedemann rank [FILE|-] -p P`: the rank alone on stdout, a line about its proof on stderr; many.ts of several. */
import type { Engine } from '../engine/engine.js';
import type { Method, QuestionOptions } from '../questions/options.js';
import { interruptible, jsonOf, print, summaryOf } from './answering.js';
import { blockSize, gpuOptions, keptRun, type Options, question, rankOption, runOptions } from './arguments.js';
import { asksForMany, runMany } from './many.js';
import { writeOut } from './standard-output.js';
import { NoCertificateError, UsageError } from './usage-error.js';
import { readFrom, wholeFile } from './vector-output.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const way = {
    block: blockSize(options['block'] as string | undefined),
    formula: options['formula'] as 'shifted' | 'classical',
    method: options['method'] as Method,
    atLeast: rankOption(options['atLeast'] as string | undefined),
    selfChecks: options['selfChecks'] as boolean | undefined,
  };
  if (asksForMany(words, options)) {
    await runMany('rank', words, options, (engine, source, shared) => engine.ranks(source, { ...shared, ...way }));
    return;
  }
  const { input, asked } = question(words, options);
  const path = options['certificate'] as string | undefined;
  const alone = path === '-'; // the certificate then has standard output to itself
  if (alone && options['json'])
    throw new UsageError('--certificate -: expected no --json, both would be on standard output');
  const file =
    path === undefined || alone
      ? null
      : await wholeFile('--certificate', path, { 'the matrix itself': readFrom(input) });
  const certificate = path !== undefined;
  const kept = keptRun(options);
  const ask = (engine: Engine, watched: Pick<QuestionOptions, 'signal' | 'onProgress'>, stop: AbortSignal) =>
    engine.rank(input, {
      ...asked,
      ...runOptions(options),
      ...watched,
      ...way,
      certificate,
      ...gpuOptions(options),
      checkpoint: kept && { ...kept, stop },
      scratch: options['scratch'] as string | undefined,
    });
  const outcome = await interruptible(options, ask, kept !== undefined).catch((error: unknown) => {
    file?.giveUp();
    throw error;
  });
  const rank = outcome.value;
  if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
  const summary = summaryOf(`rank ${rank}`, outcome);
  const text = outcome.certificate;
  const printed = alone
    ? printCertificate(options, text ?? '', summary)
    : print(options, () => jsonOf('rank', outcome, { rank }), `${rank}`, summary);
  // The rank stands without its certificate, and the certificate without a reader of the rank.
  if (file !== null && text !== null) await Promise.all([printed, file.write(text)]);
  else await printed;
  if (!certificate || text !== null) return;
  file?.giveUp();
  throw new NoCertificateError(`no certificate: ${outcome.certificateReason}`);
}

async function printCertificate(options: Options, text: string, summary: string): Promise<void> {
  await writeOut(text);
  if (!options['quiet']) process.stderr.write(summary);
}
