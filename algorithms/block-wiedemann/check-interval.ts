/** Steps of an interval of a sequence that is checked (sequence-check.ts). */
import type { Executor, Operator } from '../../kernels/executor.js';
import { checkpoints } from './block-shape.js';

/**
 * Estimates, as parts of a step: a product of width w with what is added to it; two dot products, with D and X, a copy
 * and the sum of an interval, which a GPU waits for (test/bench/RESULTS.md#gpu-blocks); and the steps of an interval at
 * most, within which a kept run does not stop.
 *
 * A matrix that is read at every product is what a step waits for: a product of fewer columns takes as long, a mark
 * adds little. Steps are long then, and an interval is to be over before a queue kills what it has told to end.
 */
const ON_THREADS = { product: 0.7, mark: 0.25, most: 100 };
const ON_GPU = { product: 1.2, mark: 1, most: 250 };
const STREAMED = { product: 1, mark: 0.1, most: 25 };

/** Of a sequence of so many blocks, which may end at its later looks (block-shape.ts). */
export function checkInterval(
  { name }: Pick<Executor, 'name'>,
  { isStreamed }: Pick<Operator, 'isStreamed'>,
  length: number,
): number {
  const { product, mark, most } = isStreamed ? STREAMED : name === 'gpu' ? ON_GPU : ON_THREADS;
  const ends = checkpoints(length).filter((look) => 2 * look >= length);
  const beyond = (L: number): number => ends.reduce((sum, end) => sum + L * Math.ceil(end / L) - end, 0) / ends.length;
  const cost = (L: number): number => product * L + (mark * length) / L + beyond(L);
  let best = 1;
  for (let L = 2; L <= most; L++) if (cost(L) < cost(best)) best = L;
  return best;
}
