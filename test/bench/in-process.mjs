/** What block Wiedemann needs in a benchmark's own process, without the engine's thread in between. */
const DIST = new URL('../../dist/', import.meta.url);

const [{ generate }, { WordPrime }, { CpuExecutor }, { SparseMatrix }, { orderBasisEngines }] = await Promise.all(
  [
    'data/families.js',
    'fields/word-prime.js',
    'kernels/executors/cpu.js',
    'kernels/sparse/sparse-matrix.js',
    'algorithms/sigma-basis/create.js',
  ].map((path) => import(new URL(path, DIST).href)),
);

/** A matrix of a family of data/families.ts. */
export function generated(family, args) {
  const triplets = generate(family, args);
  return SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);
}

/** Mod p on so many threads; `executor` is to be disposed of. */
export async function runContext(p, threads) {
  const executor = await CpuExecutor.create(WordPrime.of(p), { threads });
  const { team } = executor;
  return {
    ...{ executor, team, seed: 1n, check: () => {}, onProgress: () => {} },
    ...orderBasisEngines(executor, team),
  };
}
