/**
 * The rank benchmark's tables in markdown: medians over the runs of each contender, phases as rows.
 *
 * Phases are the programs' own clocks. "Whole process" is ours around the process, start and reading included; ratios
 * are taken of it.
 *
 *   of medians      what counts
 *   of neighbours   median of the ratios of neighbouring runs: a host that gets slower or faster disturbs it less
 *   on two cores
 *   the same of runs before and after which two threads were worth two (two-cores.mjs), and how many they were
 *   of the fastest  the fastest run of each
 *
 * A phase that a program does not report is a dash. Sequence, sigma-basis and interpolation are the rows of the
 * reference paper's table (Boyer, Dumas, Giorgi 2010).
 */
import { row } from './markdown-table.mjs';
import { hadTwoCores } from './two-cores.mjs';

const PHASES = [
  ['reading', 'reading'],
  ['pivots', 'pivots'],
  ['sampling', 'sampling'],
  ['setup', 'setup'],
  ['sequence', 'sequence'],
  ['sigmaBasis', 'sigma-basis'],
  ['interpolation', 'interpolation'],
  ['verification', 'verification'],
];
const BARS = [
  { peer: 'LinBox block rank', wanted: 50 },
  { peer: 'LinBox rank', wanted: 40 },
];
const SEQUENCE_SPEEDUP = 1.6;
const MEGABYTE = 1e6;
const CHESSBOARD_SECONDS = 240;

function median(numbers) {
  const sorted = numbers.filter((x) => x !== undefined && x !== null).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const quarter = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 2].toFixed(2);

const least = (numbers) => Math.min(...numbers.filter((x) => x !== undefined && x !== null));

const shown = (seconds) => (seconds === null ? '–' : seconds.toPrecision(3));

/** The samples of each contender, in the order of their first run: ours first. */
function columnsOf(samples) {
  const columns = new Map();
  for (const sample of samples) {
    const key = [sample.name, sample.formula, sample.threads].join();
    if (!columns.has(key)) columns.set(key, []);
    columns.get(key).push(sample);
  }
  return [...columns.values()];
}

