/**
 * The run that survives a reload: its question, its matrix and its checkpoints in the private files of the browser
 * (OPFS), one run at a time.
 *
 *   wiedemann/question.json   what was asked, and of which matrix
 *   wiedemann/matrix          the file as it came; a family needs none
 *   wiedemann/right           the right sides of a system likewise
 *   wiedemann/store/          the arrays of the checkpoints
 *   wiedemann/owner           a word of the page that works on it, or has left it
 *
 * A lock of the browser keeps two tabs off one run: the second one computes without keeping.
 */
import { digestOfPieces } from '../../algorithms/checkpoint/sealed.js';
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import type { Asking, KeptQuestion, Source } from './messages.js';

const FOLDER = 'wiedemann';
const QUESTION = 'question.json';
const MATRIX = 'matrix';
const RIGHT = 'right';
const OWNER = 'owner';
const STORE = 'store';

/** Milliseconds in which what an ended worker had, a lock and open files, is given back. */
const PATIENCE = 10_000;

/** Pages of plain http from elsewhere have neither locks nor private files. */
function hasLocks(): boolean {
  return navigator.locks !== undefined;
}

/** The folder of the run; null where the browser has no private files, or refuses them. */
async function folderOf(create: boolean): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(FOLDER, { create });
  } catch {
    return null;
  }
}

/** `write` is whole or not at all: a browser swaps the file in as its writer is closed. */
class PrivateFiles implements CheckpointStore {
  readonly #folder: FileSystemDirectoryHandle;

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  async read(name: string): Promise<Uint8Array | null> {
    try {
      const file = await (await this.#folder.getFileHandle(name)).getFile();
      return new Uint8Array(await file.arrayBuffer());
    } catch (error) {
      if ((error as Error).name === 'NotFoundError') return null;
      throw error;
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const writer = await (await this.#folder.getFileHandle(name, { create: true })).createWritable();
    await writer.write(new Uint8Array(bytes)); // a copy: memory of threads cannot be written
    await writer.close();
  }

  async list(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const name of this.#folder.keys()) names.push(name);
    return names;
  }

  async remove(name: string): Promise<void> {
    await this.#folder.removeEntry(name).catch((error: Error) => {
      if (error.name !== 'NotFoundError') throw error;
    });
  }
}

/**
 * Runs `work` with a store for the question, or with null where nothing can be kept. An answer ends what is kept, and
 * so do an error and the wish to give up: what is found later is what a page has left.
 */
export async function keeping<T>(
  { source, asking }: KeptQuestion,
  owner: string,
  work: (store: CheckpointStore | null) => Promise<T>,
): Promise<T> {
  if (!hasLocks()) return work(null);
  return navigator.locks.request(FOLDER, { ifAvailable: true }, async (lock) => {
    const folder = lock === null ? null : await folderOf(true);
    if (folder === null) return work(null);
    try {
      await new PrivateFiles(folder).write(OWNER, new TextEncoder().encode(owner));
      await keepQuestion(folder, source, asking);
      return await work(new PrivateFiles(await folder.getDirectoryHandle(STORE, { create: true })));
    } finally {
      await removeFolder();
    }
  });
}

/** The same question goes on; another one takes its place. */
async function keepQuestion(folder: FileSystemDirectoryHandle, source: Source, asking: Asking): Promise<void> {
  const right = asking.question === 'solve' ? asking.right : null;
  const own = { ...asking, right: right && (await describeFile(right)) };
  const kept = JSON.stringify({ source: await describe(source), asking: own });
  const files = new PrivateFiles(folder);
  const before = await files.read(QUESTION);
  if (before !== null && new TextDecoder().decode(before) === kept) return;
  await files.remove(QUESTION);
  await folder.removeEntry(STORE, { recursive: true }).catch(() => undefined);
  const inputs = [
    [MATRIX, source.kind === 'file' ? source.file : null],
    [RIGHT, right],
  ] as const;
  for (const [name, file] of inputs) {
    await files.remove(name);
    if (file === null) continue;
    const writer = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await file.stream().pipeTo(writer);
  }
  await files.write(QUESTION, new TextEncoder().encode(kept)); // last: what it speaks of is there
}

async function describe(source: Source): Promise<object> {
  return source.kind === 'family' ? source : { kind: 'file', ...(await describeFile(source.file)) };
}

/** Its name, and what tells it from any other file of that name. */
async function describeFile(file: File): Promise<{ readonly name: string; readonly sha256: string }> {
  const reader = file.stream().getReader();
  return { name: file.name, sha256: await digestOfPieces(async () => (await reader.read()).value) };
}

/** The run that was under way when the page was left; null where there is none, or another tab has it. */
export async function findKept(): Promise<KeptQuestion | null> {
  if (!hasLocks()) return null;
  const { held } = await navigator.locks.query();
  if (held?.some(({ name }) => name === FOLDER)) return null;
  const folder = await folderOf(false);
  const bytes = folder === null ? null : await new PrivateFiles(folder).read(QUESTION);
  if (bytes === null) return null;
  try {
    const { source, asking } = JSON.parse(new TextDecoder().decode(bytes));
    // In memory: the private file goes when the run ends, and the page asks on.
    const fileOf = async (of: string, name: string): Promise<File> =>
      new File([await (await (await folder!.getFileHandle(of)).getFile()).arrayBuffer()], name);
    const right = asking.right && (await fileOf(RIGHT, asking.right.name));
    const from = source.kind === 'family' ? source : { kind: 'file', file: await fileOf(MATRIX, source.name) };
    return { source: from, asking: { ...asking, right } };
  } catch {
    return null; // half of a question is none
  }
}

/**
 * Forgets the run that `owner` keeps, whose worker was ended and gives its lock back within moments; or, by null, the
 * one that was left, unless another tab has it by now.
 */
export async function removeKept(owner: string | null): Promise<void> {
  if (!hasLocks() || (owner !== null && (await ownerOf()) !== owner)) return;
  const options = owner === null ? { ifAvailable: true } : { signal: AbortSignal.timeout(PATIENCE) };
  const remove = async (lock: Lock | null): Promise<void> => {
    if (lock !== null && (owner === null || (await ownerOf()) === owner)) await removeFolder();
  };
  await navigator.locks.request(FOLDER, options, remove).catch((error: Error) => {
    if (error.name !== 'AbortError' && error.name !== 'TimeoutError') throw error;
  });
}

async function ownerOf(): Promise<string | null> {
  const folder = await folderOf(false);
  const bytes = folder && (await new PrivateFiles(folder).read(OWNER));
  return bytes && new TextDecoder().decode(bytes);
}

/** A writer of a worker that was ended holds its file for moments. */
async function removeFolder(): Promise<void> {
  const root = await navigator.storage.getDirectory().catch(() => null);
  for (const end = Date.now() + PATIENCE; root !== null; ) {
    try {
      return await root.removeEntry(FOLDER, { recursive: true });
    } catch (error) {
      if ((error as Error).name === 'NotFoundError' || Date.now() > end) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
