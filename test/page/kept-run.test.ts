/** A run of the page that survives a reload: kept in the browser's private files, offered, gone on with, forgotten. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, type Site } from '../browser/chromium.js';
import { launch, open, serveByProgram } from './visit.js';

const PATIENT = { timeout: 50_000 };

/** Steps of the sequence that the browser's files hold; null before the first checkpoint, and where nothing is kept. */
function stepsKept(page: Page): Promise<number | null> {
  return page.evaluate(async () => {
    try {
      const root = await navigator.storage.getDirectory();
      const store = await (await root.getDirectoryHandle('wiedemann')).getDirectoryHandle('store');
      const text = await (await (await store.getFileHandle('progress.json')).getFile()).text();
      const found = /"done":(\d+)/.exec(text);
      return found && Number(found[1]);
    } catch {
      return null; // no such file
    }
  });
}

describe.skipIf(chromiumMissing)('a kept run in Chromium', () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serveByProgram()]);
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  test('goes on behind its last checkpoint after a reload, and is forgotten once it is given up', async () => {
    const { page } = await open(browser, site.address);
    await page.click('#family-details summary');
    await page.selectOption('#family', 'random');
    // 60000 rows, 10^11 multiply-adds and more on one thread: it does not end by itself before it is left.
    for (const [i, value] of [60000, 60000, 15, 65521, 1, 0].entries()) await page.fill(`#argument-${i}`, `${value}`);
    await page.click('#generate');
    await page.locator('#matrix-facts:visible').waitFor(PATIENT);
    await page.selectOption('#method', 'wiedemann');
    expect(await page.isChecked('#keep')).toBe(true);
    await page.click('#settings summary');
    await page.fill('#threads', '1');
    await page.click('#run');
    await expect.poll(() => stepsKept(page), { ...PATIENT, interval: 100 }).toBeGreaterThan(9);
    const kept = (await stepsKept(page))!;

    await page.reload();
    expect(await page.locator('#kept-text:visible').textContent(PATIENT)).toMatch(
      /^A run was left before its end: the rank of random 60000 60000 15 65521 1 0 mod 65521\./,
    );
    await page.evaluate(() => {
      const first: number[] = [];
      const [phase, bar] = [document.querySelector('#phase')!, document.querySelector<HTMLProgressElement>('#bar')!];
      const note = (): void => {
        if (phase.textContent === 'Block Krylov sequence' && bar.value > 0) first.push(bar.value);
      };
      new MutationObserver(note).observe(document.querySelector('#progress')!, {
        ...{ subtree: true, childList: true, characterData: true, attributes: true },
      });
      Object.assign(globalThis, { first });
    });
    await page.click('#go-on');
    const firstStep = (): Promise<number | null> =>
      page.evaluate(() => (globalThis as unknown as { first: number[] }).first[0] ?? null);
    await expect.poll(firstStep, PATIENT).not.toBe(null);
    expect(await firstStep()).toBeGreaterThanOrEqual(kept);
    expect(await page.inputValue('#threads')).toBe('1');

    await page.click('#cancel');
    await page.locator('#idle', { hasText: 'Cancelled.' }).waitFor(PATIENT);
    await page.reload();
    await page.locator('#devices:not(:empty)').waitFor(PATIENT);
    expect(await page.isVisible('#kept')).toBe(false);
    expect(await stepsKept(page)).toBe(null);
    await page.context().close();
  });
});
