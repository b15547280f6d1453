/** Draws from a source while what is drawn and not yet done with keeps below a bound, so that memory stays flat. */
import type { Many } from '../questions/many.js';

/** Matrices, and bytes of their entries. */
const MOST = 1024;
const MOST_BYTES = 1 << 26;

export class LookAhead {
  readonly #source: Iterator<unknown> | AsyncIterator<unknown>;
  readonly #take: (given: unknown) => number;
  readonly #onEnd: (failure: { readonly error: unknown } | null) => void;
  #count = 0;
  #bytes = 0;
  #isDrawing = false; // the source has yet to come back
  #isOver = false;
  #goOn: () => void = () => {};

  /** `take` gets each value and says how many bytes it holds; `onEnd` is called behind the last one. */
  constructor(
    source: Many<unknown>,
    take: (given: unknown) => number,
    onEnd: (failure: { readonly error: unknown } | null) => void,
  ) {
    this.#source = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#take = take;
    this.#onEnd = onEnd;
  }

  async start(): Promise<void> {
    try {
      for (;;) {
        while (this.#isFull && !this.#isOver) await this.#room();
        if (this.#isOver) return;
        this.#isDrawing = true;
        const step = await this.#source.next();
        this.#isDrawing = false;
        if (step.done === true || this.#isOver) break;
        this.#count++;
        this.#bytes += this.#take(step.value);
      }
      this.#finish(null);
    } catch (error) {
      this.#finish({ error });
    }
  }

  /** A value that held so many bytes is done with. */
  free(bytes: number): void {
    this.#count--;
    this.#bytes -= bytes;
    this.#goOn();
  }

  /** Leaves the source where it is, and tells it so. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#goOn();
    const left = this.#source.return?.();
    // A generator that is still waiting for something comes to its end behind that.
    if (this.#isDrawing) Promise.resolve(left).catch(() => undefined);
    else await left;
  }

  get #isFull(): boolean {
    return this.#count >= MOST || this.#bytes >= MOST_BYTES;
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  #finish(failure: { readonly error: unknown } | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(failure);
  }
}
