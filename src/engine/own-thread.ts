/**
 * The engine in the program's own thread, for brief questions (brief.ts): a thread of its own takes longer to start
 * than a small matrix takes altogether. From the first long question on a thread answers.
 *
 * Only a program that asks one question and waits for it may be held up so, such as a command line.
 */
import { mayBeBrief } from '../questions/brief.js';
import type { FromEngine, Question, ToEngine } from '../questions/messages.js';
import { serveEngine } from '../worker/serve.js';
import type { EngineThread } from './thread.js';

/** `start` starts the thread for long questions; `isSmall` says whether a question's file is small. */
export function startInOwnThread(
  onMessage: (message: FromEngine) => void,
  start: (onMessage: (message: FromEngine) => void) => EngineThread,
  isSmall: (question: Question) => boolean,
): EngineThread {
  let thread: EngineThread | undefined;
  let asked: ToEngine | undefined;
  let tell: ((message: ToEngine) => void) | undefined; // from the first question here on
  let tellEnd: (reason: string) => void = () => {};
  let held = false;
  let isOver = false;
  const handOver = (): EngineThread => {
    onMessage({ kind: 'modules', state: 'loading' }); // as a starting thread does
    thread = start(onMessage);
    thread.onEnd(tellEnd);
    thread.hold(held);
    return thread;
  };
  const receive = (message: FromEngine): void => {
    if (isOver) return;
    if (message.kind === 'long') handOver().post(asked!);
    else onMessage(message);
  };
  const begin = (): void => {
    onMessage({ kind: 'modules', state: 'loading' });
    serveEngine(
      receive,
      (listener) => {
        tell = listener;
      },
      true,
    );
  };
  const post = (message: ToEngine): void => {
    if (message.kind === 'question') {
      asked = message;
      if (!thread && !(mayBeBrief(message.question) && isSmall(message.question))) handOver();
    }
    if ((message.kind === 'batch' || message.kind === 'packed') && !thread) handOver();
    if (thread) {
      thread.post(message);
      return;
    }
    if (!tell) begin();
    tell!(message);
  };
  onMessage({ kind: 'modules', state: 'loaded' }); // there is nothing to wait for before a question
  return {
    post,
    onEnd(listener) {
      tellEnd = listener;
      thread?.onEnd(listener);
    },
    async terminate() {
      isOver = true;
      await thread?.terminate();
    },
    outlast: () => thread?.outlast(),
    hold(alive) {
      held = alive;
      thread?.hold(alive);
    },
  };
}
