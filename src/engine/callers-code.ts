/**
 * The caller's own code as an engine runs it: an operator's products, a stream's next chunk. The engine waits for that
 * code, so a question that the code asks of the same engine, and waits for, would wait for ever. Meanwhile the engine
 * stands still.
 *
 * The asynchronous context (AsyncLocalStorage, Node) tells whether a question comes from inside, so another caller's
 * question is none of these. Elsewhere only a question before the first `await` is recognised.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import { nodeModule } from '../../kernels/platform/node-module.js';

/** One piece of the caller's code at work; `outer` is the code that asked the question that it serves. */
export interface Stretch {
  readonly of: CallersCode;
  readonly outer: Stretch | undefined;
  isOver: boolean;
}

let contexts: AsyncLocalStorage<Stretch> | undefined;
let synchronous: Stretch | undefined;

/**
 * The caller's code that is running now, if an engine runs it. It may be over: its unawaited work goes on in its
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

/** Of one engine. `onStanding` is called when the engine has waited for long, and when it goes on. */
export class CallersCode {
  readonly #onStanding: ((stands: boolean) => void) | undefined;
  #running = 0;

  constructor(onStanding?: (stands: boolean) => void) {
    this.#onStanding = onStanding;
  }

  /** Whether some of it has yet to end, of an aborted question too. */
  get isCalling(): boolean {
    return this.#running > 0;
  }

  /** The result of `work`; `outer` is the code that asked the question. */
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
