/**
 * What a kept run is about. A store serves one run: whatever else is asked of it is refused.
 *
 * The manifest is kept twice: a copy takes the place of one that is damaged. Every other array carries `runId`, a
 * digest of what the manifest says of the run: no run takes up arrays of another. The arrays of one process carry the
 * seed, too, so that the question, asked again, makes a manifest once more that is lost in both places.
 */
import { digestOfText, type Fields, seal, unseal } from './sealed.js';
import type { CheckpointStore } from './store.js';

/** Raised where the arrays of an older program, or the numbers in them, are no longer those of this one. */
const FORMAT = 7;

const NAMES = ['manifest.json', 'manifest-copy.json'] as const;

/** What the digest of a matrix begins with that memory does not hold: in the order of its file, not by rows. */
export const LOGGED = 'logged ';

/** Beside the seed, whatever the numbers of a run depend on. */
export interface RunDescription {
  readonly verb: string;
  readonly matrix: string; // digest of the nonzero entries mod p, by pieces; behind LOGGED as a file has them
  readonly right: string | null; // SHA-256 of the right sides mod p
  readonly rows: number;
  readonly cols: number;
  readonly p: string;
  readonly block: string; // m x n as asked for, or auto
  readonly method: string; // as asked for
  readonly verify: boolean;
  readonly atLeast: number | null;
  readonly random: boolean; // of solve
  readonly left: boolean; // of nullspace
  readonly vectors: number | null;
}

export interface Manifest extends RunDescription {
  readonly format: number;
  readonly seed: string;
  /** The version of the program that began the run, for whoever reads it: `format` says which go on with it. */
  readonly program?: string;
}

export function manifestOf(description: RunDescription, seed: string, program: string): Manifest {
  return { format: FORMAT, ...description, seed, program };
}

/** The manifest in the store, null where there is none; `remark` gets a line where one is damaged. */
export async function readManifest(
  store: CheckpointStore,
  remark: (line: string) => void = () => {},
): Promise<Manifest | null> {
  let found: Fields | null = null;
  for (const name of NAMES) {
    const array = await store.read(name);
    const sealed = array && unseal(array);
    if (sealed !== null && 'format' in sealed.fields) found ??= sealed.fields;
    else if (array !== null) remark(`${name} is damaged`);
  }
  return found as unknown as Manifest | null;
}

/**
 * The manifest of a run whose own is lost in both places: of the first of `asked` that has the id of its arrays, with
 * their seed. null where there is no array of any run, 'other' where none of them is that of the arrays.
 */
export async function recoverManifest(
  store: CheckpointStore,
  asked: readonly RunDescription[],
): Promise<Manifest | 'other' | null> {
  let isKept = false;
  // Those without bytes first, which are short.
  const names = (await store.list()).filter((name) => !NAMES.some((own) => own === name));
  for (const name of names.sort((a, b) => Number(b.endsWith('.json')) - Number(a.endsWith('.json')))) {
    const array = await store.read(name);
    const sealed = array && unseal(array);
    if (sealed?.fields['name'] !== name) continue;
    isKept = true;
    const { seed, run } = sealed.fields;
    if (typeof seed !== 'string') continue; // of a process of a GPU, or of an older program
    const own = asked.map((description): Manifest => ({ format: FORMAT, ...description, seed }));
    return own.find((manifest) => runId(manifest) === run) ?? 'other';
  }
  return isKept ? 'other' : null;
}

/** Whether a name of the two is missing, which nobody has damaged. */
export async function lacksManifest(store: CheckpointStore): Promise<boolean> {
  const names = await store.list();
  return NAMES.some((name) => !names.includes(name));
}

export async function writeManifest(store: CheckpointStore, manifest: Manifest): Promise<void> {
  for (const name of NAMES) await store.write(name, seal({ ...manifest }));
}

/** What another version of this program has written, in words; null for this one's. */
export function otherFormat({ format, program }: Manifest): string | null {
  if (format === FORMAT) return null;
  return `format ${format}${program === undefined ? '' : ` of version ${program}`}, not ${FORMAT}`;
}

/** The first difference, in words; null where the manifest describes this run. */
export function differenceOf(manifest: Manifest, asked: RunDescription): string | null {
  const format = otherFormat(manifest);
  if (format !== null) return `it is of another version of this program: ${format}`;
  for (const key of Object.keys(asked) as (keyof RunDescription)[]) {
    if (manifest[key] === asked[key]) continue;
    if (key === 'right') return 'it is a run with other right sides';
    if (key === 'matrix' && manifest.matrix.startsWith(LOGGED) !== asked.matrix.startsWith(LOGGED))
      return 'it goes on with as much memory for the entries as it began with, or it is a run of another matrix';
    if (key === 'matrix' || key === 'rows' || key === 'cols') return 'it is a run of another matrix';
    if (key === 'verb') return `it is a run of ${manifest.verb}, not of ${asked.verb}`;
    return `it is a run with ${key} ${manifest[key] ?? 'none'}, not ${asked[key] ?? 'none'}`;
  }
  return null;
}

/** The same for whatever program began the run: an update that leaves the format goes on with it. */
export function runId({ program: _, ...own }: Manifest): string {
  return digestOfText(JSON.stringify(own)).slice(0, 16);
}
