/** --max-memory: what a run may take in all, the matrix included; a file is read no further than its entries fit. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryError, MethodError, rank, readMatrix, SparseMatrix } from '../../src/index.js';
import { generated } from './generated.js';
import { run } from './run.js';

const MB = 2 ** 20;
const P200 = 10n ** 60n + 7n;
const SMALL = '3 3 M\n1 1 1\n3 2 3\n0 0 0\n';

/** `times` million lines alike, as one gzip member after another: 9 kB for 12 MB of entries. */
function bomb(head: string, line: string, times: number, tail = '0 0 0\n'): Buffer {
  const million = gzipSync(`${line}\n`.repeat(1e6), { level: 9 });
  return Buffer.concat([gzipSync(`${head}\n`), ...Array.from({ length: times }, () => million), gzipSync(tail)]);
}

let folder = '';
let preload = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiedemann-memory-'));
  preload = join(folder, 'peak.mjs');
  writeFileSync(
    preload,
    `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'));`,
  );
  writeFileSync(join(folder, 'equal.gz'), bomb('3 3 M', '1 1 1', 300));
  writeFileSync(join(folder, 'wide.gz'), bomb('3 3 M', `1 1 ${'9'.repeat(60)}`, 10));
  writeFileSync(
    join(folder, 'lower.gz'),
    bomb(`%%MatrixMarket matrix coordinate pattern symmetric\n3 3 ${3e6}`, '2 1', 3, ''),
  );
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['equal.gz', '50M', 50],
  ['wide.gz', '20M', 20],
])('reading %s ends where --max-memory %s does, at a line, exit 70', async (name, bytes, most) => {
  const file = join(folder, name);
  for (const verb of ['rank', 'minpoly', 'det']) {
    const { code, stdout, stderr } = await run([verb, file, '-p', '65521', '-q', '--max-memory', bytes], {
      nodeOptions: ['--import', preload],
    });
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
    const [line, last] = stderr.split('\n');
    expect(line).toMatch(
      new RegExp(`^${verb}: ${file}:\\d+: expected entries of at most ${most} MB \\(maxMemory\\), got more$`),
    );
    // Node itself takes 60 MB, unpacking and garbage up to as many more; unpacked the files have 600 MB and more.
    expect(Number(/^peak (\d+)$/.exec(last!)![1])).toBeLessThan((most + 130) * 1024);
  }
});

test('without it entries may take a third of the memory that the machine has', async () => {
  const small = join(folder, 'small-machine.mjs');
  writeFileSync(small, "import os from 'node:os'; os.totalmem = () => 150 * 2 ** 20;");
  const file = join(folder, 'equal.gz');
  for (const verb of ['rank', 'info', 'minpoly']) {
    const { code, stdout, stderr } = await run([verb, file, '-p', '65521'], { nodeOptions: ['--import', small] });
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
    const allowed = 'a third of the memory there is; --max-memory, maxMemory, allows more';
    expect(stderr).toMatch(
      new RegExp(`^${verb}: .*:\\d+: expected entries of at most 50 MB \\(${allowed}\\), got more\n$`),
    );
  }
  const few = bomb('3 3 M', '1 1 1', 3);
  const asked = ['info', '-', '-p', '65521'];
  expect((await run(asked, { input: few, nodeOptions: ['--import', small] })).code).toBe(70);
  expect((await run([...asked, '--max-memory', '80M'], { input: few, nodeOptions: ['--import', small] })).code).toBe(0);
});

test('mirror images count', async () => {
  const file = join(folder, 'lower.gz');
  const asked = ['rank', file, '-p', '65521', '-q', '--max-memory'];
  const { code, stderr } = await run([...asked, '80M']); // 3·10^6 entries of 24 bytes fit, 36 do not
  expect({ code, stderr }).toEqual({
    code: 70,
    stderr: `rank: ${file}:3000003: expected entries of at most 80 MB (maxMemory), got more\n`,
  });
  expect(await run([...asked, '1G'])).toEqual({ code: 0, stdout: '2\n', stderr: '' });
});

test.each(['rank', 'minpoly', 'det'])('%s: the matrix fits, its residues do not, and then the method', async (verb) => {
  const asked = [verb, '-p', '65521', '-q', '--max-memory'];
  expect(await run([...asked, '40'], { input: SMALL })).toEqual({
    code: 70,
    stdout: '',
    stderr: `${verb}: <stdin>:5: expected entries of at most 0.000039 MB (maxMemory), got more\n`,
  });
  expect(await run([...asked, '100'], { input: SMALL })).toEqual({
    code: 70,
    stdout: '',
    stderr: `${verb}: maxMemory: the matrix and its residues take about 0.00019 MB, allowed are 0.000096\n`,
  });
  expect((await run([...asked, '1M'], { input: SMALL })).code).toBe(0);
});

