/**
 * The bytes of a pipe or a terminal, whose writer may be late or silent for ever: nothing waits in a system call for
 * it.
 *
 * In the main thread the event loop tells when there are bytes, and whether a writer has come. At a worker's end Node
 * closes every descriptor that the worker opened, even one that a stream has closed and another file has got since; so
 * a worker polls the pipe. Polling misses a writer that comes and goes without a byte.
 */
import { nodeModule } from '../../kernels/platform/node-module.js';

const CHUNK = 1 << 16;

/** Milliseconds between two polls, at most. */
const PAUSE = 10;

/** Opens it for reading, with no wait for its writer. Windows has no such flag. */
export function readingFlags(): number {
  const { O_RDONLY, O_NONBLOCK } = nodeModule('node:fs')!.constants;
  return O_RDONLY | (O_NONBLOCK ?? 0);
}

/** Whether `path` leads to a pipe or a terminal; false where the system does not tell. */
export function isPipe(path: string): boolean {
  const fs = nodeModule('node:fs');
  try {
    const stats = fs?.statSync(path);
    // Opening a pipe to test it would start its writer, and take its reader away again.
    if (!stats?.isCharacterDevice()) return stats?.isFIFO() ?? false;
    const fd = fs!.openSync(path, readingFlags());
    const is = isPipeOpen(fd, stats);
    fs!.closeSync(fd);
    return is;
  } catch {
    return false; // its reader says why not
  }
}

export function isPipeOpen(fd: number, stats: { isFIFO(): boolean }): boolean {
  return stats.isFIFO() || nodeModule('node:tty')!.isatty(fd);
}

/** Closes `fd` in the end, and when `signal` is aborted. */
export async function* pipeBytes(fd: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!nodeModule('node:worker_threads')!.isMainThread) {
    yield* pollBytes(fd, signal);
    return;
  }
  const [net, tty] = [nodeModule('node:net')!, nodeModule('node:tty')!];
  const stream = tty.isatty(fd) ? new tty.ReadStream(fd) : new net.Socket({ fd, readable: true, writable: false });
  const end = (): void => void stream.destroy();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    yield* stream;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

async function* pollBytes(fd: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const fs = nodeModule('node:fs')!;
  const buffer = new Uint8Array(CHUNK);
  let hasWriter = nodeModule('node:tty')!.isatty(fd);
  let pause = 0;
  try {
    while (!signal?.aborted) {
      const got = readNow(fs, fd, buffer);
      if (got === 0 && hasWriter) return;
      if (got !== 0) hasWriter = true;
      if (typeof got === 'number' && got > 0) {
        pause = 0;
        yield buffer.subarray(0, got);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(PAUSE, pause + 1);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** Bytes read; 0 at the end or before there is a writer, null where a writer has nothing yet. */
function readNow(fs: typeof import('node:fs'), fd: number, into: Uint8Array): number | null {
  try {
    return fs.readSync(fd, into);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}
