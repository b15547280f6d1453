/**
 * The pictures of the page in the documents: `node test/page/pictures.mjs`, on dist/, writes test/page/pictures/.
 *
 * With a folder as its argument it writes there the page at three widths in both colour schemes instead, to be looked
 * at.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const SHOWN = ['light', 'dark'].map((colorScheme) => ({
  ...{ name: colorScheme, colorScheme, width: 1280, height: 960, deviceScaleFactor: 0.65, isWhole: false },
}));
const LOOKED_AT = ['light', 'dark'].flatMap((colorScheme) =>
  [320, 800, 1400].map((width) => ({
    ...{ name: `${colorScheme}-${width}`, colorScheme, width, height: 900, deviceScaleFactor: 1, isWhole: true },
  })),
);

const [folder = path('test/page/pictures')] = process.argv.slice(2);
const wanted = process.argv.length > 2 ? LOOKED_AT : SHOWN;
mkdirSync(folder, { recursive: true });
const words = [path('dist/bin/cli.js'), 'serve', '--port', '0'];
const server = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
const address = await new Promise((resolve) => {
  server.stderr.once('data', (line) => resolve(/http:\S+/.exec(line)[0]));
});
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run'] });
try {
  for (const { name, colorScheme, width, height, deviceScaleFactor, isWhole } of wanted) {
    const page = await browser.newPage({ colorScheme, deviceScaleFactor, viewport: { width, height } });
    await page.goto(address);
    await page.locator('#family-details summary').click();
    await page.selectOption('#family', 'ch');
    for (const [i, value] of [7, 7, 3].entries()) await page.fill(`#argument-${i}`, `${value}`);
    await page.click('#generate');
    await page.locator('#matrix-facts:visible').waitFor();
    await page.selectOption('#method', 'wiedemann');
    await page.locator('#settings summary').click();
    await page.fill('#seed', '1');
    await page.locator('#settings summary').click();
    await page.click('#run');
    await page.locator('#headline:visible').waitFor();
    await page.locator('#family-details summary').click();
    await page.waitForTimeout(500); // the pattern is drawn
    await page.evaluate(() => document.activeElement.blur());
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: isWhole });
    await page.close();
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
