/** The files of the repository, as git has them: what tests of the tree itself go through. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Paths from the root, tracked or new, without those that git ignores. */
export function trackedFiles(): string[] {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  return paths.filter((path) => existsSync(join(ROOT, path)));
}

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
