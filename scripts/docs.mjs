/**
 * Builds the documents for any static host: the page in front, the guides, and the API by typedoc.
 *
 *   npm run docs -- [FOLDER] [--without-api]       FOLDER: dist/docs
 *
 *   index.html   the page          guides/   documents and a search in all of them          api/   the library
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildGuides, POLICY } from './guides.mjs';
import { buildPage } from './page.mjs';

/** typedoc's pages have a script in their text, styles that scripts set, and drawings in their style sheet. */
const API_POLICY = POLICY.replace("img-src 'self'", "img-src 'self' data:").replace(
  "style-src 'self'",
  "style-src 'self' 'unsafe-inline'",
);
const INLINE = /<script>([\s\S]*?)<\/script>/;
const SCRIPT = 'assets/before.js';

function buildApi(out) {
  const words = ['--entryPoints', 'src/index.ts', '--out', out, '--name', 'wiedemann', '--readme', 'none'];
  const options = ['--excludeExternals', '--excludePrivate', '--validation.notExported', 'false'];
  const { status } = spawnSync(process.execPath, ['node_modules/typedoc/bin/typedoc', ...words, ...options], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`typedoc: exit code ${status}`);
  const pages = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.html'));
  for (const page of pages) tighten(out, page);
  return pages.filter((page) => page.includes('/')).map((page) => sectionOf(out, page));
}

/** A page of typedoc under a policy: its inline script becomes a file. */
function tighten(out, page) {
  const html = readFileSync(join(out, page), 'utf8');
  const script = INLINE.exec(html)[1];
  writeFileSync(join(out, SCRIPT), script);
  const tight = html
    .replace('<meta charset="utf-8"/>', `$&<meta http-equiv="Content-Security-Policy" content="${API_POLICY}"/>`)
    .replace(INLINE, () => `<script src="${relative(dirname(page), SCRIPT)}"></script>`);
  if (!tight.includes(API_POLICY)) throw new Error(`typedoc: expected a charset in ${page}`);
  writeFileSync(join(out, page), tight);
}

/** What the search knows of a page of the API: its name and the first comment. */
function sectionOf(out, page) {
  const html = readFileSync(join(out, page), 'utf8');
  const title = /<title>(.*?) \|/.exec(html)[1];
  const comment = /<div class="tsd-comment tsd-typography">([\s\S]*?)<\/div>/.exec(html)?.[1] ?? '';
  const text = comment
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return { href: `../api/${page}`, page: 'API', title, text };
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'without-api': { type: 'boolean' } } });
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = resolve(positionals[0] ?? join(root, 'dist/docs'));
const hasApi = !values['without-api'];
process.chdir(root);
await buildPage(out, [
  ['guides/index.html', 'Guides and search'],
  ['guides/reference.html', 'Reference'],
  ...(hasApi ? [['api/index.html', 'API']] : []),
]);
const others = hasApi ? buildApi(join(out, 'api')) : [];
await buildGuides(join(out, 'guides'), { others, links: hasApi ? [['../api/index.html', 'API']] : [] });
