/** What a store says of a run that is planned in parts: each part then needs the store and the matrix alone. */
import type { Checkpoint } from './checkpoint.js';

export interface PlannedParts {
  readonly count: number;
  readonly length: number; // blocks of the sequence that each is made of
  readonly file: string; // the matrix, where the plan was made
  readonly format: string; // of that file
}

/** The name of the array that says so. */
export const PARTS = 'parts.json';

/** null where no parts are planned. */
export async function recallParts(checkpoint: Checkpoint): Promise<PlannedParts | null> {
  const kept = await checkpoint.recall(PARTS);
  if (kept === null) return null;
  const { count, length, file, format } = kept.fields as Readonly<Record<keyof PlannedParts, unknown>>;
  return { count: Number(count), length: Number(length), file: String(file), format: String(format) };
}

export function keepParts(checkpoint: Checkpoint, parts: PlannedParts): Promise<void> {
  return checkpoint.keep(PARTS, { ...parts });
}
