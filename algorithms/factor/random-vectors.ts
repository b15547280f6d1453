/**
 * Uniform vectors of the kernel of a matrix in dense blocks: z − G·A·z for uniform z (generalized-inverse.ts), each
 * multiplied by A before it is given.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { compressColumns } from './compress-columns.js';
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
      yield compressColumns(v, width);
    }
  } finally {
    inverse?.free();
    products.dispose();
  }
}

const BUG = 'nullspace: expected vectors that A maps to zero, got another: a bug';
