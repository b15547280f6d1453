/**
 * The package in a real browser, through a bundler: on two threads where the page is cross-origin isolated, on one where
 * it is not. Chromium loads the bundle from a server of ours, and the page posts back what it found.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
if (process.env['REQUIRE_GPU'] && !existsSync(CHROMIUM)) {
  throw new Error(`REQUIRE_GPU is set, and there is no browser to test in: ${CHROMIUM}`);
}
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

interface Report {
  readonly isolated: boolean;
  readonly value?: number;
  readonly threads?: number;
  readonly error?: string;
}

/** Serves `folder`; `reported` settles with the JSON posted to /report. */
function serve(
  folder: string,
  headers: Readonly<Record<string, string>>,
): { server: Server; reported: Promise<Report> } {
  let settle: (report: Report) => void;
  const reported = new Promise<Report>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        response.end();
        settle(JSON.parse(body));
      });
      return;
    }
    const [name] = request.url!.split('?');
    const path = join(folder, name === '/' ? 'index.html' : decodeURIComponent(name!));
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', ...headers });
    response.end(readFileSync(path));
  });
  return { server, reported };
}

const WITHOUT_GPU = ['--disable-gpu'];
const GPU_IN_SOFTWARE = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

async function visit(folder: string, headers: Readonly<Record<string, string>>, gpu = false): Promise<Report> {
  const { server, reported } = serve(folder, headers);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  const profile = mkdtempSync(join(tmpdir(), 'wiedemann-chromium-'));
  const flags = ['--headless', '--no-sandbox', '--no-first-run', `--user-data-dir=${profile}`].concat(
    gpu ? GPU_IN_SOFTWARE : WITHOUT_GPU,
  );
  const browser: ChildProcess = spawn(CHROMIUM, [...flags, `http://127.0.0.1:${address.port}/${gpu ? '?gpu' : ''}`], {
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
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

describe.skipIf(!existsSync(CHROMIUM))(`in Chromium (${CHROMIUM}; skipped where it is not installed)`, () => {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wiedemann-page-'));
    await build({
      root: fileURLToPath(new URL('.', import.meta.url)),
      configFile: false,
      logLevel: 'error',
      worker: { format: 'es' },
      build: { outDir: folder, emptyOutDir: true, target: 'es2022' },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const expected = { value: 393, kind: 'probable', fromText: 2 };

  test('on two threads where the page is cross-origin isolated', async () => {
    expect(await visit(folder, ISOLATION)).toMatchObject({ ...expected, isolated: true, threads: 2 });
  });

  test('on the GPU of its worker, whose adapter it names', async () => {
    const report = await visit(folder, ISOLATION, true);
    expect(report).toMatchObject({ ...expected, device: 'gpu', adapter: expect.stringMatching(/software/) });
  });

  test('on one thread where it is not', async () => {
    expect(await visit(folder, {})).toMatchObject({ ...expected, isolated: false, threads: 1 });
  });
});
