/**
 * The page in a real browser, as `wiedemann serve` serves it: files are dropped, questions asked, runs given up,
 * certificates verified. Numbers are ranks that theorems give, or those of systems small enough to be seen.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, launch, type Site } from '../browser/chromium.js';
import { drop, file, open, serveByProgram } from './visit.js';

const BIBD = {
  name: 'bibd_81_3.sms.gz',
  bytes: readFileSync(fileURLToPath(new URL('../../data/bibd_81_3.sms.gz', import.meta.url))),
};

describe.skipIf(chromiumMissing)('the page in Chromium', () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serveByProgram()]);
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  const facts = (page: Page): Promise<string | null> => page.locator('#matrix-facts:visible').textContent();
  const compute = async (page: Page): Promise<string | null> => {
    await page.click('#run');
    return page.locator('#headline:visible').textContent();
  };

  test('a file is dropped, its rank appears, and nothing was asked of another host', async () => {
    const { page, said, asked } = await open(browser, site.address);
    expect(await page.textContent('#devices')).toMatch(/^Up to \d+ threads?: this page is isolated/);
    await drop(page, BIBD);
    expect(await facts(page)).toBe('bibd_81_3.sms.gz: 3240 x 85320, 255960 entries');
    expect(await compute(page)).toBe('3240');
    expect(await page.textContent('#outcome')).toMatch(/provedrank 3240 of 3240 x 85320 mod 65521/);
    expect(await page.textContent('#status')).toBe('rank 3240 of 3240 x 85320 mod 65521: proved');
    const command = await page.textContent('#command');
    expect(command).toMatch(/^npx wiedemann rank bibd_81_3\.sms\.gz -p 65521 --seed \d+$/);
    expect(asked.filter((address) => !address.startsWith(site.address))).toEqual([]);
    expect(said).toEqual([]);
    await page.context().close();
  });

  test('block Wiedemann shows its phases, and the growth of its sequence', async () => {
    const { page } = await open(browser, site.address);
    await drop(page, BIBD);
    await facts(page);
    await page.evaluate(() => {
      const seen = new Set<string>();
      const note = (): void => {
        const phase = document.querySelector('#phase')!.textContent!;
        const bar = document.querySelector<HTMLProgressElement>('#bar')!;
        seen.add(phase);
        if (bar.position > 0 && bar.position < 1) seen.add('a share');
      };
      new MutationObserver(note).observe(document.querySelector('#progress')!, {
        ...{ subtree: true, childList: true, characterData: true, attributes: true },
      });
      Object.assign(globalThis, { seen });
    });
    await page.selectOption('#method', 'wiedemann');
    expect(await compute(page)).toBe('3240');
    const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
    expect(seen).toContain('Block Krylov sequence');
    expect(seen).toContain('a share');
    expect(await page.locator('#growth svg .curve').getAttribute('d')).toMatch(/^M\d+\.\d \d+\.\d(L\d+\.\d \d+\.\d)+$/);
    await page.locator('#times', { hasText: /Block Krylov sequence.*Total/ }).waitFor();
    await page.context().close();
  });

  test('a run is given up, and the next question answered', async () => {
    const { page } = await open(browser, site.address);
    await page.click('#family-details summary');
    await page.selectOption('#family', 'random');
    for (const [i, value] of [60000, 60000, 15, 65521, 1, 0].entries()) await page.fill(`#argument-${i}`, `${value}`);
    await page.click('#generate');
    expect(await facts(page)).toMatch(/: 60000 x 60000, 900000 entries$/);
    await page.selectOption('#method', 'wiedemann'); // 8·10^10 multiply-adds: half a minute, or more
    await page.click('#run');
    await page.locator('#phase', { hasText: 'Block Krylov sequence' }).waitFor();
    await page.click('#cancel');
    await page.locator('#idle', { hasText: 'Cancelled.' }).waitFor();
    expect(await page.isVisible('#cancel')).toBe(false);
    await page.selectOption('#family', 'pg');
    await page.fill('#argument-0', '7'); // 57 x 57, rank 29 mod 7
    await page.click('#generate');
    await page.locator('#matrix-facts', { hasText: 'PG(2,7)' }).waitFor();
    await page.selectOption('#method', 'auto');
    await page.fill('#mod', '7');
    expect(await compute(page)).toBe('29');
    expect(await page.textContent('#command')).toMatch(
      /^npx wiedemann generate pg 7 \| npx wiedemann rank -p 7 --seed \d+$/,
    );
    await page.context().close();
  });

  test('a family that takes long to generate is given up, too', async () => {
    const { page } = await open(browser, site.address);
    await page.click('#family-details summary');
    await page.selectOption('#family', 'random');
    for (const [i, value] of [4000000, 1000000, 25, 65521, 1, 0].entries())
      await page.fill(`#argument-${i}`, `${value}`);
    await page.click('#generate');
    await page.click('#cancel');
    await page.locator('#matrix-error', { hasText: 'Cancelled.' }).waitFor();
    await drop(page, { name: 'two.sms', bytes: Buffer.from('2 2 M\n1 1 1\n2 2 1\n0 0 0\n') });
    expect(await facts(page)).toBe('two.sms: 2 x 2, 2 entries');
    expect(await compute(page)).toBe('2');
    await page.context().close();
  });

  test('a GPU in software is taken if it is asked for', async () => {
    const { page } = await open(browser, site.address);
    expect(await page.textContent('#devices')).toMatch(/GPU: .*swiftshader.* in software/i);
    await page.click('#family-details summary');
    await page.selectOption('#family', 'trefethen');
    await page.fill('#argument-0', '300');
    await page.click('#generate');
    await facts(page);
    await page.selectOption('#method', 'wiedemann');
    await page.click('summary:has-text("Device")');
    await page.selectOption('#device', 'gpu');
    expect(await compute(page)).toBe('300');
    expect(await page.textContent('#outcome dl')).toMatch(/swiftshader.*\(software\) and \d+ threads?/i);
    await page.context().close();
  });

  test('a bad file and a composite p get one line', async () => {
    const { page } = await open(browser, site.address);
    await drop(page, { name: 'bad.sms', bytes: Buffer.from('2 2 M\n1 1 1\n1 x 1\n0 0 0\n') });
    const line = await page.locator('#matrix-error:not(:empty)').textContent();
    expect(line).toMatch(/^bad\.sms:3: expected [^\n]+, got [^\n]+$/);
    expect(await page.isDisabled('#run')).toBe(true);
    await page.fill('#mod', '65520');
    expect(await page.textContent('#mod-hint')).toBe('65520 is not prime.');
    expect(await page.getAttribute('#mod', 'aria-invalid')).toBe('true');
    await page.context().close();
  });

  test('a certificate is made, taken away, verified, and refused where a digit differs', async () => {
    const { page } = await open(browser, site.address);
    await drop(page, BIBD);
    await facts(page);
    await page.check('#certificate');
    expect(await compute(page)).toBe('3240');
    const [taken] = await Promise.all([page.waitForEvent('download'), page.click('.downloads a')]);
    expect(taken.suggestedFilename()).toBe('bibd_81_3.certificate.txt');
    const text = readFileSync((await taken.path())!, 'utf8');
    const verdict = async (name: string, certificate: string): Promise<string | null> => {
      await page.setInputFiles('#verify-certificate', file(name, certificate));
      await page.click('#verify-run');
      return page.locator('.verdict.holds, .verdict.fails').textContent();
    };
    expect(await verdict('good.txt', text)).toMatch(
      /^rank 3240 of 3240 x 85320 mod 65521: certified, error below 2\^-\d+ a bound$/,
    );
    const digit = text.search(/\d(?=\D*$)/);
    const corrupted = `${text.slice(0, digit)}${(Number(text[digit]) + 1) % 10}${text.slice(digit + 1)}`;
    expect(await verdict('bad.txt', corrupted)).toMatch(/^Refused\. bad\.txt: [^\n]+$/);
    await page.context().close();
  });

  test('a determinant, a polynomial, a system and a kernel', async () => {
    const { page } = await open(browser, site.address);
    // det = 2·3 − 1·1 = 5, x² − 5x + 5 mod 101
    await drop(page, { name: 'a.sms', bytes: Buffer.from('2 2 M\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n0 0 0\n') });
    await facts(page);
    await page.fill('#mod', '101');
    const headline = page.locator('#headline');
    const ask = async (question: string, expected: string): Promise<void> => {
      await page.selectOption('#question', question);
      await page.click('#run');
      await headline.filter({ hasText: expected }).waitFor();
    };
    await ask('det', '5');
    await ask('minpoly', 'x^2 + 96 x + 5');
    await page.selectOption('#question', 'solve');
    await page.setInputFiles('#right', file('b.txt', '4\n7\n')); // x = 1, y = 2
    await ask('solve', 'solved');
    const [taken] = await Promise.all([page.waitForEvent('download'), page.click('.downloads a')]);
    expect(readFileSync((await taken.path())!, 'utf8')).toBe('1\n2\n');
    await ask('nullspace', 'dimension 0');
    await page.context().close();
  });
});
