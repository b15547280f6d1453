/** `--reorder`: the same answers, said by --explain, and refused where it is no order or cannot be. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rank } from 'wiedemann';
import { run } from './run.js';

/** 1 + x on a cycle of 201, which is an odd number: det 2, and minimal polynomial (x − 1)^201 − 1 as det (x − A). */
const N = 201;
const STEP = 80;
const at = (i: number): number => ((i * STEP) % N) + 1;
const CYCLE = `${N} ${N} M\n${Array.from({ length: N }, (_, i) => `${at(i)} ${at(i)} 1\n${at(i)} ${at(i + 1)} 1\n`).join('')}0 0 0\n`;
const REORDERED = /^reorder rcm: .* an entry is [01] columns from the diagonal, before \d\d+$/m;

test.each(['cpu', 'reference'])('rank, det and minpoly on %s', async (device) => {
  const asked = ['-p', '65521', '--device', device, '--seed', '1'];
  const reordered = [...asked, '--reorder', 'rcm', '--explain'];
  for (const [verb, ...args] of [
    ['rank', '--method', 'wiedemann'],
    ['rank', '--formula', 'classical'],
    ['det', '--method', 'wiedemann'],
    ['minpoly'],
  ] as const) {
    const plain = await run([verb, ...args, ...asked, '-q'], { input: CYCLE });
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    if (verb !== 'minpoly') expect(plain.stdout).toBe(verb === 'rank' ? `${N}\n` : '2\n');
    const ended = await run([verb, ...args, ...reordered], { input: CYCLE });
    expect([ended.code, ended.stdout]).toEqual([0, plain.stdout]);
    expect(ended.stderr).toMatch(REORDERED);
  }
});

test('other methods say that they make no use of it', async () => {
  for (const verb of ['rank', 'det']) {
    const args = [verb, '-p', '65521', '--method', 'elimination', '--reorder', 'rcm', '--explain'];
    const { code, stderr } = await run(args, { input: CYCLE });
    expect([code, stderr]).toEqual([0, expect.stringContaining('reorder rcm: not used, since')]);
  }
});

test('what is no order, a kept run and an operator are refused in a line', async () => {
  for (const verb of ['rank', 'minpoly', 'det']) {
    const ended = await run([verb, '-p', '7', '--reorder', 'amd'], { input: CYCLE });
    expect(ended).toEqual({ code: 2, stdout: '', stderr: `${verb}: reorder: expected one of none, rcm, got 'amd'\n` });
  }
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-reorder-'));
  try {
    const ended = await run(['rank', '-p', '7', '--reorder', 'rcm', '--run', join(folder, 'run')], { input: CYCLE });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('expected reorder none') });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const operator = { rows: 2, cols: 2, apply() {}, applyTransposed() {} };
  await expect(rank(operator as never, { mod: 7, reorder: 'rcm' })).rejects.toThrow(
    'reorder rcm: expected a matrix, got an operator',
  );
});
