/**
 * Frames of the page while it computes: the longest gap between two of them, by requestAnimationFrame, from the drop of
 * bibd_81_3 to its rank, in Chromium without a window. Works on dist/.
 *
 *   npm run bench -- page [rounds]
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { report } from './report.mjs';

const ROUNDS = Number(process.argv[3] ?? 3);
const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const words = [path('dist/bin/cli.js'), 'serve', '--port', '0'];
const server = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
const address = await new Promise((resolve, reject) => {
  server.stderr.once('data', (line) => resolve(/http:\S+/.exec(line)[0]));
  server.on('exit', (code) => reject(new Error(`serve ended: exit ${code}`)));
});
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run'] });

/** The gaps of frames, in milliseconds, while `work` goes on. */
async function gapsDuring(page, work) {
  await page.evaluate(() => {
    globalThis.gaps = [];
    let last = performance.now();
    const note = () => {
      const now = performance.now();
      globalThis.gaps?.push(now - last);
      last = now;
      if (globalThis.gaps) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await work();
  return page.evaluate(() => {
    const { gaps } = globalThis;
    globalThis.gaps = undefined;
    return gaps;
  });
}

try {
  for (const method of ['auto', 'wiedemann']) {
    const longest = { reading: [], computing: [] };
    const seconds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const page = await browser.newPage();
      await page.goto(address);
      await page.locator('#devices:not(:empty)').waitFor();
      await page.selectOption('#method', method);
      const reading = await gapsDuring(page, async () => {
        await page.setInputFiles('#file', path('data/bibd_81_3.sms.gz'));
        await page.locator('#fill svg').first().waitFor();
      });
      const start = performance.now();
      const computing = await gapsDuring(page, async () => {
        await page.click('#run');
        await page.locator('#headline:visible').waitFor();
      });
      seconds.push((performance.now() - start) / 1000);
      const rank = await page.textContent('#headline');
      if (rank !== '3240') throw new Error(`page: expected the rank 3240, got ${rank}`);
      longest.reading.push(Math.max(...reading));
      longest.computing.push(Math.max(...computing));
      await page.close();
    }
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    const tenths = (value) => Math.round(10 * value) / 10;
    report({
      ...{ bench: 'page', browser: `Chromium ${browser.version()}`, matrix: 'bibd_81_3', method, rounds: ROUNDS },
      readingMs: tenths(median(longest.reading)),
      computingMs: tenths(median(longest.computing)),
      worstMs: tenths(Math.max(...longest.reading, ...longest.computing)),
      seconds: tenths(median(seconds)),
    });
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
