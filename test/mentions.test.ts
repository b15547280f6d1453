/** What comments and pages say of the tree is so: the files that they name are there. */
import { expect, test } from 'vitest';
import { commentLines } from './comments.js';
import { textOf, trackedFiles } from './tracked.js';

const FOLDERS = ['fields', 'kernels', 'algorithms', 'src', 'data', 'scripts', 'test'];

/** A file by its name, with or without folders before it; NAME.mjs stands for any. */
const MENTION = /(?<![\w./*-])((?:[\w-]+\/)*(?=[\w.-]*[a-z][\w.-]*\.)[\w-][\w.-]*\.(?:ts|mjs|wgsl|py|md))(?![\w/-])/g;

/** Made by the build, so not tracked. */
const GENERATED = /^kernels\/generated\//;

const paths = trackedFiles();
const isThere = (name: string): boolean => paths.some((path) => path === name || path.endsWith(`/${name}`));

function missing(where: string, text: string): string[] {
  return Array.from(text.matchAll(MENTION), ([, name]) => name!)
    .filter((name) => !isThere(name) && !GENERATED.test(name))
    .map((name) => `${where}: ${name}`);
}

test('files that comments name are there', () => {
  const comments = commentLines(FOLDERS);
  expect(comments.length).toBeGreaterThan(3000);
  expect(comments.flatMap(({ path, line, text }) => missing(`${path}:${line}`, text))).toEqual([]);
});

test('files that pages name are there', () => {
  const pages = paths.filter((path) => path.endsWith('.md'));
  expect(pages).toContain('README.md');
  const lines = pages.flatMap((path) =>
    textOf(path)
      .split('\n')
      .map((text, i) => ({ where: `${path}:${i + 1}`, text })),
  );
  expect(lines.flatMap(({ where, text }) => missing(where, text))).toEqual([]);
});

test('a file that is not there is found', () => {
  const text = 'see nothing-here.ts, `a/nothing.as.ts` and field.ts; NAME.mjs and *.test.ts stand for many';
  expect(missing('here', text)).toEqual(['here: nothing-here.ts', 'here: a/nothing.as.ts']);
});

test('measurements stand in RESULTS.md: no comment has a date', () => {
  const dated = commentLines(FOLDERS).filter(
    ({ path, text }) => /\b20\d\d-\d\d\b/.test(text) && path !== 'test/mentions.test.ts',
  );
  expect(dated.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
});

test('lines of comments have at most 120 columns', () => {
  const long = commentLines(FOLDERS).filter(({ columns }) => columns > 120);
  expect(long.map(({ path, line, columns }) => `${path}:${line}: ${columns}`)).toEqual([]);
});