test('methods have what the matrix leaves', async () => {
  const n = 3000;
  const full = SparseMatrix.fromTriplets(n, n, {
    rowIdx: Uint32Array.from({ length: 3 * n }, (_, k) => k % n),
    colIdx: Uint32Array.from({ length: 3 * n }, (_, k) => ((k % n) * 7 + 31 * Math.floor(k / n)) % n),
    values: Int32Array.from({ length: 3 * n }, (_, k) => 1 + (k % 97)),
  });
  const asked = { mod: 65521, method: 'wiedemann', seed: 1 } as const;
  const refused = (await rank(full, { ...asked, maxMemory: 2 * MB }).catch((error: unknown) => error)) as Error;
  expect(refused).toBeInstanceOf(MethodError);
  // The matrix takes 0.64 MB; what a method takes is rounded up.
  const [, takes, allowed] = /takes about ([\d.]+) MB, allowed are ([\d.]+)$/.exec(refused.message)!;
  expect(Number(allowed)).toBeLessThan(1.5); // 64 bytes an entry are the matrix's
  await expect(rank(full, { ...asked, maxMemory: (Number(takes) - 0.5) * MB })).rejects.toThrow(MethodError);
  const narrow = await rank(full, { ...asked, maxMemory: (Number(takes) + 0.7) * MB });
  expect(narrow.value).toBeGreaterThan(2900);
  expect(narrow.block).toEqual([8, 4]);
  expect(narrow.explanation[1]).toMatch(
    /^wiedemann: blocks of 8 x 4, since the usual ones take about [\d.]+ MB, allowed are [\d.]+$/,
  );
  const usual = await rank(full, { ...asked, maxMemory: 64 * MB });
  expect([usual.value, usual.block]).toEqual([narrow.value, [32, 16]]);
  await expect(rank(full, { mod: 2n ** 61n - 1n, maxMemory: MB })).rejects.toThrow(MethodError);
});

test('an operator too large for the machine is refused, whatever is asked', async () => {
  const apply = (): Uint32Array => {
    throw new Error('not to be called');
  };
  for (const [rows, cols] of [
    [1e9, 1e9],
    [1e9, 2],
    [2, 1e9],
  ] as const) {
    const operator = { rows, cols, apply, applyTransposed: apply };
    await expect(rank(operator, { mod: 65521 })).rejects.toThrow(
      /block Wiedemann takes about \d+ MB, allowed are \d+$/,
    );
  }
});

test("elimination modulo a large prime that V8's heap does not hold is one line", async () => {
  const n = 100_000;
  const entries = Array.from(
    { length: 10 * n },
    (_, k) => `${1 + (k % n)} ${1 + ((k * 7 + (k % 11)) % n)} ${1 + (k % 97)}\n`,
  );
  const input = `${n} ${n} M\n${entries.join('')}0 0 0\n`;
  const asked = ['rank', '-', '-p', `${2n ** 61n - 1n}`, '-q'];
  const { code, stdout, stderr } = await run(asked, { input, nodeOptions: ['--max-old-space-size=120'] });
  const line =
    /^rank: a prime of 61 bits takes about \d+ MB of V8's heap, which has \d+; --max-old-space-size of node sets it\n$/;
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(line)]);
});

test.each([
  ['rank', '1500', ['--max-old-space-size=40'], []],
  ['det', '1500', ['--max-old-space-size=40'], []],
  ['minpoly', '2000', ['--max-old-space-size=40'], []],
  ['nullspace', '1500', ['--max-old-space-size=40'], []],
  ['rank', '1500', [], ['--max-memory', '15M']],
  ['rank', '60000', ['--max-old-space-size=80'], []],
])(
  '%s modulo a large prime whose fill, or whose vectors, have no room is one line: %s rows, %j',
  async (verb, n, nodeOptions, more) => {
    const input = generated('random', n, n, n === '60000' ? '3' : '8', '65521', '1');
    const { code, stdout, stderr } = await run([verb, '-', '-p', `${P200}`, '-q', ...more], { input, nodeOptions });
    const limit =
      more.length > 0 ? 'allowed are \\d+' : "of V8's heap, which has \\d+; --max-old-space-size of node sets it";
    const line = new RegExp(`^${verb}: \\d+ elements of 200 bits take about \\d+ MB,? ${limit}\n$`);
    expect([code, stdout, stderr]).toEqual([70, '', expect.stringMatching(line)]);
  },
);

test('readMatrix takes a limit, and has one of its own', async () => {
  const bytes = bomb('3 3 M', '1 1 1', 2);
  await expect(readMatrix(bytes, { maxMemory: MB })).rejects.toThrow(MemoryError);
  expect((await readMatrix(bytes)).nnz).toBe(2e6);
});

test('a value of 60 000 digits, thousands of times, counts for what it takes on the heap', async () => {
  const line = `1 1 ${'7'.repeat(60_000)}`;
  const file = async function* () {
    yield Buffer.from('1 1 M\n');
    for (;;) yield Buffer.from(`${line}\n`);
  };
  const error = await readMatrix(file(), { name: 'huge', maxMemory: MB }).catch((e: unknown) => e as Error);
  expect(error).toBeInstanceOf(MemoryError);
  const at = Number(/^huge:(\d+): expected entries of at most 1 MB/.exec((error as Error).message)![1]);
  expect(at).toBeGreaterThan(35);
  expect(at).toBeLessThan(50);
});
