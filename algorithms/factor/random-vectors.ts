/**
 * Uniform vectors of the kernel of a matrix in dense blocks: z − G·A·z for uniform z (generalized-inverse.ts), each
 * multiplied by A before it is given.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { GeneralizedInverse } from './generalized-inverse.js';
import { multiply, subtract } from './products.js';
import type { SparseVectors } from './types.js';

/** Vectors that are made together. */
const TOGETHER = 32;

/** `count` of them; `open` gives G, which is freed here. */
export async function* randomBatches(
  { executor, team, seed, check }: RunContext,
  a: ResidueMatrix,
  open: () => GeneralizedInverse,
  count: number,
): AsyncGenerator<SparseVectors> {
  const F = executor.field;
  const random = new CounterRandom(deriveSeed(seed, 'solution'), 0);
  const products = new CpuExecutor(F, team!);
  let inverse: GeneralizedInverse | undefined;
  try {
    inverse = open();
    const map = products.operator(a, { use: 'apply' });
    for (let first = 0; first < count; first += TOGETHER) {
      check();
      const width = Math.min(TOGETHER, count - first);
      const z = random.fillResidues(new Uint32Array(a.cols * width), F.p, first * a.cols);
      const v = subtract(F, z, await inverse.apply(multiply(F, a, z, width), width));
      const [y, x] = [products.vector(a.rows, width), products.vector(a.cols, width)];
      products.write(x, v);
      await map.apply(y, x);
      if ((await products.read(y)).some((residue) => residue !== 0)) throw new Error(BUG);
      products.release(y);
      products.release(x);
      yield compress(v, width);
    }
  } finally {
    inverse?.free();
    products.dispose();
  }
}

const BUG = 'nullspace: expected vectors that A maps to zero, got another: a bug';

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
