/**
 * When a team's caller goes on without the other threads, and for how long.
 *
 * A thread that other work keeps from its core holds up all others. After a wait that has outlasted its spinning the
 * caller therefore runs the next commands alone, for as long as was lost. It is alone for twice as long each time that
 * it happens again before all threads have worked for as long as was lost and then spent alone.
 */

/** Milliseconds alone at most. */
const MOST_MS = 64;

export class Starvation {
  /** The caller is alone until then, as performance.now(). */
  until = 0;
  private length = 0; // how long it was alone last

  /** The threads have just lost so many milliseconds, in work that takes them `span` when nothing is lost. */
  lose(lost: number, span: number): void {
    // What lasts longer than was lost would lose more by being done alone.
    if (span > lost) return;
    const now = performance.now();
    const together = now - lost - this.until;
    const again = together < lost + this.length;
    this.length = Math.min(MOST_MS, again ? Math.max(lost, 2 * this.length) : lost);
    this.until = now + this.length;
  }
}
