/**
 * The charts of the runs that are kept: one for each machine and chart of a bench's section, of all its runs there.
 *
 *   charts/BENCH-CHART-MACHINE.svg
 */
import { mkdirSync, writeFileSync } from 'node:fs';

/**
 * What is to be drawn of a bench's runs: { file, chart, where }[]. `charts` of a section makes charts of lines, each
 * with its `name`, and with the `runs` that it shows where these are not all. A line has `runs`, that of its own.
 */
export function chartsOf(bench, { charts }, runs) {
  if (charts === undefined) return [];
  const machines = new Map();
  for (const each of runs) {
    const key = [each.run.adapter, each.run.machine].filter(Boolean).join(' ');
    machines.set(key, [...(machines.get(key) ?? []), each]);
  }
  return [...machines].flatMap(([key, own]) => {
    const lines = own.flatMap(({ run, lines }) => lines.map((line) => ({ ...line, runs: [run] })));
    return charts(lines).map((chart) => {
      const file = `charts/${[bench, chart.name, key]
        .join('-')
        .replaceAll(/[^A-Za-z0-9]+/g, '-')
        .replace(/-$/, '')}.svg`;
      const runs = chart.runs ?? own.map(({ run }) => run);
      const all = (what) => [...new Set(runs.map((run) => run[what]))];
      return { file: file.toLowerCase(), chart, where: { ...runs[0], date: all('date'), commit: all('commit') } };
    });
  });
}

/** The lines of the page that show them. */
export function chartsText(drawn) {
  return drawn.map(({ file, chart, where }) => {
    return `![${chart.title}: ${[where.adapter, where.machine].filter(Boolean).join(', ')}](${file})\n`;
  });
}

/** Writes them into `folder`. The library that draws is loaded where there is something to be drawn. */
export async function writeCharts(folder, drawn) {
  if (drawn.length === 0) return;
  const { chartText } = await import('./chart.mjs');
  mkdirSync(`${folder}/charts`, { recursive: true });
  for (const { file, chart, where } of drawn) writeFileSync(`${folder}/${file}`, chartText(chart, where));
}
