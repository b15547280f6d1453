/**
 * The state of a loop in a store: the steps that are done, and the words that all others follow from.
 *
 * It is in two places by turns, so that one is whole while the other is written, and an older one is left where the
 * newest is damaged.
 */
import type { Checkpoint } from './checkpoint.js';
import type { Fields } from './sealed.js';
import { bytesOf, wordsOf } from './words.js';

const PLACES = [0, 1];

export interface LoopState {
  readonly steps: number;
  readonly fields: Fields;
  readonly words: Uint32Array;
  readonly place: number;
}

export class KeptState {
  private readonly checkpoint: Checkpoint;
  private readonly name: string;
  private place = 0; // of the next one

  /** `name` is what the names of its arrays begin with. */
  constructor(checkpoint: Checkpoint, name: string) {
    [this.checkpoint, this.name] = [checkpoint, name];
  }

  /** Those of so many words that are whole, the furthest first. */
  async recall(size: number): Promise<LoopState[]> {
    const found: LoopState[] = [];
    for (const place of PLACES) {
      const sealed = await this.checkpoint.recall(this.nameAt(place));
      if (sealed?.bytes.length !== 4 * size) continue;
      found.push({ place, steps: Number(sealed.fields['steps']), fields: sealed.fields, words: wordsOf(sealed.bytes) });
    }
    return found.sort((a, b) => b.steps - a.steps);
  }

  /** Steps of the furthest that is whole, by whoever keeps them; 0 where there is none. */
  async furthest(size: number): Promise<number> {
    let steps = 0;
    for (const place of PLACES) {
      const sealed = await this.checkpoint.recall(this.nameAt(place)); // one at a time: they are long
      if (sealed?.bytes.length === 4 * size) steps = Math.max(steps, Number(sealed.fields['steps']));
    }
    return steps;
  }

  /** The loop goes on from there: the next state takes the place of the other one. */
  goOnFrom({ place }: LoopState): void {
    this.place = 1 - place;
  }

  async keep(steps: number, fields: Fields, words: Uint32Array): Promise<void> {
    await this.checkpoint.keep(this.nameAt(this.place), { steps, ...fields }, bytesOf(words));
    this.place = 1 - this.place;
  }

  private nameAt(place: number): string {
    return `${this.name}-${place}`;
  }
}
