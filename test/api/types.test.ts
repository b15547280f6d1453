/**
 * The published declarations: no type of a platform or of a dependency among them, since not every program has those.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const INDEX = fileURLToPath(new URL('../../dist/src/index.d.ts', import.meta.url));

/** A declaration file and all it imports. */
function closure(file: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, 'utf8');
  seen.set(file, text);
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g)) {
    closure(resolve(dirname(file), `${specifier}.d.ts`), seen);
  }
  return seen;
}

/** Without comments, which may speak of anything. */
function declarations(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '');
}

test('no type of WebGPU, of a page or of a dependency is published', () => {
  const files = closure(INDEX);
  expect(files.size).toBeGreaterThan(5);
  const foreign = /\bGPU\w+|\b(WebAssembly|Blob|URL|ReadableStream|AbortSignal|Worker|Buffer)\b|from '[^.].*/g;
  for (const [file, text] of files) expect(declarations(text).match(foreign), file).toBeNull();
});

test('no declaration is long: what is generated is a string', () => {
  const dist = dirname(dirname(INDEX));
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => statSync(join(dist, file)).size > 20_000)).toEqual([]);
});
