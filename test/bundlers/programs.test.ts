/**
 * Programs for Node, built by each bundler from the packed package, and the package itself under Node; Bun and Deno,
 * 200 MB, are test/slow's.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeProject, type Project, run } from '../package/project.js';
import {
  BUN,
  buildProgram,
  DENO,
  type Entry,
  FOR_NODE,
  findsFiles,
  MATRIX,
  programOf,
  RANK,
  writeMatrix,
} from './builds.js';

const ENTRIES: readonly Entry[] = ['wiedemann', 'wiedemann/inline'];

let project: Project;
beforeAll(() => {
  project = makeProject();
  writeMatrix(project.folder);
});
afterAll(() => project.remove());

describe.each(Object.entries(FOR_NODE))('%s', (name, bundler) => {
  const finds = findsFiles(name);
  test(finds ? 'wiedemann' : 'wiedemann, whose worker has no file there, says what to import', async () => {
    const file = await buildProgram(project, bundler, 'wiedemann');
    const said = run(process.execPath, [file, MATRIX], project.folder);
    const help = /^EngineError: the engine's thread [^\n]*; use the entry wiedemann\/inline[^\n]*\n$/;
    expect(said).toMatch(finds ? `${RANK} 2\n` : help);
  });

  test('wiedemann/inline', async () => {
    const file = await buildProgram(project, bundler, 'wiedemann/inline');
    expect(run(process.execPath, [file, MATRIX], project.folder)).toBe(`${RANK} 2\n`);
  });
});

test.each(ENTRIES)(`Node ${process.versions.node}, %s`, (entry) => {
  const file = project.write('unbundled.mjs', programOf(entry));
  expect(run(process.execPath, [file, MATRIX], project.folder)).toBe(`${RANK} 2\n`);
});

test('the table of bundlers has the versions that are tested', () => {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const table = read('test/bundlers/README.md').split('\n\n')[1]!;
  const { devDependencies, engines } = JSON.parse(read('package.json'));
  const names = ['vite', 'webpack', 'webpack-5.99', 'esbuild', 'rollup'];
  const versions = names.map((name) => devDependencies[name].replace(/^.*@/, ''));
  for (const version of [...versions, BUN, DENO, engines.node.slice(2)]) {
    expect(table).toContain(` ${version}`);
  }
});

test('what Node forbids is told in one line', () => {
  const file = project.write('unbundled.mjs', programOf('wiedemann/inline'));
  const said = run(process.execPath, ['--experimental-permission', '--allow-fs-read=*', file, MATRIX], project.folder);
  expect(said).toMatch(/^EngineError: [^\n]*--allow-worker\n$/);
});
