/**
 * The inverse of a generator and the terms of its expansions in a store, so that what follows the generator goes on
 * where it ended.
 *
 *   Steps that are done, the words that all others follow from, and the digest of the generator: words of another one
 *   are not taken up
 */
import type { Awaitable } from '../../kernels/executor.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { KeptState } from '../checkpoint/kept-state.js';
import { digestOfBytes } from '../checkpoint/sealed.js';
import { bytesOf } from '../checkpoint/words.js';
import type { Generator } from './generator.js';
import { arraysOf } from './kept-attempt.js';

/** What is made step by step, and goes on from its words behind any of them: an inverse, an expansion. */
export interface Stepwise {
  readonly steps: number; // that are done
  readonly most: number; // steps, as far as they are kept
  readonly stateWords: number;
  /** null beyond `most`. */
  state(): Awaitable<Uint32Array | null>;
  goOn(steps: number, words: Uint32Array): void;
}

interface Kept {
  readonly loop: Stepwise;
  readonly state: KeptState;
  steps: number; // that are kept
}

export class ExpansionKeeper {
  /** The digest of the generator. */
  readonly of: string;
  private readonly checkpoint: Checkpoint;
  private readonly attempt: number;
  private readonly kept: Kept[] = [];

  constructor(checkpoint: Checkpoint, attempt: number, { coefficients }: Pick<Generator, 'coefficients'>) {
    this.checkpoint = checkpoint;
    this.attempt = attempt;
    this.of = digestOfBytes(bytesOf(coefficients));
  }

  /** What has no step yet goes on from what is kept under this name. */
  async add(name: string, loop: Stepwise): Promise<void> {
    const state = new KeptState(this.checkpoint, `${arraysOf(this.attempt)}-${name}`);
    const found = await state.recall(loop.stateWords);
    const own = found.find(({ fields }) => fields['of'] === this.of);
    if (own !== undefined) {
      state.goOnFrom(own);
      loop.goOn(own.steps, own.words);
    }
    this.kept.push({ loop, state, steps: loop.steps });
  }

  /** Between two steps: keeps them where that is due, and throws StoppedError where the run is to end. */
  async pass(): Promise<void> {
    const sum = (of: 'steps' | 'most'): number => this.kept.reduce((total, { loop }) => total + loop[of], 0);
    this.checkpoint.note({ phase: 'recurrence', attempt: this.attempt, done: sum('steps'), total: sum('most') });
    const due = await this.checkpoint.due();
    if (due === 'no') return;
    await this.keep();
    if (due === 'stop') this.checkpoint.leave();
  }

  /** Keeps what is new. */
  async keep(): Promise<void> {
    await this.checkpoint.keepAll(async () => {
      for (const each of this.kept) {
        const { loop, state } = each;
        const words = loop.steps > each.steps ? await loop.state() : null;
        if (words === null) continue;
        await state.keep(loop.steps, { of: this.of }, words);
        each.steps = loop.steps;
      }
    });
  }
}
