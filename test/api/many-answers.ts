/** Many matrices, and answers about them as they are compared. */
import { type Answered, type Outcome, SparseMatrix } from 'wiedemann';
import { randomEntries } from './small-matrices.js';

const SHAPES = [
  [0, 0],
  [0, 7],
  [5, 0],
  [1, 1],
  [3, 40],
  [60, 60],
  [100, 100],
  [130, 17],
] as const;

/** Matrices of all shapes, of full and of small rank, over and over. */
export function mixed(count: number): SparseMatrix[] {
  return Array.from({ length: count }, (_, k) => {
    const [rows, cols] = SHAPES[k % SHAPES.length]!;
    return SparseMatrix.fromTriplets(rows, cols, { ...randomEntries(rows, cols, 1 + (k % 5), 77 + k) });
  });
}

export async function collect<T>(answers: AsyncIterable<Answered<T>>): Promise<Answered<T>[]> {
  const all: Answered<T>[] = [];
  for await (const answer of answers) all.push(answer);
  return all;
}

export function valuesOf(answers: readonly Answered<Outcome<number>>[]): (number | undefined)[] {
  return answers.map(({ outcome }) => outcome?.value);
}
