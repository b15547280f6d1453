/**
 * The state of block Lanczos between two steps in a store, so that a run goes on where it ended.
 *
 *   V_i, V_(i−1), V_(i−2) and Z, one behind another, residues or bits     G, M and the selection of the last two steps
 *
 * Everything that follows is a function of those, of C and of the operator, which the run's seed says. Words that are
 * read from one device are those of any other.
 */
import type { BlockVector } from '../../kernels/executor.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { KeptState } from '../checkpoint/kept-state.js';
import type { PastStep } from './recurrence.js';
import type { LanczosSpace } from './space.js';

/** Where the loop is, beside its vectors. */
export interface LoopPlace {
  readonly steps: number;
  readonly dimension: number;
  readonly narrowed: number;
  readonly last: PastStep | null;
  readonly beforeLast: PastStep | null;
}

export class LoopKeeper {
  private readonly checkpoint: Checkpoint;
  private readonly state: KeptState;

  /** `name` is what the names of its arrays begin with. */
  constructor(checkpoint: Checkpoint, name: string) {
    this.checkpoint = checkpoint;
    this.state = new KeptState(checkpoint, name);
  }

  /** Writes what is kept to the vectors; null where nothing is. */
  async recall(space: LanczosSpace, vectors: readonly BlockVector[]): Promise<LoopPlace | null> {
    const sizes: number[] = [];
    for (const v of vectors) sizes.push((await space.read(v)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    for (const kept of await this.state.recall(total)) {
      const place = readPlace(space, kept.fields['place']);
      if (place === null) continue;
      this.state.goOnFrom(kept);
      let at = 0;
      vectors.forEach((v, i) => {
        space.write(v, kept.words.slice(at, at + sizes[i]));
        at += sizes[i];
      });
      return place;
    }
    return null;
  }

  /** Between two steps: keeps the state where that is due, and throws StoppedError where the run is to end. */
  async pass(space: LanczosSpace, place: LoopPlace, vectors: readonly BlockVector[]): Promise<void> {
    const due = await this.checkpoint.due();
    if (due === 'no' || (due === 'keep' && place.steps === 0)) return;
    await this.checkpoint.keepAll(async () => {
      if (place.steps === 0) return; // the start is made again
      const parts: Uint32Array[] = [];
      for (const v of vectors) parts.push(await space.read(v));
      const words = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of parts) {
        words.set(part, at);
        at += part.length;
      }
      const { last, beforeLast } = place;
      const fields = { ...place, last: last && plainStep(last), beforeLast: beforeLast && plainStep(beforeLast) };
      await this.state.keep(place.steps, { place: fields }, words);
    });
    if (due === 'stop') this.checkpoint.leave();
  }
}

function plainStep({ g, m, selection }: PastStep): object {
  const { isSelected, count, inverse } = selection;
  return { g: [...g], m: [...m], isSelected, count, inverse: [...inverse] };
}

/** null where the matrices are none of the space's. */
function readPlace({ algebra }: LanczosSpace, place: unknown): LoopPlace | null {
  const { n } = algebra;
  const { length } = algebra.projection(new Array<boolean>(n).fill(false));
  const matrix = (from: unknown): Uint32Array | null =>
    Array.isArray(from) && from.length === length ? Uint32Array.from(from) : null;
  const readStep = (from: unknown): PastStep | null => {
    const { g, m, isSelected, count, inverse } = (from ?? {}) as Readonly<Record<string, unknown>>;
    const [ownG, ownM, ownInverse] = [g, m, inverse].map(matrix);
    if (!ownG || !ownM || !ownInverse) return null;
    if (!Array.isArray(isSelected) || isSelected.length !== n) return null;
    return { g: ownG, m: ownM, selection: { isSelected, count: Number(count), inverse: ownInverse } };
  };
  const { steps, dimension, narrowed, last, beforeLast } = (place ?? {}) as Readonly<Record<string, unknown>>;
  const step = readStep(last);
  const stepBefore = beforeLast === null ? null : readStep(beforeLast);
  // A state is kept behind a step: there is a last one.
  if (step === null || (beforeLast !== null && stepBefore === null)) return null;
  return {
    ...{ steps: Number(steps), dimension: Number(dimension), narrowed: Number(narrowed) },
    ...{ last: step, beforeLast: stepBefore },
  };
}
