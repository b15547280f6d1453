/** Kept runs whose method was chosen: they go on with the choices of the first start, on the same operator. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endingAt } from './ending-at.js';
import { generated } from './generated.js';
import { run } from './run.js';

let folder = '';
let ex = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-methods-'));
  ex = join(folder, 'ex.sms');
  writeFileSync(ex, generated('ex', '2'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const EX = 553; // its rank, of 560 x 560

const words = (verb: string, file: string, name: string, ...more: string[]): string[] => {
  const kept = ['--run', join(folder, name), '--checkpoint-interval', '0'];
  return [verb, file, '-p', '65521', ...kept, ...more];
};
const killedAt = async (asked: readonly string[], at: number, name: string): Promise<void> => {
  expect((await run(asked, { nodeOptions: endingAt('SIGKILL', at, name) })).code).toBeNull();
};
const manifest = (name: string) => JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8'));
const stepsOf = (name: string): number => JSON.parse(readFileSync(join(folder, name, 'progress.json'), 'utf8')).done;

test('rank by choice: block Wiedemann on what pivots leave, killed three times, then on two threads', async () => {
  const asked = words('rank', ex, 'choice', '--explain');
  await killedAt(asked, 3, 'way'); // no choice is kept whole
  await killedAt(asked, 10, '-blocks-');
  const first = stepsOf('choice');
  await killedAt([...asked, '--threads', '2'], 10, '-blocks-');
  expect(stepsOf('choice')).toBeGreaterThan(first);
  const { code, stdout, stderr } = await run([...asked, '--threads', '2']);
  expect([code, stdout]).toEqual([0, `${EX}\n`]);
  expect(stderr).toMatch(/^hybrid: as before\n266 structural pivots of 560 x 560.*\nblock Wiedemann on the implicit/);
  expect(stderr).toContain(`error below 2^-62`);
  expect(stderr).toContain(`seed ${manifest('choice').seed}\n`);
  expect(manifest('choice').method).toBe('auto');
});

test('choices that are lost, and those that lead elsewhere: the sequence begins again, and is of one operator', async () => {
  await killedAt(words('rank', ex, 'lost', '--method', 'hybrid'), 10, '-blocks-');
  for (const name of readdirSync(join(folder, 'lost')).filter((each) => each.startsWith('way'))) {
    rmSync(join(folder, 'lost', name));
  }
  // By choice the run goes on with the method that it was begun with.
  const { code, stdout, stderr } = await run(words('rank', ex, 'lost', '--explain'));
  expect([code, stdout]).toEqual([0, `${EX}\n`]);
  expect(stderr).toContain('hybrid: asked for\n');
  expect(stderr).not.toContain('checkpoint: ');
  const refused = await run(words('rank', ex, 'lost', '--method', 'wiedemann'));
  const line = `rank: checkpoint ${join(folder, 'lost')}: it is a run with method hybrid, not wiedemann\n`;
  expect(refused).toEqual({ code: 2, stdout: '', stderr: line });
});

test('det by pivots and block Wiedemann, killed: it goes on by the reference to what elimination says', async () => {
  const file = join(folder, 'trefethen.sms');
  writeFileSync(file, generated('trefethen', '700'));
  const asked = words('det', file, 'det', '--explain');
  await killedAt(asked, 8, '-blocks-');
  const before = stepsOf('det');
  await killedAt([...asked, '--device', 'reference'], 10, '-blocks-');
  expect(stepsOf('det')).toBeGreaterThan(before);
  const [kept, known] = await Promise.all([
    run([...asked, '--threads', '2']),
    run(['det', file, '-p', '65521', '--method', 'elimination', '-q']),
  ]);
  expect([kept.code, known.code, kept.stdout]).toEqual([0, 0, known.stdout]);
  expect(kept.stderr).toMatch(/\nblock Wiedemann on the implicit \d+ x \d+ Schur complement\n/);
  expect(kept.stderr).not.toContain('hybrid: ');
});

test('solve, killed in the sequence and in the combination: what elimination says', async () => {
  const [a, b] = [join(folder, 'a.sms'), join(folder, 'b.txt')];
  writeFileSync(a, generated('trefethen', '500'));
  writeFileSync(b, Array.from({ length: 500 }, (_, i) => `${i % 7} ${(i * i) % 11}\n`).join(''));
  const dir = join(folder, 'system');
  const kept = ['--run', dir, '--checkpoint-interval', '0'];
  const asked = ['solve', a, b, '-p', '65521', '--method', 'hybrid', '-q', ...kept];
  await killedAt(asked, 8, '-blocks-');
  await killedAt(asked, 8, '-combination-');
  const arrays = readdirSync(dir);
  for (const name of [/-relations$/, /-combination-\d+$/]) expect(arrays.some((each) => name.test(each))).toBe(true);
  const [ended, known] = await Promise.all([
    run([...asked, '--threads', '2']),
    run(['solve', a, b, '-p', '65521', '--method', 'elimination', '-q']),
  ]);
  expect(ended).toEqual({ code: 0, stdout: known.stdout, stderr: '' });
  expect(known.stdout.split('\n').length).toBe(501);
  expect(await run([...asked, '--threads', '1'])).toEqual(ended);
  writeFileSync(b, '1\n'.repeat(500));
  const other = `solve: checkpoint ${dir}: it is a run with other right sides\n`;
  expect(await run(asked)).toEqual({ code: 2, stdout: '', stderr: other });
  const what = 'expected method auto, hybrid, wiedemann or lanczos, got block-lu';
  const blocks = await run(['solve', a, b, '-p', '65521', ...kept, '--method', 'block-lu']);
  expect(blocks).toEqual({ code: 2, stdout: '', stderr: `solve: checkpoint: ${what}\n` });
});

describe('solve by choice', () => {
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  /** Row 9 in place of row 5, too. */
  const twice = (sms: string): string =>
    sms
      .split('\n')
      .flatMap((line) => (/^5 \d+ /.test(line) ? [] : /^9 \d+ /.test(line) ? [line.replace('9', '5'), line] : [line]))
      .join('\n');
  const keptIn = (name: string): string[] => ['--run', join(folder, name), '--checkpoint-interval', '0'];
  const choicesOf = (name: string) => JSON.parse(readFileSync(join(folder, name, 'way.json'), 'utf8')).choices;

  test('a nonsingular matrix, killed in the sequence: the method of the first start, what elimination says', async () => {
    const a = write('nonsingular.sms', generated('trefethen', '500'));
    const b = write('one.txt', '1\n2\n'.repeat(250));
    const asked = ['solve', a, b, '-p', '65521', '--explain', ...keptIn('by-choice')];
    await killedAt(asked, 8, '-blocks-');
    const [first, { seed }] = [stepsOf('by-choice'), manifest('by-choice')];
    expect([first > 0, choicesOf('by-choice'), manifest('by-choice').method]).toEqual([true, ['hybrid'], 'auto']);
    await killedAt([...asked, '--device', 'reference'], 8, '-blocks-');
    expect(stepsOf('by-choice')).toBeGreaterThan(first);
    // With so long an interval it would be elimination.
    const ended = await run([...asked.slice(0, -1), '60', '--threads', '2']);
    const known = await run(['solve', a, b, '-p', '65521', '--method', 'elimination', '-q']);
    expect([ended.code, ended.stdout]).toEqual([0, known.stdout]);
    expect(ended.stderr).toMatch(/^hybrid: as before\n\d+ structural pivots of 500 x 500\n/);
    expect(ended.stderr).toContain(`seed ${seed}\n`);
    expect(ended.stderr).not.toContain('warning');
    const named = await run([...asked, '--method', 'lanczos']);
    const line = `solve: checkpoint ${join(folder, 'by-choice')}: it is a run with method auto, not lanczos\n`;
    expect(named).toEqual({ code: 2, stdout: '', stderr: line });
  });

  test('a singular matrix: vectors find nothing, block Lanczos goes on, killed too, and its answer stays', async () => {
    const a = write('singular.sms', twice(generated('trefethen', '600')));
    const b = write('zeros.txt', '0\n'.repeat(600));
    const asked = ['solve', a, b, '-p', '65521', '--random', '--explain', ...keptIn('singular')];
    await killedAt(asked, 8, '-blocks-');
    expect(choicesOf('singular')).toEqual(['hybrid']);
    await killedAt(asked, 6, '-lanczos-');
    expect(choicesOf('singular')).toEqual(['hybrid', 'lanczos']);
    const ended = await run(asked);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/^lanczos: as before\nlanczos: blocks /)]);
    expect(ended.stderr).not.toContain('warning');
    expect(ended.stdout).toMatch(/[1-9]/);
    expect((await run(asked)).stdout).toBe(ended.stdout);
    const again = ['solve', a, b, '-p', '65521', '--random', '--explain', ...keptIn('whole')];
    const whole = await run(again);
    expect(whole.stderr).toMatch(
      /^hybrid: .*\n.* pivots .*\nhybrid: no solution .* singular\nlanczos: elimination keeps/,
    );
    expect(whole.stderr).not.toContain('warning');
  });

  test.each([
    ['of another shape', ['random', '300', '340', '5', '65521', '1'], '65521', 300],
    ['of bits', ['trefethen', '400'], '2', 400],
  ])('a matrix %s: block Lanczos, or elimination where it is over before a checkpoint', async (name, made, p, rows) => {
    const a = write('other.sms', generated(...(made as [string, ...string[]])));
    const b = write('zero.txt', '0\n'.repeat(rows));
    const asked = ['solve', a, b, '-p', p, '--explain', '--run'];
    const kept = await run([...asked, join(folder, `kept ${name}`), '--checkpoint-interval', '0']);
    const short = await run([...asked, join(folder, `short ${name}`)]);
    expect([kept.code, short.code]).toEqual([0, 0]);
    expect(kept.stderr).toMatch(/^lanczos: elimination keeps nothing and should take .* s of one thread\nlanczos: /);
    expect(short.stderr).toMatch(/^elimination: it should take .* s of one thread\n/);
    expect([choicesOf(`kept ${name}`), choicesOf(`short ${name}`)]).toEqual([['lanczos'], ['elimination']]);
  });
});

