/**
 * Random numbers, and random block vectors over GF(q) or columns of one: the same on every device, and for every split
 * of the columns.
 */
import { CounterRandom } from '../../fields/random.js';
import type { BlockVector, Executor } from '../../kernels/executor.js';
import type { WorkingField } from './working-field.js';

/** The first `count` residues mod `below` ≤ 2^32 of a stream: on the device where it can. */
export function randomNumbers(
  executor: Pick<Executor, 'randomNumbers'>,
  count: number,
  below: number,
  seed: bigint,
  stream = 0,
): Uint32Array {
  if (executor.randomNumbers) return executor.randomNumbers(count, below, seed, stream);
  return new CounterRandom(seed, stream).fillResidues(new Uint32Array(count), below);
}

/** From 1 to q − 1. */
export function randomNonzero(executor: Executor, count: number, q: number, seed: bigint, stream = 0): Uint32Array {
  const numbers = randomNumbers(executor, count, q - 1, seed, stream);
  increment(numbers);
  return numbers;
}

/**
 * v ← uniform elements, n a row: on the device where it can, else in slices, so that no second copy of a long vector
 * exists.
 */
export function writeRandom(
  executor: Executor,
  v: BlockVector,
  n: number,
  working: WorkingField,
  seed: bigint,
  { first, of } = { first: 0, of: n },
): void {
  if (working.k === 1 && executor.random) {
    executor.random(v, seed, 0, { first, of });
    return;
  }
  const source = new CounterRandom(seed, 0);
  const slice = Math.max(1, Math.floor(2 ** 18 / of));
  for (let row = 0; row < v.length; row += slice) {
    const rows = Math.min(slice, v.length - row);
    const codes = source.fillResidues(new Uint32Array(rows * of), working.q, row * of);
    executor.write(v, working.toResidues(of === n ? codes : columns(codes, of, first, n), n), row);
  }
}

/** Columns first … first + n − 1 of rows of `of`. */
function columns(codes: Uint32Array, of: number, first: number, n: number): Uint32Array {
  const out = new Uint32Array((codes.length / of) * n);
  for (let i = 0, at = 0; at < out.length; i += of) {
    for (let j = 0; j < n; j++) out[at++] = codes[i + first + j];
  }
  return out;
}

/** Residues mod p − 1 become residues from 1 to p − 1. */
function increment(words: Uint32Array): void {
  for (let j = 0; j < words.length; j++) words[j]++;
}
