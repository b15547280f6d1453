/**
 * Chromium without a window, as the browser of the tests. A page is given the address that it posts its report to, as
 * `?report=URL`, so that any server may serve it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

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

const FLAGS = ['--headless', '--no-sandbox', '--no-first-run'];
const WITHOUT_GPU = ['--disable-gpu'];
const GPU_IN_SOFTWARE = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

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
  const profile = mkdtempSync(join(tmpdir(), 'wiedemann-chromium-'));
  const flags = [...FLAGS, ...(gpu ? GPU_IN_SOFTWARE : WITHOUT_GPU), `--user-data-dir=${profile}`];
  const browser: ChildProcess = spawn(CHROMIUM, [...flags, url.href], {
    stdio: 'ignore',
    detached: true, // a group of its own, which ends together
  });
  const gone = new Promise<never>((_, reject) => {
    browser.on('exit', (code) => reject(new Error(`chromium ended before the page reported: exit ${code}`)));
    browser.on('error', reject);
  });
  try {
    return await Promise.race([reported, gone]);
  } finally {
    gone.catch(() => undefined);
    const ended = new Promise((resolve) => browser.on('exit', resolve));
    // Its helpers too: one that lives on writes into the profile while that is being removed.
    if (browser.exitCode === null) process.kill(-browser.pid!, 'SIGKILL');
    await ended;
    desk.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}
