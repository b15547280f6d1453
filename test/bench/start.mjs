/**
 * What a small run of the command line costs beside Node itself: whole processes, one after another in turns, and the
 * most memory they held. Works on dist/.
 *
 *   npm run bench -- start [rounds] [FILE …]      one JSON line a case: medians and least, of seconds and of megabytes
 *
 *   ratio : median wall time over that of `node -e 0`
 *   over2x2, overNode : what it takes more, in seconds and in megabytes
 *   cpu   : user and system, all threads; it says more than wall time where the machine has something else to do
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured } from './measured-process.mjs';
import { report } from './report.mjs';

const CLI = fileURLToPath(new URL('../../dist/bin/cli.js', import.meta.url));
const BIBD = fileURLToPath(new URL('../../data/bibd_81_3.sms.gz', import.meta.url));
const PRIME = '65521';

const [rounds = '11', ...given] = process.argv.slice(3);
if (!(Number(rounds) >= 1)) throw new Error(`bench start: expected a number of rounds, got ${rounds}`);

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-start-'));

function written(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** n x n with 5 entries a row, a fixed pattern that leaves pivots something to do. */
function scattered(n) {
  const lines = [`${n} ${n} M`];
  for (let i = 0; i < n; i++) {
    const columns = new Set(Array.from({ length: 5 }, (_, k) => (i * i * (k + 1) + 7 * k * k * i + 3 * k) % n));
    for (const j of [...columns].sort((a, b) => a - b)) lines.push(`${i + 1} ${j + 1} ${1 + ((i + j) % 9)}`);
  }
  return `${lines.join('\n')}\n0 0 0\n`;
}

try {
  const rank = (file) => [CLI, 'rank', file, '-p', PRIME];
  const two = written('2x2.sms', '2 2 M\n1 1 1\n2 2 1\n0 0 0\n');
  const certificate = join(folder, 'certificate');
  const scattered213 = written('213.sms', scattered(213));
  const { status, stderr } = await measured(process.execPath, [...rank(scattered213), '--certificate', certificate]);
  if (status !== 0) throw new Error(`bench start: ${stderr}`);
  const cases = [
    ['node -e 0', ['-e', '0']],
    ['rank 2x2', rank(two)],
    ['rank 213x213', rank(scattered213)],
    ['minpoly 2x2', [CLI, 'minpoly', two, '-p', PRIME]],
    ['info 2x2', [CLI, 'info', two]],
    ['verify 213x213', [CLI, 'verify', certificate, scattered213]],
    ['rank bibd_81_3', rank(BIBD)],
    ...given.map((file) => [`rank ${basename(file)}`, rank(file)]),
  ];
  const runs = cases.map(() => []);
  for (let round = 0; round < Number(rounds); round++) {
    for (const [i, [name, words]] of cases.entries()) {
      const run = await measured(process.execPath, words);
      if (run.status !== 0) throw new Error(`bench start: ${name}: ${run.stderr}`);
      runs[i].push(run);
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const of = (i, what) => runs[i].map((run) => run[what]);
  const rounded = (x, digits) => Number(x.toFixed(digits));
  for (const [i, [name]] of cases.entries()) {
    const wall = median(of(i, 'wall'));
    const peak = median(of(i, 'peak')) / 1e6;
    const line = {
      ...{ bench: 'start', case: name, rounds: Number(rounds), wall: rounded(wall, 4) },
      ...{ least: rounded(Math.min(...of(i, 'wall')), 4), cpu: rounded(median(of(i, 'cpu')), 3) },
      ...{ ratio: rounded(wall / median(of(0, 'wall')), 2), over2x2: rounded(wall - median(of(1, 'wall')), 4) },
      ...{ peakMB: rounded(peak, 1), overNodeMB: rounded(peak - median(of(0, 'peak')) / 1e6, 1) },
      load: rounded(median(of(i, 'load')), 1),
    };
    report(line);
  }
} finally {
  rmSync(folder, { recursive: true });
}
