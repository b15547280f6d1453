/**
 * One process from start to exit: its output, its wall time, its processor time, and the most memory it held.
 *
 *   wall : seconds from before the process exists until it is gone, reading its input included
 *   cpu  : seconds of processor time of all its threads, user and system
 *   peak : bytes resident at most, all threads
 *   load : how many processes wanted a core on average over the minute before it ended, its own threads included
 *
 * cpu and peak come from GNU time (Debian's package `time`); null where that is not installed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';

const GNU_TIME = '/usr/bin/time';
// GNU time writes its line to stderr behind whatever the process wrote; the mark tells it from the process's own lines.
const MARK = 'kilobytes, user, system:';

export const hasGnuTime = existsSync(GNU_TIME);

/** Runs `command` with `args`; never rejects for a process that fails: `status` is its exit code, or null if killed. */
export function measured(command, args, environment = {}) {
  const [file, words] = hasGnuTime ? [GNU_TIME, ['-q', '-f', `${MARK} %M %U %S`, command, ...args]] : [command, args];
  const start = performance.now();
  const child = spawn(file, words, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      const wall = (performance.now() - start) / 1000;
      const at = output.stderr.lastIndexOf(MARK);
      const [kilobytes, user, system] =
        at < 0
          ? []
          : output.stderr
              .slice(at + MARK.length)
              .trim()
              .split(' ')
              .map(Number);
      const used = at < 0 ? { cpu: null, peak: null } : { cpu: user + system, peak: 1024 * kilobytes };
      const stderr = at < 0 ? output.stderr : output.stderr.slice(0, at);
      resolve({ stdout: output.stdout, stderr, status, wall, ...used, load: loadavg()[0] });
    });
  });
}
