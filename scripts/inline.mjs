/**
 * The entry `wiedemann/inline`: the library in one file a platform, dist/inline/node.js and dist/inline/browser.js,
 * for bundlers that move code away from the files beside it. Its workers are made of text: a compute worker's and,
 * under Node, a reading one's are in the engine worker's, and all are in the entry.
 *
 * The modules that start a worker from a file, `spawn.*`, are replaced here; all else is what tsc has written to
 * dist/.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.mjs';

/** Of each platform: what starts a worker of a text, and what to do when it does not start. */
const PLATFORMS = {
  node: {
    // CommonJS, because that is what Node takes a text for.
    format: 'cjs',
    spawn: (name, text, folder) => `import { Worker } from 'node:worker_threads';
import { threadOptions } from '${relative(folder, 'dist/kernels/threads/thread-options.js')
      .replaceAll('\\', '/')
      .replace(/^(?!\.)/, './')}';
const TEXT = ${JSON.stringify(text)};
export const ${name} = (options) => new Worker(TEXT, { ...threadOptions(options), eval: true });\n`,
    remedy: "Node's permission model needs --allow-worker",
  },
  browser: {
    format: 'iife',
    spawn: (name, text) => `const TEXT = ${JSON.stringify(text)};
let url;
export function ${name}() {
  url ??= URL.createObjectURL(new Blob([TEXT], { type: 'text/javascript' }));
  return new Worker(url);
}\n`,
    remedy: 'the entry wiedemann/inline needs worker-src blob: of a content security policy',
  },
};

/** Writes both entries, and the licences of the packages in them. */
export async function bundleInline() {
  const chunks = [];
  for (const platform of Object.keys(PLATFORMS)) chunks.push(...(await bundleEntry(platform)));
  writeFileSync('dist/inline/LICENCES.txt', licencesOf(chunks));
}

async function bundleEntry(platform) {
  const { format, spawn, remedy } = PLATFORMS[platform];
  // Replaced modules, by path: what starts workers, and what a library in one file has no use for.
  const replaced = {
    // A process of a GPU's own needs a file, so that there is none here.
    'dist/src/gpus/processes.node.js': "export * from './processes.inline.js';\n",
    // Answers in the caller's own thread are the command line's; the engine is in its worker's text already.
    'dist/src/engine/own-thread.js': 'export const startInOwnThread = (onMessage, start) => start(onMessage);\n',
  };
  const team = await bundle(`dist/kernels/threads/worker.${platform}.js`, platform, replaced, format);
  const says = `export const REMEDY = ${JSON.stringify(remedy)};\n`;
  replaced[`dist/kernels/threads/spawn.${platform}.js`] =
    spawn('spawnTeamWorker', team.code, 'dist/kernels/threads') + says;
  if (platform === 'node') {
    // It is given the kernels compiled.
    const without = {
      ...replaced,
      'dist/kernels/generated/wasm.js': "export const KERNELS_ORDER = '', KERNELS_TEXT = '', KERNELS_LOCALS = '';\n",
    };
    const reader = await bundle('dist/src/io/line-worker.node.js', platform, without, format);
    replaced['dist/src/io/spawn.node.js'] = spawn('spawnLineWorker', reader.code, 'dist/src/io');
  }
  const engine = await bundle(`dist/src/worker/serve.${platform}.js`, platform, replaced, format);
  replaced[`dist/src/worker/spawn.${platform}.js`] = spawn('spawnEngineWorker', engine.code, 'dist/src/worker');
  const entry = await bundle('dist/src/index.js', platform, replaced, 'es');
  const file = `dist/inline/${platform}.js`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, entry.code);
  return [engine, entry];
}

/** The one chunk of `input` and all that it imports. */
async function bundle(input, platform, replaced, format) {
  const bundle = await rolldown({
    input,
    platform,
    external: ['webgpu', 'binaryen'], // the user's own to install
    plugins: [{ name: 'replaced', load: (id) => replaced[relative('.', id).replaceAll('\\', '/')] }],
  });
  const minify = { mangle: false, compress: true };
  const { output } = await bundle.generate({ format, minify, codeSplitting: false });
  if (output.length !== 1) throw new Error(`${input}: expected one file, got ${output.map((o) => o.fileName)}`);
  if (/\bimport\.meta\b/.test(output[0].code)) throw new Error(`${input}: it looks for a file beside itself`);
  return output[0];
}
