/** `wiedemann det [FILE|-] -p P`: the determinant of a square matrix mod p, or over Z. */
import type { Method } from '../questions/options.js';
import { interruptible, jsonOf, print, summaryOf } from './answering.js';
import { gpuOptions, keptRun, type Options, question, runOptions } from './arguments.js';
import { asksForMany, runMany } from './many.js';
import { UsageError } from './usage-error.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const method = options['method'] as Method;
  const selfChecks = options['selfChecks'] === true;
  if (asksForMany(words, options)) {
    if (options['certain']) throw new UsageError('--certain: expected one matrix, got several');
    await runMany('det', words, options, (engine, source, shared) =>
      engine.dets(source, { ...shared, method, selfChecks }),
    );
    return;
  }
  const { input, asked } = question(words, options);
  const kept = keptRun(options);
  const way = { method, certain: options['certain'] === true, selfChecks };
  const outcome = await interruptible(
    options,
    (engine, watched, stop) =>
      engine.det(input, {
        ...asked,
        ...runOptions(options),
        ...watched,
        ...way,
        ...gpuOptions(options),
        checkpoint: kept && { ...kept, stop },
      }),
    kept !== undefined,
  );
  if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
  // Without a proof nothing is printed: every attempt was unlucky.
  if (outcome.value === null)
    throw new Error(`no determinant was found: ${outcome.kind === 'oneSided' ? outcome.reason : ''}`);
  const det = outcome.value.toString();
  await print(options, () => jsonOf('det', outcome, { det }), det, summaryOf('determinant', outcome));
}