function titleOf([{ name, formula, threads }]) {
  return `${name}${formula === undefined ? '' : `, ${formula}`}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
}

/** The lines of one matrix mod one prime, in the order of their first. */
function groupsOf(lines) {
  const found = new Map();
  for (const line of lines) {
    const key = `${line.matrix} mod ${line.mod}`;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(line);
  }
  return [...found.values()];
}

/** Of a run with --big, whose lines have the file's size, one table; else one a matrix. */
export function rankTables(lines) {
  if (lines.some(({ fileBytes }) => fileBytes !== undefined)) return bigTable(groupsOf(lines));
  return groupsOf(lines).map(comparisonTables).join('\n');
}

/** Whole processes of each LinBox program on one thread over `auto` on one, of medians. */
export function ratiosToPeers(lines) {
  return groupsOf(lines).flatMap((samples) => {
    const wall = (name, formula) =>
      median(samples.filter((s) => s.name === name && s.formula === formula && s.threads === 1).map((s) => s.wall));
    const ours = wall('wiedemann', 'auto');
    return BARS.flatMap(({ peer }) => {
      const theirs = wall(peer, undefined);
      const what = `${samples[0].matrix} mod ${samples[0].mod}, ${peer}`;
      return ours === null || theirs === null ? [] : [{ what, ratio: Number((theirs / ours).toFixed(1)) }];
    });
  });
}

/** One matrix: phases and whole process of everyone, then what the ratios are and were to be. */
function comparisonTables(samples) {
  const columns = columnsOf(samples);
  const [{ matrix, mod }] = samples;
  const cores = samples.flatMap((sample) => sample.cores);
  const phaseMedian = (column, phase) => median(column.map(({ seconds }) => seconds[phase]));
  const lines = [
    `**${matrix} mod ${mod}, seconds**`,
    '',
    row('phase', ...columns.map(titleOf)),
    row('---', ...columns.map(() => '---:')),
    ...PHASES.map(([phase, title]) => row(title, ...columns.map((column) => shown(phaseMedian(column, phase))))),
    row('**whole process**', ...columns.map((column) => `**${shown(median(column.map(({ wall }) => wall)))}**`)),
    row('its processor time', ...columns.map((column) => shown(median(column.map(({ cpu }) => cpu))))),
    row('load, median', ...columns.map((column) => median(column.map(({ load }) => load)).toFixed(1))),
    row('runs', ...columns.map((column) => column.length)),
    '',
    ...ratios(columns),
    '',
    `Two threads of arithmetic that share nothing, between the runs: ${median(cores).toFixed(2)} of one (median), ${quarter(cores)} in the worst quarter.`,
  ];
  return `${lines.join('\n')}\n`;
}

function ratios(columns) {
  const find = (name, formula, threads) =>
    columns.find(([sample]) => sample.name === name && sample.formula === formula && sample.threads === threads);
  const lines = [
    row('ratio', 'of medians', 'of neighbours', 'on two cores', 'of the fastest', 'bar'),
    row('---', '---:', '---:', '---:', '---:', '---:'),
  ];
  const add = (title, what, above, below, digits, bar, onCores = false) => {
    const of = (pick) => (pick(above.map(what)) / pick(below.map(what))).toFixed(digits);
    const pairs = below.flatMap((sample) => {
      const neighbour = above.find(({ pass }) => pass === sample.pass);
      if (neighbour === undefined) return [];
      return [{ ratio: what(neighbour) / what(sample), good: hadTwoCores([...sample.cores, ...neighbour.cores]) }];
    });
    const good = pairs.filter((pair) => pair.good);
    const middle = (list) => median(list.map(({ ratio }) => ratio))?.toFixed(digits) ?? '–';
    lines.push(
      row(title, of(median), middle(pairs), onCores ? `${middle(good)} (${good.length})` : '', of(least), bar),
    );
  };
  const wall = (sample) => sample.wall;
  const sequence = ({ seconds }) => seconds.sequence;
  for (const formula of ['auto', 'shifted', 'classical']) {
    const [one, two] = [1, 2].map((threads) => find('wiedemann', formula, threads));
    for (const { peer, wanted } of BARS) {
      for (const threads of [1, 2]) {
        const [theirs, mine] = [find(peer, undefined, threads), threads === 1 ? one : two];
        if (theirs === undefined || mine === undefined) continue;
        const bar = threads === 1 && formula !== 'classical' ? `${wanted}` : '';
        add(`whole process, ${peer} / ${titleOf(mine)}`, wall, theirs, mine, 1, bar);
      }
    }
    if (one === undefined || two === undefined || formula === 'auto') continue;
    add(`sequence, ${formula}, 1 thread / 2 threads`, sequence, one, two, 2, SEQUENCE_SPEEDUP, true);
  }
  return lines;
}

/** The large matrices: time and memory of the whole process, beside the file's size and what it allows; then peers. */
function bigTable(groups) {
  const names = [...new Set(groups.flat().map(({ name }) => name))].filter((name) => name !== 'wiedemann');
  const lines = [
    row('matrix', 'mod', 'rank', 'error', 'whole process, s', 'bar, s', 'file, MB', 'peak, MB', 'bar, MB', ...names),
    row('---', ...Array.from({ length: 8 + names.length }, () => '---:')),
  ];
  for (const samples of groups) {
    const ours = samples.filter(({ name }) => name === 'wiedemann');
    if (ours.length === 0) continue; // of no use to compare with
    const [{ matrix, mod, fileBytes, rank, errorLog2, upperBound }] = ours;
    const peaks = ours.map(({ peak }) => peak).filter((peak) => peak !== null);
    const megabytes = (bytes) => (bytes / MEGABYTE).toFixed(0);
    lines.push(
      row(
        matrix,
        mod,
        rank,
        errorLog2 !== null ? `2^${Math.ceil(errorLog2)}` : upperBound === null ? 'one-sided' : 'proved',
        shown(median(ours.map(({ wall }) => wall))),
        matrix === 'ch8-8-b4' ? CHESSBOARD_SECONDS : '',
        megabytes(fileBytes),
        peaks.length === 0 ? '–' : megabytes(Math.max(...peaks)),
        megabytes(3 * fileBytes + 500 * MEGABYTE),
        ...names.map((name) => secondsOf(samples.filter((sample) => sample.name === name))),
      ),
    );
  }
  return lines.join('\n');
}

/** Of a peer: the median, or that it was ended before. */
function secondsOf(samples) {
  const over = samples.find((sample) => sample.over !== undefined)?.over;
  return over === undefined ? shown(median(samples.map(({ wall }) => wall))) : `over ${over}`;
}
