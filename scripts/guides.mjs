/**
 * The guides as pages: src/guides/ and the documents that they lead to, with a search in all of them. The pages need no
 * server and no network, and their policy allows them none.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import MarkdownIt from 'markdown-it';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.mjs';

const LIST = 'src/guides/README.md';

/** Documents that are not guides, by their sources. */
const OTHERS = {
  'src/README.md': 'reference.html',
  'algorithms/README.md': 'algorithms.html',
  'algorithms/certificate/README.md': 'certificate-format.html',
};

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

const text = (path) => readFileSync(path, 'utf8');
const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const repository = JSON.parse(text('package.json')).homepage.replace(/#.*/, '');

/** The page of each document, by its source, in the order of the list of guides. */
function pagesOf() {
  const names = [...text(LIST).matchAll(/\]\((\S+)\.md\)/g)].map(([, name]) => name);
  return {
    [LIST]: 'index.html',
    ...Object.fromEntries(names.map((name) => [`src/guides/${name}.md`, `${name}.html`])),
    ...OTHERS,
  };
}

/** The name of a heading as GitHub makes it, so that links hold in both places. */
function slug(heading, taken) {
  const name = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  const before = taken.get(name) ?? 0;
  taken.set(name, before + 1);
  return before === 0 ? name : `${name}-${before}`;
}

const plain = (inline) => inline.children.map(({ content, type }) => (type === 'softbreak' ? ' ' : content)).join('');

/** What a link of `source` leads to: a page of these, or a file of the repository. */
function target(link, source, pages) {
  if (/^(https?:|#)/.test(link)) return link;
  const [path, hash] = link.split('#');
  const file = relative('.', resolve(dirname(source), path));
  if (!existsSync(file)) throw new Error(`${source}: there is no ${link}`);
  const page = pages[file] ?? `${repository}/blob/main/${file}`;
  return hash === undefined ? page : `${page}#${hash}`;
}

/** A document as HTML and as sections to be searched. */
function render(source, pages) {
  const markdown = new MarkdownIt();
  const tokens = markdown.parse(text(source), {});
  const sections = [];
  const taken = new Map();
  for (const [k, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plain(tokens[k + 1]);
      const id = slug(title, taken);
      token.attrSet('id', id);
      sections.push({ href: `${pages[source]}#${id}`, title, text: '' });
    } else if (token.type === 'inline') {
      for (const child of token.children)
        if (child.type === 'link_open') child.attrSet('href', target(child.attrGet('href'), source, pages));
      if (tokens[k - 1].type !== 'heading_open') sections.at(-1).text += `${plain(token)} `;
    } else if (token.type === 'fence') sections.at(-1).text += `${token.content} `;
    // The policy allows no styles in attributes, and a block that scrolls is reached by keys.
    if (token.attrGet('style')) token.attrs = token.attrGet('style').endsWith('right') ? [['class', 'end']] : [];
  }
  markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<th></th>', '<td></td>');
  const [{ title: page }] = sections;
  return { page, html, sections: sections.map((section) => ({ ...section, page })) };
}

function pageOf({ page, html }, name, list) {
  const links = list.map(([href, title]) => {
    const current = href === name ? ' aria-current="page"' : '';
    return `<li><a href="${href}"${current}>${escaped(title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${POLICY}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escaped(page)} · wiedemann</title>
  <link rel="icon" href="../icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="guide.css">
  <script defer src="sections.js"></script>
  <script defer src="search.js"></script>
</head>
<body>
  <a class="skip" href="#text">Skip to the text</a>
  <header>
    <a class="name" href="../index.html">wiedemann</a>
    <div class="search" role="search">
      <label for="search">Search the documents</label>
      <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
      <div id="found" class="found" hidden></div>
    </div>
  </header>
  <div class="frame">
    <nav class="list" aria-label="Documents"><ul>${links.join('')}</ul></nav>
    <main id="text" tabindex="-1">${html}</main>
  </div>
  <footer><p>MIT licence. <a href="../index.html">The page</a> computes in this browser; <a href="${repository}">the sources</a>.</p></footer>
</body>
</html>
`;
}

/** Writes the pages into `out`; `others` are sections of pages elsewhere, and `links` pages beside the documents. */
export async function buildGuides(out, { others = [], links = [] } = {}) {
  mkdirSync(out, { recursive: true });
  const pages = pagesOf();
  const rendered = Object.entries(pages).map(([source, name]) => ({ name, ...render(source, pages) }));
  const list = [...rendered.map(({ name, page }) => [name, page]), ...links];
  for (const document of rendered) writeFileSync(join(out, document.name), pageOf(document, document.name, list));
  const sections = [...rendered.flatMap((document) => document.sections), ...others];
  writeFileSync(join(out, 'sections.js'), `globalThis.sections = ${JSON.stringify(sections)};\n`);
  writeFileSync(join(out, 'guide.css'), `${text('src/page/colours.css')}\n${text('src/page/guide.css')}`);
  const bundle = await rolldown({ input: 'dist/src/page/search.js', platform: 'browser' });
  const { output } = await bundle.write({ file: join(out, 'search.js'), format: 'iife', minify: true });
  writeFileSync(join(out, 'LICENCES.txt'), licencesOf(output));
  await bundle.close();
}
