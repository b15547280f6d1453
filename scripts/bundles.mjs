/**
 * Bundles of a few files: the command line's, and those of the library's threads. A run of 50 ms would load a hundred
 * small modules for as long, on each of its threads; what a GPU needs stays apart.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.mjs';

/**
 * Their files, by what a run needs, each with all that its modules import: every file more costs a run some tenths of
 * a millisecond, whatever is in it. A module goes to the first that wants it.
 */
const FILES = [
  // Every thread.
  { name: 'threads', test: /dist\/kernels\/(platform\/node|threads\/(argument-list|memory|start-worker\.node))\.js$/ },
  {
    name: 'answer', // every question, and what the program's own thread shares with those that compute
    test: /dist\/(src\/(worker\/(run-question|serve)|io\/line-threads\.node|questions\/(plan-settings|tuning-store))|algorithms\/checkpoint\/(manifest|planned-parts|twice)|kernels\/(residues\/words|sparse\/reordering))\.js$/,
  },
  { name: 'kernels', test: /dist\/kernels\/threads\/wasm-module\.js$/ }, // compute threads too
  {
    name: 'runner', // what pivots alone do not answer, and little that kept runs have beside it
    test: /dist\/(src\/worker\/usual-questions|algorithms\/(checkpoint\/status|block-wiedemann\/stages))\.js$/,
  },
];
/** What the program's own thread needs. */
const PROGRAM = { name: 'program', test: /dist\/src\/commands\/(program|answering|rank)\.js$/ };

const THREADS = [
  ...['src/worker/serve.node', 'src/gpus/process.node'],
  ...['kernels/threads/worker.node', 'src/io/line-worker.node'],
];
/** The user's own to install. */
const OPTIONAL = ['webgpu', 'binaryen', 'bullmq', 'ioredis'];

const MINIFY = { mangle: false };

function open(entries, external) {
  return rolldown({
    input: Object.fromEntries(entries.map((entry) => [basename(entry), `dist/${entry}.js`])),
    platform: 'node',
    external,
    preserveEntrySignatures: 'strict',
  });
}

const splitting = (files) => ({ groups: files.map((group, i) => ({ ...group, priority: files.length - i })) });

/** CommonJS, because Node starts a thread's loader of ES modules for 10 ms. */
export async function bundleProgram() {
  // An entry file holds nothing that another file needs: a thread that loaded the command line's would run it.
  const bundle = await open(['src/cli', ...THREADS], OPTIONAL);
  const { output } = await bundle.write({
    ...{ dir: 'dist/bin', format: 'cjs', minify: MINIFY },
    codeSplitting: splitting([...FILES, PROGRAM]),
  });
  writeFileSync('dist/bin/LICENCES.txt', licencesOf(output));
  writeFileSync('dist/bin/package.json', '{"type":"commonjs"}\n');
  chmodSync('dist/bin/cli.js', 0o755);
}

/**
 * The library's: ES modules, in which bundlers of others find the files of workers. The engine's thread is started
 * from where tsc has put its entry; what it starts lies beside its own files.
 */
export async function bundleThreads() {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const bundle = await open(THREADS, [...OPTIONAL, ...Object.keys(dependencies)]);
  await bundle.write({
    ...{ dir: 'dist', format: 'es', minify: MINIFY },
    entryFileNames: ({ name }) => (name === 'serve.node' ? 'src/worker/serve.node.js' : 'threads/[name].js'),
    chunkFileNames: 'threads/[name]-[hash].js',
    codeSplitting: splitting(FILES),
  });
}
