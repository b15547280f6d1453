/**
 * The README's own examples: its programs are run, each value beside a comment compared with what the comment says; its first
 * command prints what stands under it; its JSON has the fields that are there.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { run } from './cli/run.js';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

const blocks = (language: string): string[] =>
  Array.from(README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')), ([, text]) => text!);

/** `expression; // value, remark`: the line with the value printed behind its number. */
const SHOWN = /^([^\s/].*?);\s+\/\/ (\[.*?\]|'.*?'|true|false|null|-?\d+n?)(?=$|[,:; ])/;

/** Values as the README writes them. */
const SHOW = `function shown(v) {
  if (typeof v === 'string') return "'" + v + "'";
  if (typeof v === 'bigint') return v + 'n';
  return v?.length === undefined ? String(v) : '[' + Array.from(v).join(', ') + ']';
}
`;

test('the programs run, and each value is the one beside it', async () => {
  const expected: string[] = [];
  const lines = blocks('js')
    .join('\n')
    .split('\n')
    .map((line) => {
      const shown = /^(const|import|await) /.test(line) ? null : SHOWN.exec(line);
      if (shown === null) return line;
      const number = expected.push(shown[2]!) - 1;
      return `console.log('${number}: ' + shown(${shown[1]}));`;
    });
  expect(expected.length).toBeGreaterThan(10);
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-readme-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'wiedemann'));
    const file = join(folder, 'readme.mjs');
    writeFileSync(file, `${SHOW}${lines.join('\n')}\n`);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout.trim().split('\n')).toEqual(expected.map((value, i) => `${i}: ${value}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the first command prints what stands under it', async () => {
  const [first] = blocks('');
  const [command, answer, summary] = first!.split('\n');
  const words = /npx wiedemann (.*)$/.exec(command!)![1]!.split(' ');
  const ended = await run(words.map((word) => (word.startsWith('data/') ? join(ROOT, word) : word)));
  expect(ended.stdout).toBe(`${answer}\n`);
  const plain = (line: string): string => line.replace(/[\d.]+ s on \d+ threads?/, 'TIME').replace(/seed \d+/, 'SEED');
  expect(plain(ended.stderr.trim())).toBe(plain(summary!));
});

test('the JSON of a rank has the fields that it is said to have', async () => {
  const example = blocks('').find((text) => text.startsWith('{"schema"'))!;
  const names = Array.from(
    example.replace(/"seconds":[\s\S]*$/, '"seconds":').matchAll(/"(\w+)":/g),
    ([, name]) => name,
  );
  const { stdout } = await run(['rank', join(ROOT, 'data/bibd_81_3.sms.gz'), '-p', '65521', '--json']);
  expect(Object.keys(JSON.parse(stdout))).toEqual(names);
});
