/**
 * `npm run bench -- NAME [options]` runs test/bench/NAME.mjs; its options are process.argv from the fourth word on.
 *
 *   --record : the run's lines take the place of those that the same command gave on the same machine (results.mjs)
 *   results  : RESULTS.md and its charts once more from the lines that are kept
 */
import { existsSync } from 'node:fs';
import { reported } from './report.mjs';
import { keep, writePage } from './results.mjs';
import { SECTIONS } from './sections.mjs';

// No folder: what is measured does not depend on choices that `tune` has kept.
process.env.XDG_CACHE_HOME = '/dev/null';
const name = process.argv[2] ?? '';
const record = process.argv.includes('--record');
process.argv = process.argv.filter((word) => word !== '--record');
if (name === 'results') {
  await writePage();
  process.exit(0);
}
if (!(name in SECTIONS) || !existsSync(new URL(`${name}.mjs`, import.meta.url))) {
  const expected = [...Object.keys(SECTIONS), 'results'].join(', ');
  console.error(`bench: expected one of ${expected}, got ${name === '' ? 'nothing' : `"${name}"`}`);
  process.exit(2);
}
try {
  await import(`./${name}.mjs`);
} catch (error) {
  if (error?.name !== 'DeviceError') throw error;
  console.error(`bench ${name}: ${error.message}`);
  process.exit(69);
}
if (record && !process.exitCode) {
  keep(name, ['npm run bench --', ...process.argv.slice(2)].join(' '), reported);
  await writePage();
}
