/** What a run of block Lanczos came to in a store, in place of the arrays that it was made with. */
import { arraysOf } from '../block-wiedemann/kept-attempt.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import type { Fields } from '../checkpoint/sealed.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import type { LanczosRun } from './block-lanczos.js';
import { LoopKeeper } from './kept-loop.js';

/** A run, what else is known of it, and its vectors. */
export interface RunOutcome {
  readonly run: LanczosRun;
  readonly more: Fields;
  readonly vectors: readonly Uint32Array[];
}

/**
 * The outcome of run number `number`, from 1, that was kept, or that of `make`, which is then kept. `holds` says
 * whether what was kept is still what a product says of it.
 */
export async function keepRun(
  checkpoint: Checkpoint | undefined,
  number: number,
  holds: (outcome: RunOutcome) => boolean,
  make: (keeper?: LoopKeeper) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  if (!checkpoint) return make();
  const name = `outcome-${number}`;
  const arrays = `${arraysOf(number)}-`;
  const kept = await checkpoint.recall(name);
  if (kept !== null) {
    const known = readOutcome(kept.fields, kept.bytes);
    if (known !== null && holds(known)) return known;
    checkpoint.remark(`${name} does not hold: the run is made again`);
  }
  const made = await make(new LoopKeeper(checkpoint, `${arrays}lanczos`));
  const { steps, dimension, narrowed, isComplete } = made.run;
  const sizes = made.vectors.map(({ length }) => length);
  const words = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const vector of made.vectors) {
    words.set(vector, at);
    at += vector.length;
  }
  const run = { steps, dimension, narrowed, isComplete };
  await checkpoint.keepAll(() => checkpoint.keep(name, { lanczos: run, more: made.more, sizes }, bytesOf(words)));
  await checkpoint.removeAll(arrays);
  return made;
}

function readOutcome(fields: Fields, bytes: Uint8Array): RunOutcome | null {
  const { lanczos: run, more, sizes } = fields as Readonly<Record<string, unknown>>;
  if (!Array.isArray(sizes) || typeof run !== 'object' || run === null) return null;
  const words = wordsOf(bytes);
  if (sizes.reduce((sum, size) => sum + size, 0) !== words.length) return null;
  let at = 0;
  const vectors = sizes.map((size) => {
    at += size;
    return words.slice(at - size, at);
  });
  return { run: run as LanczosRun, more: more as Fields, vectors };
}
