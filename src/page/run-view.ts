/**
 * A run as it goes on: its phase, what is left of it, and the growth of the sequence that the generator is made of.
 *
 * Events come often, so the page draws at most once a frame.
 */
import type { ProgressEvent } from '../questions/options.js';
import { byId, drawing, element } from './element.js';
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

/** Steps of the sequence at a time, and how many are expected. */
interface Step {
  readonly seconds: number;
  readonly done: number;
  readonly total: number;
}

const GROWING = 'sequence';
const [WIDTH, HEIGHT] = [340, 150];
const MOST_STEPS = 1000;

export class RunView {
  readonly #pace = new Pace();
  readonly #start = performance.now();
  readonly #steps: Step[] = [];
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
    byId('eta').textContent = left === null ? share : `${share}   ${secondsText(left)} left`;
    if (phase === GROWING) byId('growth').replaceChildren(growthOf(this.#steps));
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** The run has ended: its bar goes, its curve stays. */
  end(): void {
    this.stop();
    byId('progress').hidden = true;
    const why = 'This run needed no sequence: it was answered by pivots and elimination.';
    byId('growth').replaceChildren(
      this.#steps.length > 1 ? growthOf(this.#steps) : element('p', { class: 'idle' }, why),
    );
  }
}

/** Steps by seconds; dashed, how many are expected at most. */
function growthOf(steps: readonly Step[]): HTMLElement {
  const last = steps.at(-1)!;
  const first = steps[0]!.seconds;
  const span = Math.max(last.seconds - first, 1e-3);
  const most = Math.max(last.total, last.done, 1);
  const x = (seconds: number): string => ((WIDTH * (seconds - first)) / span).toFixed(1);
  const y = (done: number): string => (HEIGHT * (1 - done / most)).toFixed(1);
  const curve = steps.map(({ seconds, done }, i) => `${i === 0 ? 'M' : 'L'}${x(seconds)} ${y(done)}`).join('');
  const said = `${last.done} of at most ${last.total} steps in ${secondsText(span)}`;
  const picture = drawing(
    'svg',
    { viewBox: `-2 -18 ${WIDTH + 4} ${HEIGHT + 38}`, role: 'img', 'aria-label': `Growth of the sequence: ${said}` },
    drawing('path', { class: 'axis', d: `M0 0V${HEIGHT}H${WIDTH}` }),
    drawing('line', { class: 'bound', x1: 0, x2: WIDTH, y1: y(last.total), y2: y(last.total) }),
    drawing('text', { x: 0, y: Number(y(last.total)) - 5 }, `${last.total} steps at most`),
    drawing('path', { class: 'curve', d: curve }),
    drawing('text', { x: WIDTH, y: HEIGHT + 15, 'text-anchor': 'end' }, secondsText(span)),
  );
  return element('figure', { class: 'growth' }, picture, element('figcaption', {}, said));
}
