/** The order in which rows are dealt to the rows of H: random enough to keep rank, local enough to stream. */
import { expect, test } from 'vitest';
import { dealingWords, dealOrder, gramFactor, hashFactor } from '../../../algorithms/block-wiedemann/preconditioner.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Operator, OperatorOptions } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';

const executor = new ReferenceExecutor(WordPrime.of(65521));
const dealt = (m: number, seed: bigint, layer: number): Uint32Array =>
  dealOrder(m, dealingWords(executor, m, seed, layer));

// One by one, the first size dealt in blocks, and a last block and group that are not whole.
const SIZES = [0, 1, 63, 2 ** 14 - 1, 2 ** 14, 3 * 2 ** 13 + 77];

test('every row is dealt once', () => {
  for (const m of SIZES) {
    const order = dealt(m, 5n, 0);
    expect(order.slice().sort()).toEqual(Uint32Array.from({ length: m }, (_, i) => i));
  }
});

test('two layers agree on the residues of places as often as chance has it, so that no period of the rows survives', () => {
  for (const m of SIZES.slice(3)) {
    const place = [0, 1].map((layer) => {
      const at = new Uint32Array(m);
      dealt(m, 5n, layer).forEach((row, t) => {
        at[row] = t;
      });
      return at;
    });
    for (const period of [2, 8, 64]) {
      // Places in runs of 8, as long as a row of H is wide in a tall matrix.
      const run = (layer: number, row: number): number => Math.floor(place[layer][row] / 8) % period;
      let same = 0;
      for (let row = 0; row < m; row++) if (run(0, row) === run(1, row)) same++;
      expect(same / m, `${m} rows, period ${period}`).toBeLessThan(1 / period + 0.1);
    }
  }
});

test('large orders read few streams: a row is near one of the 16 before it', () => {
  const m = 2 ** 15;
  const order = dealt(m, 7n, 0);
  let near = 0;
  for (let t = 16; t < m; t++) if (order.subarray(t - 16, t).includes(order[t] - 1)) near++;
  expect(near / m).toBeGreaterThan(0.9);
});

// What they were when the host drew its random numbers itself (7606130), so that a seed goes on giving the same answer.
test.each([
  [65521, 24646, 24653, 1014616595, 1419333424],
  [65521, 50, 60, 1307304323, 1288283226],
  [3, 40, 50, 2879183780, 3976769145],
  [2147483629, 30, 16384, 2983712421, 2054056005],
])('mod %d the factors for %d x %d are those of the seed', (p, N, m, ofHash, ofGram) => {
  const seen: ResidueMatrix[] = [];
  class Watched extends ReferenceExecutor {
    override operator(matrix: ResidueMatrix, options?: OperatorOptions): Operator {
      expect(options).toEqual({ use: 'apply' }); // C is stored one way
      seen.push(matrix);
      return super.operator(matrix, options);
    }
  }
  /** FNV-1a, a word at a time. */
  const sum = (): number => {
    let h = 0x811c9dc5;
    for (const { rowPtr, colIdx, values } of seen.splice(0)) {
      for (const word of [...rowPtr, ...colIdx, ...values]) h = Math.imul(h ^ word, 16777619);
    }
    return h >>> 0;
  };
  const watched = new Watched(WordPrime.of(p));
  const working = new WorkingField(watched, 'block');
  hashFactor(watched, N, m, working, 77n);
  expect(sum()).toBe(ofHash);
  const none = new Uint32Array(0);
  const a = executor.operator({ rows: m, cols: N, rowPtr: new Uint32Array(m + 1), colIdx: none, values: none });
  gramFactor(watched, a, working, 78n);
  expect(sum()).toBe(ofGram);
});
