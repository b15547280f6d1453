/** `wiedemann rank [FILE|-] -p P`: the rank alone on stdout, what is proved about it on stderr. */
import { interruptible, jsonOf, print, summaryOf } from './answering.js';
import { blockSize, type Options, question } from './arguments.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { input, asked } = question(words, options);
  const block = blockSize(options['block'] as string | undefined);
  const formula = options['formula'] as 'shifted' | 'classical';
  const outcome = await interruptible(options, (engine, watched) =>
    engine.rank(input, { ...asked, ...watched, block, formula }),
  );
  const rank = outcome.value;
  print(options, () => jsonOf('rank', outcome, { rank }), `${rank}`, summaryOf(`rank ${rank}`, outcome));
}
