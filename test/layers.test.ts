/**
 * The tree is the argument: imports point down only, types too, and no folder collects what belongs nowhere.
 *
 * ROOMS lists every room from the lowest to the highest. A file imports from its own room, from rooms above it in the
 * list, and from the layers below its own. Aliases (`#platform`) lead to every file that package.json gives them.
 */
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

/** Folders, and files that stand in a layer's own folder. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  fields: ['fields'],
  kernels: [
    ...[
      'kernels/errors',
      'kernels/generated',
      'kernels/platform',
      'kernels/threads',
      'kernels/gpu',
      'kernels/residues',
    ],
    ...['kernels/sparse/formats', 'kernels/sparse', 'kernels/executor.ts', 'kernels/checks.ts', 'kernels/blocks'],
    ...[
      'kernels/spmm',
      'kernels/jit',
      'kernels/float-words',
      'kernels/poly',
      'kernels/dense',
      'kernels/gf2',
      'kernels/schur',
      'kernels/refinement',
      'kernels/block-sparse',
      'kernels/executors',
    ],
    'kernels/kernels.as.ts', // the table of what WebAssembly exports
  ],
  algorithms: [
    ...['method-error.ts', 'rank-result.ts', 'estimates.ts', 'stopwatch.ts'],
    ...[
      'checkpoint',
      'reference',
      'sigma-basis',
      'presolve',
      'block-wiedemann',
      'wiedemann',
      'solve',
      'schur',
      'elimination',
    ],
    ...[
      'methods',
      'tuning',
      'planning',
      'factor',
      'lanczos',
      'block-lu',
      'rank.ts',
      'minpoly.ts',
      'determinant.ts',
      'solve.ts',
      'nullspace.ts',
      'rational-rank.ts',
      'certificate',
      'classical',
    ],
    'rational',
  ].map((room) => `algorithms/${room}`),
  src: [
    ...[
      'errors.ts',
      'option-names.ts',
      'io',
      'pictures',
      'questions',
      'gpus',
      'worker',
      'engine',
      'clusters',
      'index.ts',
      'page',
      'commands',
    ],
    'cli.ts',
  ].map((room) => `src/${room}`),
};

/** What a layer may import that is not in the tree; an alias is both a name here and the files that it leads to. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  fields: ['jsbi/dist/jsbi.mjs'],
  kernels: [
    ...['#platform', '#compute-worker', '@noble/hashes/sha2.js', 'webgpu', 'worker_threads'],
    ...['node:crypto', 'node:fs', 'node:module', 'node:os', 'node:path', 'node:worker_threads'],
    // As types; at run time `process` is asked for them.
    ...['node:async_hooks', 'node:net', 'node:stream', 'node:tty', 'node:util', 'node:v8', 'node:zlib'],
  ],
  algorithms: ['#platform', '@noble/hashes/sha3.js'],
  src: [
    ...['#platform', '#compute-worker', '#engine-thread', '#gpu-processes', '#in-pieces', 'package.json'],
    ...['bullmq', 'ioredis'],
    ...[
      'commander',
      'cli-progress',
      'fast-png',
      'fflate',
      'fzstd',
      'minisearch',
      'oled-font-5x7',
      'picocolors',
      'xxhash-wasm',
    ],
    ...[
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:http',
      'node:module',
      'node:net',
      'node:path',
      'node:url',
    ],
    ...['node:async_hooks', 'node:worker_threads', 'worker_threads'],
  ],
  data: ['delaunator'],
};
const LONGEST_FILE = 300;
const LONGEST_TEST = 400;
const NOWHERE = ['utils', 'util', 'common', 'helpers', 'lib', 'misc', 'shared'];

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\bnew URL\(\s*)['"]([^'"]+)['"]/g;

const { imports: ALIASES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : filesBelow(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/**
 * Paths from the root that `specifier`, written in `file`, leads to; several where it is an alias, none for a package.
 */
function targets(file: string, specifier: string): string[] {
  const paths = specifier.startsWith('.')
    ? [relative(ROOT, resolve(ROOT, dirname(file), specifier))]
    : Object.values(ALIASES[specifier] ?? {}).map((path) => path.replace('./dist/', ''));
  return [
    ...new Set(paths.map((path) => (file.endsWith('.as.ts') ? `${path}.ts` : path.replace(/(\.d\.ts|\.js)$/, '.ts')))),
  ];
}

/** Each import of `text`: as it is written, and where it leads. */
function importsOf(file: string, text: string): { readonly specifier: string; readonly to: readonly string[] }[] {
  return [...text.matchAll(SPECIFIER)].map(([, specifier]) => ({
    specifier: specifier!,
    to: targets(file, specifier!),
  }));
}

