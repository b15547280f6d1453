/**
 * A run as it goes on: its phase, what is left of it, and the growth of the sequence that the generator is made of.
 *
 * Events come often, so the page draws at most once a frame.
 */
import type { ProgressEvent } from '../questions/options.js';
import { afterNextFrame, byId } from './element.js';
import { GrowthView, type Step } from './growth-view.js';
import { Pace, secondsText } from './pace.js';

const WORDS: Readonly<Record<string, string>> = {
  reading: 'Reading the file',
  generating: 'Generating the matrix',
  pivots: 'Structural pivots',
  sampling: 'Sampling the Schur complement',
  schur: 'Schur complement',
  dense: 'Dense elimination',
  setup: 'Getting ready',
  sequence: 'Block Krylov sequence',
  sigmaBasis: 'Order basis',
  verification: 'Verification',
  certificate: 'Certificate',
};

export const phaseWords = (phase: string): string => WORDS[phase] ?? phase;

const GROWING = 'sequence';
const MOST_STEPS = 1000;

export class RunView {
  readonly #pace = new Pace();
  readonly #start = performance.now();
  readonly #steps: Step[] = [];
  readonly #growth = new GrowthView();
  #latest: ProgressEvent = { phase: '', done: 0, total: 1 };
  #said = '';
  #frame = 0;

  constructor() {
    byId('progress').hidden = false;
    byId('idle').hidden = true;
    byId('outcome').hidden = true;
    this.#draw();
  }

  take(event: ProgressEvent): void {
    const now = performance.now();
    this.#latest = event;
    this.#pace.take(event, now);
    if (event.phase === GROWING)
      this.#grow({ seconds: (now - this.#start) / 1000, done: event.done, total: event.total });
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #grow(step: Step): void {
    this.#steps.push(step);
    if (this.#steps.length > MOST_STEPS) for (let i = 1; i < this.#steps.length - 1; i++) this.#steps.splice(i, 1);
  }

  #draw(): void {
    this.#frame = 0;
    const { phase, done, total } = this.#latest;
    const words = phase === '' ? 'Starting' : phaseWords(phase);
    byId('phase').textContent = words;
    if (words !== this.#said) byId('status').textContent = words;
    this.#said = words;
    const bar = byId<HTMLProgressElement>('bar');
    if (total > 1) {
      bar.max = total;
      bar.value = Math.min(done, total);
    } else bar.removeAttribute('value');
    const left = this.#pace.left(this.#latest, performance.now());
    const share = total > 1 ? `${Math.floor((100 * Math.min(done, total)) / total)} %` : '';
    byId('eta').textContent = left === null ? share : `${share} · ${secondsText(left)} left`;
    if (phase === GROWING) this.#growth.show(this.#steps);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** The run has ended: its bar goes, its curve stays. */
  end(): void {
    this.stop();
    byId('progress').hidden = true;
    // The answer has the frame that comes next.
    if (this.#steps.length > 1) afterNextFrame(() => this.#growth.show(this.#steps));
  }

  /** What stands in the curve's place once there is an answer. */
  answered(): void {
    if (this.#steps.length <= 1) this.#growth.say('This run needed no sequence.');
  }
}
