/** How long a plan says a run will be, beside runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseBlocks } from '../../../algorithms/block-wiedemann/block-shape.js';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { verificationWidth } from '../../../algorithms/block-wiedemann/verification.js';
import { runLengths } from '../../../algorithms/planning/run-lengths.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { contextOn } from '../methods/context.js';

const P = 65521;
let executor: CpuExecutor;
beforeAll(async () => {
  executor = await CpuExecutor.create(WordPrime.of(P), { threads: 1 });
});
afterAll(() => executor.dispose());

// Of 1400 columns: all of them independent, nearly all, three quarters, nearly half, a tenth.
test.each([1400, 1390, 1050, 680, 140])('a run of rank %d is as long as is planned', async (rank) => {
  const [rows, cols] = [1500, 1400];
  const { m, n } = chooseBlocks(cols, 1);
  const a = residuesOfRank(rows, cols, rank);
  const last: Record<string, number> = {};
  const onProgress = ({ phase, done }: { phase: string; done: number }): void => {
    last[phase] = Math.max(last[phase] ?? 0, done);
  };
  const found = await rankOfMatrix({ ...contextOn(executor), onProgress }, a, {});
  expect([found.rank, found.attempts]).toEqual([rank, 1]);
  const s = verificationWidth(Math.log2(P));
  const { blocks, verifying } = runLengths(cols, rank, { m, n }, s, Math.log2(P), false);
  expect(Math.abs(blocks - last['sequence']!)).toBeLessThanOrEqual(4);
  expect(Math.abs(verifying - (last['verification'] ?? 0))).toBeLessThanOrEqual(4);
});

/** rows × cols, the rank that of its first `rank` columns, which are a random matrix with a diagonal. */
function residuesOfRank(rows: number, cols: number, rank: number) {
  const { rowIdx, colIdx, values } = generate('random', [rows, rank, 4, P, 1].map(String));
  const [r, c, v] = [rowIdx, colIdx, values].map((list) => Array.from(list as ArrayLike<number>));
  for (let j = 0; j < rank; j++) {
    r!.push(j);
    c!.push(j);
    v!.push(1);
  }
  // The other columns are sums of two of the first: they are not empty, and add nothing to the rank.
  const first: number[][] = Array.from({ length: rank }, () => []);
  for (const [k, j] of c!.entries()) first[j]!.push(k);
  for (let j = rank; j < cols; j++) {
    for (const source of [j % rank, (7 * j + 3) % rank]) {
      for (const k of first[source]!) {
        r!.push(r![k]!);
        c!.push(j);
        v!.push(v![k]!);
      }
    }
  }
  return SparseMatrix.fromTriplets(rows, cols, { rowIdx: r!, colIdx: c!, values: v! }).residues(P);
}
