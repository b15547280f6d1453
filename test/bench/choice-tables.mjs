/**
 * The tables of the choice benchmark in markdown: seconds by method beside those of `auto`, and how far it is from the
 * best.
 */
import { row } from './markdown-table.mjs';

const METHODS = ['elimination', 'hybrid', 'wiedemann'];

/** Regrets below so many seconds count for nothing: a process takes ten times that to start. */
const NOTICED = 0.02;

const shown = (seconds) => (seconds === null ? '–' : seconds.toPrecision(2));

export function choiceTables(lines) {
  const table = lines.map(({ matrix, p, chosen, auto, seconds, regret, best }) => {
    const share = regret < NOTICED ? '' : `${shown(regret)} (${(1 + regret / best).toPrecision(2)} x)`;
    return row(matrix, p, shown(auto), ...METHODS.map((method) => shown(seconds[method])), chosen, share);
  });
  const total = lines.reduce((sum, { auto }) => sum + auto, 0);
  const ideal = lines.reduce((sum, { best }) => sum + best, 0);
  const ratios = lines.filter(({ regret }) => regret > NOTICED).map(({ regret, best }) => 1 + regret / best);
  const within = lines.length - ratios.filter((ratio) => ratio > 1.25).length;
  return [
    row('matrix', 'mod', 'auto', ...METHODS, 'auto chose', 'regret'),
    row('---', '---:', ...Array.from({ length: 1 + METHODS.length }, () => '---:'), '---', '---:'),
    ...table,
    '',
    row(
      'ranks',
      '`auto`, s',
      'best each time, s',
      `within a quarter or ${NOTICED} s of the best`,
      'worst over the best',
    ),
    row(...Array.from({ length: 5 }, () => '---:')),
    row(lines.length, shown(total), shown(ideal), within, shown(Math.max(1, ...ratios))),
    '',
  ].join('\n');
}
