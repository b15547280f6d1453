/**
 * The terms of expansions of a generator in a store, so that what follows the generator goes on where it ended.
 *
 *   Chunks that are done, their terms and the right side of the next one, and the digest of the generator: terms of
 *   another one are not taken up
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { KeptState } from '../checkpoint/kept-state.js';
import { digestOfBytes } from '../checkpoint/sealed.js';
import { StoppedError } from '../checkpoint/store.js';
import { bytesOf } from '../checkpoint/words.js';
import type { Expansion } from './expansion.js';
import type { Generator } from './generator.js';
import { arraysOf } from './kept-attempt.js';

export class ExpansionKeeper {
  private readonly checkpoint: Checkpoint;
  private readonly attempt: number;
  private readonly of: string;
  private readonly kept: { readonly expansion: Expansion; readonly state: KeptState }[] = [];

  constructor(checkpoint: Checkpoint, attempt: number, { coefficients }: Pick<Generator, 'coefficients'>) {
    this.checkpoint = checkpoint;
    this.attempt = attempt;
    this.of = digestOfBytes(bytesOf(coefficients));
  }

  /** An expansion without a chunk gets those that are kept under this name. */
  async add(name: string, expansion: Expansion): Promise<void> {
    const state = new KeptState(this.checkpoint, `${arraysOf(this.attempt)}-${name}`);
    this.kept.push({ expansion, state });
    const found = await state.recall(expansion.stateWords);
    const own = found.find(({ fields }) => fields['of'] === this.of);
    if (own === undefined) return;
    state.goOnFrom(own);
    expansion.goOn(own.steps, own.words);
  }

  /** Between two chunks: keeps them where that is due, and throws StoppedError where the run is to end. */
  async pass(): Promise<void> {
    const sum = (of: 'chunks' | 'most'): number => this.kept.reduce((total, each) => total + each.expansion[of], 0);
    this.checkpoint.note({ phase: 'recurrence', attempt: this.attempt, done: sum('chunks'), total: sum('most') });
    const due = await this.checkpoint.due();
    if (due === 'no') return;
    await this.checkpoint.keepAll(async () => {
      for (const { expansion, state } of this.kept) {
        const words = expansion.chunks > 0 ? expansion.state() : null;
        if (words !== null) await state.keep(expansion.chunks, { of: this.of }, words);
      }
    });
    if (due === 'stop') throw new StoppedError();
  }
}
