/** The tables of compiled matrices. */
import { markdownTable } from './markdown-table.mjs';

const SETTING = ['matrix', 'nnz', 'mod'].map((key) => [key === 'nnz' ? 'entries' : key, key]);

export function jitTables(lines) {
  const of = (study) => lines.filter((line) => line.study === study);
  const seconds = (name) => (line) => line.seconds[name];
  const products = markdownTable(
    [
      ...SETTING,
      ['width', 'width'],
      ...['csr', 'chosen', 'jit'].map((name) => [`${name}, Gop/s`, name]),
      ['jit over chosen', 'ofChosen'],
      ['compiling, ms', 'compileMs'],
      ['warm after, ms', 'warmMs'],
      ['bytes of code', 'codeBytes'],
      ['pays after products', 'pays'],
    ],
    of('products'),
  );
  const powers = markdownTable(
    [
      ...SETTING,
      ['n', 'n'],
      ...['csr', 'chosen', 'jit'].map((name) => [`${name}, s`, seconds(name)]),
      ['jit over chosen', 'ofChosen'],
      ['compiling, ms', 'compileMs'],
    ],
    of('powers'),
  );
  return `Products:\n\n${products}\nA^n·x, width 1, compiling among the seconds of jit:\n\n${powers}`;
}
