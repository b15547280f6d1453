/**
 * Progress at a pace that a page can draw: a run tells every step of its sequence, thousands a second. The first and
 * the last event of a phase always pass.
 */
import type { ProgressEvent } from '../questions/options.js';

/** Milliseconds between two events of one phase. */
const APART = 100;

export class ProgressSieve {
  readonly #pass: (event: ProgressEvent) => void;
  readonly #now: () => number;
  #held: ProgressEvent | null = null;
  #phase = '';
  #at = Number.NEGATIVE_INFINITY;

  constructor(pass: (event: ProgressEvent) => void, now = () => performance.now()) {
    this.#pass = pass;
    this.#now = now;
  }

  take(event: ProgressEvent): void {
    if (event.phase !== this.#phase) this.flush();
    else if (this.#now() - this.#at < APART) {
      this.#held = event;
      return;
    }
    this.#phase = event.phase;
    this.#at = this.#now();
    this.#held = null;
    this.#pass(event);
  }

  /** Passes what is held back: the end of a phase. */
  flush(): void {
    if (this.#held !== null) this.#pass(this.#held);
    this.#held = null;
  }
}
