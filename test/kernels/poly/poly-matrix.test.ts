/** The layout of polynomial matrices in kernel memory, word by word. */
import { expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { allocPoly, coefficientsView, groupsOf, readPoly, writePoly } from '../../../kernels/poly/poly-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

const UNTOUCHED = 2 ** 32 - 1;

test('blocks go to the vectors of their coefficients, lanes and neighbours stay, and they come back', async () => {
  const team = await Team.create(1);
  const { memory } = team;
  for (const [rows, cols] of [
    [1, 1],
    [3, 4],
    [5, 6],
    [2, 33],
  ] as const) {
    for (const length of [0, 1, 15, 16, 17, 40]) {
      const [first, behind] = [2, 1];
      const a = allocPoly(memory, rows, cols, first + length + behind);
      const words = memory.u32(a.at, rows * groupsOf(cols) * a.stride * 4).fill(UNTOUCHED);
      const blocks = new CounterRandom(3n, length).fillResidues(new Uint32Array(rows * cols * length), 2 ** 31 - 1);
      writePoly(memory, a, blocks, first);
      const expected = new Uint32Array(words.length).fill(UNTOUCHED);
      for (let k = 0; k < length; k++) {
        for (let i = 0; i < rows; i++) {
          for (let j = 0; j < cols; j++) {
            const vector = (i * groupsOf(cols) + Math.floor(j / 4)) * a.stride + first + k;
            expected[4 * vector + (j % 4)] = blocks[(k * rows + i) * cols + j];
          }
        }
      }
      expect(words.slice(), `${rows} × ${cols} × ${length}`).toEqual(expected);
      expect(readPoly(memory, a, first, length)).toEqual(blocks);
      expect(readPoly(memory, coefficientsView(a, first, length))).toEqual(blocks);
      memory.release(a.at);
    }
  }
  await team.dispose();
});
