/** `wiedemann solve` over Q: answers, refusals, and what is said of them. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ownFiles } from './own-files.js';
import { run } from './run.js';

const files = ownFiles();

describe('over Q', () => {
  const M = '2 2 M\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n0 0 0\n'; // determinant 5

  test.each([
    ['lines', '1 5\n0 -5\n', '3/5 4\n-1/5 -3\n'],
    ['SMS', '2 2 M\n1 1 1\n1 2 5\n2 2 -5\n0 0 0\n', '2 2 R\n1 1 3/5\n1 2 4\n2 1 -1/5\n2 2 -3\n0 0 0\n'],
    ['an array', '%%MatrixMarket matrix array integer general\n2 1\n1\n0\n', '3/5\n-1/5\n'],
  ])('B as %s', async (_, b, x) => {
    const at = files({ a: M, b });
    for (const method of ['auto', 'lifting', 'numeric']) {
      const ended = await run(['solve', at('a'), at('b'), '-p', '0', '-q', '--method', method]);
      expect(ended).toEqual({ code: 0, stdout: x, stderr: '' });
    }
  });

  test('--coordinates, --json, the summary', async () => {
    const at = files({ a: M, b: '1 5\n0 -5\n' });
    const words = ['solve', at('a'), at('b'), '-p', '0'];
    const second = await run([...words, '--coordinates', '2,1']);
    expect(second.stdout).toBe('-1/5 -3\n3/5 4\n');
    expect(second.stderr).toMatch(/^2 solutions of 2 x 2 over Q {3}proved/);
    const { stdout } = await run([...words, '--json', '--coordinates', '2']);
    expect(JSON.parse(stdout)).toMatchObject({ mod: '0', solution: [['-1/5', '-3']] });
    expect((await run([...words, '--coordinates', '3'])).stderr).toContain(
      'solve: coordinates: expected unknowns up to 2, counted from 1, got 3',
    );
  });

  test('any shape and rank: a solution, or exit 3 with one line, no file, and u where it is asked for', async () => {
    const at = files({ a: '2 3 M\n1 1 2\n1 2 1\n2 1 4\n2 2 2\n0 0 0\n', b: '1 1/2\n2 1\n', c: '1 1\n2 0\n' });
    expect(await run(['solve', at('a'), at('b'), '-p', '0', '-q', '--explain'])).toEqual({
      code: 0,
      stderr: 'numeric: the matrix is not square\n',
      stdout: '1/2 1/4\n0 0\n0 0\n',
    });
    const words = ['solve', at('a'), at('c'), '-p', '0'];
    const ended = await run([...words, '--output', at('x'), '--inconsistency', at('u')]);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toMatch(
      /^solve: no solution: column 2 of \S+\/c is outside the column space over Q, proved\n$/,
    );
    expect(existsSync(at('x'))).toBe(false);
    expect(readFileSync(at('u'), 'utf8')).toBe('-2\n1\n');
    const { stdout } = await run([...words, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ mod: '0', inconsistent: { column: 2, certificate: ['-2', '1'] } });
  });

  test('a method that does not serve: exit 70, one line, no file', async () => {
    const at = files({ a: '2 2 M\n1 1 2\n1 2 1\n2 1 4\n2 2 2\n0 0 0\n', b: '1\n2\n' });
    const ended = await run(['solve', at('a'), at('b'), '-p', '0', '--method', 'numeric', '--output', at('x')]);
    expect(ended).toMatchObject({ code: 70, stdout: '' });
    expect(ended.stderr).toMatch(/^solve: no solution was found, and none refuted: numeric: /);
    expect(existsSync(at('x'))).toBe(false);
  });
});
