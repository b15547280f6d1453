/**
 * The engine in the program's own thread, as long as what it is asked is brief (brief.ts): a thread of its own takes
 * longer to start than most small matrices take altogether. From the first question that is not, or turns out not to
 * be, a thread answers.
 *
 * Only a program that asks one thing and waits for it may be held up so, such as a command line.
 */
import { mayBeBrief } from '../questions/brief.js';
import type { FromEngine, Question, ToEngine } from '../questions/messages.js';
import { serveEngine } from '../worker/serve.js';
import type { EngineThread } from './thread.js';

/** `start` starts the thread for what is long; `isSmall` says whether a question's file is. */
export function startInOwnThread(
  onMessage: (message: FromEngine) => void,
  start: (onMessage: (message: FromEngine) => void) => EngineThread,
  isSmall: (question: Question) => boolean,
): EngineThread {
  let thread: EngineThread | undefined;
  let asked: ToEngine | undefined;
  let tell: ((message: ToEngine) => void) | undefined; // once something is asked here
  let tellEnd: (reason: string) => void = () => {};
  let held = false;
  let isOver = false;
  const handOver = (): EngineThread => {
    if (tell) onMessage({ kind: 'modules', state: 'loading' }); // as a thread does that starts
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
    if (thread) {
      thread.post(message);
      return;
    }
    if (!tell) begin();
    tell!(message);
  };
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
    hold(alive) {
      held = alive;
      thread?.hold(alive);
    },
  };
}
