/**
 * A file that gets all of its text or stays as it was; one that cannot be written is found out before the work.
 *
 * The text goes to a file beside it, which takes its name at the end. What is no regular file, a device or a pipe, must not be
 * replaced by one and is written as it is; so is what the program's own output goes to, behind what it has got already. Of a link
 * to a file the file is replaced.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { UsageError } from './usage-error.js';

export class WholeFile {
  readonly #option: string;
  readonly #path: string; // for messages
  #write: (text: string) => void = () => {};
  #giveUp: () => void = () => {};

  /** `option` names it in messages. Throws UsageError, as `write` does, where the path cannot be written. */
  constructor(option: string, path: string) {
    this.#option = option;
    this.#path = path;
    this.#attempt(() => {
      const found = statSync(path, { throwIfNoEntry: false });
      const output = found && [1, 2].find((fd) => isOpenAs(fd, found));
      if (output !== undefined) this.#write = (text) => writeFileSync(output, text);
      else if (found === undefined || found.isFile()) this.#replace(found ? realpathSync(path) : path);
      else this.#fill(openSync(path, 'w')); // a directory says that it is one
    });
  }

  write(text: string): void {
    this.#attempt(() => this.#write(text));
  }

  /** Leaves the file as it was. */
  giveUp(): void {
    this.#giveUp();
  }

  #replace(path: string): void {
    const partial = `${path}.${process.pid}.partial`;
    this.#giveUp = () => rmSync(partial, { force: true });
    this.#write = (text) => {
      writeFileSync(partial, text);
      renameSync(partial, path);
    };
    writeFileSync(partial, '');
  }

  #fill(fd: number): void {
    this.#giveUp = () => closeSync(fd);
    this.#write = (text) => writeFileSync(fd, text); // closed as the program ends
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.giveUp();
      throw new UsageError(`${this.#option} ${this.#path}: ${(error as Error).message}`);
    }
  }
}

/** Whether the file `found` is open under this number. */
function isOpenAs(fd: number, found: Stats): boolean {
  try {
    const { dev, ino } = fstatSync(fd);
    return dev === found.dev && ino === found.ino;
  } catch {
    return false; // nothing is
  }
}
