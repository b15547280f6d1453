/** What `npm pack` ships: all that the sources make and the documents of README.md, nothing else; and how large. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, inject, test } from 'vitest';
import { textOf, trackedFiles } from '../tracked.js';
import { packed } from './packed.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bytes that a page loads for the library, its threads and kernels, packed by gzip. */
const LARGEST_BUNDLE = 400_000;

const { paths: shipped } = packed(inject('packed'));
const listed = (JSON.parse(textOf('package.json')) as { files: string[] }).files;

/** Of the command line, which is shipped as one bundle, and of no export. */
const BUNDLED = /^(src\/cli|src\/commands\/|data\/|src\/pictures\/(png|svg))/;

/** Files that tsc makes of the sources, and the library needs. */
const compiled = trackedFiles()
  .filter((path) => /^(fields|kernels|algorithms|src)\/.*\.ts$/.test(path) && !/\.(as|d)\.ts$/.test(path))
  .filter((path) => !BUNDLED.test(path) && !path.startsWith('src/page/'))
  .map((path) => `dist/${path.replace(/\.ts$/, '')}`);

describe('npm pack', () => {
  test('has what tsc makes of every source', () => {
    expect(compiled.length).toBeGreaterThan(300);
    const missing = compiled
      .flatMap((path) => [`${path}.js`, `${path}.d.ts`])
      .filter((path) => !shipped.includes(path));
    expect(missing).toEqual([]);
  });

  test('has nothing else in dist/ but the program, bundles, the manual and what kernels are made into', () => {
    const known = new Set(compiled.flatMap((path) => [`${path}.js`, `${path}.d.ts`]));
    const others = shipped.filter((path) => path.startsWith('dist/') && !known.has(path));
    expect(
      others.filter((path) => !/^dist\/(bin|inline|page|threads)\/|^dist\/kernels\/generated\//.test(path)),
    ).toEqual(['dist/man/wiedemann.1']);
    expect(others).toEqual(
      expect.arrayContaining(['dist/bin/cli.js', 'dist/bin/LICENCES.txt', 'dist/inline/browser.js']),
    );
  });

  test('has the threads of the library in a few files, and what they start beside these', () => {
    const imported = [...textOf('dist/src/worker/serve.node.js').matchAll(/from\s*"(\.[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((path) => !path!.startsWith('../../threads/'))).toEqual([]);
    expect(shipped).toEqual(expect.arrayContaining(['dist/threads/worker.node.js', 'dist/threads/process.node.js']));
  });

  test('has the documents and data that package.json lists, no tests and no scripts', () => {
    const outside = shipped.filter((path) => !path.startsWith('dist/')).sort();
    const tracked = trackedFiles();
    const wanted = listed
      .filter((pattern) => !/^!?dist/.test(pattern))
      .flatMap((pattern) => {
        const found = tracked.filter((path) =>
          pattern.includes('*')
            ? new RegExp(`^${pattern.replaceAll('.', '\\.').replace('*', '[^/]*')}$`).test(path)
            : path === pattern,
        );
        expect(found.length, pattern).toBeGreaterThan(0);
        return found;
      });
    expect(outside).toEqual([...new Set([...wanted, 'LICENSE', 'README.md', 'package.json'])].sort());
  });

  test('has every page that README.md links', () => {
    for (const [, link] of textOf('README.md').matchAll(/\]\(([^)#:]+\.md)(?:#[^)]*)?\)/g))
      expect(shipped).toContain(link);
  });
});

test('the library, its threads and kernels are below 400 kB for a page, packed by gzip', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/index', 'src/worker/serve.browser', 'kernels/threads/worker.browser'].map((path) =>
      join(ROOT, `dist/${path}.js`),
    ),
    ...{ bundle: true, splitting: true, minify: true, write: false, outdir: join(ROOT, 'dist/nowhere') },
    ...{ format: 'esm', platform: 'browser', conditions: ['browser'], external: ['webgpu', 'binaryen'] },
  });
  const bytes = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(LARGEST_BUNDLE);
});
