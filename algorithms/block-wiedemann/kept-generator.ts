/** The generator of an attempt in a store: what comes behind it goes on without its sequence. */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import type { Sealed } from '../checkpoint/sealed.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import type { NoGenerator, VectorGenerator } from './generator.js';
import { arraysOf } from './kept-attempt.js';
import { BasisKeeper } from './kept-basis.js';

/**
 * The generator of n rows that was kept, or that of `search`, which is then kept; or why there is none. One that was
 * lost may do again, and one of other sizes is searched again.
 */
export async function keepGenerator(
  checkpoint: Checkpoint | undefined,
  attempt: number,
  n: number,
  search: () => Promise<VectorGenerator | NoGenerator>,
): Promise<VectorGenerator | NoGenerator> {
  if (!checkpoint) return search();
  const name = `${arraysOf(attempt)}-generator`;
  const kept = await checkpoint.recall(name);
  const known = kept && readGenerator(kept, n);
  if (known !== null) return known;
  if (kept !== null) checkpoint.remark(`${name} has other sizes than this run: the generator is searched again`);
  const found = await search();
  if ('reason' in found && found.lost) return found;
  await checkpoint.settle(); // the last blocks
  if ('reason' in found) await checkpoint.keep(name, { none: found });
  else {
    const { degree, complete, coefficients } = found;
    const fields: KeptFields = { none: null, degrees: Array.from(found.degrees), degree, complete };
    await checkpoint.keep(name, { ...fields }, bytesOf(coefficients));
  }
  await new BasisKeeper(checkpoint, arraysOf(attempt)).forget();
  return found;
}

interface KeptFields {
  readonly none: NoGenerator | null;
  readonly degrees: readonly number[];
  readonly degree: number;
  readonly complete: boolean;
}

/** null where the array is none of a generator F of n rows: F_0, …, F_max(δ), n × n each. */
function readGenerator({ fields, bytes }: Sealed, n: number): VectorGenerator | NoGenerator | null {
  const { none, degrees, degree, complete } = fields as Partial<Readonly<Record<keyof KeptFields, unknown>>>;
  if (typeof (none as NoGenerator | null | undefined)?.reason === 'string') return none as NoGenerator;
  if (!Array.isArray(degrees) || degrees.length !== n || typeof complete !== 'boolean') return null;
  if (!degrees.every((each) => Number.isSafeInteger(each) && each >= 0)) return null;
  if (typeof degree !== 'number' || degrees.reduce((sum, each) => sum + each, 0) !== degree) return null;
  const length = (Math.max(...degrees) + 1) * n * n;
  if (bytes.length !== 4 * length) return null;
  return { degrees: Int32Array.from(degrees), degree, complete, reduced: true, coefficients: wordsOf(bytes) };
}
