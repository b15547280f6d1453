/** A run of the page that survives a reload: kept in the browser's private files, offered, gone on with, forgotten. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, launch, PATIENCE, type Site, WITHOUT_GPU } from '../browser/chromium.js';
import { file, open, serveByProgram } from './visit.js';

/** Steps of the sequence that the browser's files hold; null before the first checkpoint, and where nothing is kept. */
function stepsKept(page: Page): Promise<number | null> {
  return page.evaluate(async () => {
    try {
      const root = await navigator.storage.getDirectory();
      const store = await (await root.getDirectoryHandle('wiedemann')).getDirectoryHandle('store');
      const textOf = async (name: string): Promise<string> =>
        (await (await store.getFileHandle(name)).getFile()).slice(0, 4096).text();
      const steps: number[] = [];
      for await (const name of (store as unknown as { keys(): AsyncIterable<string> }).keys())
        if (/-vectors-\d+$/.test(name)) steps.push(Number(/"steps":(\d+)/.exec(await textOf(name))?.[1] ?? 0));
      if (steps.length > 0) return Math.max(...steps);
      // Orders of a search may be beyond what is kept of the sequence.
      const text = await textOf('progress.json');
      const found = /"phase":"sigmaBasis"/.test(text) ? null : /"done":(\d+)/.exec(text);
      return found && Number(found[1]);
    } catch {
      return null; // no such file
    }
  });
}

/** Makes a random matrix of n rows and chooses what is asked of it. */
async function prepare(page: Page, n: number, question: string, method: string): Promise<void> {
  await page.click('#family-details summary');
  await page.selectOption('#family', 'random');
  for (const [i, value] of [n, n, 15, 65521, 1, 0].entries()) await page.fill(`#argument-${i}`, `${value}`);
  await page.click('#generate');
  await page.locator('#matrix-facts:visible').waitFor();
  await page.selectOption('#question', question);
  await page.selectOption('#method', method);
}

/**
 * A worker that stands in a loop does not hear of its cancelling, and is ended once the loop is over, since the browser
 * lets a debugger's code run to its end. Settles once all stand.
 */
async function holdWorkers(page: Page): Promise<void> {
  const stands = (): void => {
    console.log('stands');
    const end = Date.now() + 10_000;
    while (Date.now() < end);
  };
  const workers = page.workers();
  expect(workers).not.toEqual([]);
  let count = 0;
  const all = new Promise<void>((resolve) => {
    page.on('console', (message) => {
      if (message.text() === 'stands' && ++count === workers.length) resolve();
    });
  });
  for (const worker of workers) worker.evaluate(stands).catch(() => {});
  await all;
}

describe.skipIf(chromiumMissing)('a kept run in Chromium', () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(WITHOUT_GPU), serveByProgram()]);
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  test('is offered for what the library keeps, and chosen unasked where a method is named', async () => {
    const { page } = await open(browser, site.address);
    const seen: Record<string, string> = {};
    for (const question of ['rank', 'minpoly', 'det', 'solve', 'nullspace']) {
      await page.selectOption('#question', question);
      const methods = await page.locator('#method option').allTextContents();
      for (const method of methods.length === 0 ? [''] : methods) {
        if (method !== '') await page.selectOption('#method', method);
        const kept = !(await page.isVisible('#keep')) ? '' : (await page.isChecked('#keep')) ? 'yes' : 'offered';
        seen[question] = `${seen[question] ?? ''} ${method} ${kept}`.trim();
      }
    }
    expect(seen).toEqual({
      rank: 'auto offered hybrid yes wiedemann yes elimination',
      minpoly: 'offered',
      det: 'auto offered hybrid yes wiedemann yes elimination',
      solve: 'auto offered hybrid yes wiedemann yes elimination lanczos yes',
      nullspace: 'auto offered elimination lanczos yes',
    });
    await page.uncheck('#keep');
    await page.check('#keep');
    await page.selectOption('#method', 'auto');
    expect(await page.isChecked('#keep')).toBe(true); // by hand
    await page.fill('#mod', '2305843009213693951');
    expect(await page.isVisible('#keep')).toBe(false);
    await page.context().close();
  });

  /** A run of a random matrix of 40000 rows, and of right sides, which does not end by itself before it is left. */
  const RUNS = [
    ['the rank', 'rank', 'wiedemann', ''],
    ['a system', 'solve', 'lanczos', '1\n'.repeat(40000)],
  ] as const;

  test.each(RUNS)(
    '%s goes on behind its last checkpoint after a reload, and is forgotten once it is given up',
    async (subject, question, method, right) => {
      const { page } = await open(browser, site.address);
      await prepare(page, 40000, question, method);
      if (right !== '') await page.setInputFiles('#right', file('b.txt', right));
      expect(await page.isChecked('#keep')).toBe(true);
      await page.click('#settings summary');
      await page.fill('#threads', '1');
      await page.click('#run');
      await expect.poll(() => stepsKept(page), { timeout: PATIENCE, interval: 100 }).toBeGreaterThan(9);
      const kept = (await stepsKept(page))!;

      await page.reload();
      expect(await page.locator('#kept-text:visible').textContent()).toContain(
        `A run was left before its end: ${subject} of random 40000 40000 15 65521 1 0 mod 65521.`,
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
      await expect.poll(firstStep, { timeout: PATIENCE }).not.toBe(null);
      expect(await firstStep()).toBeGreaterThanOrEqual(kept);
      expect(await page.inputValue('#threads')).toBe('1');

      if (question === 'solve') await holdWorkers(page);
      await page.click('#cancel');
      await page.locator('#idle', { hasText: 'Cancelled.' }).waitFor();
      await page.reload();
      await page.locator('#devices:not(:empty)').waitFor();
      expect(await page.isVisible('#kept')).toBe(false);
      expect(await stepsKept(page)).toBe(null);
      await page.context().close();
    },
    320_000,
  );

  test('stays where another tab gives its own run up, whose worker had to be ended', async () => {
    const { page: first } = await open(browser, site.address);
    await prepare(first, 40000, 'rank', 'wiedemann');
    await first.click('#settings summary');
    await first.fill('#threads', '1');
    const second = await first.context().newPage();
    await second.goto(site.address);
    await second.locator('#devices:not(:empty)').waitFor();
    await prepare(second, 100, 'rank', 'wiedemann');
    await first.click('#run');
    await expect.poll(() => stepsKept(first), { timeout: PATIENCE, interval: 100 }).toBeGreaterThan(0);
    await holdWorkers(second);
    // At once: the worker is not to come to the run before.
    await second.evaluate(() => {
      for (const id of ['run', 'cancel']) document.getElementById(id)!.click();
    });
    await first.close(); // its lock is free before the second one asks for it
    await second.locator('#idle', { hasText: 'Cancelled.' }).waitFor();
    await second.reload();
    expect(await second.locator('#kept-text:visible').textContent()).toContain('the rank of random 40000');
    await second.context().close();
  }, 320_000);
});
