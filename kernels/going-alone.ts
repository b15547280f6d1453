/**
 * When a team's caller goes on without the other threads, and for how long.
 *
 * A thread that other work keeps from its core holds up all others: beside one busy process two threads took twice as long as
 * one, beside several 5 to 20 times. Where much of the time has been lost by waiting lately, the caller runs the next commands
 * alone, for as long as it has just lost, and for twice as long each time that it is so again. Where it is less, beside a
 * compiler or on a machine that others share, more would be lost by going alone.
 */

const MOST_MS = 64;
const LATELY_MS = 50;

/** Lost over worked, beyond which one thread alone would have done more: two do 1.75 times what one does. */
const MUCH = 0.75;

/** The share of a command's time that waiting for chunks under way may take: a thread's part of it are 16 of them. */
const FAIR_WAIT = 0.25;

/**
 * Milliseconds for each wait that has outlasted its spinning: where a command with barriers takes less, threads take turns on a
 * core.
 */
const STARVED_MS = 2;

/** Commands run by all threads, the last of which has starved; times in milliseconds. */
export interface Starvation {
  readonly took: number; // all of them
  readonly commands: number;
  readonly lost: number; // by waiting for the other threads, beyond spinning
  readonly waits: number; // that have outlasted their spinning
}

export class GoingAlone {
  /** As performance.now(). */
  until = 0;
  private length = 0;
  private back = 0; // when all threads went on together
  private lost = 0; // lately
  private worked = 0; // together, lately
  private readonly others: number;

  constructor(threads: number) {
    this.others = threads - 1;
  }

  /** Decides after commands that have just ended. */
  decide({ took, commands, lost, waits }: Starvation): void {
    const now = performance.now();
    const isFair = lost <= ((took - lost) / commands) * FAIR_WAIT;
    const takesTurns = took * this.others < waits * STARVED_MS;
    if (isFair && !takesTurns) return;
    const held = isFair ? took : lost;
    const worked = Math.min(LATELY_MS, now - held - this.back);
    const rest = Math.exp(-(worked + held) / LATELY_MS);
    this.lost = this.lost * rest + held;
    this.worked = this.worked * rest + worked;
    if (this.lost > MUCH * this.worked) this.length = Math.min(MOST_MS, Math.max(held, 2 * this.length));
    else this.length = takesTurns ? held : 0;
    this.until = now + this.length;
    this.back = this.until;
  }
}