describe('block Lanczos', () => {
  test('nullspace, killed, stopped, then on two threads: what one run says', async () => {
    const asked = words('nullspace', ex, 'kernel', '--left', '-q');
    const dir = join(folder, 'kernel');
    await killedAt(asked, 12, '-lanczos-');
    const first = stepsOf('kernel');
    const stderr = 'nullspace: stopped at a checkpoint; the same command goes on\n';
    const nodeOptions = endingAt('SIGTERM', 12, '-lanczos-');
    expect(await run(asked, { nodeOptions })).toEqual({ code: 75, stdout: '', stderr });
    expect(stepsOf('kernel')).toBeGreaterThan(first);
    const status = (await run(['status', dir])).stdout.split('\n');
    expect(status[0]).toMatch(/: nullspace of 560 x 560 mod 65521 .*seed \d+$/);
    expect(status.slice(1, 3).join(' ')).toMatch(/^stopped .*sequence {4}\d+ of at most 560 steps/);
    const known = await run(['nullspace', ex, '-p', '65521', '--left', '-q', '--method', 'lanczos']);
    expect([known.code, known.stdout.split('\n', 1)[0]]).toEqual([0, `${560 - EX} 560 M`]);
    expect(await run([...asked, '--threads', '2'])).toEqual(known);
    const right = `nullspace: checkpoint ${dir}: it is a run with left true, not false\n`;
    expect(await run(words('nullspace', ex, 'kernel'))).toEqual({ code: 2, stdout: '', stderr: right });
    const what = 'expected method auto or lanczos, got elimination, which keeps nothing';
    const eliminated = await run([...asked, '--method', 'elimination']);
    expect(eliminated).toEqual({ code: 2, stdout: '', stderr: `nullspace: checkpoint: ${what}\n` });
  });

  test('solve mod 2, killed: the same words on two threads; a random solution is another question', async () => {
    const [a, b] = [join(folder, 'bits.sms'), join(folder, 'bits.txt')];
    writeFileSync(a, generated('random', '700', '720', '5', '2', '1'));
    writeFileSync(b, Array.from({ length: 700 }, (_, i) => `${(i * i) % 7} ${i % 3}\n`).join(''));
    const dir = join(folder, 'bits');
    const asked = ['solve', a, b, '-p', '2', '--method', 'lanczos', '-q', '--seed', '4'];
    const kept = [...asked, '--run', dir, '--checkpoint-interval', '0'];
    await killedAt(kept, 12, '-lanczos-');
    const [ended, known] = [await run([...kept, '--threads', '2']), await run(asked)];
    expect(known.code).toBe(0);
    expect(ended).toEqual(known);
    const line = `solve: checkpoint ${dir}: it is a run with random false, not true\n`;
    expect(await run([...kept, '--random'])).toEqual({ code: 2, stdout: '', stderr: line });
  });
});

