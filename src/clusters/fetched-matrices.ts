/** Matrices of runs in Redis, each fetched once into a file of this process, which goes with its worker. */
import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { RunFolderError } from '../io/run-folder.js';
import { type Entry, MATRIX_FILES, OverError, type UploadedRun } from './uploaded-run.js';

interface Fetched {
  readonly folder: string;
  readonly run: UploadedRun;
}

export class FetchedMatrices {
  readonly #found = new Map<string, Fetched>(); // by the digests of its files

  /**
   * The file of a run's matrix, of which another one may take the place meanwhile; StoppedError once `stop` is aborted,
   * OverError where the run has ended.
   */
  async file(run: UploadedRun, stop: AbortSignal): Promise<string> {
    for (let last = ''; ; ) {
      const entries = await entriesOf(run);
      const file = entries.length > 0 ? await this.#fileOf(run, entries, stop) : null;
      if (file !== null) return file;
      if ((await run.state()) === 'over') throw new OverError('the run is over');
      const versions = entries.map(([, { version }]) => version).join();
      if (versions === last) throw run.redis.refused(LOST);
      last = versions;
    }
  }

  /** null where that is not what was uploaded. */
  async #fileOf(run: UploadedRun, entries: readonly NamedEntry[], stop: AbortSignal): Promise<string | null> {
    const key = entries.map(([name, { sha256 }]) => `${name} ${sha256}`).join();
    const known = this.#found.get(key);
    // Temporary files may go once they are old.
    const isThere =
      known &&
      (await Promise.all(entries.map(([name]) => fs.access(join(known.folder, name)))).then(
        () => true,
        () => false,
      ));
    const fetched = isThere ? known : await this.#fetch(run, entries, key, stop);
    return fetched && join(fetched.folder, `matrix${MATRIX_FILES[':matrix']}`);
  }

  async remove(): Promise<void> {
    for (const { folder } of this.#found.values()) await fs.rm(folder, { recursive: true, force: true });
    this.#found.clear();
  }

  async #fetch(
    run: UploadedRun,
    entries: readonly NamedEntry[],
    key: string,
    stop: AbortSignal,
  ): Promise<Fetched | null> {
    await this.#removeOver(key);
    const parent = nodeModule('node:os')!.tmpdir();
    let folder: string | undefined;
    let isWhole = false;
    try {
      folder = await fs.mkdtemp(join(parent, 'wiedemann-matrix-'));
      for (const [name, entry] of entries) {
        isWhole = await fetchFile(run, entry, join(folder, name), stop);
        if (!isWhole) return null;
      }
    } catch (error) {
      isWhole = false;
      throw (error as NodeJS.ErrnoException).syscall === undefined ? error : RunFolderError.of(parent, error);
    } finally {
      if (folder !== undefined && !isWhole) await fs.rm(folder, { recursive: true, force: true });
    }
    const fetched = { folder, run };
    this.#found.set(key, fetched);
    return fetched;
  }

  /** Those of runs that need them no more, and what is left of `key`. */
  async #removeOver(key: string): Promise<void> {
    for (const [other, { folder, run }] of this.#found) {
      if (other !== key && (await run.state()) === 'open') continue;
      await fs.rm(folder, { recursive: true, force: true });
      this.#found.delete(other);
    }
  }
}

type NamedEntry = readonly [file: string, entry: Entry];

async function entriesOf(run: UploadedRun): Promise<NamedEntry[]> {
  const entries: NamedEntry[] = [];
  for (const [name, end] of Object.entries(MATRIX_FILES)) {
    const entry = await run.entry(name);
    if (entry !== null) entries.push([`matrix${end}`, entry]);
  }
  return entries;
}

const LOST = new Error('its matrix is not what was uploaded: `wiedemann queue submit` uploads it again');

/** Whether it is what was uploaded. */
async function fetchFile(run: UploadedRun, entry: Entry, path: string, stop: AbortSignal): Promise<boolean> {
  const digest = createHash('sha256');
  const file = await fs.open(path, 'wx', 0o600);
  try {
    for (let i = 0; i < entry.pieces; i++) {
      if (stop.aborted) throw new StoppedError();
      const piece = await run.piece(entry, i);
      if (piece === null) break;
      digest.update(piece);
      await file.writeFile(piece); // behind what is there
    }
  } finally {
    await file.close();
  }
  return digest.digest('hex') === entry.sha256;
}
