/** The engine's thread: takes questions, answers them one at a time, and calls back for the caller's own data. */
import { refusal } from '../../kernels/errors/host-error.js';
import type { StartReaders } from '../io/line-pieces.js';
import { LongError } from '../questions/brief.js';
import { errorToMessage } from '../questions/error-transport.js';
import type { FromEngine, ToEngine } from '../questions/messages.js';
import { answerBatch } from './batch.js';
import { Caller } from './caller.js';
import type { Answerer } from './run-question.js';
import { answerPacked } from './small-ranks.js';

type Asking = Extract<ToEngine, { kind: 'question' | 'batch' | 'packed' }>;

/** `isBrief`: in the caller's own thread, which refuses long questions. `startReaders`: where files have threads. */
export function serveEngine(
  post: (message: FromEngine) => void,
  listen: (listener: (message: ToEngine) => void) => void,
  isBrief = false,
  startReaders?: StartReaders,
): void {
  const caller = new Caller(post);
  // Loaded once a question is under way: the first message is then already here.
  const answering = import('./run-question.js').then(
    ({ Answerer }) => new Answerer(caller, isBrief, startReaders),
    (error) => {
      throw refusal('the engine could not be loaded', error);
    },
  );
  // A thread that starts is loading already.
  const tellLoaded = (): void => post({ kind: 'modules', state: 'loaded' });
  answering.then(tellLoaded, tellLoaded);
  const take = async (message: Asking): Promise<void> => {
    caller.watched = message.kind === 'question' && message.question.watched;
    try {
      const answerer = await answering;
      post({ kind: 'answer', answer: await answerTo(answerer, message) });
    } catch (error) {
      post(error instanceof LongError ? { kind: 'long' } : { kind: 'failure', error: errorToMessage(error) });
    }
  };
  let taken: Promise<void> = Promise.resolve();
  // The GPU is given up first: all waits for it then fail at once.
  const leave = async (): Promise<void> => {
    post({ kind: 'gpu', state: 'leaving' }); // what it has been given already holds this thread up
    try {
      const answerer = await answering;
      await answerer.leaveGpu();
      caller.leave();
      await taken;
      await answerer.leaveGpu(); // one that the question opened meanwhile
    } finally {
      // At the loop's next turn: what the driver has settled meanwhile has been told.
      setTimeout(() => post({ kind: 'gpu', state: 'left' }), 0);
    }
  };
  listen((message) => {
    if (message.kind === 'question' || message.kind === 'batch' || message.kind === 'packed') taken = take(message);
    else if (message.kind === 'leave') void leave();
    else if (message.kind === 'release') void answering.then((answerer) => answerer.release(message.factors));
    else caller.settle(message);
  });
}

function answerTo(answerer: Answerer, message: Asking): Promise<Extract<FromEngine, { kind: 'answer' }>['answer']> {
  if (message.kind === 'batch') return answerBatch(answerer, message.batch);
  return message.kind === 'packed' ? answerPacked(answerer, message.packed) : answerer.answer(message.question);
}
