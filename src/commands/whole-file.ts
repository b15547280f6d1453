/** A file that gets all of its text or stays as it was; one that cannot be written is found out before the work. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from './usage-error.js';

export class WholeFile {
  readonly #option: string;
  readonly #path: string;
  readonly #partial: string;

  /** `option` names it in messages. Throws UsageError, as `write` does, where the path cannot be written. */
  constructor(option: string, path: string) {
    this.#option = option;
    this.#path = path;
    this.#partial = `${path}.${process.pid}.partial`;
    this.#attempt(() => writeFileSync(this.#partial, ''));
  }

  write(text: string): void {
    this.#attempt(() => {
      writeFileSync(this.#partial, text);
      renameSync(this.#partial, this.#path);
    });
  }

  /** Leaves the file as it was. */
  giveUp(): void {
    rmSync(this.#partial, { force: true });
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
