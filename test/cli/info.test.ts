/** `info` over Q and beyond 2^31: what it counts where no plan is made. */
import { describe, expect, test } from 'vitest';
import { generated } from './generated.js';
import { run } from './run.js';

test('info counts rows and columns with entries mod p by their lengths', async () => {
  const input = '4 9 M\n1 1 1\n2 1 5\n3 1 -1\n3 2 7\n3 3 1\n4 4 7\n0 0 0\n';
  const { stdout } = await run(['info', '-p', '7'], { input });
  const bar = '#'.repeat(40);
  expect(stdout).toContain(
    `row lengths   min 1   median 1   mean 1.3   max 2\n    1 | ${bar} 2\n  2-3 | ${bar.slice(20)} 1\n`,
  );
  expect(stdout).toContain(
    `column lengths   min 1   median 3   mean 2.0   max 3\n    1 | ${bar} 1\n  2-3 | ${bar} 1\n`,
  );
  const { plan } = JSON.parse((await run(['info', '-p', '7', '--json'], { input })).stdout);
  expect(plan.colLengths).toMatchObject({ rows: 2, nnz: 4, min: 1, max: 3 });
});

test('info tells the plan for one vector where threads have another', async () => {
  const input = generated('trefethen', '2000');
  const words = ['info', '-p', '65521', '--json'];
  const [plan, asked] = await Promise.all(
    [words, [...words, '--storage', 'csr']].map(async (each) => JSON.parse((await run(each, { input })).stdout).plan),
  );
  expect(plan.parts.map((part: { values: string }) => part.values)).toEqual(['plus', 'general']);
  const formats = [{ format: 'bcsr-2', nnz: 41906, bytes: plan.fewVectors.bytes }];
  expect(plan.fewVectors.parts).toMatchObject([{ values: 'general', nnz: 41906, formats }]);
  expect(asked.fewVectors).toBeNull();
  const { stdout } = await run(['info', '-p', '2'], { input });
  expect(stdout).not.toContain('one vector');
});

describe('info where there is no plan', () => {
  const TEXT = '3 9 R\n1 1 1/3\n1 1 -1/6\n1 1 -1/6\n1 2 99999999999999\n1 3 0\n3 4 3\n3 4 -4\n3 5 2147483659\n0 0 0\n';
  const described = async (p: string, input = TEXT): Promise<unknown> =>
    JSON.parse((await run(['info', '-p', p, '--json'], { input })).stdout);

  test('over Q and mod primes beyond 2^31 it counts what is there', async () => {
    const values = { plusOne: 0, minusOne: 0, zero: 1, other: 2, wide: 5 };
    // 1/3 − 1/6 − 1/6 = 0; 3 − 4 ≠ 0; 2147483659 is 0 modulo itself alone.
    expect(await described('0')).toMatchObject({
      mod: '0',
      nnz: 8,
      values,
      plan: { residues: 3, emptyRows: 1, emptyCols: 6 },
    });
    expect(await described('2147483659')).toMatchObject({
      mod: '2147483659',
      values,
      plan: { residues: 2, emptyRows: 1, emptyCols: 7, parts: [], bytes: null },
    });
    expect(await described('2305843009213693951')).toMatchObject({
      plan: { residues: 3, rowLengths: { max: 2 }, colLengths: { rows: 3, max: 1 } },
    });
    expect(await described('0', '0 5 M\n0 0 0\n')).toMatchObject({ plan: { residues: 0, rowLengths: { rows: 0 } } });
    const last = 2 ** 31 - 1;
    for (const p of ['0', '2305843009213693951']) {
      const far = await described(p, `${last} ${last} M\n${last} ${last} 5\n1 1 7\n1 1 -7\n0 0 0\n`);
      expect(far).toMatchObject({ plan: { residues: 1, emptyRows: last - 1, emptyCols: last - 1 } });
    }
  });

  test('and says why there is none', async () => {
    const over = await run(['info', '-p', '0'], { input: TEXT });
    expect(over).toMatchObject({ code: 0, stderr: '' });
    expect(over.stdout).toContain('over Q   3 nonzero entries   empty rows: 1   empty columns: 6\n');
    expect(over.stdout).toContain('column lengths   min 1   median 1   mean 1.0   max 1\n  1 | ##');
    expect(over.stdout).toContain('no plan   the rank over Q is found modulo two random primes');
    const large = await run(['info', '-', '2147483659'], { input: TEXT });
    expect(large.stdout).toContain('mod 2147483659   2 nonzero residues   empty rows: 1   empty columns: 7\n');
    expect(large.stdout).toContain('no plan   mod a prime beyond 2^31');
  });

  test('a fraction without a residue is an error there too', async () => {
    const ended = await run(['info', '-p', '2147483659'], { input: '1 1 R\n1 1 1/2147483659\n0 0 0\n' });
    expect(ended).toMatchObject({ code: 65, stdout: '' });
    expect(ended.stderr).toMatch(/^info: entry \(1, 1\) = 1\/2147483659: expected a denominator prime to .*\n$/);
  });
});
