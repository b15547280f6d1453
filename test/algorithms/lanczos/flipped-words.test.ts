/** A word that memory flips in a run of block Lanczos is never in an answer: it costs an attempt. */
import { describe, expect, test } from 'vitest';
import { multiply } from '../../../algorithms/factor/products.js';
import { lanczosBasis } from '../../../algorithms/lanczos/reduced-basis.js';
import { solveByLanczos } from '../../../algorithms/lanczos/systems.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { denseRows } from '../../../algorithms/reference/rows.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { random } from '../../../data/families/random.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { ErringExecutor, type Flip, momentsOf } from '../block-wiedemann/erring-executor.js';

/** The vectors that this method writes by calls. */
class Erring extends ErringExecutor {
  override blockAxpy(...[y, x, a]: Parameters<ErringExecutor['blockAxpy']>): void {
    super.blockAxpy(y, x, a);
    if (this.errs('vectors')) this.write(y, this.changed((this.read(y) as Uint32Array).slice()));
  }
}

const [ROWS, COLS] = [60, 70];
const MOMENTS = momentsOf(12);

describe.each([
  [65521, 53 /* a vector more than a run draws, beside those that the basis waits for */],
  [2147483629, 60],
])('mod %i, of rank %i at most', (p, most) => {
  const F = WordPrime.of(p);
  const matrix = SparseMatrix.fromTriplets(ROWS, COLS, random(ROWS, COLS, 5, p, 6, ROWS - most)).residues(p);
  const rank = denseRank(F, denseRows(F, matrix));
  const b = multiply(F, matrix, new CounterRandom(7n, 1).fillResidues(new Uint32Array(COLS), p), 1);
  const isZero = (v: Uint32Array): boolean => v.every((value) => value === 0);

  const runs = (executor: ErringExecutor) => {
    const hooks = { check: () => {}, onProgress: () => {} };
    return { executor, seed: 3n, ...hooks, ...orderBasisEngines(executor, undefined) };
  };
  const questions = {
    async kernel(executor: ErringExecutor): Promise<boolean> {
      const { kernel, found, rankBound } = await lanczosBasis(runs(executor), matrix, Infinity);
      expect(found).toBeLessThanOrEqual(COLS - rankBound);
      if (kernel === null) return false;
      expect([kernel.rank, kernel.dimension]).toEqual([rank, COLS - rank]);
      let count = 0;
      for await (const batch of kernel.batches()) {
        for (let k = 0; k < batch.count; k++, count++) {
          const v = new Uint32Array(COLS);
          for (let e = batch.ptr[k]!; e < batch.ptr[k + 1]!; e++) v[batch.index[e]!] = batch.values[e]!;
          expect(isZero(multiply(F, matrix, v, 1))).toBe(true);
        }
      }
      expect(count).toBe(COLS - rank);
      return true;
    },
    async system(executor: ErringExecutor): Promise<boolean> {
      const { solution, inconsistent } = await solveByLanczos(runs(executor), matrix, b, 1, false);
      expect(inconsistent).toBeNull();
      if (solution !== null) expect(multiply(F, matrix, solution, 1)).toEqual(b);
      return solution !== null;
    },
  };

  test.each(['kernel', 'system'] as const)('of a %s', async (question) => {
    const plain = new Erring(F);
    expect(await questions[question](plain)).toBe(true);
    let made = 0;
    let longer = 0; // runs that took more for the flip
    for (const what of ['vectors', 'blocks'] as const) {
      const all = plain.counts[what];
      expect(all).toBeGreaterThan(10);
      const draw = new CounterRandom(11n, what.length);
      for (let k = 0; k < MOMENTS; k++) {
        const executor = new Erring(F);
        const flip: Flip = { what, at: draw.residueAt(2 * k, all), word: draw.residueAt(2 * k + 1, 2 ** 30) };
        executor.flip = flip;
        if (await questions[question](executor)) made++;
        if (executor.counts[what] > all) longer++;
      }
    }
    // An attempt that is spoilt is followed by another one, unless it says of the rank what is never met.
    if (question === 'system') expect(made).toBe(2 * MOMENTS);
    else expect(made).toBeGreaterThan(MOMENTS);
    expect(longer).toBeGreaterThan(MOMENTS / 2);
  });
});
