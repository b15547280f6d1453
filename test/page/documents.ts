/** The documents as `npm run docs` builds them, and the links between their pages. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('../../scripts/docs.mjs', import.meta.url));

export interface Built {
  readonly folder: string;
  remove(): void;
}

export function buildDocuments(...words: string[]): Built {
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-docs-'));
  execFileSync(process.execPath, [DOCS, folder, ...words], { stdio: 'pipe' });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Links of pages below `folder` to pages or places of pages that are not there; and how many there are in all. */
export function brokenLinks(folder: string): { readonly broken: string[]; readonly count: number } {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const links = pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8');
    return Array.from(html.matchAll(/ (?:href|src)="([^"]*)"/g), ([, link]) => [page, link!] as const);
  });
  const own = links.filter(([, link]) => !/^[a-z]+:/.test(link));
  const broken = own.filter(([page, link]) => {
    const [path, place] = link.split('#');
    const file = path === '' ? join(folder, page) : join(folder, dirname(page), path!);
    if (!existsSync(file)) return true;
    return place && file.endsWith('.html') && !readFileSync(file, 'utf8').includes(` id="${place}"`);
  });
  return { broken: broken.map((words) => words.join(': ')), count: own.length };
}
