/** A benchmark takes from the package only what it has: most of them run on machines that no test sees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const BENCH = join(ROOT, 'test/bench');

/** `const { a, b: c } = await ours('path.js')`, by the file's own name for what imports from the build. */
const IMPORT = /const \{([^}]*)\} = await ours\(\s*['"]([^'"]+)\.js['"]\s*\)/g;

const taken = readdirSync(BENCH)
  .filter((file) => file.endsWith('.mjs'))
  .flatMap((file) =>
    [...readFileSync(join(BENCH, file), 'utf8').matchAll(IMPORT)].map(([, names = '', path = '']) => ({
      file,
      path,
      names: names
        .split(',')
        .map((name) => name.split(':')[0]?.trim() ?? '')
        .filter((name) => name !== ''),
    })),
  );

test('that the tests below see them', () => {
  expect(new Set(taken.map(({ file }) => file)).size).toBeGreaterThan(10);
});

test.each(taken)('$file takes $names of $path', async ({ path, names }) => {
  const has = Object.keys(await import(join(ROOT, `${path}.ts`)));
  expect(names.filter((name) => !has.includes(name))).toEqual([]);
});
