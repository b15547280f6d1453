/**
 * The state of a loop in a store: the steps that are done, and the words that all others follow from.
 *
 *   state i    after i steps
 *
 * The one before stays beside the newest, for where that is damaged. Of two processes that make one loop neither takes
 * away what the other has kept beyond it.
 */
import type { Checkpoint } from './checkpoint.js';
import type { Fields } from './sealed.js';
import { bytesOf, wordsOf } from './words.js';

/** States that are kept by one process. */
const KEPT = 2;

export interface LoopState {
  readonly steps: number;
  readonly fields: Fields;
  readonly words: Uint32Array;
}

export class KeptState {
  private readonly checkpoint: Checkpoint;
  private readonly prefix: string;
  private last: string | null = null; // the state that the loop has come to, or gone on from
  private met: readonly string[] = []; // states that were there then

  /** `name` is what the names of its arrays begin with. */
  constructor(checkpoint: Checkpoint, name: string) {
    [this.checkpoint, this.prefix] = [checkpoint, `${name}-`];
  }

  /** The two furthest of so many words that are whole, the last one first. */
  async recall(size: number): Promise<LoopState[]> {
    [this.last, this.met] = [null, await this.names()];
    const found: LoopState[] = [];
    for (const name of this.met) {
      if (found.length === KEPT) break;
      const sealed = await this.checkpoint.recall(name);
      if (sealed?.bytes.length !== 4 * size) continue;
      found.push({ steps: Number(sealed.fields['steps']), fields: sealed.fields, words: wordsOf(sealed.bytes) });
    }
    return found.sort((a, b) => b.steps - a.steps);
  }

  /** Steps of the furthest that is whole and beyond so many, by whoever keeps them; 0 where there is none. */
  async furthest(size: number, beyond: number): Promise<number> {
    for (const name of await this.names()) {
      if (name <= this.nameAt(beyond)) break;
      const sealed = await this.checkpoint.recall(name); // one at a time: they are long
      if (sealed?.bytes.length === 4 * size) return Number(sealed.fields['steps']);
    }
    return 0;
  }

  /** The loop goes on from there: those beyond it are of no use. */
  goOnFrom({ steps }: LoopState): void {
    this.last = this.nameAt(steps);
  }

  /** Of further steps than those before. */
  async keep(steps: number, fields: Fields, words: Uint32Array): Promise<void> {
    const name = this.nameAt(steps);
    if (name === this.last) return;
    await this.checkpoint.keep(name, { steps, ...fields }, bytesOf(words));
    const isUseless = (other: string): boolean => other < name || (other > name && this.met.includes(other));
    for (const other of await this.names()) {
      if (other !== this.last && isUseless(other)) await this.checkpoint.remove(other);
    }
    this.last = name;
  }

  private nameAt(steps: number): string {
    return this.prefix + String(steps).padStart(9, '0');
  }

  /** The furthest first. */
  private async names(): Promise<string[]> {
    return (await this.checkpoint.names(this.prefix)).sort().reverse();
  }
}
