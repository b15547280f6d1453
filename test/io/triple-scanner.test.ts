/** Lines read by the kernel are those read one by one: the same entries, the same line numbers, the same complaints. */
import { expect, test } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { TripleKernel } from '../../kernels/sparse/scan-triples.js';
import { EntryList } from '../../src/io/entry-list.js';
import { Cursor } from '../../src/io/format-error.js';
import { readMatrix } from '../../src/io/read-matrix.js';
import { type TripleRules, TripleScanner } from '../../src/io/triple-scanner.js';
import { type ValueKind, ValueReader } from '../../src/io/value-reader.js';
import { bytesOf, inChunks, listed } from './text.js';

const kernel = await TripleKernel.get();
const [ROWS, COLS] = [70_000, 900_000_000];

interface Case {
  readonly name: string;
  readonly kind: ValueKind | null;
  readonly rules: Pick<TripleRules, 'comments' | 'limit' | 'terminator' | 'below'>;
}

const SMS = { comments: '#%', limit: Number.POSITIVE_INFINITY, terminator: true, below: -Infinity };
const CASES: readonly Case[] = [
  { name: 'integers', kind: 'integer', rules: SMS },
  { name: 'integers of SMS, some as reals', kind: 'integral', rules: SMS },
  { name: 'fractions', kind: 'rational', rules: SMS },
  { name: 'integers written as reals', kind: 'real', rules: { ...SMS, terminator: false } },
  { name: 'a pattern', kind: null, rules: { ...SMS, comments: '%', terminator: false } },
  { name: 'an announced number', kind: 'integer', rules: { ...SMS, terminator: false, limit: 200 } },
  { name: 'nothing above the diagonal', kind: 'integer', rules: { ...SMS, terminator: false, below: 0 } },
  { name: 'nothing on the diagonal', kind: 'integer', rules: { ...SMS, terminator: false, below: 1 } },
  { name: 'a triangle of ones', kind: null, rules: { ...SMS, comments: '%', terminator: false, below: 0 } },
];

/** What is left behind by `text`, which ends its last line: all there is to see, and the complaint that ended it. */
function read(text: string, { kind, rules }: Case, triples: TripleKernel | null): string {
  const cursor = new Cursor('text');
  const list = new EntryList(cursor);
  const reader = kind && new ValueReader(kind, cursor);
  const scanner = new TripleScanner({ rows: ROWS, cols: COLS, reader, ...rules }, list, cursor, { triples });
  const bytes = bytesOf(`not to be read\n${text}not to be read`);
  let complaint = '';
  try {
    scanner.parse(bytes, 15, bytes.length - 14);
  } catch (error) {
    complaint = String(error);
  }
  return `${listed(list.toMatrix(ROWS, COLS, 'general'))} | ${cursor.line} | ${complaint}`;
}

