/**
 * The main thread of the page while it computes, from the drop of bibd_81_3 to its rank, in Chromium without a window:
 * the longest gap between two frames, and the longest task. Works on dist/.
 *
 *   npm run bench -- page [rounds]
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { watchMainThread } from './main-thread.mjs';
import { report } from './report.mjs';

const ROUNDS = Number(process.argv[3] ?? 5);
/** Milliseconds in which a browser that has just been started does what has nothing to do with the page. */
const SETTLING = 4000;
const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const words = [path('dist/bin/cli.js'), 'serve', '--port', '0'];
const server = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
const address = await new Promise((resolve, reject) => {
  server.stderr.once('data', (line) => resolve(/http:\S+/.exec(line)[0]));
  server.on('exit', (code) => reject(new Error(`serve ended: exit ${code}`)));
});
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run'] });
const tenths = (value) => Math.round(10 * value) / 10;
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Reading and computing on a fresh page, with what the main thread did in each. */
async function round(method) {
  const page = await browser.newPage();
  await page.goto(address);
  await page.locator('#devices:not(:empty)').waitFor();
  await page.selectOption('#method', method);
  await sleep(500);
  const reading = await watchMainThread(page, async () => {
    await page.setInputFiles('#file', path('data/bibd_81_3.sms.gz'));
    await page.locator('#fill svg').first().waitFor();
  });
  await sleep(500);
  const start = performance.now();
  const computing = await watchMainThread(page, async () => {
    await page.click('#run');
    await page.locator('#headline:visible').waitFor();
  });
  const seconds = (performance.now() - start) / 1000;
  const rank = await page.textContent('#headline');
  if (rank !== '3240') throw new Error(`page: expected the rank 3240, got ${rank}`);
  await page.close();
  return { reading, computing, seconds };
}

try {
  await sleep(SETTLING);
  for (const method of ['auto', 'wiedemann']) {
    const rounds = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await round(method));
    const phases = rounds.flatMap(({ reading, computing }) => [reading, computing]);
    report({
      ...{ bench: 'page', browser: `Chromium ${browser.version()}`, matrix: 'bibd_81_3', method, rounds: ROUNDS },
      readingMs: tenths(median(rounds.map(({ reading }) => reading.gapMs))),
      computingMs: tenths(median(rounds.map(({ computing }) => computing.gapMs))),
      readingWorstMs: tenths(Math.max(...rounds.map(({ reading }) => reading.gapMs))),
      computingWorstMs: tenths(Math.max(...rounds.map(({ computing }) => computing.gapMs))),
      taskMs: tenths(Math.max(...phases.map(({ taskMs }) => taskMs))),
      taskCoreMs: tenths(Math.max(...phases.map(({ taskCoreMs }) => taskCoreMs))),
      seconds: tenths(median(rounds.map(({ seconds }) => seconds))),
      load: tenths(loadavg()[0]),
    });
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
