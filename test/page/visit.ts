/** The built page in Chromium by playwright-core: a browser for a file of tests, a page for each of them. */
import { spawn } from 'node:child_process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PATIENCE, type Site } from '../browser/chromium.js';
import { CLI } from '../cli/run.js';

/** `wiedemann serve` on any port. */
export async function serveByProgram(): Promise<Site> {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const found = /^serve: (http:\S+) until Ctrl-C\n/.exec(said);
      if (found) resolve(found[1]!);
    });
    child.on('exit', (code) => reject(new Error(`serve ended: exit ${code}: ${said}`)));
  });
  return { address, close: () => child.kill('SIGTERM') };
}

/** What went on in a page beside its answers: messages of its console, and addresses that it asked for. */
export interface Watched {
  readonly page: Page;
  readonly said: string[];
  readonly asked: string[];
}

export async function watch(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const [said, asked]: [string[], string[]] = [[], []];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address);
  return { page, said, asked };
}

/** The page itself, once it says what it can compute on. */
export async function open(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const watched = await watch(browser, address, options);
  await watched.page.locator('#devices:not(:empty)').waitFor();
  return watched;
}

/** A file that a test drops: its name and bytes. */
export interface Dropped {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Drops a file on the page as a hand does: enter, over, drop. */
export async function drop(page: Page, { name, bytes }: Dropped): Promise<void> {
  const text = Buffer.from(bytes).toString('base64');
  const transfer = await page.evaluateHandle(
    ([name, text]) => {
      const made = new DataTransfer();
      made.items.add(new File([Uint8Array.from(atob(text!), (c) => c.charCodeAt(0))], name!));
      return made;
    },
    [name, text],
  );
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('main', event, { dataTransfer: transfer });
}

export const file = (name: string, text: string): { name: string; mimeType: string; buffer: Buffer } => ({
  ...{ name, mimeType: 'text/plain' },
  buffer: Buffer.from(text),
});
