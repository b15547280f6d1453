/**
 * First coordinates of A^-1·e_1 for large Trefethen matrices, every digit: the two methods, which share nothing but
 * rational reconstruction, against each other, and residues against PARI and against elimination.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { solveRational } from '../../algorithms/rational/solve.js';
import { trefethen } from '../../data/families/trefethen.js';
import { invMod } from '../../fields/inverse.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../kernels/threads/team.js';
import { solve } from '../../src/index.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(async () => {
  await team.dispose();
});

const firstUnitVector = (n: number): number[] => Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0));

/** The first coordinate, in lowest terms. */
async function firstOf(n: number, method: 'lifting' | 'numeric'): Promise<{ n: bigint; d: bigint }> {
  const context = { seed: 5n, check: () => {}, onProgress: () => {}, team: async () => team };
  const matrix = SparseMatrix.fromCoo(trefethen(n));
  const found = await solveRational(context, matrix, [firstUnitVector(n)], { method, coordinates: [0] });
  if (found.kind !== 'solved') throw new Error(found.kind);
  const [{ numerators, denominator }] = found.solutions;
  return { n: numerators[0], d: denominator };
}

const residue = ({ n, d }: { n: bigint; d: bigint }, q: bigint): bigint => (n * invMod(d, q)!) % q;

test('Trefethen_5000: numeric as lifting, and modulo two primes of 63 bits as PARI', async () => {
  const numeric = await firstOf(5000, 'numeric');
  // lift(matsolve(T(5000)*Mod(1, q), e_1)[1]) with T of test/algorithms/rational/expected/trefethen.gp.
  expect(residue(numeric, 4611686018427387847n)).toBe(3643817862093882317n);
  expect(residue(numeric, 9223372036854775783n)).toBe(378427952125165003n);
  expect(await firstOf(5000, 'lifting')).toEqual(numeric);
});

test('Trefethen_20000: the known digits and lengths, and elimination modulo a prime', async () => {
  const found = await firstOf(20000, 'numeric');
  expect([found.n, found.d].map((x) => x.toString().length)).toEqual([97389, 97389]);
  expect(((found.n * 10n ** 100n) / found.d).toString()).toBe(
    '7250783462684011674686877192511609688691805944795089578781647692077731899945962835735923927864782020',
  );
  const { value } = await solve(SparseMatrix.fromCoo(trefethen(20000)), firstUnitVector(20000), { mod: 65521 });
  expect(residue(found, 65521n)).toBe(BigInt(value![0]!));
});
