/**
 * Vectors of the kernel of a matrix as dense blocks, each multiplied by it before it is given.
 *
 *   basis, free column f : 1 at f, −M⁻¹·A[R, f] at C, 0 at the other free columns       random : z − G·A·z, z uniform
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { GeneralizedInverse } from './generalized-inverse.js';
import { multiply } from './products.js';
import type { SparseVectors } from './types.js';

/** Vectors that are made together. */
const TOGETHER = 32;

export interface KernelSystem {
  readonly a: ResidueMatrix;
  readonly pivotRows: Uint32Array; // R
  readonly pivotCols: Uint32Array; // C
  readonly context: RunContext;
  /** M⁻¹, freed by who opens it. */
  open(): GeneralizedInverse;
}

/** A vector for each free column, in their order. */
export function denseBasisBatches(
  system: KernelSystem,
  at: ResidueMatrix,
  freeCols: Uint32Array,
): AsyncGenerator<SparseVectors> {
  const { a, pivotRows, context } = system;
  const place = new Int32Array(a.rows).fill(-1);
  pivotRows.forEach((row, k) => {
    place[row] = k;
  });
  const minus = negate(context.executor.field);
  return batches(system, freeCols.length, (first, width, x, v) => {
    for (let j = 0; j < width; j++) {
      const column = freeCols[first + j];
      v[column * width + j] = 1;
      for (let k = at.rowPtr[column]; k < at.rowPtr[column + 1]; k++) {
        const t = place[at.colIdx[k]];
        if (t >= 0) x[t * width + j] = minus(at.values[k]);
      }
    }
  });
}

/** `count` independent and uniform ones. */
export function randomBatches(system: KernelSystem, count: number): AsyncGenerator<SparseVectors> {
  const { a, pivotRows, context } = system;
  const F = context.executor.field;
  const random = new CounterRandom(deriveSeed(context.seed, 'solution'), 0);
  const minus = negate(F);
  return batches(system, count, (first, width, x, v) => {
    random.fillResidues(v, F.p, first * a.cols);
    const product = multiply(F, a, v, width);
    pivotRows.forEach((row, k) => {
      for (let j = 0; j < width; j++) x[k * width + j] = minus(product[row * width + j]);
    });
  });
}

/**
 * V + M⁻¹·X at the pivots' columns, block by block; `fill` writes X, a row a pivot, and V, a row a column, over zeros.
 */
async function* batches(
  { a, pivotCols, context, open }: KernelSystem,
  count: number,
  fill: (first: number, width: number, x: Uint32Array, v: Uint32Array) => void,
): AsyncGenerator<SparseVectors> {
  const { executor, team, check } = context;
  const { field } = executor;
  const products = new CpuExecutor(field, team!);
  const inverse = open();
  try {
    const map = products.operator(a, { use: 'apply' });
    for (let first = 0; first < count; first += TOGETHER) {
      check();
      const width = Math.min(TOGETHER, count - first);
      const [x, v] = [new Uint32Array(pivotCols.length * width), new Uint32Array(a.cols * width)];
      fill(first, width, x, v);
      await inverse.run(x, width);
      pivotCols.forEach((column, k) => {
        for (let j = 0, to = column * width, from = k * width; j < width; j++, to++, from++) {
          v[to] = field.add(v[to], x[from]);
        }
      });
      const [y, z] = [products.vector(a.rows, width), products.vector(a.cols, width)];
      products.write(z, v);
      await map.apply(y, z);
      if ((await products.read(y)).some((residue) => residue !== 0)) throw new Error(BUG);
      products.release(y);
      products.release(z);
      yield compress(v, width);
    }
  } finally {
    inverse.free();
    products.dispose();
  }
}

export const BUG = 'nullspace: expected vectors that A maps to zero, got another: a bug';

/** The columns of V, `width` a row, as sparse vectors. */
function compress(v: Uint32Array, width: number): SparseVectors {
  const ptr = new Uint32Array(width + 1);
  for (let k = 0; k < v.length; ) {
    for (let j = 1; j <= width; j++) if (v[k++] !== 0) ptr[j]++;
  }
  for (let j = 0; j < width; j++) ptr[j + 1] += ptr[j];
  const next = ptr.slice(0, width);
  const [index, values] = [new Uint32Array(ptr[width]), new Uint32Array(ptr[width])];
  for (let k = 0, row = 0; k < v.length; row++) {
    for (let j = 0; j < width; j++) {
      const value = v[k++];
      if (value === 0) continue;
      index[next[j]] = row;
      values[next[j]++] = value;
    }
  }
  return { count: width, ptr, index, values };
}

function negate({ p }: WordPrime): (residue: number) => number {
  return (residue) => (residue === 0 ? 0 : p - residue);
}
