/** The answer to a question about a kernel, with the vectors in its value where nobody else takes them. */
import { VectorCollector } from '../questions/kernel-vectors.js';
import type { NullspaceOptions } from '../questions/options.js';
import { type NullspaceOutcome, toOutcome } from '../questions/outcome.js';
import type { AnyOutcome } from '../questions/verbs.js';

/** `answer` asks the question with the options it is given. */
export async function collectVectors(
  options: NullspaceOptions,
  answer: (options: NullspaceOptions) => Promise<AnyOutcome>,
): Promise<NullspaceOutcome> {
  // What is no object has no listener: its question is refused.
  if (options?.onVectors !== undefined) return (await answer(options)) as NullspaceOutcome;
  const collector = new VectorCollector();
  const outcome = (await answer({ ...options, onVectors: collector.take })) as NullspaceOutcome;
  const length = options.left === true ? outcome.rows : outcome.cols;
  return toOutcome({ ...outcome, value: collector.toMatrix(outcome.vectors, length) }) as NullspaceOutcome;
}
