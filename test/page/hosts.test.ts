/**
 * The page on a host that sends no headers, with a service worker and where none is allowed; by keys alone; and what
 * axe-core finds in it, in both colour schemes, on a narrow screen and on a wide one.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, launch, type Site, serve, WITHOUT_GPU } from '../browser/chromium.js';
import { drop, open } from './visit.js';

const PAGE = fileURLToPath(new URL('../../dist/page/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** n x n, 1 on the diagonal and beside it, the last row the first: rank n − 1. */
function nearlyRegular(n: number): { readonly name: string; readonly bytes: Uint8Array } {
  let text = `${n} ${n} M\n`;
  for (let i = 1; i < n; i++) text += `${i} ${i} 1\n${i} ${i + 1} 3\n`;
  return { name: 'nearly.sms', bytes: Buffer.from(`${text}${n} 1 1\n${n} 2 3\n0 0 0\n`) };
}

describe.skipIf(chromiumMissing)('the page in Chromium', () => {
  let browser: Browser;
  let plain: Site; // without headers
  beforeAll(async () => {
    [browser, plain] = await Promise.all([launch(WITHOUT_GPU), serve(PAGE, {})]);
  });
  afterAll(async () => {
    await browser?.close();
    plain?.close();
  });

  test('on a host without headers it isolates itself', async () => {
    const { page } = await open(browser, plain.address);
    await page.locator('#devices', { hasText: 'this page is isolated' }).waitFor();
    await page.context().close();
  });

  test('without isolation it says why it has one thread, and answers on one', async () => {
    const { page } = await open(browser, plain.address, { serviceWorkers: 'block' });
    expect(await page.textContent('#devices')).toMatch(/^One thread: this page is not cross-origin isolated/);
    await drop(page, nearlyRegular(400));
    await page.locator('#matrix-facts:visible').waitFor();
    await page.selectOption('#method', 'wiedemann');
    await page.click('#run');
    expect(await page.locator('#headline:visible').textContent()).toBe('399');
    expect(await page.textContent('#outcome dl')).toMatch(/on1 thread/);
    await page.context().close();
  });

  test.each([
    ['light', 320],
    ['dark', 1400],
  ] as const)('axe-core finds nothing, %s, %i pixels wide', async (colorScheme, width) => {
    const { page } = await open(browser, plain.address, {
      serviceWorkers: 'block',
      colorScheme,
      viewport: { width, height: 900 },
    });
    await drop(page, nearlyRegular(50));
    await page.locator('#matrix-facts:visible').waitFor();
    await page.click('#run');
    await page.locator('#headline:visible').waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    const told = violations.map(({ id, nodes }) => [id, ...nodes.map((node) => `${node.html} ${node.failureSummary}`)]);
    expect(told).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  test('by keys alone a question is asked, and the pattern zoomed', async () => {
    const { page } = await open(browser, plain.address, { serviceWorkers: 'block' });
    await page.focus('#family-details summary');
    await page.keyboard.press('Enter');
    await page.focus('#argument-0');
    await page.keyboard.press('Enter'); // bibd 81 3
    await page.locator('#matrix-facts', { hasText: 'bibd_81_3: 3240 x 85320' }).waitFor();
    await page.focus('#mod');
    await page.keyboard.press('Enter');
    expect(await page.locator('#headline:visible').textContent()).toBe('3240');
    await page.focus('#spy');
    const caption = page.locator('#spy-caption');
    await caption.filter({ hasText: 'Rows 1 to 3,240, columns 1 to 85,320.' }).waitFor();
    await page.keyboard.press('+'); // 3240/1.6 and 85320/1.6 lines about the middle
    await caption.filter({ hasText: 'Rows 609 to 2,633, columns 15,999 to 69,323.' }).waitFor();
    await page.keyboard.press('0');
    await caption.filter({ hasText: 'Rows 1 to 3,240, columns 1 to 85,320.' }).waitFor();
    await page.context().close();
  });
});
