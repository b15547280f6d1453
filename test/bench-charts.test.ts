/** Charts of benches: what is drawn of which lines, and that nothing lies on something else or beyond the edge. */
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const BENCH = resolve(import.meta.dirname, 'bench');

describe('a chart', async () => {
  const { chartText } = await import(join(BENCH, 'chart.mjs'));
  const where = { date: ['2026-01-02', '2026-01-03'], machine: '2 x Processor', adapter: 'a GPU', commit: 'abc1234' };
  const textsOf = (svg: string): string[] => Array.from(svg.matchAll(/<text[^>]*>([^<]+)</g), ([, text]) => text!);

  test('of bars has one for each value, its axis with the unit, and where it was measured', () => {
    const values = { first: { ours: 3, theirs: 1.5 }, 'second < third': { ours: 4 } };
    const bars = Object.entries(values).flatMap(([group, of]) =>
      Object.entries(of).map(([series, value]) => ({ group, series, value })),
    );
    const svg: string = chartText({ kind: 'bars', title: 'A & B', value: 'Gop/s', bars }, where);
    const texts = textsOf(svg);
    for (const text of ['A &amp; B', 'Gop/s', 'first', 'second &lt; third', 'ours', 'theirs', '3', '1.5', '4'])
      expect(texts).toContain(text);
    expect(texts.at(-1)).toBe('a GPU; 2 x Processor; 2026-01-02, 2026-01-03; commit abc1234');
    const widths = Array.from(svg.matchAll(/<rect fill="#[^>]* width="([\d.]+)"/g), ([, width]) => Number(width));
    expect(widths.map((width) => (3 * width) / widths[0]!)).toEqual(
      [3, 1.5, 4].map((value) => expect.closeTo(value, 6)),
    );
  });

  test('of lines has a label for each series and each tick', () => {
    const points = [1, 5, 20, 80].flatMap((n) => [
      { series: 'resident', x: n, y: 5 * n },
      { series: 'copied', x: n, y: 3 },
    ]);
    const svg: string = chartText({ kind: 'lines', title: 'Rates', x: 'n', y: 'Gop/s', points }, where);
    for (const text of ['Rates', 'n', 'Gop/s', '1', '5', '20', '80', 'resident', 'copied'])
      expect(textsOf(svg)).toContain(text);
    expect(svg.match(/<circle /g)?.length).toBe(8);
  });

  test('of lines that end together has their names apart', () => {
    const series = ['first', 'second', 'third'];
    const points = series.flatMap((name, i) => [
      { series: name, x: 2, y: 1 + i },
      { series: name, x: 65521, y: 40 + i / 10 },
    ]);
    const svg: string = chartText({ kind: 'lines', title: 'Rates', x: 'p', y: 'Gop/s', points, isEven: true }, where);
    const heights = series.map((name) => {
      const [, y] = new RegExp(`translate\\([\\d.]+,([\\d.]+)\\)[^>]*>${name}<`).exec(svg)!;
      return Number(y);
    });
    const [first, second, third] = heights.sort((a, b) => a - b);
    expect(Math.min(second! - first!, third! - second!)).toBeGreaterThan(12);
  });

  test('has a caption of as many lines as it needs, each inside of it, and above its lower edge', () => {
    const count = 40;
    const dates = Array.from({ length: count }, (_, k) => `2026-01-${10 + k}`);
    const commits = dates.map((_, k) => `${1_000_000 + k}`);
    const bars = [{ group: 'a', series: 'b', value: 1 }];
    const all = { ...where, adapter: 'NVIDIA: 580.159.04 580.159.4.0', date: dates, commit: commits };
    const svg: string = chartText({ kind: 'bars', title: 'T', value: 'v', bars }, all);
    const lines = Array.from(svg.matchAll(/<text x="(\d+)" y="(\d+)" fill="#555">([^<]*)</g), ([, x, y, text]) => ({
      ...{ x: Number(x), y: Number(y), text: text! },
    }));
    expect(lines.map(({ text }) => text).join(' ')).toBe(
      `${all.adapter}; ${all.machine}; ${dates.join(', ')}; commit ${commits.join(', ')}`,
    );
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
    for (const { x, y, text } of lines) {
      expect(x + 7.6 * text.length).toBeLessThanOrEqual(width!);
      expect(y).toBeLessThan(height!);
    }
    expect(lines.slice(1).every(({ y }, i) => y - lines[i]!.y >= 12)).toBe(true);
  });

  test('of lines has no name on a tick of its axis', () => {
    const points = [
      { series: 'ends low', x: 2, y: 9 },
      { series: 'ends low', x: 31, y: 1 },
      { series: 'goes on', x: 2, y: 9 },
      { series: 'goes on', x: 65521, y: 9 },
    ];
    const svg: string = chartText({ kind: 'lines', title: 'Rates', x: 'p', y: 'Gop/s', points, isEven: true }, where);
    const height = (of: RegExp): number => Number(of.exec(svg)![1]);
    const name = height(/translate\([\d.]+,([\d.]+)\)[^>]*>ends low</);
    const tick = height(/translate\([\d.]+,([\d.]+)\)[^>]*>65521</);
    expect(tick - name).toBeGreaterThan(12);
  });

  test('of cells has one for each value, and none where there is no value', () => {
    const cells = [
      { row: 'first', column: 'csr', value: 1 },
      { row: 'first', column: 'other', value: 0.456 },
      { row: 'second', column: 'csr', value: 12.34 },
      { row: 'second', column: 'other', value: null },
      { row: 'third', column: 'csr', value: null, isUnfit: true },
    ];
    const svg: string = chartText({ kind: 'cells', title: 'Formats', value: 'times CSR', cells }, where);
    const label = 'times CSR; -: not for this matrix; empty: not measured';
    for (const text of ['Formats', label, 'first', 'second', 'third', 'csr', 'other', '1.00', '0.46', '12.3', '-'])
      expect(textsOf(svg)).toContain(text);
    const fills = Array.from(svg.matchAll(/<rect [^>]*fill="(rgb[^"]*)"/g), ([, fill]) => fill);
    expect(fills).toHaveLength(3);
    expect(new Set(fills).size).toBe(3);
  });
});

test('charts of formats: a bar and a cell for each matrix, of the latest of two runs', async () => {
  const { formatsCharts } = await import(join(BENCH, 'section-charts.mjs'));
  const line = { study: 'format', matrix: 'M', mod: 7, width: 1, threads: 1, best: 'ell' };
  const runs = [
    { csr: 1, ell: 2, chosen: 2 },
    { csr: 2, ell: 3, coo: 1, chosen: 3 },
  ].map((rates) => ({ ...line, rates }));
  const [bars, cells, ...others] = formatsCharts(runs);
  expect(others).toEqual([]);
  expect(bars.bars.map(({ series, value }: { series: string; value: number }) => [series, value])).toEqual([
    ['CSR', 2],
    ['best format', 3],
    ['chosen', 3],
  ]);
  expect(cells.cells.map(({ column, value }: { column: string; value: number }) => [column, value])).toEqual([
    ['csr', 1],
    ['ell', 1.5],
    ['coo', 0.5],
    ['chosen', 1.5],
  ]);
});

test('charts of formats: a later run with fewer formats leaves the others, and the runs of what is shown are named', async () => {
  const { formatsCharts } = await import(join(BENCH, 'section-charts.mjs'));
  const { chartsOf } = await import(join(BENCH, 'result-charts.mjs'));
  const line = { study: 'format', mod: 7, width: 1 };
  const runs = [
    {
      run: { date: '2026-01-01', commit: 'a', adapter: 'GPU' },
      lines: [
        {
          ...line,
          matrix: 'M',
          best: 'coo',
          rates: { csr: 1, ell: 3, coo: 5, chosen: 5 },
          refused: { dia: '9 places' },
        },
        { ...line, matrix: 'N', mod: 5, best: 'csr', rates: { csr: 1, chosen: 1 } },
      ],
    },
    {
      run: { date: '2026-01-02', commit: 'b', adapter: 'GPU' },
      lines: [
        { ...line, matrix: 'M', best: 'ell', rates: { csr: 2, ell: 4, chosen: 4 } },
        {
          ...line,
          matrix: 'N',
          best: 'dia',
          rates: { csr: 1, dia: 3, chosen: 3 },
          refused: { ell: 'no time after 9 s' },
        },
      ],
    },
  ];
  const drawn: {
    chart: { name: string; bars: never[]; cells: never[] };
    where: { date: string[]; commit: string[] };
  }[] = chartsOf('formats', { charts: formatsCharts }, runs);
  const [bars, cells, ...others] = drawn;
  expect(cells!.chart.cells).toEqual(
    Object.entries({
      M: { csr: 1, ell: 2, coo: 5, dia: null, chosen: 2 },
      N: { csr: 1, ell: null, coo: null, dia: 3, chosen: 3 },
    }).flatMap(([row, values]) =>
      Object.entries(values).map(([column, value]) => ({
        row,
        column,
        value,
        isUnfit: row === 'M' && column === 'dia',
      })),
    ),
  );
  // The best of all rates that are shown.
  const ofM = bars!.chart.bars.filter(({ group }: { group: string }) => group.startsWith('M'));
  expect(ofM.map(({ group, value }: { group: string; value: number }) => [group, value])).toEqual(
    [2, 5, 4].map((value) => ['M: coo', value]),
  );
  for (const { where } of [bars!, cells!])
    expect([where.date, where.commit]).toEqual([
      ['2026-01-01', '2026-01-02'],
      ['a', 'b'],
    ]);
  expect(others.map(({ where }) => where.commit)).toEqual([['a'], ['a']]);
});

test('charts of formats: words by modulus, orders of lines, powers', async () => {
  const { formatsCharts } = await import(join(BENCH, 'section-charts.mjs'));
  const line = { matrix: 'M', mod: 7, width: 1, threads: 1 };
  const charts = formatsCharts([
    { ...line, study: 'words', rates: { u16: 2, f32: 1 } },
    { ...line, study: 'words', mod: 65521, rates: { u16: 2 } },
    { ...line, study: 'reorder', rates: { csr: 1, 'csr, rcm': 3 } },
    { ...line, study: 'powers', n: 10, rates: { csr: 1, chosen: 4 } },
  ]);
  expect(charts.map(({ name }: { name: string }) => name)).toEqual(['by n', 'words M, 1 vector', 'reorder']);
  const [powers, words, reorder] = charts;
  expect(powers.points).toEqual([{ series: 'M', x: 10, y: 4 }]);
  expect(words.points).toEqual([
    { series: 'u16', x: 7, y: 2 },
    { series: 'u16', x: 65521, y: 2 },
    { series: 'f32', x: 7, y: 1 },
  ]);
  expect(reorder.bars.map(({ series, value }: { series: string; value: number }) => [series, value])).toEqual([
    ['csr', 1],
    ['csr, rcm', 3],
  ]);
});
