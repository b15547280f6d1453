/**
 * A basis of the kernel of A, and the rank with it, from random vectors of the kernel.
 *
 *   A : M × N     r ≤ rank A, which the runs prove     D = N − r     K : independent vectors found, in echelon form
 *
 * dim ker A = N − rank A ≤ D. So D independent vectors of the kernel are a basis, and rank A = r. While there are
 * fewer, further runs bring vectors, and maybe a higher r. That the vectors are of the kernel is checked on the host;
 * r is as sure as the device's integers are. More than D independent ones refute an r that memory or a processor got
 * wrong, and what other runs prove counts: so all vectors of a run are looked at. A vector of K has 1 at its own pivot
 * and 0 at the others': K is the same for every seed. Time D²·N, memory D·N.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { compressColumns } from '../factor/compress-columns.js';
import type { Kernel, SparseVectors } from '../factor/types.js';
import { refuseMethod } from '../methods/choose.js';
import { tooMuch } from '../methods/feasible.js';
import { ATTEMPTS } from './answers.js';
import { TOGETHER } from './attempt.js';
import { interleave, isKernel, randomKernel } from './systems.js';

/**
 * Where memory errs the bound of the rank may be too large, and what is found by then would be taken for all of the
 * kernel. Uniform vectors beyond that many lie in it, p^−1 each, with probability 2^−SURPLUS_BITS; mod 2, where a run
 * finds what 64 columns have in common, there are none beyond.
 */
const SURPLUS_BITS = 32;

export interface LanczosBasis {
  readonly kernel: (Kernel & { readonly rank: number }) | null;
  readonly reason?: string; // where there is none
  readonly rankBound: number;
  readonly found: number; // independent vectors, N − rankBound at most
  readonly explanation: readonly string[];
}

/** No kernel where ATTEMPTS runs in a row bring nothing new. Throws MethodError where `maxBytes` do not hold it. */
export async function lanczosBasis(
  context: RunContext,
  matrix: ResidueMatrix,
  maxBytes: number,
): Promise<LanczosBasis> {
  const F = context.executor.field;
  const N = matrix.cols;
  const surplus = F.p === 2 ? 0 : Math.ceil(SURPLUS_BITS / Math.log2(F.p));
  const together = TOGETHER + surplus;
  const random = randomKernel(context, matrix, Number.POSITIVE_INFINITY, together);
  const reduced = new ReducedRows(F, N);
  let dimension = N;
  let drawn = 0;
  let idle = 0;
  const look = (): void => {
    random.refuteBeyond(N - reduced.size);
    dimension = N - random.rankBound();
  };
  const isSure = (): boolean => reduced.size === dimension && drawn >= dimension + surplus;
  for await (const batch of random.batches()) {
    const before = [dimension, reduced.size];
    look();
    refuseMethod('lanczos', tooMuch(`a basis of ${dimension} vectors`, basisBytes(N, dimension, together), maxBytes));
    for (let k = 0; k < batch.count; k++) reduced.insert(vectorOf(batch, k, N));
    drawn += batch.count;
    look();
    if (isSure()) break;
    idle = before[0] === dimension && before[1] === reduced.size ? idle + 1 : 0;
    if (idle === ATTEMPTS) break;
  }
  look(); // the last runs, where they have no vectors
  const [rankBound, found, explanation] = [N - dimension, reduced.size, random.explanation()];
  if (!isSure()) {
    const unsure = found === dimension ? ', and too few more to be sure that it has no others' : '';
    const reason = `lanczos: ${found} independent vectors found of a kernel of at most ${dimension} dimensions${unsure}`;
    return { kernel: null, reason, rankBound, found, explanation };
  }
  const { rows, pivots } = reduced.sorted();
  const batches = () => batchesOf(F, matrix, rows);
  return { kernel: { rank: rankBound, dimension: found, freeLines: pivots, batches }, rankBound, found, explanation };
}

/** K, and the vectors of a run in their forms. */
function basisBytes(N: number, D: number, together: number): number {
  return 4 * N * (D + 4 * together);
}

async function* batchesOf(
  F: WordPrime,
  matrix: ResidueMatrix,
  rows: readonly Uint32Array[],
): AsyncGenerator<SparseVectors> {
  for (let first = 0; first < rows.length; first += TOGETHER) {
    const some = rows.slice(first, first + TOGETHER);
    if (!isKernel(F, matrix, some)) throw new Error('lanczos: expected a basis of the kernel: a bug');
    yield compressColumns(interleave(some), some.length);
  }
}

function vectorOf({ ptr, index, values }: SparseVectors, k: number, N: number): Uint32Array {
  const v = new Uint32Array(N);
  for (let at = ptr[k]; at < ptr[k + 1]; at++) v[index[at]] = values[at];
  return v;
}

/** Independent rows in reduced echelon form: each is 1 at its pivot, its first place that is not 0, others 0 there. */
class ReducedRows {
  private readonly F: WordPrime;
  private readonly N: number;
  private readonly rows: { readonly row: Uint32Array; readonly pivot: number }[] = [];

  constructor(F: WordPrime, N: number) {
    [this.F, this.N] = [F, N];
  }

  get size(): number {
    return this.rows.length;
  }

  /** Takes v over; does nothing where it depends on the rows. */
  insert(v: Uint32Array): void {
    const { F, N, rows } = this;
    for (const { row, pivot } of rows) subtract(F, v, row, v[pivot]);
    let pivot = 0;
    while (pivot < N && v[pivot] === 0) pivot++;
    if (pivot === N) return;
    scale(F, v, F.inv(v[pivot]));
    for (const { row } of rows) subtract(F, row, v, row[pivot]);
    rows.push({ row: v, pivot });
  }

  /** By their pivots. */
  sorted(): { readonly rows: readonly Uint32Array[]; readonly pivots: Uint32Array } {
    const rows = [...this.rows].sort((a, b) => a.pivot - b.pivot);
    return { rows: rows.map(({ row }) => row), pivots: Uint32Array.from(rows, ({ pivot }) => pivot) };
  }
}

/** y ← y − f·x */
function subtract(F: WordPrime, y: Uint32Array, x: Uint32Array, f: number): void {
  if (f === 0) return;
  const factor = F.neg(f);
  for (let i = 0; i < y.length; i++) if (x[i] !== 0) y[i] = F.mulAdd(factor, x[i], y[i]);
}

function scale(F: WordPrime, x: Uint32Array, f: number): void {
  for (let i = 0; i < x.length; i++) x[i] = F.mul(x[i], f);
}
