/** The licences of the packages in bundles, which travel with them. */
import { readdirSync, readFileSync } from 'node:fs';

/** Their text, package by package; `chunks` are rolldown's. */
export function licencesOf(chunks) {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds ?? []);
  const packages = new Set(modules.flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []));
  const licences = [...packages].sort().map((name) => {
    const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} is bundled, but has no licence file`);
    return `${name}\n\n${readFileSync(`node_modules/${name}/${file}`, 'utf8').trim()}\n`;
  });
  return licences.join(`\n${'-'.repeat(80)}\n\n`);
}
