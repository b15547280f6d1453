/**
 * The bytes of a file of Node's.
 *
 * The main thread, which must not stand still, has its files read by libuv's four threads, ahead of their use. A
 * worker, as the engine's thread is, reads by itself; so does the main thread where few threads are allowed: libuv ends
 * the program when it is granted none.
 */
import { nodeModule } from '../../kernels/platform/node-module.js';
import { isPipeOpen, pipeBytes, readingFlags } from './pipe-bytes.js';

/** One read of a file: large enough to amortise the call, small enough to stay in the second-level cache. */
const CHUNK = 1 << 18;

interface System {
  open(path: string): number | Promise<number>;
  isPipe(fd: number): boolean | Promise<boolean>;
  /** The number of bytes read. */
  read(fd: number, into: Uint8Array): Promise<number>;
  close(fd: number): void | Promise<void>;
}

/** Undefined outside Node. A chunk stays as it is until the next one is asked for; `signal` gives up a pipe. */
export function fileReader(): ((path: string, signal?: AbortSignal) => AsyncGenerator<Uint8Array>) | undefined {
  const system = systemOf();
  return system && ((path, signal) => fileBytes(system, path, signal));
}

async function* fileBytes(system: System, path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const fd = await system.open(path);
  if (await system.isPipe(fd)) {
    yield* pipeBytes(fd, signal);
    return;
  }
  // Two buffers in turn, one filled while the other is used: fresh ones would cost page faults.
  const buffers = [new Uint8Array(CHUNK), new Uint8Array(CHUNK)];
  const fill = (turn: number): Promise<number> => {
    const read = system.read(fd, buffers[turn]!);
    read.catch(() => undefined); // the await in its turn throws a failure
    return read;
  };
  let ahead = fill(0);
  try {
    for (let turn = 0; ; turn = 1 - turn) {
      const bytes = await ahead;
      if (bytes === 0) return;
      ahead = fill(1 - turn);
      yield buffers[turn]!.subarray(0, bytes);
    }
  } finally {
    await ahead.catch(() => undefined);
    await system.close(fd);
  }
}

let underWay = 0;

/** Reads that libuv's threads may wait for. */
export function callsUnderWay(): number {
  return underWay;
}

async function countCall<T>(call: Promise<T>): Promise<T> {
  underWay++;
  try {
    return await call;
  } finally {
    underWay--;
  }
}

/** Below this limit of one user's threads some are taken. */
const FEW_THREADS = 256;

function hasFewThreads(fs: typeof import('node:fs')): boolean {
  try {
    const limit = /^Max processes +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit !== undefined && Number(limit) < FEW_THREADS;
  } catch {
    return false; // no Linux
  }
}

function systemOf(): System | undefined {
  const [fs, util, threads] = [nodeModule('node:fs'), nodeModule('node:util'), nodeModule('node:worker_threads')];
  if (!fs || !util || !threads) return undefined;
  const flags = readingFlags();
  if (threads.isMainThread && !hasFewThreads(fs)) {
    const [open, stat, read] = [util.promisify(fs.open), util.promisify(fs.fstat), util.promisify(fs.read)];
    return {
      open: (path) => countCall(open(path, flags)),
      isPipe: async (fd) => isPipeOpen(fd, await countCall(stat(fd))),
      read: async (fd, into) => (await countCall(read(fd, into, 0, into.length, null))).bytesRead,
      close: util.promisify(fs.close),
    };
  }
  return {
    open: (path) => fs.openSync(path, flags),
    isPipe: (fd) => isPipeOpen(fd, fs.fstatSync(fd)),
    read: async (fd, into) => {
      await new Promise(setImmediate); // the thread's messages have their turn
      return fs.readSync(fd, into);
    },
    close: (fd) => fs.closeSync(fd),
  };
}
