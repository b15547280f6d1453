/**
 * How a thread leaves its GPU before it is ended: Dawn takes the program down when its thread ends between a command
 * and its completion (kernels/gpu/open-promises.ts).
 */
import type { EngineThread } from './thread.js';

/** Milliseconds that a thread is given to begin: longer only if it is busy with kernels of the CPU. */
const LEAVING = 2000;

/** Milliseconds for the GPU's pending work, once its thread has begun to leave it: much, for one in software. */
const EMPTYING = 60_000;

export class GpuLeave {
  readonly #thread: EngineThread;
  #hasGpu = false;
  #onState: (state: 'leaving' | 'left') => void = () => {};

  constructor(thread: EngineThread) {
    this.#thread = thread;
  }

  /** What the thread says of its GPU; `left` at its own end, too. */
  is(state: 'taken' | 'leaving' | 'left'): void {
    this.#hasGpu = state !== 'left';
    if (state !== 'taken') this.#onState(state);
  }

  get isTaken(): boolean {
    return this.#hasGpu;
  }

  /** Ends the thread when it has left, or does not get on with it; one that is in a kernel for longer, after that. */
  async end(): Promise<void> {
    const thread = this.#thread;
    if (!this.#hasGpu) return thread.terminate();
    let begin = (): void => {};
    const begun = new Promise<boolean>((resolve) => {
      const patience = setTimeout(resolve, LEAVING, false);
      begin = () => {
        clearTimeout(patience);
        resolve(true);
      };
    });
    const left = new Promise<void>((resolve) => {
      let patience: ReturnType<typeof setTimeout> | undefined;
      this.#onState = (state) => {
        begin();
        clearTimeout(patience);
        if (state === 'left') resolve();
        else patience = setTimeout(resolve, EMPTYING);
      };
    });
    thread.post({ kind: 'leave' });
    const ended = left.then(() => thread.terminate());
    if (await begun) await ended;
    else thread.outlast();
  }
}
