/** The documents with the API by typedoc: its pages under their policy, from files alone, and the search for them. */
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, launch } from '../browser/chromium.js';
import { brokenLinks, buildDocuments } from '../page/documents.js';
import { watch } from '../page/visit.js';

const built = buildDocuments();
afterAll(() => built.remove());

test('every link leads to a page that is there, and to a place in it', () => {
  const { broken, count } = brokenLinks(built.folder);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(2000);
});

describe.skipIf(chromiumMissing)('in Chromium, from files alone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  test('the guides find a function of the library, and its page opens and finds another', async () => {
    const { page, said } = await watch(browser, `${pathToFileURL(built.folder)}/guides/index.html`);
    await page.fill('#search', 'verifyCertificate');
    await page.locator('#found a', { hasText: /^API\s*verifyCertificate/ }).click();
    await page.locator('h1', { hasText: 'verifyCertificate' }).waitFor();
    await page.click('#tsd-search-trigger');
    await page.locator('#tsd-search-input').pressSequentially('createEngine');
    await page.locator('#tsd-search-results a', { hasText: 'createEngine' }).first().waitFor();
    // An icon that a browser does not load from a file is drawn by a script.
    expect(said.filter((line) => !line.startsWith('Unsafe attempt to load URL file:'))).toEqual([]);
    await page.context().close();
  });
});
