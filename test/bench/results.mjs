/**
 * The runs that are kept, and the page made of them: no figure of a table is copied by hand.
 *
 *   results/NAME.jsonl : runs of one bench; each begins with a line { run, date, machine, adapter, node, commit,
 *                        command }, the bench's own lines follow
 *   RESULTS.md         : a heading a bench; under it the tables of each run and their charts, then "### Notes", written
 *                        by hand, which stay as they are
 *   charts/*.svg       : what the bench's section draws of them (result-charts.mjs)
 *
 * One run is kept of each machine and command: the latest.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { markdownTable } from './markdown-table.mjs';
import { chartsOf, chartsText, writeCharts } from './result-charts.mjs';
import { SECTIONS } from './sections.mjs';

const FOLDER = process.env['RESULTS_FOLDER'] ?? fileURLToPath(new URL('.', import.meta.url)).slice(0, -1);
const pathOf = (name) => `${FOLDER}/results/${name}.jsonl`;
const PAGE = `${FOLDER}/RESULTS.md`;
const WHERE = ['date', 'machine', 'adapter', 'node', 'commit'];

const TOP = `# Results

Everything measured, a heading a bench. \`npm run bench -- NAME --record\` writes a run's tables from its JSON lines, which are kept in
\`results/NAME.jsonl\`; \`npm run bench -- results\` makes this page again from them. What stands under "Notes" is written by
hand: facts that comments cite, and figures measured before runs were recorded, each with its machine, date and command. A note
that a comment cites has a heading of its own, \`#### name\`, which the comment cites behind the page's path.

Where nothing else is said, notes of 2026-11-21 and 22 are of a shared virtual machine with 2 cores of an AMD EPYC (Zen 4), Node
v20.20.2, with peers compiled there by \`g++ -O2\` or \`-O3 -march=native\` in the same run, in seconds.
`;

/** The runs kept of a bench: { run: its first line, lines }[]. */
export function runsOf(name) {
  const runs = [];
  if (!existsSync(pathOf(name))) return runs;
  for (const text of readFileSync(pathOf(name), 'utf8').trim().split('\n')) {
    const line = JSON.parse(text);
    if (line.run === undefined) runs.at(-1).lines.push(line);
    else runs.push({ run: line, lines: [] });
  }
  return runs;
}

/**
 * Keeps the lines of a run in place of those of the same command on the same machine, wherever its peers' programs are.
 */
export function keep(name, command, lines) {
  if (lines.length === 0) throw new Error(`bench ${name} --record: the run printed no line`);
  const run = {
    run: name,
    ...Object.fromEntries(WHERE.map((key) => [key, lines[0][key]])),
    command: command.replace(/ --(peers|spasm) \S+/g, ''),
  };
  const own = lines.map((line) =>
    Object.fromEntries(Object.entries(line).filter(([key]) => key !== 'bench' && !WHERE.includes(key))),
  );
  const same = (other) => ['machine', 'adapter', 'command'].every((key) => other.run[key] === run[key]);
  const kept = [...runsOf(name).filter((other) => !same(other)), { run, lines: own }];
  mkdirSync(`${FOLDER}/results`, { recursive: true });
  const text = kept.flatMap((each) => [each.run, ...each.lines]).map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(pathOf(name), text.join(''));
}

/** What is written by hand under each heading of a page. */
function notesOf(page) {
  const sections = page.split(/^## /m).slice(1);
  return new Map(sections.map((text) => [text.split('\n', 1)[0], text.split('\n### Notes\n')[1]?.trim() ?? '']));
}

function runText({ run, lines }, { tables }) {
  const { date, machine, adapter, node, commit, command } = run;
  const where = [date, ...(adapter === undefined ? [] : [adapter]), machine, `Node ${node}`, `commit ${commit}`].join(
    ', ',
  );
  return `\`${command}\`, ${where}:\n\n${tables(lines).trim()}\n`;
}

/** Each ratio to a peer by machine, the lowest first: the one to quote. */
function peersText(all) {
  const found = new Map();
  for (const [name, { compare }] of Object.entries(SECTIONS)) {
    for (const { run, lines } of compare === undefined ? [] : all.get(name)) {
      for (const pair of compare(lines)) {
        const key = `${name}: ${pair.what}`;
        if (!found.has(key)) found.set(key, []);
        found.get(key).push({ ratio: pair.ratio, machine: run.adapter ?? run.machine });
      }
    }
  }
  const table = [...found].map(([what, ratios]) => {
    const [lowest, ...others] = ratios.sort((a, b) => a.ratio - b.ratio);
    const shown = ({ ratio, machine }) => `${ratio} (${machine})`;
    return { what, lowest: shown(lowest), others: others.map(shown).join(', ') };
  });
  if (table.length === 0) return '';
  const columns = [
    ['measured', 'what'],
    ['lowest', 'lowest'],
    ['other machines', 'others'],
  ];
  return `How many times faster than its peer, by machine:\n\n${markdownTable(columns, table)}`;
}

/** The page of the runs that are kept, with the notes of the page as it is. */
export function pageText(page) {
  const all = new Map(Object.keys(SECTIONS).map((name) => [name, runsOf(name)]));
  const notes = notesOf(page);
  const unknown = [...notes.keys()].filter((name) => name !== 'peers' && !(name in SECTIONS));
  if (unknown.length > 0) throw new Error(`RESULTS.md: expected headings of benches, got ${unknown.join(', ')}`);
  const section = (name, parts, text = notes.get(name) ?? '') =>
    [`## ${name}\n`, ...parts.filter((part) => part !== ''), `### Notes\n${text === '' ? '' : `\n${text}\n`}`].join(
      '\n',
    );
  return [
    TOP,
    section('peers', [peersText(all)]),
    ...Object.entries(SECTIONS).map(([name, bench]) =>
      section(name, [
        `${bench.about}\n`,
        ...all.get(name).map((run) => runText(run, bench)),
        ...chartsText(chartsOf(name, bench, all.get(name))),
      ]),
    ),
  ].join('\n');
}

/** All charts of the runs that are kept. */
export function chartsOfPage() {
  return Object.entries(SECTIONS).flatMap(([name, bench]) => chartsOf(name, bench, runsOf(name)));
}

export async function writePage() {
  await writeCharts(FOLDER, chartsOfPage());
  writeFileSync(PAGE, pageText(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''));
}
