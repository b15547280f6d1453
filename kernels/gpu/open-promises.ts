/**
 * Promises of a device that have not settled yet.
 *
 * Dawn's binding for Node ends the whole process when the thread that holds an open one ends: who ends a thread
 * destroys its device, by which all of them settle at the next turns of the thread's loop, and waits for that.
 */
export class OpenPromises {
  private readonly open = new Set<Promise<unknown>>();

  /** The same promise. */
  watch<T>(promise: Promise<T>): Promise<T> {
    this.open.add(promise);
    const settle = (): void => void this.open.delete(promise);
    promise.then(settle, settle);
    return promise;
  }

  /** When none is open. */
  async settled(): Promise<void> {
    while (this.open.size > 0) await Promise.allSettled(this.open);
  }
}
