/**
 * Ranks of small matrices of a batch by one kernel (kernels/dense/small-rank.ts): what a single question would find by
 * elimination too, without the choice of a method, which takes longer than such a rank.
 */
import { exactRank } from '../../algorithms/rank-result.js';
import { WordPrime } from '../../fields/word-prime.js';
import { isSmallMatrix, SmallRanks } from '../../kernels/dense/small-rank.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { OVER_Q, type Settings } from '../questions/options.js';
import type { AnyOutcomeData, Verb } from '../questions/verbs.js';
import { outcomeOf } from './outcome-of.js';

/** Whether the kernel answers the question: it makes no certificate, and finds no rows and columns. */
export function isForSmallRanks(verb: Verb, matrix: SparseMatrix, settings: Settings): boolean {
  const { mod, device, method, formula, block, storage, words, reorder, atLeast, maxMemory, certificate, pivots } =
    settings;
  const isPlain =
    [block, storage, words, reorder, atLeast, maxMemory].every((asked) => asked === null) && !certificate && !pivots;
  const byElimination = (method === 'auto' || method === 'elimination') && formula === 'shifted' && device === 'cpu';
  const isServed = verb === 'rank' && mod !== OVER_Q && mod <= BigInt(MAX_SIZE) && matrix.wide.size === 0;
  return isServed && isPlain && byElimination && isSmallMatrix(matrix.rows, matrix.cols, matrix.nnz);
}

export function answerSmallRank(team: Team, matrix: SparseMatrix, settings: Settings, reading: number): AnyOutcomeData {
  const start = performance.now();
  const { ranks, field } = kernelOn(team, Number(settings.mod));
  const { rank, dense } = ranks.rank(field, matrix);
  const elimination = (performance.now() - start) / 1000;
  const { rows, cols, nnz } = matrix;
  return outcomeOf(matrix, settings, {
    ...exactRank(rank),
    ...{ value: rank, method: 'sparse-elimination', block: null, device: 'cpu', adapter: null, threads: 1 },
    explanation: [
      `elimination: ${rows} x ${cols} with ${nnz} entries is small`,
      `dense elimination of ${dense[0]} x ${dense[1]}`,
    ],
    seconds: { reading, elimination, total: reading + elimination },
  });
}

interface Kernel {
  readonly ranks: SmallRanks;
  field: WordPrime;
}

/** Their memory goes with the team's. */
const kernels = new WeakMap<Team, Kernel>();

function kernelOn(team: Team, p: number): Kernel {
  let kernel = kernels.get(team);
  if (kernel === undefined) {
    kernel = { ranks: new SmallRanks(team), field: WordPrime.of(p) };
    kernels.set(team, kernel);
  }
  if (kernel.field.p !== p) kernel.field = WordPrime.of(p);
  return kernel;
}
