/**
 * Replaces a regular file, or makes one, in one step: readers see the old text or the new one, and so does the next
 * start after a crash. The text is written to a partial file in the same folder, brought to the disk and renamed.
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

/** A disk with less room takes no certificate. */
const PROBE = '\n'.repeat(4096);
const MOST_LINKS = 40; // as Linux

export class Replacement {
  readonly #target: string;
  readonly #mode: number | undefined;

  /** `mode` is that of the present file, if there is one. Throws the system's error where the file cannot be made. */
  constructor(path: string, mode: number | undefined) {
    if (mode !== undefined) accessSync(path, constants.W_OK); // a folder's owner may replace what is not to be written
    this.#target = followLinks(path);
    this.#mode = mode === undefined ? undefined : mode & 0o7777;
    // The trial file is gone before the work, so that no end of the run leaves it behind.
    rmSync(this.#partial(PROBE));
  }

  write(text: string): void {
    const partial = this.#partial(text);
    try {
      renameSync(partial, this.#target);
    } catch (error) {
      rmSync(partial, { force: true });
      throw error;
    }
  }

  /** Makes the partial file, on the disk when this returns, and returns its path; leaves none where it throws. */
  #partial(text: string): string {
    // The partial file has a name of its own, as the longest names leave no room for a suffix.
    const name = `.wiedemann-${process.pid}-${randomBytes(4).toString('hex')}.partial`;
    const path = `${dirname(this.#target)}/${name}`;
    const fd = openSync(path, 'wx');
    try {
      try {
        if (this.#mode !== undefined) fchmodSync(fd, this.#mode);
        writeFileSync(fd, text);
        fsyncSync(fd);
      } finally {
        closeSync(fd); // before it is removed: Windows removes no open file
      }
    } catch (error) {
      rmSync(path);
      throw error;
    }
    return path;
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
