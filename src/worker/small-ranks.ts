/**
 * Ranks of small matrices of a batch by one kernel (kernels/dense/small-rank.ts): what a single question would find by
 * elimination too, without the choice of a method, which takes longer than such a rank.
 */
import { exactRank } from '../../algorithms/rank-result.js';
import { WordPrime } from '../../fields/word-prime.js';
import type { SmallMatrix } from '../../kernels/dense/small-matrix.js';
import { SmallRanks } from '../../kernels/dense/small-rank.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Settings } from '../questions/options.js';
import type { OutcomeData } from '../questions/outcome.js';
import {
  ANSWER,
  isOfRanksAlone,
  isSmall,
  outcomeOfSmall,
  type PackedAnswers,
  type PackedMatrices,
  unpackMatrices,
} from '../questions/packed-ranks.js';
import type { AnyOutcomeData, Verb } from '../questions/verbs.js';
import { outcomeOf } from './outcome-of.js';
import type { Answerer } from './run-question.js';

/** Whether the kernel answers the question. */
export function isForSmallRanks(verb: Verb, matrix: SparseMatrix, settings: Settings): boolean {
  return isOfRanksAlone(verb, settings) && isSmall(matrix.toParts());
}

export function answerSmallRank(team: Team, matrix: SparseMatrix, settings: Settings, reading: number): AnyOutcomeData {
  return outcomeOfSmall(emptyOutcome(settings), matrix, rankOn(kernelOn(team, Number(settings.mod)), matrix), reading);
}

/** The answers about the matrices, one after another. */
export async function answerPacked(answerer: Answerer, packed: PackedMatrices): Promise<PackedAnswers> {
  const start = performance.now();
  const { settings, count } = packed;
  const runner = await answerer.runner();
  const team = await runner.team({ kind: 'operator', rows: 0, cols: 0, transposes: false }, settings[0]!);
  const moduli = settings.map(({ mod }) => Number(mod));
  const numbers = new Float64Array(ANSWER * count * moduli.length);
  let at = 0;
  for (const matrix of unpackMatrices(packed)) {
    for (const p of moduli) {
      numbers.set(rankOn(kernelOn(team, p), matrix), at);
      at += ANSWER;
    }
  }
  return { numbers, empty: settings.map(emptyOutcome), seconds: (performance.now() - start) / 1000 };
}

function emptyOutcome(settings: Settings): OutcomeData<number> {
  const found = { method: 'sparse-elimination', block: null, device: 'cpu', adapter: null, threads: 1 } as const;
  return outcomeOf({ rows: 0, cols: 0, nnz: 0 }, settings, {
    ...exactRank(0),
    value: 0,
    ...found,
    seconds: {},
  }) as OutcomeData<number>;
}

function rankOn({ ranks, field }: Kernel, matrix: SmallMatrix): [number, number, number, number] {
  const start = performance.now();
  const { rank, dense } = ranks.rank(field, matrix);
  return [rank, dense[0], dense[1], (performance.now() - start) / 1000];
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
