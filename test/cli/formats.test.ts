/** `--format` of matrices and polynomials: what other systems read, and PARI reads back where it is installed. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { run } from './run.js';

const A = '2 3 M\n1 1 1\n1 3 -1\n2 2 5\n0 0 0\n';
const SQUARE = '2 2 M\n1 1 2\n2 2 3\n0 0 0\n';

async function printed(words: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(words, { input });
  expect([code, stderr.includes('expected')]).toEqual([0, false]);
  return stdout;
}

test.each([
  ['pari', '((E,M)->for(k=1,matsize(E)[1],M[E[k,1],E[k,2]]+=E[k,3]);M*Mod(1,7))(Mat([1,1,1;1,3,1]),matrix(1,3))\n'],
  ['sage', 'matrix(GF(7),1,3,{(0,0):1,(0,2):1},sparse=True)\n'],
  ['magma', 'SparseMatrix(GF(7),1,3,[<1,1,1>,<1,3,1>])\n'],
  ['json', '{"rows":1,"cols":3,"mod":"7","entries":[[0,0,"1"],[0,2,"1"]]}\n'],
  ['sms', '1 3 M\n1 1 1\n1 3 1\n0 0 0\n'],
])('nullspace --format %s', async (format, expected) => {
  expect(await printed(['nullspace', '-p', '7', '--format', format], A)).toBe(expected);
});

test('a kernel without vectors is a matrix without rows in every form', async () => {
  expect(await printed(['nullspace', '-p', '7', '--format', 'json'], SQUARE)).toBe(
    '{"rows":0,"cols":2,"mod":"7","entries":[]}\n',
  );
  expect(await printed(['nullspace', '-p', '7', '--format', 'sage'], SQUARE)).toBe(
    'matrix(GF(7),0,2,{},sparse=True)\n',
  );
});

test.each([
  ['sage', "PolynomialRing(GF(65521),'x')([6,65516,1])\n"],
  ['magma', 'PolynomialRing(GF(65521))![6,65516,1]\n'],
  ['json', '{"mod":"65521","coefficients":["6","65516","1"]}\n'],
])('minpoly --format %s', async (format, expected) => {
  expect(await printed(['minpoly', '-p', '65521', '--format', format], SQUARE)).toBe(expected);
});

test('generate --format: integers, without a modulus', async () => {
  expect(await printed(['generate', 'trefethen', '2', '--format', 'json'])).toBe(
    '{"rows":2,"cols":2,"entries":[[0,0,"2"],[0,1,"1"],[1,0,"1"],[1,1,"3"]]}\n',
  );
  expect(await printed(['generate', 'trefethen', '1', '--format', 'sage'])).toBe(
    'matrix(ZZ,1,1,{(0,0):2},sparse=True)\n',
  );
});

test('a modulus that is none is met before a form is written', async () => {
  const { code, stdout, stderr } = await run(['nullspace', '-p', 'x', '--format', 'json'], { input: A });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^nullspace: modulus 'x': expected a prime/);
  expect((await run(['nullspace', '-p', '7', '--format', 'xml'], { input: A })).stderr).toBe(
    'nullspace: --format: expected sms, pari, sage, magma, json, got xml\n',
  );
});

/** Why PARI reads nothing back here; null where it is installed. */
const missing = ((): string | null => {
  try {
    execFileSync('gp', ['--version-short'], { stdio: 'pipe' });
    return null;
  } catch {
    return 'PARI is not here (apt install pari-gp)';
  }
})();
if (missing) console.warn(`tests of --format pari in PARI are skipped: ${missing}`);

test.skipIf(missing !== null)('PARI reads kernels, matrices and polynomials back', async () => {
  const gp = (program: string): string =>
    execFileSync('gp', ['-q', '-f'], { input: `${program}\n`, encoding: 'utf8' }).trim();
  const matrix = await printed(['generate', 'ch', '3', '3', '2', '--format', 'pari']);
  const left = await printed(
    ['nullspace', '-p', '65521', '--left', '--format', 'pari'],
    await printed(['generate', 'ch', '3', '3', '2']),
  );
  const square = await printed(['generate', 'trefethen', '12']);
  const poly = await printed(['minpoly', '-p', '101', '--format', 'pari'], square);
  const program = [
    `A=${matrix.trim()};K=${left.trim()};print(matsize(A),matrank(A*Mod(1,65521))+matsize(K)[1],K*A==0)`,
    `B=${(await printed(['generate', 'trefethen', '12', '--format', 'pari'])).trim()};print(subst(lift(${poly.trim()}),x,B)%101==0)`,
    `E=${(await printed(['nullspace', '-p', '7', '--format', 'pari'], SQUARE)).trim()};print(matsize(E))`,
  ];
  const [sizes, zero, empty] = gp(program.join('\n')).split('\n');
  expect(sizes).toMatch(/^\[(\d+), \d+\](?:\1)1$/);
  expect(zero).toBe('1');
  expect(empty).toBe('[0, 2]');
});