const layerOf = (path: string): string => path.split('/')[0]!;

/** The room that a path is in: a file's own, or its folder. */
function roomOf(path: string): string | undefined {
  const rooms = ROOMS[layerOf(path)];
  return rooms?.find((room) => room === path || room === dirname(path));
}

/** Imports of `text` that `file` may not have. */
function violations(file: string, text: string): string[] {
  const layer = layerOf(file);
  const rooms = ROOMS[layer];
  const isBelow = (path: string): boolean => {
    if (layerOf(path) !== layer) return BELOW[layer]!.includes(layerOf(path)) || path.endsWith('package.json');
    return rooms === undefined || rooms.indexOf(roomOf(path)!) <= rooms.indexOf(roomOf(file)!);
  };
  return importsOf(file, text)
    .filter(
      ({ specifier, to }) =>
        !to.every(isBelow) || (!specifier.startsWith('.') && !PACKAGES[layer]!.includes(specifier)),
    )
    .map(({ specifier }) => `${file}: ${specifier}`);
}

/** Groups of files that import each other, directly or through others (Tarjan 1972). */
function circles(files: readonly string[], edges: (file: string) => readonly string[]): string[][] {
  const found: string[][] = [];
  const stack: string[] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const next of edges(file)) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}

describe('the tree', () => {
  test.each(Object.keys(BELOW))('%s imports only from the layers and the rooms below', (layer) => {
    const files = filesBelow(layer);
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap((file) => violations(file, textOf(file)))).toEqual([]);
  });

  test.each(Object.entries(ROOMS))('the rooms of %s are those listed', (layer, rooms) => {
    const files = filesBelow(layer);
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
    const used = new Set(files.map(roomOf));
    expect(rooms.filter((room) => !used.has(room) && !room.endsWith('/generated'))).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const files = Object.keys(ROOMS).flatMap(filesBelow);
    const known = new Set(files);
    const edges = new Map(
      files.map((file) => [
        file,
        importsOf(file, textOf(file)).flatMap(({ to }) => to.filter((path) => known.has(path))),
      ]),
    );
    expect(edges.get('kernels/threads/team.ts')).toContain('kernels/platform/browser.ts'); // an alias is followed
    expect(circles(files, (file) => edges.get(file)!)).toEqual([]);
  });

  test('an upward import is seen, in each of its spellings', () => {
    const upward = [
      "import { rank } from '../../algorithms/rank.js';",
      "import type { Rank } from '../../algorithms/rank.js';",
      "export * from '../../algorithms/rank.js';",
      "const late = await import('../../algorithms/rank.js');",
      "new Worker(new URL('../../algorithms/rank.js', import.meta.url));",
      "import '../../algorithms/rank.js';",
      "import { createServer } from 'node:http';",
      "import { planOf } from '../sparse/plan.js';", // a room further down the list
      "import { startEngineThread } from '#engine-thread';",
    ];
    for (const line of upward) expect(violations('kernels/threads/team.ts', line), line).toHaveLength(1);
    for (const line of ["import { isPrime } from '../../fields/primality.js';", "import { cores } from '#platform';"]) {
      expect(violations('kernels/threads/team.ts', line)).toEqual([]);
    }
  });

  test('a circle is seen, and what hangs on it is not in it', () => {
    const edges: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['a'], d: ['a'], e: [] };
    expect(circles(Object.keys(edges), (file) => edges[file]!)).toEqual([['a', 'b', 'c']]);
  });

  test('no file is long without a reason: there is a second idea in it', () => {
    const linesOf = (file: string): number => textOf(file).split('\n').length - 1;
    const longer = (folders: readonly string[], most: number): string[] =>
      folders.flatMap(filesBelow).filter((file) => linesOf(file) > most);
    expect(longer([...Object.keys(BELOW), 'scripts'], LONGEST_FILE)).toEqual([]);
    expect(longer(['test'], LONGEST_TEST)).toEqual([]);
  });

  test('no folder is named after nothing', () => {
    const folders = [...Object.keys(BELOW), 'test'].flatMap((layer) => filesBelow(layer).map(dirname));
    const bad = [...new Set(folders)].filter((folder) => folder.split('/').some((part) => NOWHERE.includes(part)));
    expect(bad).toEqual([]);
  });

  test('every source file opens with what it is', () => {
    const silent = Object.keys(BELOW)
      .flatMap(filesBelow)
      .filter((file) => !/^(#!.*\n|\/\/\/ <reference .*\n)?\/\*\*/.test(textOf(file)));
    expect(silent).toEqual([]);
  });
});
