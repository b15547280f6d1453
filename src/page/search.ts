/**
 * The search of the documents: a classic script beside one that holds their sections, so that it works from any host
 * and from files alone.
 */
import MiniSearch from 'minisearch';
import { element } from './element.js';

/** A section of a document. */
export interface Section {
  readonly href: string; // from the folder of the documents
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

const MOST = 12;
const AROUND = 70; // characters of the excerpt before the word, and behind it

const index = new MiniSearch<Section & { id: number }>({
  fields: ['title', 'page', 'text'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
});
const { sections } = globalThis as unknown as { sections: readonly Section[] };
index.addAll(sections.map((section, id) => ({ ...section, id })));

const input = document.querySelector<HTMLInputElement>('#search')!;
const found = document.querySelector<HTMLElement>('#found')!;

function show(): void {
  const words = input.value.trim();
  found.hidden = words === '';
  if (found.hidden) return;
  const hits = index.search(words);
  const items = hits.slice(0, MOST).map(({ id, terms }) => element('li', {}, linkTo(sections[id]!, terms)));
  const count =
    hits.length === 0 ? `Nothing about ${words}.` : `${hits.length} ${hits.length === 1 ? 'place' : 'places'}`;
  found.replaceChildren(element('p', { role: 'status' }, count), element('ol', {}, ...items));
}

function linkTo({ href, page, title, text }: Section, terms: readonly string[]): HTMLElement {
  return element(
    'a',
    { href },
    ...(page === title ? [] : [element('span', { class: 'where' }, page)]),
    element('span', { class: 'title' }, title),
    element('span', { class: 'excerpt' }, excerptOf(text, terms)),
  );
}

/** The text about the first of the words. */
function excerptOf(text: string, terms: readonly string[]): string {
  const small = text.toLowerCase();
  const places = terms.map((term) => small.indexOf(term)).filter((place) => place >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + 2 * AROUND)];
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}

input.addEventListener('input', show);
input.addEventListener('focus', show);
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') found.querySelector('a')?.click();
  if (key === 'Escape') found.hidden = true;
});
document.addEventListener('click', ({ target }) => {
  if (!(target as Element).closest('.search')) found.hidden = true;
});
