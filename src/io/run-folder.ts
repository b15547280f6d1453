/**
 * The arrays of a kept run in a folder, a file each.
 *
 * An array is written to a file of another name, brought to the disk, and renamed; then the folder is brought to the
 * disk. Who reads after a crash meets the old array or the new one. A disk may keep names in any order between two such
 * points: arrays that were removed are gone for good before the next one comes. What a crash leaves of the other name
 * is removed when the folder is opened.
 */
import { joinBytes } from '../../algorithms/checkpoint/sealed.js';
import type { PieceStore } from '../../algorithms/checkpoint/store.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { syncFolder } from './sync-folder.js';

type FileSystem = typeof import('node:fs');

/** The folder of a run cannot be read or written, or is in use. What it has is whole. */
export class RunFolderError extends Error {
  override readonly name = 'RunFolderError';

  constructor(folder: string, what: string) {
    super(`${printableName(folder)}: ${what}`);
  }

  /** Of the system's own error. */
  static of(folder: string, error: unknown): RunFolderError {
    if (error instanceof RunFolderError) return error;
    const { code, message } = error as NodeJS.ErrnoException;
    const known: Partial<Record<string, string>> = {
      ENOSPC: 'no space left on the disk',
      ENOTDIR: 'expected a folder, got a path with a file in it',
    };
    const what = known[code ?? ''] ?? message.split('\n', 1)[0]!;
    return new RunFolderError(folder, what);
  }
}

const NAME = /^[a-z0-9][a-z0-9.-]*$/;

/** A file of another name, by process: several processes, and threads, write to a folder where a run has parts. */
const TEMPORARY = /^\.writing-([A-Za-z0-9.]+)-(\d+)-/;

/** Milliseconds after which nobody writes to such a file of another machine any more. */
const WRITING = 3_600_000;

/** `writer` : which of this process, whose threads know nothing of each other. */
function temporaryName(writer: string, name: string): string {
  return `.writing-${hostName()}-${process.pid}-${writer}-${name}`;
}

function hostName(): string {
  return (
    nodeModule('node:os')
      ?.hostname()
      .replace(/[^A-Za-z0-9.]/g, '.') || 'host'
  );
}

/** Whether a file is one that was being written by a process that has ended. */
async function isLeft(fs: FileSystem, folder: string, name: string): Promise<boolean> {
  const match = TEMPORARY.exec(name);
  if (match === null) return false;
  if (match[1] === hostName()) return !isAlive(Number(match[2]));
  const file = await fs.promises.stat(`${folder}/${name}`).catch(() => null); // it may be renamed meanwhile
  return file !== null && Date.now() - file.mtimeMs > WRITING;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

const READ_AT_ONCE = 2 ** 30;

/** Each waits for a turn of this thread's loop, which may be busy with a run. */
const WRITTEN_AT_ONCE = 2 ** 25;

/** Bytes up to which pieces are joined before they are written: a small write takes no less than a large one. */
const JOINED = 2 ** 18;

/** The same bytes; a piece that is long, or alone, is not copied. */
function* joinSmall(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let group: Uint8Array[] = [];
  let length = 0;
  const joined = (): Uint8Array => (group.length === 1 ? group[0] : joinBytes(group));
  for (const piece of pieces) {
    if (group.length > 0 && length + piece.length > JOINED) {
      yield joined();
      [group, length] = [[], 0];
    }
    group.push(piece);
    length += piece.length;
  }
  if (group.length > 0) yield joined();
}

async function writeAll(file: Awaited<ReturnType<FileSystem['promises']['open']>>, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, Math.min(bytes.length - at, WRITTEN_AT_ONCE));
    at += bytesWritten;
  }
}

export class RunFolder implements PieceStore {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #writer = Math.random().toString(36).slice(2);
  #hasRemoved = false; // names that a crash may bring back

  private constructor(fs: FileSystem, folder: string) {
    [this.#fs, this.#folder] = [fs, folder];
  }

  /** A folder that there is, to be read alone. */
  static reading(folder: string): RunFolder {
    const fs = nodeModule('node:fs');
    if (fs === undefined) throw new RunFolderError(folder, 'here are no folders');
    return new RunFolder(fs, folder);
  }

  /** A folder that this process may work in (run-lock.ts), maybe beside others. */
  static async open(folder: string): Promise<RunFolder> {
    const opened = RunFolder.reading(folder);
    const fs = opened.#fs;
    await opened.#try(async () => {
      for (const name of await fs.promises.readdir(folder)) {
        if (await isLeft(fs, folder, name)) await fs.promises.rm(`${folder}/${name}`, { force: true });
      }
    });
    return opened;
  }

  read(name: string): Promise<Uint8Array | null> {
    return this.#try(async () => {
      try {
        return new Uint8Array(await this.#fs.promises.readFile(this.#path(name)));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return null;
        if (code === 'ERR_FS_FILE_TOO_LARGE') return this.#readLarge(this.#path(name));
        throw error;
      }
    });
  }

  /** A file beyond the 2^31 bytes that `readFile` takes. */
  async #readLarge(path: string): Promise<Uint8Array> {
    const file = await this.#fs.promises.open(path, 'r');
    try {
      const bytes = new Uint8Array((await file.stat()).size);
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, READ_AT_ONCE), at);
        if (bytesRead === 0) return bytes.slice(0, at); // cut off meanwhile, which its digest tells
        at += bytesRead;
      }
      return bytes;
    } finally {
      await file.close();
    }
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    return this.writePieces(name, [bytes]);
  }

  writePieces(name: string, pieces: readonly Uint8Array[]): Promise<void> {
    const path = this.#path(name);
    const temporary = `${this.#folder}/${temporaryName(this.#writer, name)}`;
    return this.#try(async () => {
      try {
        const file = await this.#fs.promises.open(temporary, 'w');
        try {
          for (const bytes of joinSmall(pieces)) await writeAll(file, bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        if (this.#hasRemoved) await this.#sync();
        await this.#fs.promises.rename(temporary, path);
      } catch (error) {
        await this.#fs.promises.rm(temporary, { force: true });
        throw error;
      }
      await this.#sync();
    });
  }

  list(): Promise<readonly string[]> {
    return this.#try(async () => (await this.#fs.promises.readdir(this.#folder)).filter((name) => NAME.test(name)));
  }

  remove(name: string): Promise<void> {
    const path = this.#path(name);
    return this.#try(async () => {
      await this.#fs.promises.rm(path, { force: true });
      this.#hasRemoved = true;
    });
  }

  /** Bytes and number of its files. */
  size(): Promise<{ readonly bytes: number; readonly files: number }> {
    return this.#try(async () => {
      const names = await this.#fs.promises.readdir(this.#folder);
      // A file may be replaced meanwhile.
      const stat = (name: string) => this.#fs.promises.stat(`${this.#folder}/${name}`).catch(() => null);
      const sizes = (await Promise.all(names.map(stat))).flatMap((found) => (found?.isFile() ? [found.size] : []));
      return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
    });
  }

  #path(name: string): string {
    if (!NAME.test(name)) throw new Error(`the name ${name} of an array: a bug`);
    return `${this.#folder}/${name}`;
  }

  async #sync(): Promise<void> {
    this.#hasRemoved = false; // what is removed meanwhile waits for the next
    try {
      await syncFolder(this.#fs, this.#folder);
    } catch (error) {
      this.#hasRemoved = true;
      throw error;
    }
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw RunFolderError.of(this.#folder, error);
    }
  }
}
