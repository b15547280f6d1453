/**
 * A disk in memory that takes the place of a folder for `node:fs`, and loses power or room at a counted operation.
 *
 * What is written is there at once, and durable once its file has been brought to the disk; a name, once its folder
 * has. At the loss of power a file has its durable bytes, or, without any, half of those that were written. Of every
 * name the disk has what was durable or what is newest, whatever it has of others.
 */
import fs from 'node:fs';

/** A file; `durable` is null before it was brought to the disk. */
interface File {
  bytes: Uint8Array;
  durable: Uint8Array | null;
}

/** What happens at an operation, from 1 on: the power goes, or from there on nothing can be written. */
export interface Loss {
  readonly what: 'power' | 'room';
  readonly at: number;
}

const empty = new Uint8Array(0);

export class LosingDisk {
  readonly folder: string;
  operations = 0;
  loss: Loss | null = null;
  private names = new Map<string, File>();
  private durable = new Map<string, File>();
  private isOff = false;
  private readonly looked = new Set<File>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The power comes back; `isNewest` says of which names the disk has the newest state. */
  restart(isNewest: (name: string) => boolean): void {
    const kept = new Map<string, File>();
    for (const name of new Set([...this.names.keys(), ...this.durable.keys()])) {
      const file = (isNewest(name) ? this.names : this.durable).get(name);
      if (file !== undefined) kept.set(name, file);
    }
    for (const file of kept.values()) file.bytes = file.durable ?? file.bytes.slice(0, file.bytes.length >> 1);
    this.names = new Map(kept);
    this.durable = new Map(kept);
    [this.isOff, this.loss] = [false, null];
    this.looked.clear();
  }

  /** Whether a file has been read since the last start. */
  hasRead(file: File): boolean {
    return this.looked.has(file);
  }

  /** The bytes of every file, to be read and changed. */
  files(): ReadonlyMap<string, File> {
    return this.names;
  }

  /** Does `work` while the folder is this disk. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const { open, rename, rm, readdir, readFile, stat } = fs.promises;
    const isOwn = (path: unknown): path is string => String(path).startsWith(this.folder);
    const patch = fs.promises as unknown as Record<string, (...args: never[]) => unknown>;
    const on =
      (whole: (...args: never[]) => unknown, own: (...args: string[]) => unknown) =>
      async (...args: never[]): Promise<unknown> =>
        isOwn(args[0]) ? own(...args) : whole(...args);
    patch['open'] = on(open as never, (path, flags) => this.open(path, flags));
    patch['rename'] = on(rename as never, (from, to) => this.change(() => this.move(nameOf(from), nameOf(to))));
    patch['rm'] = on(rm as never, (path) => this.free(() => void this.names.delete(nameOf(path))));
    patch['readdir'] = on(readdir as never, () => this.look(() => [...this.names.keys()]));
    patch['readFile'] = on(readFile as never, (path) => this.look(() => this.contentsOf(path)));
    patch['stat'] = on(stat as never, (path) => this.look(() => ({ size: this.found(path).bytes.length, mtimeMs: 0 })));
    try {
      return await work();
    } finally {
      Object.assign(fs.promises, { open, rename, rm, readdir, readFile, stat });
    }
  }

  private open(path: string, flags: string): unknown {
    if (path === this.folder) {
      const sync = async (): Promise<void> =>
        this.change(() => {
          this.durable = new Map(this.names);
        });
      return { sync, close: async () => {} };
    }
    if (flags !== 'w') throw new Error(`open ${path} with ${flags}: not of this disk`);
    const file = this.change(() => {
      const made: File = { bytes: empty, durable: null };
      this.names.set(nameOf(path), made);
      return made;
    });
    const put = (bytes: Uint8Array): void =>
      this.change(() => {
        file.bytes = Uint8Array.from([...file.bytes, ...bytes]);
      });
    return {
      // Half of a file's beginning is there before the rest, which is asked for once more.
      write: async (bytes: Uint8Array, at: number, length: number) => {
        const bytesWritten = file.bytes.length === 0 && length > 1 ? length >> 1 : length;
        put(bytes.subarray(at, at + bytesWritten));
        return { bytesWritten };
      },
      sync: async () =>
        this.change(() => {
          file.durable = file.bytes;
        }),
      close: async () => {},
    };
  }

  /** An operation that needs room. */
  private change<T>(work: () => T): T {
    this.operations++;
    if (this.loss !== null && this.operations >= this.loss.at) {
      if (this.loss.what === 'power') this.isOff = true;
      else throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }
    return this.look(work);
  }

  /** One that gives room back. */
  private free(work: () => void): void {
    this.operations++;
    if (this.loss?.what === 'power' && this.operations >= this.loss.at) this.isOff = true;
    this.look(work);
  }

  private look<T>(work: () => T): T {
    if (this.isOff) throw new Error('EIO: the power is off');
    return work();
  }

  private contentsOf(path: string): Uint8Array {
    const file = this.found(path);
    this.looked.add(file);
    return file.bytes.slice();
  }

  private move(from: string, to: string): void {
    this.names.set(to, this.names.get(from)!);
    this.names.delete(from);
  }

  private found(path: string): File {
    const file = this.names.get(nameOf(path));
    if (!file) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return file;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
