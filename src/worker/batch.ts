/**
 * A batch of questions answered in the engine's thread, one after another or, by block LU, together: an error is the
 * answer about its matrix.
 */
import { KnownPivots } from '../../algorithms/presolve/known-pivots.js';
import { TeamError } from '../../kernels/errors/team-error.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Batch, BatchAnswer, BatchItem, ItemAnswer, ModulusAnswer } from '../questions/batch.js';
import { type ErrorMessage, errorToMessage } from '../questions/error-transport.js';
import type { Settings } from '../questions/options.js';
import type { AnyOutcomeData } from '../questions/verbs.js';
import type { ReadItem } from './block-systems.js';
import type { RunOn } from './found.js';
import type { Answerer } from './run-question.js';
import { answerSmallRank, isForSmallRanks } from './small-ranks.js';

type Answer = ItemAnswer<AnyOutcomeData, ErrorMessage>;

export async function answerBatch(answerer: Answerer, batch: Batch): Promise<BatchAnswer> {
  const start = performance.now();
  const isTogether = batch.verb === 'solve' && batch.settings.every(({ method }) => method === 'block-lu');
  const items: Answer[] = isTogether ? await answerTogether(answerer, batch) : [];
  if (!isTogether) for (const item of batch.items) items.push(await answerItem(answerer, item, batch));
  return { items, seconds: (performance.now() - start) / 1000 };
}

/** Systems by block LU: all are read, then solved modulo one number after another. */
async function answerTogether(answerer: Answerer, { items, settings }: Batch): Promise<Answer[]> {
  const read: ReadItem[] = [];
  const places: (number | { readonly error: ErrorMessage })[] = []; // among those that were read
  for (const { input, right } of items) {
    const start = performance.now();
    const matrix = await orError(() => answerer.read(input, settings[0]!));
    if ('error' in matrix) places.push(matrix);
    else places.push(read.push({ matrix, right, reading: (performance.now() - start) / 1000 }) - 1);
  }
  const { answerBlockSystems } = await import('./usual-questions.js');
  const runner = await answerer.runner();
  const runOn: RunOn = (own, work) => runner.together(own, work);
  const solved: ModulusAnswer<AnyOutcomeData, ErrorMessage>[][] = [];
  for (const own of settings) solved.push(await answerBlockSystems(runOn, read, own));
  return places.map((at) => (typeof at === 'number' ? { answers: solved.map((answers) => answers[at]!) } : at));
}

/** The matrix is read once for all moduli. */
async function answerItem(answerer: Answerer, { input, right }: BatchItem, { verb, settings }: Batch): Promise<Answer> {
  const start = performance.now();
  return orError(async () => {
    const matrix = await answerer.read(input, settings[0]!);
    const reading = (performance.now() - start) / 1000;
    const known = settings.length > 1 ? new KnownPivots() : undefined;
    const outcomeOf = async (own: Settings): Promise<AnyOutcomeData> => {
      if (matrix instanceof SparseMatrix && isForSmallRanks(verb, matrix, own))
        return answerSmallRank(await (await answerer.runner()).team(matrix, own), matrix, own, reading);
      return answerer.answerAbout(matrix, { verb, input, right, settings: own }, reading, known);
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
