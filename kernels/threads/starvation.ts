/**
 * When a team's caller goes on without the other threads, and for how long.
 *
 * A thread that other work keeps from its core holds up all others. After a wait that outlasts its spinning the caller
 * runs the next commands alone, for as long as the wait took. Each further starvation doubles that time, until all
 * threads have worked together for as long as the last loss and the time alone after it.
 */

/** Milliseconds alone at most. */
const MOST_MS = 64;

export class Starvation {
  /** The caller is alone until then, as performance.now(). */
  until = 0;
  private length = 0; // of the last time alone

  /** The threads have just lost `lost` milliseconds, in work that takes them `span` without a loss. */
  lose(lost: number, span: number): void {
    // Work that takes longer than the loss would lose more on one thread.
    if (span > lost) return;
    const now = performance.now();
    const together = now - lost - this.until;
    const again = together < lost + this.length;
    this.length = Math.min(MOST_MS, again ? Math.max(lost, 2 * this.length) : lost);
    this.until = now + this.length;
  }
}
