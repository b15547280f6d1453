/**
 * When a team's caller goes on without the other threads, and for how long.
 *
 * A thread that other work keeps from its core holds up all others: beside one busy process two threads took twice as long as
 * one, beside several 5 to 20 times. Where much of the time has been lost by waiting lately, the caller runs the next commands
 * alone, for as long as it has just lost, and for twice as long each time that it is so again. Where it is less, beside a
 * compiler or on a machine that others share, more would be lost by going alone.
 *
 * Steps that are repeated say more, for what they take by one thread and by all can be measured: after a wait that has outlasted
 * its spinning they go on as was faster lately. Beside one busy process two threads take 1.25 s for the sequence of Trefethen_20000,
 * 2.1 where only the waiting was looked at; one alone takes 1.2, two undisturbed 0.64 (Zen 4 EPYC, 2026-11).
 */

const MOST_MS = 64;
const LATELY_MS = 50;

/** For how long what one thread takes is believed where all were faster: it may have been kept from its core when that was measured. */
const BELIEVED_MS = 100;

/** Lost over worked, beyond which one thread alone would have done more: two do 1.75 times what one does. */
const MUCH = 0.75;

/** The share of a command's time that waiting for chunks under way may take: a thread's part of it are 16 of them. */
const FAIR_WAIT = 0.25;

/**
 * Milliseconds for each wait that has outlasted its spinning: where a command with barriers takes less, threads take turns on a
 * core.
 */
const STARVED_MS = 2;

/** A command run by all threads that has starved; times in milliseconds. */
export interface Starvation {
  readonly took: number;
  readonly lost: number; // by waiting for the other threads, beyond spinning
  readonly waits: number; // that have outlasted their spinning
}

/** Repeated steps, some of them: by whom, and what they took in milliseconds. */
export interface Stretch {
  /** Which steps. */
  readonly of: object;
  readonly alone: boolean;
  readonly took: number;
  readonly commands: number;
  /** Whether the last command has starved. */
  readonly starved: boolean;
}

/** What commands of repeated steps take, lately. */
class Pace {
  private ms = 0;
  private commands = 0;

  add(ms: number, commands: number): void {
    if (this.ms > LATELY_MS) {
      this.ms /= 2;
      this.commands /= 2;
    }
    this.ms += ms;
    this.commands += commands;
  }

  /** Milliseconds a command; null where none has been done. */
  get perCommand(): number | null {
    return this.commands === 0 ? null : this.ms / this.commands;
  }
}

export class GoingAlone {
  /** As performance.now(). */
  until = 0;
  private length = 0;
  private back = 0; // when all threads went on together
  private lost = 0; // lately
  private worked = 0; // together, lately
  private readonly others: number;
  private steps: object | null = null; // which are repeated
  private byOne = new Pace();
  private byAll = new Pace();
  private stretch = 0; // how long they went alone last
  private believed = BELIEVED_MS;
  private tried = 0; // when one was measured

  constructor(threads: number) {
    this.others = threads - 1;
  }

  /** Decides after a command that has just ended. */
  decide({ took, lost, waits }: Starvation): void {
    const now = performance.now();
    const isFair = lost <= (took - lost) * FAIR_WAIT;
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

  /** As decide, after some of the steps that are repeated. */
  repeated({ of, alone, took, commands, starved }: Stretch): void {
    const now = performance.now();
    if (of !== this.steps) {
      this.steps = of;
      this.byOne = new Pace();
      this.byAll = new Pace();
      this.stretch = 0;
      this.believed = BELIEVED_MS;
    }
    (alone ? this.byOne : this.byAll).add(took, commands);
    if (alone) this.tried = now;
    if (alone || !starved) return;
    if (now - this.tried > this.believed) {
      this.byOne = new Pace();
      this.believed *= 2;
    }
    const [one, all] = [this.byOne.perCommand, this.byAll.perCommand];
    if (one === null) this.stretch = STARVED_MS;
    else if (all !== null && one > all) {
      this.stretch = 0;
      return;
    } else {
      this.stretch = Math.min(MOST_MS, Math.max(STARVED_MS, 2 * this.stretch));
      this.believed = BELIEVED_MS;
    }
    this.byAll = new Pace();
    this.until = now + this.stretch;
    this.back = this.until;
  }
}
