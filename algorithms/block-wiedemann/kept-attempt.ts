/** What an attempt of a kept run came to, in place of the arrays that it was made with. */
import type { Checkpoint } from '../checkpoint/checkpoint.js';

/** Of one attempt of a kept run, or of a stage of it. */
export const MOST_TURNS = 3;

/** What the names of an attempt's arrays begin with. */
export function arraysOf(attempt: number): string {
  return `attempt-${attempt}`;
}

/** The outcome, plain data, that was kept, or that of `go`, which is then kept. One that is `lost` may do again. */
export async function keepOutcome<T extends { readonly lost?: boolean | undefined }>(
  checkpoint: Checkpoint | undefined,
  attempt: number,
  go: () => Promise<T>,
): Promise<T> {
  if (!checkpoint) return go();
  const name = `outcome-${attempt}.json`;
  const kept = await checkpoint.recall(name);
  if (kept !== null) return kept.fields['outcome'] as T;
  let outcome = await go();
  // What is kept is good: the attempt goes on from there.
  for (let turn = 1; outcome.lost && turn < MOST_TURNS; turn++) outcome = await go();
  await checkpoint.keep(name, { outcome });
  await removeArrays(checkpoint, attempt);
  return outcome;
}

function removeArrays(checkpoint: Checkpoint, attempt: number): Promise<void> {
  return checkpoint.removeAll(`${arraysOf(attempt)}-`);
}

/** Once nobody writes: of attempts that have an outcome, the arrays that a device has still written beside it. */
export async function removeLate(checkpoint: Checkpoint): Promise<void> {
  for (const name of await checkpoint.names('outcome-')) {
    const attempt = Number(/^outcome-(\d+)\.json$/.exec(name)?.[1]);
    if (attempt > 0) await removeArrays(checkpoint, attempt);
  }
}
