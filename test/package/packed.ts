/**
 * What `npm pack` makes of what `npm test` has built, once for a run of tests: whichever file asks first packs, into a
 * folder of the run's own, since that takes seconds. Vitest calls the default export before the tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

declare module 'vitest' {
  export interface ProvidedContext {
    packed: string;
  }
}

export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-packed-'));
  provide('packed', folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** The tarball, and the paths in it; `folder` is what the run provides as `packed`. */
export function packed(folder: string): { readonly tarball: string; readonly paths: readonly string[] } {
  const done = join(folder, 'said.json');
  if (isFirst(folder)) {
    const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd: ROOT, encoding: 'utf8' });
    writeFileSync(`${done}.part`, JSON.stringify({ status, stdout, stderr }));
    renameSync(`${done}.part`, done);
  }
  for (let left = 1800; !existsSync(done); left--) {
    if (left === 0) throw new Error('npm pack: whoever began it has not ended within three minutes');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  const { status, stdout, stderr } = JSON.parse(readFileSync(done, 'utf8'));
  if (status !== 0) throw new Error(`npm pack: exit ${status}\n${stdout}${stderr}`);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(folder, filename), paths: files.map(({ path }) => path) };
}

/** Of processes too. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'begun'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
