/** What CONTRIBUTING.md says of the tree is so: its rooms are the folders, and what is to be touched is counted. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMENT } from './comments.js';
import { textOf, trackedFiles } from './tracked.js';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = textOf('CONTRIBUTING.md');

/** The first column of the table whose head begins with `title`, and its other columns. */
function rowsOf(title: string): string[][] {
  const [, table] = PAGE.split(`| ${title} |`);
  const lines = table!.split('\n\n')[0]!.split('\n').slice(2);
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const inTicks = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, name]) => name!);

describe('rooms', () => {
  test.each(['kernels', 'src'])('of %s/ are its folders', (layer) => {
    const named = rowsOf(`room of \`${layer}/\``)
      .flatMap(([first]) => inTicks(first!))
      .filter((name) => name.split('/').length === 2);
    const folders = readdirSync(join(ROOT, layer), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
      .map((entry) => `${entry.name}/`);
    expect(named.sort()).toEqual(folders.sort());
  });

  test('of algorithms/ are its folders', () => {
    const named = textOf('algorithms/README.md')
      .split('\n')
      .flatMap((line) => /^\| `([\w-]+\/)` \|/.exec(line)?.[1] ?? []);
    // In the order in which they import each other: as ROOMS has them.
    const [, listed] = /^ {2}algorithms: \[\n([\s\S]*?)\]\.map/m.exec(textOf('test/layers.test.ts'))!;
    const inOrder = Array.from(listed!.matchAll(/'([\w-]+)'/g), ([, room]) => `${room}/`);
    expect(named).toEqual(inOrder);
    const folders = readdirSync(join(ROOT, 'algorithms'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${entry.name}/`);
    expect(named.sort()).toEqual(folders.sort());
  });
});

test('files and folders to be touched are there', () => {
  const paths = rowsOf('to add').flatMap((cells) => inTicks(cells[2]!).filter((name) => name.includes('/')));
  expect(paths.length).toBeGreaterThan(15);
  const missing = paths.filter((path) => statSync(join(ROOT, path), { throwIfNoEntry: false }) === undefined);
  expect(missing).toEqual([]);
});

/** Files whose code, comments left out, has `pattern`. */
function filesWith(pattern: RegExp, ...folders: string[]): string[] {
  return trackedFiles().filter(
    (path) =>
      folders.some((folder) => path.startsWith(folder)) &&
      pattern.test(/\.(ts|mjs|wgsl)$/.test(path) ? withoutComments(textOf(path)) : textOf(path)),
  );
}

const withoutComments = (text: string): string =>
  text.replaceAll(COMMENT, (token) => (/^\/[/*]/.test(token) ? '' : token));

/** How many files the page allows for `what`. */
function allowed(what: string): number {
  const [, files] = rowsOf('to add').find(([first]) => first === what)!;
  return Number(/\d+/.exec(files!)![0]);
}

describe('files to be touched', () => {
  test('for a field: what FloatPrime took', () => {
    const files = filesWith(/\bFloatPrime\b/, 'fields/', 'test/fields/');
    expect(files).toContain('fields/float-prime.ts');
    expect(files).toContain('test/fields/field-laws.test.ts');
    expect(files.length).toBeLessThanOrEqual(allowed('a field'));
  });

  test('for a sparse format: what jagged diagonals took', () => {
    const named = filesWith(/\bjad\b/i, 'algorithms/', 'fields/', 'kernels/', 'src/', 'test/');
    const own = trackedFiles().filter((path) => /(^|\/)jad\./.test(path));
    // Benches write what is recorded by themselves.
    const isTouched = (path: string): boolean => !/\.md$|^test\/(contributing\.|bench\/(results|charts)\/)/.test(path);
    const files = new Set([...named, ...own].filter(isTouched));
    expect([...files].sort()).toEqual([
      'kernels/sparse/formats/index.ts',
      'kernels/sparse/formats/jad.ts',
      'kernels/sparse/formats/jad.wgsl',
      'kernels/sparse/formats/layout.ts',
      'kernels/spmm/walk-orders.as.ts',
      'kernels/spmm/walks.as.ts',
      'test/kernels/sparse/plan.test.ts',
    ]);
    expect(files.size).toBeLessThanOrEqual(allowed('a sparse format'));
  });

  test.each(['info', 'generate'])('for a verb: what %s took', (verb) => {
    const registered = filesWith(new RegExp(`^ +${verb}: |[/']${verb}\\.js'|command: '${verb}'`, 'm'), 'src/');
    const own = trackedFiles().filter((path) => path === `src/commands/${verb}.ts`);
    const files = new Set([...registered, ...own, 'README.md', `test/cli/${verb}.test.ts`]);
    expect(files).toContain('src/commands/program.ts');
    expect(files).toContain(`src/commands/${verb}.ts`);
    expect(textOf('README.md')).toContain(`\nwiedemann ${verb} `);
    expect(files.size).toBeLessThanOrEqual(allowed('a verb'));
  });

  test('for a question: what det took beside its verb and the page', () => {
    const files = filesWith(/'det'|\bdet\(/, 'src/').filter((path) => !/^src\/(commands|page)\/|\.(md|py)$/.test(path));
    expect(files).toContain('src/questions/verbs.ts');
    expect(files.length).toBeLessThanOrEqual(allowed('a question of the library'));
  });
});
