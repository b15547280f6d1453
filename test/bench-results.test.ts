/**
 * Runs of benches are recorded by the bench itself, and RESULTS.md is what the recorded lines give: no figure is copied
 * by hand.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { textOf, trackedFiles } from './tracked.js';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const BENCH = join(ROOT, 'test/bench');

/** `npm run bench -- WORDS` with its records in `folder`. */
function bench(folder: string, ...words: string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, RESULTS_FOLDER: folder };
  return promisify(execFile)(process.execPath, [join(BENCH, 'bench.mjs'), ...words], { env });
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-results-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('--record keeps the lines of a run and writes its table; a run of the same command takes its place', async () => {
  await inFolder(async (folder) => {
    const page = join(folder, 'RESULTS.md');
    writeFileSync(page, '# Results\n\n## read\n\n### Notes\n\nWritten by hand.\n');
    const printed: Record<string, unknown>[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const { stdout } = await bench(folder, 'read', '4000', '--record');
      printed.splice(
        0,
        printed.length,
        ...stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
    }
    const lines = readFileSync(join(folder, 'results/read.jsonl'), 'utf8').trim().split('\n');
    const [first, ...others] = lines.map((line) => JSON.parse(line));
    const { date, machine, node, commit } = printed[0]!;
    expect(first).toEqual({ run: 'read', date, machine, node, commit, command: 'npm run bench -- read 4000' });
    expect(printed.map(({ kind }) => kind)).toEqual(['sms', 'sms.gz', 'mtx']);
    expect(others.map((line) => ({ bench: 'read', ...line, date, machine, node, commit }))).toEqual(printed);
    const [, section] = readFileSync(page, 'utf8').split('\n## read\n');
    const shown = section!.split('\n## ')[0]!;
    expect(shown).toContain(`\`npm run bench -- read 4000\`, ${date}, ${machine}, Node ${node}, commit ${commit}:`);
    for (const { kind, entries, bytes, medianMBs, bestMBs } of printed)
      expect(shown).toContain(`| ${[kind, entries, bytes, medianMBs, bestMBs].join(' | ')} |`);
    expect(shown).toContain('### Notes\n\nWritten by hand.\n');
  });
});

test('RESULTS.md is what the lines beside it give', async () => {
  const page = readFileSync(join(BENCH, 'RESULTS.md'), 'utf8');
  const { pageText } = await import(join(BENCH, 'results.mjs'));
  expect(pageText(page)).toBe(page);
  // What stands by hand before the notes of a section does not stay.
  expect(pageText(page.replace('\n### Notes', '\n| by hand | 7 |\n\n### Notes'))).toBe(page);
});

test('charts are what the lines beside them give, and no other is shown', async () => {
  const { chartsOfPage } = await import(join(BENCH, 'results.mjs'));
  const { chartText } = await import(join(BENCH, 'chart.mjs'));
  const drawn: { file: string; chart: { title: string }; where: object }[] = chartsOfPage();
  expect(drawn.length).toBeGreaterThan(0);
  expect(new Set(drawn.map(({ file }) => file)).size).toBe(drawn.length);
  const page = readFileSync(join(BENCH, 'RESULTS.md'), 'utf8');
  for (const { file, chart, where } of drawn) {
    expect(readFileSync(join(BENCH, file), 'utf8')).toBe(chartText(chart, where));
    expect(page).toContain(`](${file})`);
  }
  // All files are on the page.
  const files = readdirSync(join(BENCH, 'charts')).map((name) => `charts/${name}`);
  expect(files.filter((file) => !page.includes(`](${file})`))).toEqual([]);
});

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

  test('of cells has one for each value, and none where there is no value', () => {
    const cells = [
      { row: 'first', column: 'csr', value: 1 },
      { row: 'first', column: 'other', value: 0.456 },
      { row: 'second', column: 'csr', value: 12.34 },
      { row: 'second', column: 'other', value: null },
    ];
    const svg: string = chartText({ kind: 'cells', title: 'Formats', value: 'times CSR', cells }, where);
    for (const text of ['Formats', 'times CSR', 'first', 'second', 'csr', 'other', '1.00', '0.46', '12.3'])
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

test('every bench has a heading of the page', async () => {
  const { SECTIONS } = await import(join(BENCH, 'sections.mjs'));
  const benches = readdirSync(BENCH)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -'.mjs'.length))
    .filter((name) => readFileSync(join(BENCH, `${name}.mjs`), 'utf8').includes(`\n *   npm run bench -- ${name} `));
  expect(
    Object.keys(SECTIONS)
      .filter((name) => name !== 'other')
      .sort(),
  ).toEqual(benches.sort());
});

test('headings of RESULTS.md that files cite are there', () => {
  const page = readFileSync(join(BENCH, 'RESULTS.md'), 'utf8');
  const anchors = Array.from(page.matchAll(/^#+ (.*)$/gm), ([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const missing = trackedFiles().flatMap((path) =>
    Array.from(textOf(path).matchAll(/RESULTS\.md#([\w-]+)/g))
      .filter(([, anchor]) => !anchors.includes(anchor!))
      .map(([citation]) => `${path}: ${citation}`),
  );
  expect(missing).toEqual([]);
});
