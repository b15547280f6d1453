/** What a store says of a run that is planned in parts: each part then needs the store and the matrix alone. */
import type { Checkpoint } from './checkpoint.js';
import { keepTwice, recallTwice, type TwoNames } from './twice.js';

export interface PlannedParts {
  readonly count: number;
  readonly length: number; // blocks of the sequence that each is made of
  readonly file: string; // the matrix, where the plan was made
  readonly format: string; // of that file
}

/** The name of the array that says so, and that of its copy. */
export const PARTS = 'parts.json';
const NAMES: TwoNames = [PARTS, 'parts-copy.json'];

/** The name of the array in which part `part` says where it stands. */
export function progressOfPart(part: number): string {
  return `part-${part}-progress.json`;
}

/** null where no parts are planned. A copy that is damaged or missing is made again where the store `isOurs`. */
export async function recallParts(checkpoint: Checkpoint, isOurs: boolean): Promise<PlannedParts | null> {
  const kept = await recallTwice(checkpoint, NAMES);
  if (kept === null) return null;
  const { count, length, file, format } = kept.fields as Readonly<Record<keyof PlannedParts, unknown>>;
  const parts = { count: Number(count), length: Number(length), file: String(file), format: String(format) };
  if (isOurs && !kept.isTwice) await keepParts(checkpoint, parts);
  return parts;
}

export function keepParts(checkpoint: Checkpoint, parts: PlannedParts): Promise<void> {
  return keepTwice(checkpoint, NAMES, { ...parts });
}
