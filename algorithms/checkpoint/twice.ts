/** Fields that are nowhere else, in a store twice: a copy takes the place of an array that is damaged or lost. */
import type { Checkpoint } from './checkpoint.js';
import type { Fields } from './sealed.js';

/** The names of both. */
export type TwoNames = readonly [name: string, copy: string];

export interface KeptTwice {
  readonly fields: Fields;
  /** Whether both have them: where not they are to be kept again. */
  readonly isTwice: boolean;
}

/** null where neither is whole. Of two that differ the first is the newer one. */
export async function recallTwice(checkpoint: Checkpoint, names: TwoNames): Promise<KeptTwice | null> {
  const [first, second] = [await checkpoint.recall(names[0]), await checkpoint.recall(names[1])];
  const found = first ?? second;
  if (found === null) return null;
  const textOf = (fields: Fields | undefined): string => JSON.stringify({ ...fields, name: null });
  return { fields: found.fields, isTwice: textOf(first?.fields) === textOf(second?.fields) };
}

export async function keepTwice(checkpoint: Checkpoint, names: TwoNames, fields: Fields): Promise<void> {
  for (const name of names) await checkpoint.keep(name, fields);
}
