/** The page and its guides as a site: the links, a search without a server, the policy, and what axe-core finds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, ISOLATION, launch, type Site, serve } from '../browser/chromium.js';
import { brokenLinks, buildDocuments } from './documents.js';
import { open, watch } from './visit.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const built = buildDocuments('--without-api');
afterAll(() => built.remove());

test('every link leads to a page that is there, and to a place in it', () => {
  const { broken, count } = brokenLinks(built.folder);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(200);
});

describe.skipIf(chromiumMissing)('in Chromium', () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serve(built.folder, ISOLATION)]);
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  const fromFile = async (name: string, options: BrowserContextOptions = {}): ReturnType<typeof watch> =>
    watch(browser, `${pathToFileURL(built.folder)}/${name}`, options);

  test('the page links the guides, and they one another', async () => {
    const { page, said } = await open(browser, site.address);
    await page.click('nav >> text=Guides and search');
    await page.click('main >> text=Certificates');
    expect(await page.textContent('h1')).toBe('Certificates');
    expect(await page.getAttribute('nav [aria-current]', 'href')).toBe('certificates.html');
    await page.click('header .name');
    await page.locator('#devices:not(:empty)').waitFor();
    expect(said).toEqual([]);
    await page.context().close();
  });

  test('from files alone a word is found, and its section opened by keys', async () => {
    const { page, said } = await fromFile('guides/index.html');
    await page.fill('#search', 'checkpoint-interval');
    expect(await page.textContent('#found [role=status]')).toMatch(/^\d+ places?$/);
    expect(await page.locator('#found a').first().textContent()).toContain('checkpoint');
    await page.fill('#search', 'betti');
    await page.press('#search', 'Enter');
    await page.locator('h1', { hasText: 'Homology in ten lines' }).waitFor();
    await page.fill('#search', 'nosuchword');
    expect(await page.textContent('#found')).toBe('Nothing about nosuchword.');
    await page.press('#search', 'Escape');
    expect(await page.isVisible('#found')).toBe(false);
    expect(said).toEqual([]);
    await page.context().close();
  });

  test('from files alone the page says what it wants', async () => {
    const { page } = await fromFile('index.html');
    await page.locator('#not-loaded', { hasText: 'npx wiedemann serve' }).waitFor();
    await page.context().close();
  });

  test.each([
    ['light', 320, 'reference'],
    ['dark', 1400, 'mathematics'],
  ] as const)('axe-core finds nothing, %s, %i pixels wide: %s', async (colorScheme, width, name) => {
    const { page } = await fromFile(`guides/${name}.html`, { colorScheme, viewport: { width, height: 900 } });
    await page.fill('#search', 'rank');
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.context().close();
  });
});
