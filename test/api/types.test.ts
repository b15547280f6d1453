/** The published declarations: no type of WebGPU among them, since not every program that imports them has its declarations. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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

test('no type of WebGPU is published', () => {
  const files = closure(INDEX);
  expect(files.size).toBeGreaterThan(5);
  for (const [file, text] of files) expect(text.match(/\bGPU\w+/g), file).toBeNull();
});
