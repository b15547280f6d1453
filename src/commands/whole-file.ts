/**
 * A file that gets all of its text or stays as it was; one that cannot be written is found out before the work.
 *
 * The text goes, at once or in pieces, to a partial file beside it, which takes its name once the disk has it. Of a
 * link the file behind it is replaced. A device or a pipe must not become a regular file and is written in place; so is
 * the file of the program's own output, behind its earlier text.
 */
import { closeSync, fstatSync, openSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { printableName } from '../../kernels/errors/excerpt.js';
import { Replacement } from './replacement.js';
import { type CaughtSignals, catchSignals } from './signals.js';
import { whatFailed } from './system-error.js';
import { OutputFileError, WriteError } from './usage-error.js';

const OUTPUTS = [1, 2];

export class WholeFile {
  readonly #name: string; // for messages
  readonly #append: (text: string | Uint8Array) => void;
  #finish: () => void | Promise<void> = () => {};
  #giveUp: () => void = () => {};

  /**
   * `option` names it in messages; `inputs` are what is read meanwhile, paths or numbers of open files. Throws
   * OutputFileError where the path cannot be written or is an input itself.
   */
  constructor(option: string, path: string, inputs: Readonly<Record<string, string | number>>) {
    this.#name = `${option} ${printableName(path)}`;
    try {
      const found = statsOf(path);
      if (found?.isDirectory() || path === '' || path.endsWith('/')) throw new OutputFileError('a directory');
      const output = found && OUTPUTS.find((fd) => isSame(openAs(fd), found));
      const isFound = (input: string | number): boolean =>
        found !== undefined && isSame(typeof input === 'number' ? openAs(input) : statsOf(input), found);
      const read = Object.keys(inputs).find((name) => isFound(inputs[name]!));
      if (output !== undefined) this.#append = (text) => writeFileSync(output, text);
      else if (found !== undefined && !found.isFile()) {
        const fd = openSync(path, 'w'); // closed as the program ends
        this.#append = (text) => writeFileSync(fd, text);
        this.#giveUp = () => closeSync(fd);
      } else if (read !== undefined) throw new OutputFileError(read);
      else {
        const protectedFile = new ProtectedReplacement(new Replacement(path, found?.mode));
        this.#append = (text) => protectedFile.append(text);
        this.#finish = () => protectedFile.finish();
        this.#giveUp = () => protectedFile.giveUp();
      }
    } catch (error) {
      throw new OutputFileError(`${this.#name}: ${whatFailed(error)}`);
    }
  }

  /** Adds to the text. Throws WriteError. */
  append(text: string | Uint8Array): void {
    try {
      this.#append(text);
    } catch (error) {
      this.giveUp();
      throw this.#told(error);
    }
  }

  /** The file has the text now. Throws WriteError, and InterruptedError behind the work where a signal has come. */
  async finish(): Promise<void> {
    try {
      await this.#finish();
    } catch (error) {
      this.giveUp();
      throw this.#told(error);
    }
  }

  async write(text: string | Uint8Array): Promise<void> {
    this.append(text);
    await this.finish();
  }

  /** Leaves the file as it was; a file that is finished has its text. */
  giveUp(): void {
    const giveUp = this.#giveUp;
    this.#giveUp = () => {};
    giveUp();
  }

  /** An error of the system as one of this file. */
  #told(error: unknown): unknown {
    if (!(error instanceof Error && 'syscall' in error)) return error;
    return new WriteError(`${this.#name}: ${whatFailed(error)}`);
  }
}

/** From the first piece of text on a first signal waits, so that no partial file stays. */
class ProtectedReplacement {
  readonly #replacement: Replacement;
  #caught: CaughtSignals | undefined;

  constructor(replacement: Replacement) {
    this.#replacement = replacement;
  }

  append(text: string | Uint8Array): void {
    this.#caught ??= catchSignals();
    this.#replacement.append(text);
  }

  async finish(): Promise<void> {
    this.append('');
    this.#replacement.finish();
    // The next turn delivers signals that came meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    this.#caught?.signal.throwIfAborted();
    this.#caught?.release();
  }

  giveUp(): void {
    this.#replacement.giveUp();
    this.#caught?.release();
  }
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
