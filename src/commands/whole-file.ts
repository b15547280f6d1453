/**
 * A file that gets all of its text or stays as it was; one that cannot be written is found out before the work.
 *
 * The text goes to a partial file beside it, which takes its name once the disk has it. Of a link the file behind it is
 * replaced. A device or a pipe must not become a regular file and is written in place; so is the file of the program's
 * own output, behind its earlier text.
 */
import { closeSync, fstatSync, openSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { printableName } from '../../kernels/errors/excerpt.js';
import { Replacement } from './replacement.js';
import { catchSignals } from './signals.js';
import { whatFailed } from './system-error.js';
import { OutputFileError, WriteError } from './usage-error.js';

const OUTPUTS = [1, 2];

export class WholeFile {
  readonly #name: string; // for messages
  #write: (text: string) => void | Promise<void>;
  #giveUp: () => void = () => {};

  /**
   * `option` names it in messages; `input` is what is read meanwhile, a path or the number of an open file. Throws
   * OutputFileError where the path cannot be written or is the input itself.
   */
  constructor(option: string, path: string, input: string | number) {
    this.#name = `${option} ${printableName(path)}`;
    try {
      const found = statsOf(path);
      if (found?.isDirectory() || path === '' || path.endsWith('/')) throw new OutputFileError('a directory');
      const output = found && OUTPUTS.find((fd) => isSame(openAs(fd), found));
      if (output !== undefined) this.#write = (text) => writeFileSync(output, text);
      else if (found !== undefined && !found.isFile()) this.#write = this.#filling(openSync(path, 'w'));
      else if (found && isSame(typeof input === 'number' ? openAs(input) : statsOf(input), found))
        throw new OutputFileError('the matrix itself');
      else this.#write = replacing(new Replacement(path, found?.mode));
    } catch (error) {
      throw new OutputFileError(`${this.#name}: ${whatFailed(error)}`);
    }
  }

  /** Writes all of `text`. Throws WriteError, and InterruptedError behind the work where a signal came meanwhile. */
  async write(text: string): Promise<void> {
    try {
      await this.#write(text);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      throw new WriteError(`${this.#name}: ${whatFailed(error)}`);
    }
  }

  /** Leaves the file as it was. */
  giveUp(): void {
    this.#giveUp();
  }

  #filling(fd: number): (text: string) => void {
    this.#giveUp = () => closeSync(fd);
    return (text) => writeFileSync(fd, text); // closed as the program ends
  }
}

/** Signals wait, so that no partial file stays. */
function replacing(replacement: Replacement): (text: string) => Promise<void> {
  return async (text) => {
    const caught = catchSignals();
    try {
      replacement.write(text);
      // The next turn delivers signals that came meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      caught.signal.throwIfAborted();
    } finally {
      caught.release();
    }
  };
}

/** Undefined where there is no file; opening the path finds other errors. */
function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Of the file that is open under this number, if one is. */
function openAs(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
}

function isSame(a: Stats | undefined, b: Stats): boolean {
  return a?.dev === b.dev && a.ino === b.ino;
}
