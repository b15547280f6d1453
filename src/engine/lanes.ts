/** Threads that take whole matrices: sessions of an engine beside the one for its single questions. */
import { EngineError } from '../errors.js';
import type { CallersCode } from './callers-code.js';
import { Session } from './session.js';

/** They are kept for the next stream of matrices until the engine is disposed of. */
export class Lanes {
  readonly #callersCode: CallersCode;
  readonly #all = new Set<Session>();
  readonly #free: Session[] = [];
  #isOver = false;

  constructor(callersCode: CallersCode) {
    this.#callersCode = callersCode;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** A lane for the caller alone. Throws HostError where the system grants no thread. */
  take(): Session {
    if (this.#isOver) throw new EngineError('engine: expected a living engine, this one was disposed of');
    const free = this.#free.pop();
    if (free?.usable) return free;
    const session = new Session(this.#callersCode);
    this.#all.add(session);
    return session;
  }

  /** Gives a lane back that has nothing to answer. */
  leave(session: Session): void {
    if (session.usable) this.#free.push(session);
    else void this.end(session);
  }

  /** Ends a lane, and what it is answering. */
  async end(session: Session): Promise<void> {
    this.#all.delete(session);
    await session.end();
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#all].map((session) => this.end(session)));
  }
}
