/**
 * Scratch files in a folder of the user's choice. A file has no name, so that its room comes back however the process
 * ends: Linux makes one without (O_TMPFILE), on most file systems; elsewhere its name goes once it is open, or, where
 * the system keeps the names of open files, when it is closed.
 */
import { printableName } from '../../kernels/errors/excerpt.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import type { Scratch, ScratchFile } from '../../kernels/platform/scratch.js';

type FileSystem = typeof import('node:fs');

/** A scratch folder cannot be used, or is full. */
export class ScratchError extends Error {
  override readonly name = 'ScratchError';
}

/** One read takes 2^31 bytes at most. */
const MOST_READ = 2 ** 30;

let made = 0;

/** The folder, which is there and can be written to; ScratchError where not. */
export function openScratch(folder: string): Scratch {
  const fs = nodeModule('node:fs');
  if (fs === undefined) throw new ScratchError('scratch: here are no folders');
  const scratch = { name: folder, file: () => open(fs, folder) };
  scratch.file().close();
  return scratch;
}

/** Beside O_DIRECTORY, a file without a name in that folder: of Linux on all architectures that Node runs on. */
const TMPFILE = 0o20000000;

/** A file system, or a Linux, that has no such files. */
const UNKNOWN = ['EOPNOTSUPP', 'EISDIR', 'EINVAL', 'ENOSYS'];

/** Null where there are none. */
function openNameless(fs: FileSystem, folder: string): number | null {
  if (process.platform !== 'linux') return null;
  try {
    return fs.openSync(folder, TMPFILE | fs.constants.O_DIRECTORY | fs.constants.O_RDWR, 0o600);
  } catch (error) {
    if (UNKNOWN.includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function open(fs: FileSystem, folder: string): ScratchFile {
  const path = `${folder}/.wiedemann-scratch-${process.pid}-${Date.now()}-${made++}`;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw failed(folder, error);
    }
  };
  const nameless = attempt(() => openNameless(fs, folder));
  const descriptor = nameless ?? attempt(() => fs.openSync(path, 'wx+', 0o600));
  const isNameless = nameless !== null || remove(fs, path);
  let end = 0;
  return {
    get bytes() {
      return end;
    },
    append(bytes) {
      const at = end;
      for (let done = 0; done < bytes.length; ) {
        done += attempt(() => fs.writeSync(descriptor, bytes, done, bytes.length - done, at + done));
      }
      end += bytes.length;
      return at;
    },
    async read(into, at) {
      for (let done = 0; done < into.length; ) {
        const length = Math.min(into.length - done, MOST_READ);
        const count = await readOnce(fs, descriptor, into, done, length, at + done).catch((error: unknown) => {
          throw failed(folder, error);
        });
        if (count === 0) throw new ScratchError(`scratch ${printableName(folder)}: a file ends too soon`);
        done += count;
      }
    },
    close() {
      fs.closeSync(descriptor);
      if (!isNameless) remove(fs, path);
    },
  };
}

function readOnce(
  fs: FileSystem,
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
  at: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(descriptor, into, offset, length, at, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

function remove(fs: FileSystem, path: string): boolean {
  try {
    fs.unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function failed(folder: string, error: unknown): ScratchError {
  const { code, message } = error as NodeJS.ErrnoException;
  const what = code === 'ENOSPC' ? 'no space left on the disk' : String(message).split('\n', 1)[0]!;
  return new ScratchError(`scratch ${printableName(folder)}: ${what}`);
}
