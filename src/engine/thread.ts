/** The engine's thread as the caller's thread sees it; thread.node.ts and thread.browser.ts start one. */
import type { ToEngine } from '../questions/messages.js';

export interface EngineThread {
  post(message: ToEngine): void;
  /** Called once when the thread ends for any reason but terminate(), at once if it has. */
  onEnd(listener: (reason: string) => void): void;
  /** Settles when it has ended, or has outlasted every attempt to end it. */
  terminate(): Promise<void>;
  /** It may not be ended now, and is to be once it has left its GPU: a program lives as long as it. */
  outlast(): void;
  /** Whether a waiting program must stay alive for this thread (Node); a page needs no telling. */
  hold(alive: boolean): void;
}
