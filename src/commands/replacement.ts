/**
 * Replaces a regular file, or makes one, in one step: readers see the old text or the new one, and so does the next
 * start after a crash. The text is written to a partial file in the same folder, piece by piece, brought to the disk
 * and renamed.
 */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute } from 'node:path';

/** A disk with less room takes no answer. */
const PROBE = '\n'.repeat(4096);
const CLOSED = -1;
const MOST_LINKS = 40; // as Linux

export class Replacement {
  readonly #target: string;
  readonly #mode: number | undefined;
  #partial: { readonly path: string; readonly fd: number } | null = null; // while text comes

  /** `mode` is that of the present file, if there is one. Throws the system's error where the file cannot be made. */
  constructor(path: string, mode: number | undefined) {
    if (mode !== undefined) accessSync(path, constants.W_OK); // a folder's owner may replace what is not to be written
    this.#target = followLinks(path);
    this.#mode = mode === undefined ? undefined : mode & 0o7777;
    // The trial file is gone before the disk has it, so that no end of the run leaves it behind.
    try {
      this.append('');
      if (process.platform !== 'win32') rmSync(this.#partial!.path);
      this.append(PROBE);
      this.#close(true);
    } finally {
      this.giveUp();
    }
  }

  /** Adds to the text; where it throws the partial file is gone. */
  append(text: string | Uint8Array): void {
    try {
      this.#partial ??= this.#open();
      writeFileSync(this.#partial.fd, text);
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  /** The file has the text when this returns, or stays as it was where it throws. */
  finish(): void {
    this.append(''); // there may have been no text
    const { path } = this.#partial!;
    try {
      this.#close(true);
      renameSync(path, this.#target);
      this.#partial = null;
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  /** Removes the text so far. */
  giveUp(): void {
    if (this.#partial === null) return;
    const { path } = this.#partial;
    this.#close(false); // Windows removes no open file
    this.#partial = null;
    rmSync(path, { force: true });
  }

  #open(): { path: string; fd: number } {
    // The partial file has a name of its own, as the longest names leave no room for a suffix.
    const name = `.wiedemann-${process.pid}-${randomBytes(4).toString('hex')}.partial`;
    const path = `${dirname(this.#target)}/${name}`;
    const fd = openSync(path, 'wx');
    this.#partial = { path, fd };
    if (this.#mode !== undefined) fchmodSync(fd, this.#mode);
    return this.#partial;
  }

  /** Once for a partial file; `whole`: its text is on the disk when this returns. */
  #close(whole: boolean): void {
    const { path, fd } = this.#partial!;
    if (fd === CLOSED) return;
    this.#partial = { path, fd: CLOSED };
    try {
      if (whole) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

/** Where a chain of links ends, whether or not there is a file. */
function followLinks(path: string): string {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const link = linkAt(at);
    if (link === null) return at;
    // The path stays as it is: only the system knows '..' behind a link to a folder.
    at = isAbsolute(link) ? link : `${dirname(at)}/${link}`;
  }
  return at;
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // no link, or nothing at all
  }
}