/** `lines` lines, one in `odd` of them not plain; `wrong` ones among them. */
function text(random: CounterRandom, { kind, rules }: Case, lines: number, odd: number, wrong: boolean): string {
  let drawn = 0;
  const below = (n: number): number => random.residueAt(drawn++, n);
  const one = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;
  const index = (size: number): string => String(1 + below(one([3, 200, size])));
  const gap = (): string => one([' ', ' ', ' ', '\t', '  ', ' \t ']);
  const plain = (): string => one(['1', '-1', '+7', '0', '-0', '000000012', '999999999', '-999999999', '45']);
  // Where a triangle is stored most lines are inside it, or the first one would end every text.
  const whole = rules.below < 0;
  const row = (): string => (whole ? index(ROWS) : String(Math.min(ROWS, 1 + Number(index(ROWS)))));
  const column = (i: string): string =>
    whole ? index(COLS) : String(1 + below(Math.min(COLS, Math.max(1, Number(i) - rules.below))));
  const entry = (i = row(), j = column(i), value = plain()): string =>
    kind === null ? `${i}${gap()}${j}` : `${i}${gap()}${j}${gap()}${value}`;
  const oddities = [
    () => '',
    () => ` ${entry()}`,
    () => `\t${entry()} \t`,
    () => `${entry()}\r`,
    () => `${entry()} \r \r`,
    () => `\r${entry()}`,
    () => '% a comment 1 1 1',
    () => entry(`0000000${index(ROWS)}`),
    () => entry(index(ROWS), String(COLS)),
    () => entry(String(ROWS), `0000${index(COLS)}`),
    () => entry(undefined, undefined, one(['1234567890', '-2147483648', '2147483648', '99999999999999999999'])),
    ...(kind === 'rational' ? [() => entry(undefined, undefined, one(['1/2', '-4/2', '123456789012/5']))] : []),
    ...(kind === 'real' || kind === 'integral'
      ? [() => entry(undefined, undefined, one(['2.', '3.000', '1e3', '-25e-0']))]
      : []),
  ];
  const mistakes = [
    () => entry('0'),
    () => entry(String(ROWS + 1)),
    () => entry(index(ROWS), String(COLS + 1)),
    () => entry(index(ROWS), '99999999999999'),
    () => entry('4294967296'),
    () => entry('4294967297', '1'),
    () => entry('-1'),
    () => `${index(ROWS)}`,
    () => `${index(ROWS)} `,
    () => `${entry()} 1`,
    () => `${entry()}x`,
    () => entry('1', '1', one(['-', '+', '', '1/0', '--1', '0x1', '1.5'])),
    () => `${entry()}\v`,
    () => '0 0 0',
    () => entry('7', '7'), // on the diagonal
    () => entry('7', '7', '0'),
    () => entry('7', '8'), // above it
    () => entry('7', '8', '0'),
  ];
  const out: string[] = [];
  for (let line = 0; line < lines; line++) out.push(below(odd) === 0 ? one(oddities)() : entry());
  if (wrong) out[below(2) === 0 ? lines - 1 - below(40) : below(lines)] = one(mistakes)();
  return out.map((line) => `${line}\n`).join('');
}

test.each(CASES)('$name', (rules) => {
  for (let trial = 0; trial < 150; trial++) {
    const random = new CounterRandom(2026, trial);
    const lines = text(random, rules, 150 + trial, [2, 30, 1000][trial % 3]!, trial % 5 > 1);
    expect(read(lines, rules, kernel)).toBe(read(lines, rules, null));
  }
});

test('entries behind the end, with many blank lines between', () => {
  const [integers] = CASES;
  const random = new CounterRandom(9, 0);
  const lines = `${text(random, integers!, 300, 1000, false)}0 0 0\n${'\n'.repeat(100)}${text(random, integers!, 300, 1000, false)}`;
  const got = read(lines, integers!, kernel);
  expect(got).toMatch(/ \| 402 \| FormatError: text:402: expected nothing behind '0 0 0'/);
  expect(got).toBe(read(lines, integers!, null));
});

test('runs longer than a piece of the kernel, and a line that is', () => {
  const [integers] = CASES;
  const random = new CounterRandom(7, 0);
  const many = text(random, integers!, 60_000, 5000, false);
  expect(many.length).toBeGreaterThan(4 * 2 ** 17);
  const long = `1 1 ${'0'.repeat(2 ** 16 - 1)}\n`.repeat(3);
  const longer = `1 ${' '.repeat(2 ** 18)} 1 5\n`;
  for (const lines of [many, many + long + many, many + longer + many]) {
    expect(read(lines, integers!, kernel)).toBe(read(lines, integers!, null));
  }
});

test('a file that comes in chunks of any size', async () => {
  const [integers] = CASES;
  const body = text(new CounterRandom(8, 0), integers!, 20_000, 100, false);
  const bytes = bytesOf(`${ROWS} ${COLS} M\n${body}0 0 0\n`);
  const expected = read(body, integers!, null).split(' | ')[0];
  for (const size of [1000, 2 ** 16, 100_003, bytes.length]) {
    expect(listed(await readMatrix(inChunks(bytes, size)))).toBe(expected);
  }
});
