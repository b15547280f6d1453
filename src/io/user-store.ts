/**
 * Texts that this program keeps for its user between runs, a file each, in the user's cache directory.
 *
 * A text is written to a file of another name, which then takes its place: who reads meets the old text or the new one.
 * After a loss of power a file may be torn all the same, so that readers check what they read.
 *
 *   XDG_CACHE_HOME, where it is an absolute path       %LOCALAPPDATA% on Windows
 *   ~/Library/Caches on macOS                          ~/.cache elsewhere
 *
 * Source: XDG Base Directory Specification 0.8.
 */
import { nodeModule } from '../../kernels/platform/node-module.js';

type FileSystem = typeof import('node:fs');

/** Longer names are cut: file systems allow 255 bytes. */
const LONGEST_NAME = 200;

export class UserStore {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    [this.#fs, this.#folder] = [fs, folder];
  }

  /** Whether anything was ever kept, as far as the program may know. */
  get isUsed(): boolean {
    try {
      return this.#fs.existsSync(this.#folder);
    } catch {
      return false;
    }
  }

  async get(key: string): Promise<string | null> {
    try {
      return await this.#fs.promises.readFile(this.#path(key), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async set(key: string, text: string): Promise<void> {
    const { writeFile, rename, rm } = this.#fs.promises;
    await this.#makeFolder(this.#folder);
    const path = this.#path(key);
    const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
    try {
      await writeFile(temporary, text, { flag: 'wx' });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await this.#fs.promises.rm(this.#path(key), { force: true });
  }

  /**
   * The folder with those above it. Not by `recursive`: where a file system refuses a folder with ENOENT, as /proc
   * does, Node tries again without end.
   */
  async #makeFolder(folder: string): Promise<void> {
    const { mkdir, stat } = this.#fs.promises;
    if ((await stat(folder).catch(() => null))?.isDirectory()) return;
    const above = folder.replace(/[\\/]+[^\\/]*$/, '');
    if (above !== '' && above !== folder) await this.#makeFolder(above);
    try {
      await mkdir(folder);
    } catch (error) {
      // Another process was quicker; or it is a file, as who writes below it is told.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  #path(key: string): string {
    return `${this.#folder}/${key.replace(/[^A-Za-z0-9]+/g, '-').slice(0, LONGEST_NAME)}`;
  }
}

/**
 * The store of the user's folder `name`; null where there is no file system or no home, or where a runtime with
 * permissions, such as Deno, keeps the environment from the program.
 */
export function userStore(name: string): UserStore | null {
  const [fs, os] = [nodeModule('node:fs'), nodeModule('node:os')];
  if (fs === undefined || os === undefined) return null;
  try {
    const caches = cacheDirectory(process.platform, process.env, () => os.homedir());
    return caches === null ? null : new UserStore(fs, `${caches}/wiedemann/${name}`);
  } catch {
    return null;
  }
}

export function cacheDirectory(
  platform: string,
  { XDG_CACHE_HOME, LOCALAPPDATA }: Readonly<Record<string, string | undefined>>,
  homeOf: () => string,
): string | null {
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (platform === 'win32') return LOCALAPPDATA && isAbsolute(LOCALAPPDATA) ? LOCALAPPDATA : null;
  const home = homeOf();
  if (!isAbsolute(home)) return null;
  return platform === 'darwin' ? `${home}/Library/Caches` : `${home}/.cache`;
}

function isAbsolute(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/])/.test(path);
}
