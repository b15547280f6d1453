/** Answers about the matrices of a batch, as the caller gets them of what crossed threads. */
import type { Answers, BatchAnswer, ModulusAnswer } from '../questions/batch.js';
import { type ErrorMessage, errorFromMessage } from '../questions/error-transport.js';
import { toOutcome } from '../questions/outcome.js';
import type { AnyOutcome, AnyOutcomeData } from '../questions/verbs.js';

export interface OpenedAnswers {
  readonly items: readonly Answers[];
  readonly seconds: number; // of the batch
}

/** `own`: what the caller's own stream or operator has thrown, which is then the error of its matrix. */
export function openAnswers({ items, seconds }: BatchAnswer, own: unknown): OpenedAnswers {
  const errorOf = (error: ErrorMessage): Error => (own instanceof Error ? own : errorFromMessage(error));
  const opened = (one: ModulusAnswer<AnyOutcomeData, ErrorMessage>): ModulusAnswer<AnyOutcome, Error> =>
    'error' in one ? { error: errorOf(one.error) } : { outcome: toOutcome(one.outcome) as AnyOutcome };
  const answers = items.map(
    (item): Answers => ('error' in item ? { error: errorOf(item.error) } : { answers: item.answers.map(opened) }),
  );
  return { items: answers, seconds };
}
