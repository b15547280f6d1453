/** What `wiedemann generate` writes, without a process for it; answers.test.ts has the verb itself. */
import { generate } from '../../data/families.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { writeSms } from '../../src/io/write-matrix.js';

export function generated(...[family = '', ...words]: readonly string[]): string {
  const { rows, cols, ...entries } = generate(family, words);
  return Buffer.concat([...writeSms(SparseMatrix.fromTriplets(rows, cols, entries))]).toString();
}
