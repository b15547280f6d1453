/** The modules that few questions need, loaded by the first of them. */
import type { Caller } from './caller.js';

export type RareQuestions = typeof import('./rare-questions.js');

export function loadRareQuestions(caller: Caller): Promise<RareQuestions> {
  return caller.loading(() => import('./rare-questions.js'));
}

export function loadIntegerQuestions(caller: Caller): Promise<typeof import('./integer-questions.js')> {
  return caller.loading(() => import('./integer-questions.js'));
}
