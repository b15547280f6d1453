/** The tables of the study of formats: what won and what was chosen, every format beside CSR, and the other studies. */
import { markdownTable } from './markdown-table.mjs';

const distinct = (values) => [...new Set(values)];

export function formatsTables(lines) {
  const of = (study) => lines.filter((line) => line.study === study);
  return [
    titled('Gop/s of CSR, of the best format and of what is chosen', winners(of('format'))),
    titled('Each format beside CSR: how many times faster', besideCsr(of('format'))),
    titled('By modulus, width 16: Gop/s', byKey(of('modulus'), 'mod')),
    titled('By words and modulus, width 1: Gop/s', byKey(of('words').filter(isNarrow), 'mod')),
    titled(
      'By words and modulus, width 16: Gop/s',
      byKey(
        of('words').filter((line) => !isNarrow(line)),
        'mod',
      ),
    ),
    titled('By width: Gop/s', byKey(of('width'), 'width')),
    titled('±1 apart: how many times faster than with ±2 in their places', split(of('split'))),
    titled('A^n·x, width 16: Gop/s', byKey(of('powers'), 'n')),
    titled('In the order of reverse Cuthill-McKee: Gop/s', byKey(of('reorder'), 'width')),
  ]
    .filter(Boolean)
    .join('\n');
}

const titled = (title, table) => table && `${title}:\n\n${table}`;
const isNarrow = ({ width }) => width === 1;
const SETTING = ['matrix', 'mod', 'width', 'threads'].map((key) => [key, key]);

function winners(lines) {
  if (lines.length === 0) return '';
  const rate = (name) => (line) => line.rates[name];
  return markdownTable(
    [
      ...SETTING,
      ['CSR', rate('csr')],
      ['best', ({ best, rates }) => rates[best]],
      ['which', 'best'],
      ['chosen', rate('chosen')],
      ['chosen / best', 'ofBest'],
      ['cuSPARSE CSR', rate('cuSPARSE csr')],
      ['cuSPARSE BSR', rate('cuSPARSE bsr')],
      ['chosen / cuSPARSE', 'ofPeer'],
      ['chosen plan', 'plan'],
    ],
    lines,
  );
}

/** Formats of a line, without what is no format by name. */
export function formatsOf({ rates }) {
  return Object.keys(rates).filter((name) => name !== 'chosen' && !name.startsWith('cuSPARSE'));
}

function besideCsr(lines) {
  if (lines.length === 0) return '';
  const names = distinct(lines.flatMap(formatsOf)).filter((name) => name !== 'csr');
  const times = ({ rates }, name) => (rates[name] === undefined ? '-' : (rates[name] / rates.csr).toFixed(2));
  return markdownTable([...SETTING, ...names.map((name) => [name, (line) => times(line, name)])], lines);
}

/** A row a matrix and contender, a column a value of `key`. */
function byKey(lines, key) {
  if (lines.length === 0) return '';
  const values = distinct(lines.map((line) => line[key]));
  const rows = distinct(lines.map(({ matrix }) => matrix)).flatMap((matrix) => {
    const own = lines.filter((line) => line.matrix === matrix);
    return distinct(own.flatMap(({ rates }) => Object.keys(rates))).map((name) => ({
      ...{ matrix, name },
      ...Object.fromEntries(own.map((line) => [line[key], line.rates[name]])),
    }));
  });
  const columns = values.map((value) => [`${key} ${value}`, (row) => row[value]]);
  return markdownTable([['matrix', 'matrix'], ['storage', 'name'], ...columns], rows);
}

function split(lines) {
  if (lines.length === 0) return '';
  const times = ({ rates }, name) => Number((rates[name] / rates['csr, not split']).toFixed(2));
  return markdownTable(
    [
      ...SETTING,
      ['CSR, not split, Gop/s', ({ rates }) => rates['csr, not split']],
      ['CSR, split', (line) => times(line, 'csr')],
      ['chosen', (line) => times(line, 'chosen')],
    ],
    lines,
  );
}
