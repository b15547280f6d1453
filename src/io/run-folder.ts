/**
 * The arrays of a kept run in a folder, a file each.
 *
 * An array is written to a file of another name, brought to the disk, and renamed; then the folder is brought to the
 * disk. Who reads after a crash meets the old array or the new one. What a crash leaves of the other name is removed
 * when the folder is opened.
 */
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { nodeModule } from '../../kernels/platform/node-module.js';

type FileSystem = typeof import('node:fs');

/** The folder of a run cannot be read or written: a full disk, no permission. What it has is whole. */
export class RunFolderError extends Error {
  override readonly name = 'RunFolderError';
}

const NAME = /^[a-z0-9][a-z0-9.-]*$/;
const TEMPORARY = /^\.writing-/;

export class RunFolder implements CheckpointStore {
  readonly #fs: FileSystem;
  readonly #folder: string;

  private constructor(fs: FileSystem, folder: string) {
    [this.#fs, this.#folder] = [fs, folder];
  }

  /** Makes the folder where there is none, in one that there is. */
  static async open(folder: string): Promise<RunFolder> {
    const fs = nodeModule('node:fs');
    if (fs === undefined) throw new RunFolderError(`${printableName(folder)}: here are no folders`);
    const opened = new RunFolder(fs, folder);
    await opened.#try(async () => {
      await fs.promises.mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      for (const name of await fs.promises.readdir(folder)) {
        if (TEMPORARY.test(name)) await fs.promises.rm(`${folder}/${name}`, { force: true });
      }
    });
    return opened;
  }

  read(name: string): Promise<Uint8Array | null> {
    return this.#try(async () => {
      try {
        return new Uint8Array(await this.#fs.promises.readFile(this.#path(name)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    });
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(name);
    const temporary = `${this.#folder}/.writing-${process.pid}-${name}`;
    return this.#try(async () => {
      try {
        const file = await this.#fs.promises.open(temporary, 'w');
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await this.#fs.promises.rename(temporary, path);
      } catch (error) {
        await this.#fs.promises.rm(temporary, { force: true });
        throw error;
      }
      await this.#syncFolder();
    });
  }

  list(): Promise<readonly string[]> {
    return this.#try(async () => (await this.#fs.promises.readdir(this.#folder)).filter((name) => NAME.test(name)));
  }

  remove(name: string): Promise<void> {
    const path = this.#path(name);
    return this.#try(() => this.#fs.promises.rm(path, { force: true }));
  }

  #path(name: string): string {
    if (!NAME.test(name)) throw new Error(`the name ${name} of an array: a bug`);
    return `${this.#folder}/${name}`;
  }

  /** Windows opens no folder as a file; its renames are of the journal. */
  async #syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const folder = await this.#fs.promises.open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const what = code === 'ENOSPC' ? 'no space left on the disk' : message.split('\n', 1)[0];
      throw new RunFolderError(`${printableName(this.#folder)}: ${what}`);
    }
  }
}
