import { expect, test } from 'vitest';
import { excerpt, printable, printableName } from '../../../kernels/errors/excerpt.js';

test.each([
  ['plain', 'a b\u00e9\u4e2d\u{1f600}', 'a b\u00e9\u4e2d\u{1f600}'],
  ['C0, delete and C1', '\u0000\u001b\u007f\u009b', '\\x00\\x1b\\x7f\\x9b'],
  ['line breaks', '\n\r\u0085\u2028\u2029', '\\x0a\\x0d\\x85\\u{2028}\\u{2029}'],
  ['direction and nothing to see', '\u202e\u2066\u200b\ufeff', '\\u{202e}\\u{2066}\\u{200b}\\u{feff}'],
  ['spaces that are none', '\u00a0\u3000', '\\xa0\\u{3000}'],
  ['half a character, tags', '\ud83d \u{e0041}', '\\u{d83d} \\u{e0041}'],
])('%s', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('an excerpt is short, and a name keeps its ends', () => {
  expect(excerpt('a'.repeat(61))).toBe(`'${'a'.repeat(60)}…'`);
  expect(excerpt('')).toBe("''");
  expect(printableName(`b${'a'.repeat(5000)}c\n`)).toMatch(/^ba{511}…a{510}c\\x0a$/);
  expect(printableName('x'.repeat(1024))).toBe('x'.repeat(1024));
});
