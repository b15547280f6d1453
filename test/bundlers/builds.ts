/**
 * Bundlers, each with as little configuration as builds a program at all, by the names that README.md beside this
 * file gives them. What is built goes to a folder of its own, so that no file of the package lies beside it.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { VERSION as ROLLUP, rollup } from 'rollup';
import * as vite from 'vite';
import webpack, { type Configuration, type Stats } from 'webpack';
import olderWebpack from 'webpack-5.99';
import { generate } from '../../data/families.js';
import { inclusionRank } from '../../data/known-ranks.js';
import type { Project } from '../package/project.js';

export type Entry = 'wiedemann' | 'wiedemann/inline';

/** Resolves to the name of what is to be run, in `out`. */
/** Runtimes that are installed by the slow suite alone. */
export const BUN = '1.4.5';
export const DENO = '2.9.6';

type Bundler = (folder: string, file: string, out: string) => Promise<string>;

/** The matrix of every program here, pairs in the sets of 6 of 13 points, in the folder of its project. */
export const MATRIX = 'matrix.sms.gz';
/** What every program here finds, on two threads where it may. */
export const RANK = inclusionRank(2, 6, 13, 65521);
const QUESTION = "{ mod: 65521, threads: 2, method: 'wiedemann' }";

/** Prints the rank of a file and the number of threads. */
export function programOf(entry: Entry): string {
  return `import { rank } from '${entry}';
rank(process.argv[2], ${QUESTION}).then(
  ({ value, threads }) => console.log(value, threads),
  (error) => console.log(error.name + ': ' + error.message),
);\n`;
}

/** Finds the rank of the file beside it, and reports. */
export function pageOf(entry: Entry): string {
  return `import { rank } from '${entry}';
async function answer() {
  try {
    const matrix = await (await fetch('/matrix.sms.gz')).blob();
    const { value, threads } = await rank(matrix, ${QUESTION});
    return { value, threads };
  } catch (error) {
    return { error: error.name + ': ' + error.message };
  }
}
const desk = new URLSearchParams(location.search).get('report');
answer().then((report) => fetch(desk, { method: 'POST', mode: 'no-cors', body: JSON.stringify(report) }));\n`;
}

export function writeMatrix(folder: string): void {
  const { rows, cols, rowIdx, colIdx, values } = generate('bibd', [13, 6]);
  const lines = Array.from(rowIdx, (i, k) => `${i + 1} ${colIdx[k]! + 1} ${values[k]}\n`);
  writeFileSync(join(folder, MATRIX), gzipSync(`${rows} ${cols} M\n${lines.join('')}0 0 0\n`));
}

/** Builds a page of `project` into a folder that is ready to be served. */
export async function buildPage(project: Project, bundle: Bundler, entry: Entry): Promise<string> {
  project.write('page.mjs', pageOf(entry));
  project.write('index.html', '<!doctype html><script type="module" src="./page.mjs"></script>\n');
  const out = emptied(project, 'page');
  const file = await bundle(project.folder, 'page.mjs', out);
  if (file !== 'index.html') {
    writeFileSync(join(out, 'index.html'), `<!doctype html><script type="module" src="./${file}"></script>\n`);
  }
  writeMatrix(out);
  return out;
}

/** Builds a program of `project` for Node: the file to be run. */
export async function buildProgram(project: Project, bundle: Bundler, entry: Entry): Promise<string> {
  project.write('program.mjs', programOf(entry));
  const out = emptied(project, 'program');
  const file = await bundle(project.folder, 'program.mjs', out);
  // Away from where it was built: a path from there is no use.
  const moved = `${out}-moved`;
  cpSync(out, moved, { recursive: true });
  rmSync(out, { recursive: true });
  return join(moved, file);
}

function emptied({ folder }: Project, name: string): string {
  const out = join(folder, 'out', name);
  for (const path of [out, `${out}-moved`]) rmSync(path, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  return out;
}

const withVite: Bundler = async (folder, _, out) => {
  await vite.build({ root: folder, configFile: false, logLevel: 'error', build: { outDir: out, emptyOutDir: true } });
  return 'index.html';
};

function withEsbuild(platform: 'browser' | 'node', format: 'esm' | 'cjs' = 'esm'): Bundler {
  return async (folder, file, out) => {
    const name = format === 'esm' ? 'bundle.mjs' : 'bundle.cjs';
    await esbuild.build({
      ...{ absWorkingDir: folder, entryPoints: [file], outfile: join(out, name), bundle: true, platform, format },
      logLevel: 'error',
    });
    return name;
  };
}

function withRollup(browser: boolean): Bundler {
  return async (folder, file, out) => {
    const bundle = await rollup({
      input: join(folder, file),
      plugins: [nodeResolve({ browser, preferBuiltins: !browser })],
      external: browser ? [] : ['webgpu'],
      onwarn: () => {}, // of circles, which are harmless
    });
    await bundle.write({ dir: out, entryFileNames: 'bundle.mjs', format: 'es' });
    await bundle.close();
    return 'bundle.mjs';
  };
}

function withWebpack(pack: typeof webpack, target: string): Bundler {
  return async (context, file, path) => {
    const configuration: Configuration = {
      ...{ context, entry: `./${file}`, mode: 'production', target, output: { path, filename: 'bundle.js' } },
      optimization: { minimize: false }, // it takes longest
    };
    const stats = await new Promise<Stats>((resolve, reject) => {
      pack(configuration, (error, result) => (error ? reject(error) : resolve(result!)));
    });
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
    // A project of modules has none that is CommonJS by its name.
    if (target !== 'web') writeFileSync(join(path, 'package.json'), '{ "type": "commonjs" }\n');
    return 'bundle.js';
  };
}

// Its declarations differ in what is not asked for here.
const webpack599 = olderWebpack as unknown as typeof webpack;

export const VITE = `vite ${vite.version}`;
const ESBUILD = `esbuild ${esbuild.version}`;
const ROLLUP_NAME = `rollup ${ROLLUP}`;

export const FOR_PAGES = {
  [`${VITE} build`]: withVite,
  [`webpack ${webpack.version}`]: withWebpack(webpack, 'web'),
  [`webpack ${webpack599.version}`]: withWebpack(webpack599, 'web'),
  [ESBUILD]: withEsbuild('browser'),
  [ROLLUP_NAME]: withRollup(true),
};

export const FOR_NODE = {
  [`webpack ${webpack.version}, node20`]: withWebpack(webpack, 'node20'),
  [`webpack ${webpack599.version}, node20`]: withWebpack(webpack599, 'node20'),
  [`${ESBUILD}, ES modules`]: withEsbuild('node'),
  [`${ESBUILD}, CommonJS`]: withEsbuild('node', 'cjs'),
  [ROLLUP_NAME]: withRollup(false),
};

/** Bundlers that find a worker's file by themselves; others need wiedemann/inline. */
export function findsFiles(bundler: string): boolean {
  return /^(vite|webpack)/.test(bundler);
}
