/** What a benchmark's lines say of where and when they were measured. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();

/**
 * The commit, with a + behind it where the sources have changed since; without a repository what the environment says.
 */
function commit() {
  try {
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      '.',
      ':!test/bench/RESULTS.md',
      ':!test/bench/results',
      ':!test/bench/charts',
    );
    return git('rev-parse', '--short', 'HEAD') + (changed ? '+' : '');
  } catch {
    return process.env['COMMIT'] ?? 'unknown';
  }
}

export function machine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} x ${cpus()[0].model.trim()}`,
    node: process.version,
    commit: commit(),
  };
}
