/** Tables in markdown. */

export const row = (...cells) => `| ${cells.join(' | ')} |`;

const empty = (value) => value === undefined || value === null || value === '';
const cell = (value) => (empty(value) ? '' : String(value).replaceAll('|', '\\|'));

/**
 * A row a line. `columns`: [title, key of the line or function of it]; a column of numbers stands to the right, one
 * without a value in any line is left out.
 */
export function markdownTable(columns, lines) {
  const filled = columns
    .map(([title, of]) => ({ title, values: lines.map((line) => (typeof of === 'function' ? of(line) : line[of])) }))
    .filter(({ values }) => !values.every(empty));
  const numbers = ({ values }) => values.every((value) => empty(value) || typeof value === 'number');
  return [
    row(...filled.map(({ title }) => title)),
    row(...filled.map((column) => (numbers(column) ? '---:' : '---'))),
    ...lines.map((_, i) => row(...filled.map(({ values }) => cell(values[i])))),
    '',
  ].join('\n');
}
