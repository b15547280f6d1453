/**
 * Threads that read the plain lines of a long file (line-pieces.ts), under Node. They start while the file's beginning
 * is read without them, and end with the plain lines.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { canShareMemory, cores, roomForThreads } from '#platform';
import type { PlainLines } from '../../kernels/sparse/scan-triples.js';
import { isPacked } from './bytes.js';
import {
  type LineReaders,
  type LinesRead,
  linesRead,
  newControl,
  type Places,
  type StartReaders,
} from './line-pieces.js';
import type { LineWork } from './line-worker.node.js';
import { readingFlags } from './pipe-bytes.js';
import { spawnLineWorker } from './spawn.node.js';

/** Bytes of a file from which on threads pay, and that each is worth (test/bench/RESULTS.md#reading-threads). */
const LEAST = 3 * 2 ** 24;
const WORTH_A_THREAD = 2 ** 24;
const MOST_THREADS = 8;

const CHUNK = 2 ** 18;

type Loading = Parameters<StartReaders>[3];

/** How many threads pay for a file of `size` bytes, `most` at most; 0 where fewer than two do. */
export function lineThreadsWorth(size: number, most: number | null): number {
  if (!canShareMemory()) return 0; // what a thread reads is where nobody else sees it
  const count = Math.min(most ?? cores(), Math.floor(size / WORTH_A_THREAD), MOST_THREADS);
  // Each has a memory of WebAssembly, which takes much address space.
  return size < LEAST || count < 2 || roomForThreads() < Number.POSITIVE_INFINITY ? 0 : count;
}

/** A thread, and a promise that is rejected when it ends. */
interface Started {
  readonly worker: Worker;
  readonly ended: Promise<never>;
}

export class LineThreads implements LineReaders {
  readonly #fd: number;
  readonly #size: number;
  readonly #threads: Started[] = [];
  readonly #ready: Promise<void>;
  #isReady = false;

  /** Null for no threads, and where the file cannot be opened, is packed, or is of another size by now. */
  static start(path: string, size: number, count: number, loading: Loading): LineThreads | null {
    if (count === 0) return null;
    let fd: number | undefined;
    try {
      fd = openSync(path, readingFlags());
      const head = new Uint8Array(4);
      readSync(fd, head, 0, head.length, 0);
      if (!isPacked(head) && fstatSync(fd).size === size) return new LineThreads(fd, size, count, loading);
    } catch {
      // Who reads the file by itself meets the same refusal.
    }
    if (fd !== undefined) closeSync(fd);
    return null;
  }

  private constructor(fd: number, size: number, count: number, loading: Loading) {
    this.#fd = fd;
    this.#size = size;
    this.#ready = this.#start(count);
    loading(() => this.#ready).catch(() => undefined);
    this.#ready.then(
      () => {
        this.#isReady = true;
      },
      () => undefined, // a system without threads to spare: the file is read without them
    );
  }

  /** Resolves when all have loaded their modules, or one of them has failed and the others have, too. */
  async #start(count: number): Promise<void> {
    const loads: Promise<unknown>[] = [];
    try {
      for (let k = 0; k < count; k++) {
        const started = watch(spawnLineWorker());
        this.#threads.push(started);
        loads.push(message(started));
      }
      await Promise.all(loads);
    } finally {
      await Promise.allSettled(loads);
    }
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  async read(lines: PlainLines, places: Places, most: number, from: number): Promise<LinesRead | null> {
    const control = newControl(from);
    try {
      // Small files need no kernels.
      const { compileKernels } = await import('../../kernels/threads/wasm-module.js');
      const module = await compileKernels();
      await this.#ready;
      const work: LineWork = { lines, places, most, from, size: this.#size, control, fd: this.#fd, module };
      await Promise.all(
        this.#threads.map((started) => {
          started.worker.postMessage(work);
          return message(started);
        }),
      );
    } catch {
      this.#isReady = false;
      await this.#endThreads(); // nobody writes to the places from here on
      return null;
    }
    return linesRead(control);
  }

  async *bytesFrom(from: number): AsyncGenerator<Uint8Array> {
    const bytes = new Uint8Array(CHUNK);
    for (let at = from; ; ) {
      await new Promise(setImmediate); // this thread's messages have their turn
      const count = readSync(this.#fd, bytes, 0, bytes.length, at);
      if (count === 0) return;
      at += count;
      yield bytes.subarray(0, count);
    }
  }

  end(): void {
    void this.#endThreads().then(() => closeSync(this.#fd));
  }

  /** Node leaves open the files of modules that a thread loads as it is ended. */
  async #endThreads(): Promise<void> {
    await this.#ready.catch(() => undefined);
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }
}

function watch(worker: Worker): Started {
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`exit ${code}`)));
  });
  ended.catch(() => undefined);
  return { worker, ended };
}

/** Resolves with the next message of a thread; rejects where it ends before. */
function message({ worker, ended }: Started): Promise<unknown> {
  return Promise.race([new Promise((resolve) => worker.once('message', resolve)), ended]);
}
