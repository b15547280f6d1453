/**
 * What whoever submits a run puts into Redis, of its folder and the matrix, and takes back at its end.
 *
 * Nothing is put there twice: a run that is open there goes on from its own arrays, and only a matrix that is not the
 * one there is uploaded again.
 */
import { createHash } from 'node:crypto';
import { createReadStream, promises as fs } from 'node:fs';
import { removeLate } from '../../algorithms/block-wiedemann/kept-attempt.js';
import { digestOfBytes, digestOfText, unseal } from '../../algorithms/checkpoint/sealed.js';
import { FormatError } from '../io/format-error.js';
import { RunFolder } from '../io/run-folder.js';
import { type KeptPlan, lookAt } from './kept-plan.js';
import { cut, MATRIX_FILES, type UploadedRun } from './uploaded-run.js';

/** Names of arrays, which alone are read: a folder may have other files, too. */
const ARRAY = /^(manifest|way|parts|part-|progress|attempt-|outcome-|answer)/;

/** The same wherever the run is uploaded from. */
export function uploadId({ run, parts, blocks, format }: KeptPlan): string {
  return digestOfText(`${run} ${parts} ${blocks} ${format}`).slice(0, 16);
}

export async function upload(run: UploadedRun, plan: KeptPlan): Promise<void> {
  const state = await run.state();
  if (state === 'over') return;
  await uploadMatrix(run, plan);
  if (state === 'none') await uploadArrays(run, plan);
  await run.open();
}

/** Whoever submits again may have the matrix no more. */
async function uploadMatrix(run: UploadedRun, { file, format }: KeptPlan): Promise<void> {
  const [[own], ...beside] = Object.entries(MATRIX_FILES) as [[string, string], ...[string, string][]];
  if (!(await uploadFile(run, own, file)) && !(await hasWhole(run, own)))
    throw new FormatError(file, 0, 'a readable file', 'no such file');
  if (!(format.startsWith('cado') && file.endsWith('.bin'))) return;
  for (const [name, end] of beside) await uploadFile(run, name, file.replace(/\.bin$/, end));
}

/** Whether there is such a file. */
async function uploadFile(run: UploadedRun, name: string, file: string): Promise<boolean> {
  try {
    const { size } = await fs.stat(file);
    const read = () => createReadStream(file, { highWaterMark: run.pieceBytes });
    const digest = createHash('sha256');
    for await (const piece of read()) digest.update(piece);
    if (await hasWhole(run, name, digest.digest('hex'))) return true;
    const own = createHash('sha256'); // a file may change meanwhile
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for await (const piece of read()) {
        own.update(piece);
        yield piece;
      }
    }
    await run.put(name, pieces(), size, () => own.digest('hex'), ['none', 'open']);
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw syscall === undefined ? error : new FormatError(file, 0, 'a readable file', String(code));
  }
}

/** Those that are damaged, or of another run, stay behind. */
async function uploadArrays(run: UploadedRun, plan: KeptPlan): Promise<void> {
  const folder = RunFolder.reading(plan.directory);
  for (const name of (await folder.list()).filter((each) => ARRAY.test(each))) {
    const bytes = await folder.read(name);
    const sealed = bytes && unseal(bytes);
    if (bytes === null || !sealed) continue;
    if (sealed.fields['run'] !== plan.run && !name.startsWith('manifest')) continue;
    const digest = digestOfBytes(bytes);
    if (await hasWhole(run, name, digest)) continue;
    const isPut = await run.put(name, cut(bytes, run.pieceBytes), bytes.length, () => digest, ['none']);
    if (!isPut) return; // somebody else has uploaded the run meanwhile
  }
}

async function hasWhole(run: UploadedRun, name: string, sha256?: string): Promise<boolean> {
  const entry = await run.entry(name);
  return entry !== null && (sha256 ?? entry.sha256) === entry.sha256 && run.isWhole(entry);
}

/**
 * Writes into the folder what a run that is over has left: its outcome takes the place of what it was made with. Redis
 * keeps that, too: the run may have been uploaded from several folders.
 */
export async function takeBack(run: UploadedRun, plan: KeptPlan): Promise<void> {
  if ((await run.state()) !== 'over') return;
  const folder = await RunFolder.open(plan.directory);
  for (const name of await run.list()) {
    const bytes = await run.read(name);
    if (bytes !== null && bytes.length > 0) await folder.write(name, bytes); // nothing is lost there
  }
  await removeLate(lookAt(folder, plan.run));
}
