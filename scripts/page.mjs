/**
 * Builds the page, into dist/page/ as a rule: src/page/index.html with what tsc has written to dist/src/page/, its
 * worker and the engine's, and the service worker that isolates the page on a host that sends no headers. Run by the
 * build, and alone as `npm run page`.
 *
 * The files are served from any folder of any host, so that all addresses are relative.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { licencesOf } from './licences.mjs';

const ISOLATION = 'coi-serviceworker';

/** Collects the chunks of a bundle, of workers too. */
function collect(chunks) {
  return {
    name: 'collect-chunks',
    generateBundle(_, bundle) {
      chunks.push(...Object.values(bundle).filter(({ type }) => type === 'chunk'));
    },
  };
}

/**
 * Puts `links` to documents beside the page where index.html has room for them. A style sheet that is asked for across
 * origins, as vite has it, is none for a page that is opened from a file.
 */
function finishHtml(links) {
  const anchors = links.map(([href, title]) => `<a href="${href}">${title}</a>`);
  const nav = links.length === 0 ? '' : `<nav aria-label="Documents">${anchors.join(' ')}</nav>`;
  const handler = (html) => html.replace('<!-- documents -->', nav).replaceAll(' crossorigin', '');
  return { name: 'finish-html', transformIndexHtml: { order: 'post', handler } };
}

export async function buildPage(out = 'dist/page', links = []) {
  const chunks = [];
  await build({
    root: 'src/page',
    base: './',
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es', plugins: () => [collect(chunks)] },
    plugins: [collect(chunks), finishHtml(links)],
    build: {
      outDir: resolve(out),
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0, // the policy of the page allows no data: addresses
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2000,
    },
  });
  const isolation = createRequire(import.meta.url).resolve(ISOLATION);
  copyFileSync(isolation, join(out, `${ISOLATION}.js`));
  const own = readFileSync(join(dirname(isolation), 'LICENSE'), 'utf8').trim();
  writeFileSync(join(out, 'LICENCES.txt'), `${ISOLATION}\n\n${own}\n\n${licencesOf(chunks)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));
  await buildPage();
}