test('elimination keeps nothing: by name it is refused, by choice taken only where it ends before a checkpoint', async () => {
  const refused = await run(words('rank', ex, 'none', '--method', 'elimination'));
  const what = 'expected method auto, hybrid or wiedemann, got elimination, which keeps nothing';
  expect(refused).toEqual({ code: 2, stdout: '', stderr: `rank: checkpoint: ${what}\n` });
  const small = join(folder, 'dense.sms');
  const rows = Array.from({ length: 60 }, (_, i) =>
    Array.from({ length: 60 }, (_, j) => `${i + 1} ${j + 1} ${1 + ((i * i + 3 * i * j + j) % 11)}\n`).join(''),
  );
  writeFileSync(small, `60 60 M\n${rows.join('')}0 0 0\n`);
  const asked = ['rank', small, '-p', '65521', '--explain', '--run'];
  const short = await run([...asked, join(folder, 'short')]);
  const none = await run([...asked, join(folder, 'long'), '--checkpoint-interval', '0']);
  expect(short.stdout).toBe(none.stdout);
  expect(short.stderr).toMatch(/elimination: what the pivots leave should take/);
  expect(none.stderr).toMatch(/elimination keeps nothing and should take .* s of one thread/);
  expect(await run(['rank', small, '-p', '65521', '-q'])).toMatchObject({ stdout: short.stdout });
});
