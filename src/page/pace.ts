/**
 * When a phase of a run ends, by the pace it has had so far.
 *
 *   eta = (total − done) / rate,   rate = steps since the phase began here / seconds since then
 */
import type { ProgressEvent } from '../questions/options.js';

/** Seconds of a phase before anything is said of its end. */
const SOON = 0.5;

export class Pace {
  #phase = '';
  #start = 0;
  #first = 0;
  /** Seconds that each phase has taken, the last one still going on, by the order in which they began. */
  readonly phases = new Map<string, number>();

  /** The same event once more says that time has passed. */
  take({ phase, done }: ProgressEvent, now: number): void {
    if (phase !== this.#phase) {
      this.#before = this.phases.get(phase) ?? 0;
      this.#phase = phase;
      this.#start = now;
      this.#first = done;
    }
    this.phases.set(phase, this.#before + (now - this.#start) / 1000);
  }

  #before = 0; // seconds of the same phase in earlier attempts

  /** Seconds that are left of the phase; null where nothing can be said. */
  left({ done, total }: ProgressEvent, now: number): number | null {
    const seconds = (now - this.#start) / 1000;
    const steps = done - this.#first;
    if (seconds < SOON || steps <= 0 || total <= 1) return null;
    return (Math.max(0, total - done) * seconds) / steps;
  }
}

/** '0.3 s', '12 s', '3 min 5 s', '2 h 10 min'. */
export function secondsText(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(seconds < 0.1 ? 3 : 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}
