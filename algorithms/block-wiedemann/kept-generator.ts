/** The generator of an attempt in a store: what comes behind it goes on without its sequence. */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import type { NoGenerator, VectorGenerator } from './generator.js';
import { arraysOf } from './kept-attempt.js';

/** The generator that was kept, or that of `search`, which is then kept; or why there is none. */
export async function keepGenerator(
  checkpoint: Checkpoint | undefined,
  attempt: number,
  search: () => Promise<VectorGenerator | NoGenerator>,
): Promise<VectorGenerator | NoGenerator> {
  if (!checkpoint) return search();
  const name = `${arraysOf(attempt)}-generator`;
  const kept = await checkpoint.recall(name);
  if (kept !== null) {
    const { none, degrees, degree, complete } = kept.fields as unknown as KeptFields;
    return (
      none ?? { degrees: Int32Array.from(degrees), degree, complete, reduced: true, coefficients: wordsOf(kept.bytes) }
    );
  }
  const found = await search();
  if ('reason' in found) await checkpoint.keep(name, { none: found });
  else {
    const { degree, complete, coefficients } = found;
    const fields: KeptFields = { none: null, degrees: Array.from(found.degrees), degree, complete };
    await checkpoint.keep(name, { ...fields }, bytesOf(coefficients));
  }
  return found;
}

interface KeptFields {
  readonly none: NoGenerator | null;
  readonly degrees: readonly number[];
  readonly degree: number;
  readonly complete: boolean;
}
