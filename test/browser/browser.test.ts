/**
 * The package in a real browser, through a bundler: on two threads where the page is cross-origin isolated, on one
 * where it is not. Chromium loads the bundle from a server of ours, and the page posts back what it found.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, closeBrowsers, ISOLATION, type Report, serve, visit } from './chromium.js';

describe.skipIf(chromiumMissing)('in Chromium', () => {
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
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await closeBrowsers();
  });

  async function reportOf(headers: Readonly<Record<string, string>>, gpu = false): Promise<Report> {
    const site = await serve(folder, headers);
    try {
      return await visit(site.address, gpu);
    } finally {
      site.close();
    }
  }

  const expected = { value: 393, kind: 'probable', fromText: 2 };

  test('on two threads where the page is cross-origin isolated', async () => {
    expect(await reportOf(ISOLATION)).toMatchObject({ ...expected, isolated: true, threads: 2 });
  });

  test('on the GPU of its worker, whose adapter it names', async () => {
    const report = await reportOf(ISOLATION, true);
    expect(report).toMatchObject({ ...expected, device: 'gpu', adapter: expect.stringMatching(/software/) });
  });

  test('on one thread where it is not', async () => {
    expect(await reportOf({})).toMatchObject({ ...expected, isolated: false, threads: 1 });
  });
});
