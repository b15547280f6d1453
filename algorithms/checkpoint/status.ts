/** What a store says of its run, to whoever looks at it from outside, while it runs too. */
import { PROGRESS, type Standing } from './checkpoint.js';
import { type Manifest, readManifest, runId } from './manifest.js';
import { type Fields, unseal } from './sealed.js';
import type { CheckpointStore } from './store.js';

/** The name of the array that a run leaves at its end. */
export const ANSWER = 'answer.json';

/** What is kept of an answer: `value` where it is one number, in decimal digits. */
export interface KeptAnswer {
  readonly value: string | null;
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  readonly errorLog2: number | null;
}

/** Where a run stood at its last checkpoint. */
export interface KeptStanding extends Standing {
  readonly rate: number; // steps a second, in this phase since the run last began
  readonly behind?: number; // seconds that the run takes behind its sequence and its order basis, about
  readonly at: string; // ISO 8601
}

export interface RunStatus {
  readonly manifest: Manifest;
  readonly standing: KeptStanding | null; // null before the first checkpoint
  readonly answer: KeptAnswer | null; // null before the end
  readonly damaged: readonly string[]; // names of arrays
}

/** null where the store has no run. `whole`: every array is compared with its digest, not only those used here. */
export async function readStatus(store: CheckpointStore, whole = false): Promise<RunStatus | null> {
  const damaged: string[] = [];
  const manifest = await readManifest(store, (line) => void damaged.push(line.split(' ', 1)[0]!));
  if (manifest === null) return null;
  const run = runId(manifest);
  const fieldsOf = async (name: string): Promise<Fields | null> => {
    const array = await store.read(name);
    const sealed = array && unseal(array);
    if (sealed?.fields['run'] === run && sealed.fields['name'] === name) return sealed.fields;
    if (array !== null) damaged.push(name);
    return null;
  };
  const standing = (await fieldsOf(PROGRESS)) as KeptStanding | null;
  const answer = (await fieldsOf(ANSWER)) as KeptAnswer | null;
  if (whole) {
    const others = (await store.list()).filter((name) => !/^(manifest|progress|answer)/.test(name));
    for (const name of others.sort()) await fieldsOf(name);
  }
  return { manifest, standing, answer, damaged };
}
