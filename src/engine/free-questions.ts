/**
 * Questions of callers who made no engine: they take turns at one, which is made for the first and ended with the last.
 *
 * An engine that stands still in its caller's code, an operator's or a stream's, holds up no other question: the one
 * that has waited longest gets another engine. So no two questions can wait for each other, and many at once start one
 * set of threads.
 */
import type { CancelSignal } from '../io/web-objects.js';
import type { Asked } from '../questions/asked.js';
import type { AnyOutcome } from '../questions/verbs.js';
import { ThreadedEngine } from './engine.js';

/** An engine with a question at it. */
interface Seat {
  readonly engine: ThreadedEngine;
  stands: boolean; // in its caller's code, for long
}

export class FreeQuestions {
  readonly #seats = new Set<Seat>();
  readonly #waiting = new Set<(seat: Seat) => void>(); // in the order in which they came

  async answer(asked: Asked): Promise<AnyOutcome> {
    try {
      const seat = await this.#seat(asked.options.signal);
      try {
        return await seat.engine.answer(asked);
      } finally {
        await this.#leave(seat);
      }
    } finally {
      void asked.prepared.chunks?.close();
    }
  }

  #seat(signal: CancelSignal | undefined): Promise<Seat> {
    const { promise, resolve, reject } = withResolvers<Seat>();
    const take = (seat: Seat): void => {
      signal?.removeEventListener('abort', abort);
      resolve(seat);
    };
    const abort = (): void => {
      this.#waiting.delete(take);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.add(take);
    // A question from inside an operator is part of the operator's work.
    if ([...this.#seats].some(({ engine }) => engine.isInside)) this.#call(take, this.#newSeat());
    else this.#callNext();
    return promise;
  }

  #newSeat(): Seat {
    const seat: Seat = {
      engine: new ThreadedEngine({}, (stands) => {
        seat.stands = stands;
        this.#callNext();
      }),
      stands: false,
    };
    this.#seats.add(seat);
    return seat;
  }

  /** The next question gets `free`, or an engine of its own, once no other engine is at work. */
  #callNext(free?: Seat): boolean {
    const [next] = this.#waiting;
    if (next === undefined || [...this.#seats].some((seat) => seat !== free && !seat.stands)) return false;
    this.#call(next, free ?? this.#newSeat());
    return true;
  }

  #call(take: (seat: Seat) => void, seat: Seat): void {
    this.#waiting.delete(take);
    take(seat);
  }

  async #leave(seat: Seat): Promise<void> {
    // Code that an aborted question leaves behind would make the next question stand.
    if (!seat.engine.isCalling && this.#callNext(seat)) return;
    this.#seats.delete(seat);
    this.#callNext();
    await seat.engine.dispose();
  }
}

/** Promise.withResolvers, which Node 20 has not. */
function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}
