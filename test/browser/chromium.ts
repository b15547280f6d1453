/**
 * Chromium without a window, as the browser of the tests. A page is given the address that it posts its report to, as
 * `?report=URL`, so that any server may serve it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why there are no tests in a browser; null where there are. */
export const chromiumMissing: string | null = existsSync(CHROMIUM) ? null : `there is no ${CHROMIUM}`;

const { REQUIRE_GPU, CI, HIDE_DEVICES } = process.env;
if (chromiumMissing && (REQUIRE_GPU || CI) && !HIDE_DEVICES) {
  throw new Error(`REQUIRE_GPU or CI is set, and there is no browser to test in: ${chromiumMissing}`);
}
if (chromiumMissing) console.warn(`tests in a browser are skipped: ${chromiumMissing}`);

/** What makes a page cross-origin isolated, so that it may share memory with its workers. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** What a page posts. */
export type Report = Readonly<Record<string, unknown>>;

export interface Site {
  readonly address: string;
  close(): void;
}

/** Serves the files of `folder`. */
export async function serve(folder: string, headers: Readonly<Record<string, string>>): Promise<Site> {
  const server = createServer((request, response) => {
    const [name] = request.url!.split('?');
    const path = join(folder, name === '/' ? 'index.html' : decodeURIComponent(name!));
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', ...headers });
    response.end(readFileSync(path));
  });
  return listen(server);
}

async function listen(server: Server): Promise<Site> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Milliseconds: for what hangs, not for what a busy machine slows down. */
export const PATIENCE = 150_000;

const FLAGS = ['--no-sandbox', '--no-first-run'];
export const WITHOUT_GPU = ['--disable-gpu'];
const GPU_IN_SOFTWARE = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

export function launch(more: readonly string[] = GPU_IN_SOFTWARE): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more], timeout: PATIENCE });
}

/** Those of visits, with and without a GPU: a visit has a profile of its own, the start of a browser takes seconds. */
const browsers = new Map<boolean, Promise<Browser>>();

/** Behind the last visit of a file. */
export async function closeBrowsers(): Promise<void> {
  for (const browser of browsers.values()) await (await browser).close();
  browsers.clear();
}

/** What the page at `address` reports, an object that it posts as JSON. */
export async function visit(address: string, gpu = false): Promise<Report> {
  let settle!: (report: Report) => void;
  const reported = new Promise<Report>((resolve) => {
    settle = resolve;
  });
  const desk = await listen(
    createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end();
      settle(JSON.parse(body));
    }),
  );
  const url = new URL(address);
  url.searchParams.set('report', desk.address);
  if (gpu) url.searchParams.set('gpu', '');
  const opened = browsers.get(gpu) ?? launch(gpu ? GPU_IN_SOFTWARE : WITHOUT_GPU);
  browsers.set(gpu, opened);
  const browser = await opened;
  const profile = await browser.newContext();
  profile.setDefaultTimeout(PATIENCE);
  try {
    const page = await profile.newPage();
    const gone = new Promise<never>((_, reject) => {
      const end = (): void => reject(new Error('chromium ended before the page reported'));
      page.once('crash', end).once('close', end);
    });
    gone.catch(() => undefined);
    await page.goto(url.href);
    return await Promise.race([reported, gone]);
  } finally {
    await profile.close();
    desk.close();
  }
}
