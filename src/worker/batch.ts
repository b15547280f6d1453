/** A batch of questions answered one after another in the engine's thread: an error is the answer about its matrix. */
import { TeamError } from '../../kernels/errors/team-error.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Batch, BatchAnswer, BatchItem, ItemAnswer, ModulusAnswer } from '../questions/batch.js';
import { type ErrorMessage, errorToMessage } from '../questions/error-transport.js';
import type { Settings } from '../questions/options.js';
import type { AnyOutcomeData } from '../questions/verbs.js';
import type { Answerer } from './run-question.js';
import { answerSmallRank, isForSmallRanks } from './small-ranks.js';

type Answer = ItemAnswer<AnyOutcomeData, ErrorMessage>;

export async function answerBatch(answerer: Answerer, batch: Batch): Promise<BatchAnswer> {
  const start = performance.now();
  const items: Answer[] = [];
  for (const item of batch.items) items.push(await answerItem(answerer, item, batch));
  return { items, seconds: (performance.now() - start) / 1000 };
}

/** The matrix is read once for all moduli. */
async function answerItem(answerer: Answerer, { input, right }: BatchItem, { verb, settings }: Batch): Promise<Answer> {
  const start = performance.now();
  return orError(async () => {
    const matrix = await answerer.read(input, settings[0]!);
    const reading = (performance.now() - start) / 1000;
    const outcomeOf = async (own: Settings): Promise<AnyOutcomeData> => {
      if (matrix instanceof SparseMatrix && isForSmallRanks(verb, matrix, own))
        return answerSmallRank(await answerer.team(matrix, own), matrix, own, reading);
      return answerer.answerAbout(matrix, { verb, input, right, settings: own }, reading);
    };
    const answers: ModulusAnswer<AnyOutcomeData, ErrorMessage>[] = [];
    for (const own of settings) {
      answers.push(await orError(async () => ({ outcome: await outcomeOf(own) })));
    }
    return { answers };
  });
}

/** A thread that has ended answers nothing else either: its error goes on. */
async function orError<T>(work: () => Promise<T>): Promise<T | { readonly error: ErrorMessage }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TeamError) throw error;
    return { error: errorToMessage(error) };
  }
}
