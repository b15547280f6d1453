/** The tree is the argument: imports point down only, types too, and no folder collects what belongs nowhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What each layer may import from, besides itself. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  fields: [],
  kernels: ['fields'],
  algorithms: ['kernels', 'fields'],
  src: ['algorithms', 'kernels', 'fields', 'data'],
  data: ['fields'],
};
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  fields: ['jsbi/dist/jsbi.mjs'],
  kernels: ['#platform', 'node:fs', 'node:os', 'node:path', 'node:worker_threads', 'webgpu', 'worker_threads'],
  algorithms: ['@noble/hashes/sha2.js', '@noble/hashes/sha3.js'],
  src: [
    ...['#platform', '#engine-thread', '#gpu-processes', 'package.json'],
    ...['commander', 'cli-progress', 'picocolors'],
    ...['node:child_process', 'node:crypto', 'node:events', 'node:fs', 'node:path', 'node:url', 'node:worker_threads'],
    // As types; at run time `process` is asked for them.
    ...['node:async_hooks', 'node:net', 'node:stream', 'node:tty', 'node:util', 'node:zlib'],
    'worker_threads',
  ],
  data: [],
};
const LONGEST_FILE = 400;
const NOWHERE = ['utils', 'util', 'common', 'helpers', 'lib', 'misc', 'shared'];

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\bnew URL\(\s*)['"]([^'"]+)['"]/g;

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : filesBelow(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

/** The layer that `specifier`, written in `file`, leads to; or the package itself. */
function target(file: string, specifier: string): { layer: string } | { package: string } {
  if (!specifier.startsWith('.')) return { package: specifier };
  if (specifier.endsWith('/package.json')) return { package: 'package.json' };
  const path = relative(ROOT, resolve(ROOT, dirname(file), specifier));
  return { layer: path.split('/')[0]! };
}

/** Imports of `text` that a file of `layer` may not have. */
function violations(layer: string, file: string, text: string): string[] {
  const found: string[] = [];
  for (const [, specifier] of text.matchAll(SPECIFIER)) {
    const to = target(file, specifier!);
    const allowed =
      'package' in to ? PACKAGES[layer]!.includes(to.package) : to.layer === layer || BELOW[layer]!.includes(to.layer);
    if (!allowed) found.push(`${file}: ${specifier}`);
  }
  return found;
}

describe('the tree', () => {
  test.each(Object.keys(BELOW))('%s imports only from the layers below it', (layer) => {
    const files = filesBelow(layer);
    expect(files.length).toBeGreaterThan(0);
    const found = files
      .filter((file) => !file.endsWith('.as.ts'))
      .flatMap((file) => violations(layer, file, readFileSync(join(ROOT, file), 'utf8')));
    expect(found).toEqual([]);
  });

  test('an upward import is seen, in each of its spellings', () => {
    const upward = [
      "import { rank } from '../algorithms/rank.js';",
      "import type { Rank } from '../algorithms/rank.js';",
      "export * from '../algorithms/rank.js';",
      "const late = await import('../algorithms/rank.js');",
      "new Worker(new URL('../algorithms/rank.js', import.meta.url));",
      "import '../algorithms/rank.js';",
      "import { createServer } from 'node:http';",
    ];
    for (const line of upward) expect(violations('kernels', 'kernels/threads/team.ts', line)).toHaveLength(1);
    expect(
      violations('kernels', 'kernels/threads/team.ts', "import { isPrime } from '../fields/primality.js';"),
    ).toEqual([]);
  });

  test(`no file is longer than ${LONGEST_FILE} lines: there is a second idea in it`, () => {
    const long = [...Object.keys(BELOW), 'test', 'scripts']
      .flatMap(filesBelow)
      .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    expect(long).toEqual([]);
  });

  test('no folder is named after nothing', () => {
    const folders = Object.keys(BELOW)
      .concat('test')
      .flatMap((layer) => filesBelow(layer).map(dirname));
    const bad = [...new Set(folders)].filter((folder) => folder.split('/').some((part) => NOWHERE.includes(part)));
    expect(bad).toEqual([]);
  });

  test('every source file opens with what it is', () => {
    const silent = Object.keys(BELOW)
      .flatMap(filesBelow)
      .filter((file) => !/^(#!.*\n|\/\/\/ <reference .*\n)?\/\*\*/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(silent).toEqual([]);
  });
});
