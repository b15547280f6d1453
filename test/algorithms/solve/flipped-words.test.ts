/** A word that memory flips in a system by block Wiedemann is never in an answer: it costs an attempt at most. */
import { describe, expect, test } from 'vitest';
import { multiply } from '../../../algorithms/factor/products.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { solveNonsingular, solveSeed } from '../../../algorithms/solve/nonsingular.js';
import { trefethen } from '../../../data/families/trefethen.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { ErringExecutor, type Flip, momentsOf } from '../block-wiedemann/erring-executor.js';

const N = 40;
const MOMENTS = momentsOf(20);

describe.each([65521, 2147483629])('mod %i', (p) => {
  const F = WordPrime.of(p);
  const matrix = SparseMatrix.fromTriplets(N, N, trefethen(N)).residues(p);
  const x = new CounterRandom(7n, 1).fillResidues(new Uint32Array(N), p);
  const b = multiply(F, matrix, x, 1);

  async function attempt(flip: Flip | null, seed = 0) {
    const executor = new ErringExecutor(F);
    executor.flip = flip;
    const hooks = { check: () => {}, onProgress: () => {} };
    const orderBasisEngine = (field: BasisField) => executor.engine(field);
    const context = { executor, seed: 3n, ...hooks, orderBasisEngine };
    const found = await solveNonsingular(context, executor.operator(matrix), [b], solveSeed(3n, seed));
    return { found, counts: executor.counts };
  }

  test.each(['vectors', 'blocks', 'basis'] as const)('a word of the %s', async (what) => {
    const whole = await attempt(null);
    expect(whole.found).toEqual([x]);
    const random = new CounterRandom(13n, 0);
    let lost = 0;
    for (let i = 0; i < MOMENTS; i++) {
      const at = random.residueAt(2 * i, whole.counts[what]);
      const { found } = await attempt({ what, at, word: random.residueAt(2 * i + 1, 2 ** 31) });
      if (found === null) lost++;
      else expect(found).toEqual([x]);
    }
    expect(lost).toBeGreaterThan(0);
    if (process.env['FLIPS']) console.log(`mod ${p}: ${MOMENTS} words of the ${what}, ${lost} attempts lost`);
  });
});
