/**
 * Which process works in the folder of a run: one at a time, by a file for each that wants to. Where the run is planned
 * in parts any number of them do, and none is refused (kept-parts.ts): a part that two make is the same twice.
 *
 * A process first writes a file of its own, which gets its name behind its text, then looks for those of others. Of two
 * that begin at once one sees the other at least, so that never both go on; both may be refused. Nobody makes a file of
 * the same name again, so that the file of a process that has ended can be removed by anyone.
 *
 * A process on this machine has ended when its number is free or is of a process that started at another time, or when
 * the machine has started again since. Of another machine, or another container, nothing is known but how long its file
 * has been silent, by the clock of the disk that they share: a holder writes to it every BEAT, and SILENCE is its end.
 * One that was only suspended so long goes on beside its successor: both compute the same arrays, and what their pieces
 * leave in disorder is made again.
 */
import { PARTS } from '../../algorithms/checkpoint/planned-parts.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { RunFolderError } from './run-folder.js';
import { syncFolder } from './sync-folder.js';

type FileSystem = typeof import('node:fs');
type FileHandle = import('node:fs').promises.FileHandle;

const BEAT = 20_000;
const SILENCE = 15 * 60_000;

/** A file that has no name or no text yet is being written, or was when its process or the power went. */
const WRITING = 10_000;

/** Two that have refused each other look again, after unequal waits. */
const TRIES = 4;
const WAIT = 300;

const LOCK = /^\.lock-[0-9a-z]+$/;
const UNNAMED = /^\.locking-[0-9a-z]+$/;

/** A process as other processes know it; null where its system does not say. */
export interface Holder {
  readonly host: string;
  readonly machine: string | null; // the installation
  readonly boot: string | null; // since its last start
  readonly space: string | null; // of process numbers
  readonly pid: number;
  readonly started: string | null;
}

export class RunLock {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #beat: ReturnType<typeof setInterval>;

