/**
 * The caller's own code as an engine runs it: an operator's products, a stream's next chunk. The engine waits for it,
 * so that what it asks of this engine, and waits for, would wait for ever; and while it runs the engine does nothing
 * else.
 *
 * Whether a question comes from inside is read off the asynchronous context (AsyncLocalStorage, Node), so that a
 * question of somebody else's meanwhile is none of these. Elsewhere only what is asked before the first `await` is
 * recognised.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import { nodeModule } from '../../kernels/platform/node-module.js';

/** One piece of the caller's code at work; `outer` is what asked the question that it serves. */
export interface Stretch {
  readonly of: CallersCode;
  readonly outer: Stretch | undefined;
  isOver: boolean;
}

let contexts: AsyncLocalStorage<Stretch> | undefined;
let synchronous: Stretch | undefined;

/**
 * The caller's code that is running now, if it is an engine's. It may be over: what it left to run goes on in its
 * context.
 */
export function stretchNow(): Stretch | undefined {
  return contexts?.getStore() ?? synchronous;
}

function within<T>(stretch: Stretch, work: () => T): T {
  const { AsyncLocalStorage } = nodeModule('node:async_hooks') ?? {};
  if (AsyncLocalStorage) {
    contexts ??= new AsyncLocalStorage();
    return contexts.run(stretch, work);
  }
  const before = synchronous;
  synchronous = stretch;
  try {
    return work();
  } finally {
    synchronous = before;
  }
}

/** Milliseconds in the caller's code after which an engine counts as standing still. */
const PATIENCE = 100;

/** Of one engine. `onStanding` hears that the engine has waited for long, and that it goes on. */
export class CallersCode {
  readonly #onStanding: ((stands: boolean) => void) | undefined;
  #running = 0;

  constructor(onStanding?: (stands: boolean) => void) {
    this.#onStanding = onStanding;
  }

  /** Whether some of it has yet to end, be it for a question that was given up. */
  get isCalling(): boolean {
    return this.#running > 0;
  }

  /** What `work` comes to; `outer` is the code that asked the question. */
  async run<T>(outer: Stretch | undefined, work: () => T | Promise<T>): Promise<T> {
    const stretch: Stretch = { of: this, outer, isOver: false };
    let stands = false;
    this.#running++;
    const stand = (): void => {
      stands = true;
      this.#onStanding?.(true);
    };
    const timer = this.#onStanding && setTimeout(stand, PATIENCE);
    try {
      return await within(stretch, work);
    } finally {
      stretch.isOver = true;
      this.#running--;
      clearTimeout(timer);
      if (stands) this.#onStanding?.(false);
    }
  }

  /** Whether the code that is running now is waited for by this engine, at once or by way of others. */
  get isInside(): boolean {
    for (let stretch = stretchNow(); stretch !== undefined; stretch = stretch.outer) {
      if (stretch.of === this && !stretch.isOver) return true;
    }
    return false;
  }
}
