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
import { expect, test } from 'vitest';
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
