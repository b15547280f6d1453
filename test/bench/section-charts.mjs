/** What the charts of benches show of their lines, as chart.mjs takes it. */

import { formatsOf } from './formats-tables.mjs';

const LATE = /^no time/; // why a run with a limit leaves a format out (formats.mjs)

const count = (number, what) => `${number} ${number === 1 ? what : `${what}s`}`;

export function spmmCharts(lines) {
  const bars = lines.flatMap(({ matrix, mod, width, threads, gops, peerGops }) => {
    const group = `${matrix} mod ${mod}, ${count(width, 'vector')}, ${count(threads, 'thread')}`;
    const peer = { group, series: 'FFLAS-FFPACK', value: peerGops };
    return [{ group, series: 'wiedemann', value: gops }, ...(typeof peerGops === 'number' ? [peer] : [])];
  });
  return [
    { name: 'rates', kind: 'bars', title: 'A sparse matrix times a block of vectors', value: 'rate in Gop/s', bars },
  ];
}

export function residentCharts(lines) {
  const matrices = [...new Set(lines.map(({ matrix }) => matrix))];
  return matrices.map((name) => {
    const own = lines.filter(({ matrix }) => matrix === name);
    const [{ mod, rows, nnz }] = own;
    const points = own.flatMap(({ width, n, usResident, usCopied }) => {
      const rate = (us) => (2 * nnz * width) / us / 1000;
      const columns = count(width, 'column');
      return [
        { series: `resident, ${columns}`, x: n, y: rate(usResident) },
        { series: `copied, ${columns}`, x: n, y: rate(usCopied) },
      ];
    });
    const title = `A^n x mod ${mod}, A: ${name}, ${rows} x ${rows}, ${nnz} entries`;
    return { name: `rates ${name}`, kind: 'lines', title, x: 'n', y: 'rate in Gop/s', points };
  });
}

/** Bars of CSR, the best format and the choice; every format beside CSR as a raster; lines by modulus and by width. */
export function formatsCharts(all) {
  const merged = mergeRuns(all);
  const of = (study) => merged.filter((line) => line.study === study);
  const settings = new Map();
  for (const line of of('format')) {
    const key = setting(line);
    settings.set(key, [...(settings.get(key) ?? []), line]);
  }
  return [
    ...[...settings].flatMap(([key, own]) => [winnersChart(key, own), besideCsrChart(key, own)]),
    ...splitChart(of('split')),
    ...['mod', 'width', 'n'].flatMap((x) => linesChart(of({ mod: 'modulus', n: 'powers' }[x] ?? x), x)),
    ...wordsCharts(of('words')),
    ...reorderChart(of('reorder')),
  ];
}

/**
 * A line for each matrix in a setting: of two runs the later one says what they both timed, and what one alone has
 * timed stays. `times`: how many times as fast as CSR in its own run.
 */
function mergeRuns(all) {
  const merged = new Map();
  for (const line of all) {
    const key = [line.study, line.matrix, setting(line), line.n].join();
    const { rates } = line;
    const times = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, rate / rates.csr]));
    const before = merged.get(key);
    merged.set(key, before === undefined ? { ...line, times } : mergeLines(before, { ...line, times }));
  }
  return [...merged.values()];
}

function mergeLines(before, line) {
  const rates = { ...before.rates, ...line.rates };
  const formats = formatsOf({ rates });
  const isWhole = formats.every((name) => line.rates[name] !== undefined);
  const fastest = () => formats.reduce((a, b) => (rates[b] > rates[a] ? b : a));
  return {
    ...line,
    rates,
    times: { ...before.times, ...line.times },
    // A run of which nothing is left is none that is shown.
    runs: Object.keys(before.rates).every((name) => name in line.rates) ? line.runs : [...before.runs, ...line.runs],
    refused: { ...before.refused, ...line.refused },
    ...(line.best === undefined ? {} : { best: isWhole ? line.best : fastest() }),
  };
}

/** Each once, by date. */
const runsOf = (lines) => [...new Set(lines.flatMap(({ runs }) => runs))].sort((a, b) => a.date.localeCompare(b.date));

function setting({ mod, width, threads }) {
  return `mod ${mod}, ${count(width, 'vector')}${threads === undefined ? '' : `, ${count(threads, 'thread')}`}`;
}

