/** Columns of block vectors as rows of dense matrices, around blocks of 32. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { WordPrime } from '../../fields/word-prime.js';
import { BitMatrix } from '../../kernels/bit-matrix.js';
import { CpuExecutor } from '../../kernels/cpu.js';
import { columnsToRows } from '../../kernels/dense-columns.js';
import { DenseMatrix } from '../../kernels/dense-matrix.js';
import { Team } from '../../kernels/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

test.each([2, 65521, 2147483647])('residues, and bits mod 2, mod %i', (p) => {
  const F = WordPrime.of(p);
  const executor = new CpuExecutor(F, team);
  for (const length of [1, 31, 32, 33, 64, 100]) {
    for (const [width, count] of [
      [1, 1],
      [5, 5],
      [8, 3],
      [32, 32],
    ] as const) {
      const data = new CounterRandom(3, length).fillResidues(new Uint32Array(length * width), p);
      const v = executor.vector(length, width);
      executor.write(v, data);
      const a =
        p === 2 ? new BitMatrix(team.memory, count + 2, length) : new DenseMatrix(team.memory, F, count + 2, length);
      columnsToRows(team, a, 1, v, count);
      for (let t = -1; t <= count; t++) {
        const row = a.row(t + 1);
        const entries = Array.from({ length }, (_, j) =>
          a instanceof BitMatrix ? (row[j >> 5] >>> (j & 31)) & 1 : row[j],
        );
        const inside = t >= 0 && t < count;
        expect(entries).toEqual(Array.from({ length }, (_, j) => (inside ? data[j * width + t] : 0)));
      }
      expect(() => columnsToRows(team, a, 3, v, count)).toThrow('columnsToRows: expected');
      a.release();
      executor.release(v);
    }
  }
  executor.dispose();
});
