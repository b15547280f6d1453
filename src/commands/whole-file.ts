/**
 * A file that gets all of its text or stays as it was; one that cannot be written is found out before the work.
 *
 * The text goes to a file beside it, which takes its name at the end. What is no regular file, a device or a pipe, must not be
 * replaced by one and is written as it is; of a link to a file the file is replaced.
 */
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
      if (found === undefined || found.isFile()) this.#replace(found ? realpathSync(path) : path);
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