  private constructor(fs: FileSystem, path: string, file: FileHandle, text: string) {
    [this.#fs, this.#path, this.#file] = [fs, path, file];
    // A file that was taken away, or a disk that is full, is no reason to end.
    this.#beat = setInterval(() => void file.write(text, 0).catch(() => undefined), BEAT);
    this.#beat.unref();
  }

  /** RunFolderError where another process works in the folder, which is made, and no parts are planned there. */
  static async take(folder: string): Promise<RunLock> {
    const fs = nodeModule('node:fs');
    if (fs === undefined) throw new RunFolderError(folder, 'here are no folders');
    for (let turn = 1; ; turn++) {
      const lock = await RunLock.#write(fs, folder);
      const other = await otherHolder(fs, folder, lock.#path);
      if (other === null || (await isPlanned(fs, folder))) return lock;
      await lock.release();
      if (turn === TRIES || !other.isNew) throw new RunFolderError(folder, wordsOf(other));
      await new Promise((resolve) => setTimeout(resolve, WAIT * Math.random()));
    }
  }

  static async #write(fs: FileSystem, folder: string): Promise<RunLock> {
    try {
      await fs.promises.mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await keepName(fs, folder);
      const own = `${process.pid.toString(36)}${Math.random().toString(36).slice(2)}`;
      const [unnamed, path] = [`${folder}/.locking-${own}`, `${folder}/.lock-${own}`];
      const text = `${JSON.stringify(thisProcess(fs))}\n`;
      const file = await fs.promises.open(unnamed, 'wx');
      const lock = new RunLock(fs, path, file, text);
      try {
        await file.write(text, 0);
        await fs.promises.rename(unnamed, path);
      } catch (error) {
        await fs.promises.rm(unnamed, { force: true });
        await lock.release();
        throw error;
      }
      return lock;
    } catch (error) {
      throw RunFolderError.of(folder, error);
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#beat);
    await this.#fs.promises.rm(this.#path, { force: true }).catch(() => undefined);
    await this.#file.close().catch(() => undefined);
  }
}

/**
 * Does `work` as the holder of a folder, if there is one: in a thread that lives as long as the process, and does not
 * wait in kernels. The holder's place is free once `rest` has ended, too: what is aborted may write for a while.
 */
export async function whileLocked<T>(
  folder: string | null,
  work: () => Promise<T>,
  rest: () => Promise<void> | undefined,
): Promise<T> {
  if (folder === null) return work();
  const lock = await RunLock.take(folder);
  try {
    return await work();
  } finally {
    await rest();
    await lock.release();
  }
}

/** Who works in a folder; null for nobody. */
export async function holderOf(folder: string): Promise<Holder | null> {
  const fs = nodeModule('node:fs');
  return fs === undefined ? null : ((await otherHolder(fs, folder, null))?.holder ?? null);
}

/** Errors of one who may not look at a folder, and of file systems that bring none to the disk. */
const UNSYNCED = ['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP'];

/** Has the disk know the folder by its name, as what is kept in it is no better than that. */
function keepName(fs: FileSystem, folder: string): Promise<void> {
  return syncFolder(fs, `${folder}/..`).catch((error: NodeJS.ErrnoException) => {
    if (!UNSYNCED.includes(error.code ?? '')) throw error;
  });
}

function isPlanned(fs: FileSystem, folder: string): Promise<boolean> {
  return fs.promises.access(`${folder}/${PARTS}`).then(
    () => true,
    () => false,
  );
}

interface Found {
  readonly holder: Holder | null; // null: not written yet
  readonly isNew: boolean; // it may have come at the same time
  readonly silent: number | null; // ms, where that is all that is known
}

/** A holder beside `own`, whose file tells the time of the disk. The files of those that have ended are removed. */
async function otherHolder(fs: FileSystem, folder: string, own: string | null): Promise<Found | null> {
  let other: Found | null = null;
  try {
    const names = await fs.promises.readdir(folder);
    const now = own === null ? Date.now() : (await fs.promises.stat(own)).mtimeMs;
    if (own !== null) for (const name of names) if (UNNAMED.test(name)) await removeOld(fs, `${folder}/${name}`, now);
    for (const name of names.filter((name) => LOCK.test(name))) {
      const path = `${folder}/${name}`;
      if (path === own) continue;
      const found = await readLock(fs, path, now);
      if (found === null && own !== null) await fs.promises.rm(path, { force: true });
      other ??= found;
    }
    return other;
  } catch (error) {
    throw RunFolderError.of(folder, error);
  }
}

/** What a process has left that ended before its file had a name. */
async function removeOld(fs: FileSystem, path: string, now: number): Promise<void> {
  const file = await fs.promises.stat(path).catch(() => null); // it may have its name meanwhile
  if (file !== null && now - file.mtimeMs > WRITING) await fs.promises.rm(path, { force: true });
}

/** null where its process has ended. */
async function readLock(fs: FileSystem, path: string, now: number): Promise<Found | null> {
  try {
    const [text, { mtimeMs }] = [await fs.promises.readFile(path, 'utf8'), await fs.promises.stat(path)];
    const [holder, silent] = [parse(text), now - mtimeMs];
    if (holder === null) return silent < WRITING ? { holder, isNew: true, silent } : null;
    const here = thisProcess(fs);
    const isNew = silent < 1000;
    const isHere = holder.host === here.host && holder.machine === here.machine;
    if (isHere && holder.boot !== here.boot && holder.boot !== null && here.boot !== null) return null;
    if (!isHere || holder.space !== here.space) return silent < SILENCE ? { holder, isNew, silent } : null;
    return isAlive(holder.pid) && startOf(fs, holder.pid) === holder.started ? { holder, isNew, silent: null } : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null; // it ended just now
    throw error;
  }
}

function parse(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder | null;
    return typeof holder?.pid === 'number' && typeof holder.host === 'string' ? holder : null;
  } catch {
    return null;
  }
}

function wordsOf({ holder, silent }: Found): string {
  if (holder === null) return 'another process begins to work in it';
  const { pid, host } = holder;
  const who = `process ${pid} on ${printableName(host)}`;
  if (silent === null) return pid === process.pid ? 'this process works in it already' : `${who} works in it`;
  const [seconds, minutes] = [Math.max(0, Math.round(silent / 1000)), SILENCE / 60_000];
  return `${who} was at work in it ${seconds} s ago; it counts as ended after ${minutes} minutes of silence`;
}

let known: Holder | undefined;

function thisProcess(fs: FileSystem): Holder {
  const textOf = (path: string): string | null => orNull(() => fs.readFileSync(path, 'utf8').trim() || null);
  known ??= {
    host: nodeModule('node:os')?.hostname() ?? '',
    machine: textOf('/etc/machine-id'),
    boot: textOf('/proc/sys/kernel/random/boot_id'),
    space: orNull(() => fs.readlinkSync('/proc/self/ns/pid')),
    pid: process.pid,
    started: startOf(fs, process.pid),
  };
  return known;
}

/** By Linux, field 22 of its line: the 20th behind the name, which may have anything in it. */
function startOf(fs: FileSystem, pid: number): string | null {
  return orNull(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19] ?? null);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