function winnersChart(key, lines) {
  const bars = lines.flatMap(({ matrix, rates, best }) => {
    const group = `${matrix}: ${best}`;
    const named = { CSR: rates.csr, 'best format': rates[best], chosen: rates.chosen };
    const peers = { 'cuSPARSE CSR': rates['cuSPARSE csr'], 'cuSPARSE BSR': rates['cuSPARSE bsr'] };
    return Object.entries({ ...named, ...peers })
      .filter(([, value]) => value !== undefined)
      .map(([series, value]) => ({ group, series, value }));
  });
  const title = `The best format by name, and the choice: ${key}`;
  return { name: `rates ${key}`, runs: runsOf(lines), kind: 'bars', title, value: 'rate in Gop/s', bars };
}

function besideCsrChart(key, lines) {
  const columns = [...new Set([...lines.flatMap(formatsOf), 'chosen'])];
  const cells = lines.flatMap(({ matrix, times, refused }) =>
    columns.map((column) => ({
      ...{ row: matrix, column, value: times[column] ?? null },
      isUnfit: refused?.[column] !== undefined && !LATE.test(refused[column]),
    })),
  );
  const title = `Rate of each format over that of CSR: ${key}`;
  return { name: `formats ${key}`, runs: runsOf(lines), kind: 'cells', title, value: 'times as fast as CSR', cells };
}

/** CSR with the ±1 apart, and with ±2 in their places. */
function splitChart(lines) {
  const wide = lines.filter(({ width }) => width > 1);
  if (wide.length === 0) return [];
  const bars = wide.flatMap(({ matrix, mod, width, rates }) => {
    const group = `${matrix} mod ${mod}, ${count(width, 'vector')}`;
    const named = { '±1 apart': rates.csr, 'not apart': rates['csr, not split'], chosen: rates.chosen };
    return Object.entries(named).map(([series, value]) => ({ group, series, value }));
  });
  const title = 'CSR with ±1 apart, and not';
  return [{ name: 'split', runs: runsOf(wide), kind: 'bars', title, value: 'rate in Gop/s', bars }];
}

/** Products in each kind of words by moduli, a chart a matrix and width. */
function wordsCharts(lines) {
  const settings = [...new Set(lines.map(({ matrix, width }) => `${matrix}, ${count(width, 'vector')}`))];
  return settings.map((key) => {
    const own = lines.filter(({ matrix, width }) => `${matrix}, ${count(width, 'vector')}` === key);
    const names = [...new Set(own.flatMap(({ rates }) => Object.keys(rates)))];
    const points = names.flatMap((name) =>
      own.filter(({ rates }) => rates[name]).map(({ mod, rates }) => ({ series: name, x: mod, y: rates[name] })),
    );
    const title = `Rate by words and modulus: ${key}`;
    return {
      ...{ name: `words ${key}`, runs: runsOf(own), kind: 'lines', title, points },
      ...{ x: 'modulus', y: 'rate in Gop/s', isEven: true },
    };
  });
}

/** Products in the matrix's own order of lines and in that of reverse Cuthill-McKee. */
function reorderChart(lines) {
  if (lines.length === 0) return [];
  const bars = lines.flatMap(({ matrix, width, rates }) =>
    Object.entries(rates).map(([series, value]) => ({ group: `${matrix}, ${count(width, 'vector')}`, series, value })),
  );
  const title = 'Lines in their own order, and by reverse Cuthill-McKee (rcm)';
  return [{ name: 'reorder', runs: runsOf(lines), kind: 'bars', title, value: 'rate in Gop/s', bars }];
}

/** What is chosen, by moduli, widths or powers, a line a matrix. */
function linesChart(lines, x) {
  if (lines.length === 0) return [];
  const points = lines.map(({ matrix, rates, ...line }) => ({ series: matrix, x: line[x], y: rates.chosen }));
  const isModulus = x === 'mod';
  const [label, of] = {
    mod: ['modulus', 'by modulus, 16 vectors'],
    width: ['width', 'by width, mod 65521'],
    n: ['n', 'A^n x by n, 16 vectors'],
  }[x];
  const title = `Rates of what is chosen, ${of}`;
  const axes = { x: label, y: 'rate in Gop/s', isEven: isModulus };
  return [{ name: `by ${label}`, runs: runsOf(lines), kind: 'lines', title, points, ...axes }];
}
