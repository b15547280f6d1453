/** Pages, built by each bundler from the packed package and loaded into Chromium. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumMissing, closeBrowsers, ISOLATION, serve, visit } from '../browser/chromium.js';
import { makeProject, type Project } from '../package/project.js';
import { buildPage, type Entry, FOR_PAGES, findsFiles, pageOf, RANK, VITE, writeMatrix } from './builds.js';

describe.skipIf(chromiumMissing)('in Chromium', () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject();
  });
  afterAll(async () => {
    project.remove();
    await closeBrowsers();
  });

  /** What the page of a bundler reports. */
  async function reportOf(bundler: string, entry: Entry, headers: Readonly<Record<string, string>>): Promise<unknown> {
    const site = await serve(await buildPage(project, FOR_PAGES[bundler]!, entry), headers);
    try {
      return await visit(site.address);
    } finally {
      site.close();
    }
  }

  test.each(Object.keys(FOR_PAGES))('%s', async (bundler) => {
    const entry = findsFiles(bundler) ? 'wiedemann' : 'wiedemann/inline';
    expect(await reportOf(bundler, entry, ISOLATION)).toEqual({ value: RANK, threads: 2 });
  });

  const [esbuild] = Object.keys(FOR_PAGES).filter((name) => name.startsWith('esbuild')) as [string];

  test('on one thread where nothing can be shared', async () => {
    expect(await reportOf(esbuild, 'wiedemann/inline', {})).toEqual({ value: RANK, threads: 1 });
  });

  test('a worker that has no file there says what to import', async () => {
    expect(await reportOf(esbuild, 'wiedemann', ISOLATION)).toEqual({
      error: expect.stringMatching(/^EngineError: the engine's thread [^\n]*; use the entry wiedemann\/inline[^\n]*$/),
    });
  });

  test('a policy that forbids the worker is told', async () => {
    const policy = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
    expect(await reportOf(esbuild, 'wiedemann/inline', { 'Content-Security-Policy': policy })).toEqual({
      error: expect.stringMatching(/^EngineError: the engine's thread [^\n]*worker-src blob:[^\n]*$/),
    });
  });

  test(`${VITE} dev, as it is`, async () => {
    project.write('page.mjs', pageOf('wiedemann'));
    project.write('index.html', '<!doctype html><script type="module" src="./page.mjs"></script>\n');
    mkdirSync(join(project.folder, 'public'), { recursive: true });
    writeMatrix(join(project.folder, 'public'));
    const server = await createServer({ root: project.folder, configFile: false, logLevel: 'error' });
    try {
      await server.listen();
      expect(await visit(server.resolvedUrls!.local[0]!)).toEqual({ value: RANK, threads: 1 });
    } finally {
      await server.close();
    }
  });
});
