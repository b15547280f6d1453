/** What the charts of benches show of their lines, as chart.mjs takes it. */

import { formatsOf } from './formats-tables.mjs';

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
  // Of two runs the later one says what a matrix has in a setting.
  const latest = new Map(all.map((line) => [[line.study, line.matrix, setting(line), line.n].join(), line]));
  const of = (study) => [...latest.values()].filter((line) => line.study === study);
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
  return { name: `rates ${key}`, kind: 'bars', title, value: 'rate in Gop/s', bars };
}

function besideCsrChart(key, lines) {
  const cells = lines.flatMap((line) =>
    [...formatsOf(line), 'chosen'].map((column) => ({
      ...{ row: line.matrix, column },
      value: line.rates[column] === undefined ? null : line.rates[column] / line.rates.csr,
    })),
  );
  const title = `Rate of each format over that of CSR: ${key}`;
  return { name: `formats ${key}`, kind: 'cells', title, value: 'times as fast as CSR', cells };
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
  return [{ name: 'split', kind: 'bars', title: 'CSR with ±1 apart, and not', value: 'rate in Gop/s', bars }];
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
      ...{ name: `words ${key}`, kind: 'lines', title, x: 'modulus', y: 'rate in Gop/s', points, isEven: true },
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
  return [{ name: 'reorder', kind: 'bars', title, value: 'rate in Gop/s', bars }];
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
  return [{ name: `by ${label}`, kind: 'lines', title, x: label, y: 'rate in Gop/s', points, isEven: isModulus }];
}
