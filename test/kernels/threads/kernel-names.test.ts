/** The table of kernels: each is called by its name somewhere, and nowhere is a name put together. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { KERNEL_NAMES } from '../../../kernels/generated/kernel-names.js';

const KERNELS = fileURLToPath(new URL('../../../kernels/', import.meta.url));
const HOST_FILES = readdirSync(KERNELS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.as.ts') && !file.startsWith('generated'))
  .map((file) => ({ file, text: readFileSync(`${KERNELS}${file}`, 'utf8') }));

test('every kernel is named by the host', () => {
  const all = HOST_FILES.map(({ text }) => text).join('\n');
  expect(KERNEL_NAMES.filter((name) => !all.includes(`'${name}'`))).toEqual([]);
});

test('no name of a kernel is interpolated', () => {
  const families = KERNEL_NAMES.map((name) => name.replace(/(U16|U32|Gf256)$/, '')).join('|');
  const interpolated = new RegExp(`\\.(command|launch|run|runAlone|runAtOnce)\\(\\s*\`|\`(${families})\\$\\{`);
  expect('team.run(`$' + '{kernel}U16`)').toMatch(interpolated);
  expect('const kernel = `gemm$' + '{suffix}`').toMatch(interpolated);
  expect(HOST_FILES.filter(({ text }) => interpolated.test(text)).map(({ file }) => file)).toEqual([]);
});
