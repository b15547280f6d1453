/**
 * The growth of the sequence that the generator is made of: steps by seconds; dashed, how many are expected at most.
 *
 * The drawing is made once and changed in place, so that a browser lays out no more than what has changed.
 */
import { byId, drawing, element } from './element.js';
import { secondsText } from './pace.js';

/** Steps of the sequence at a time, and how many are expected. */
export interface Step {
  readonly seconds: number;
  readonly done: number;
  readonly total: number;
}

const [WIDTH, HEIGHT] = [340, 150];

export class GrowthView {
  readonly #bound = drawing('line', { class: 'bound', x1: 0, x2: WIDTH });
  readonly #most = drawing('text', { x: 0 });
  readonly #curve = drawing('path', { class: 'curve' });
  readonly #span = drawing('text', { x: WIDTH, y: HEIGHT + 15, 'text-anchor': 'end' });
  readonly #picture = drawing(
    'svg',
    { viewBox: `-2 -18 ${WIDTH + 4} ${HEIGHT + 38}`, role: 'img' },
    ...[drawing('path', { class: 'axis', d: `M0 0V${HEIGHT}H${WIDTH}` }), this.#bound, this.#most],
    ...[this.#curve, this.#span],
  );
  readonly #caption = element('figcaption');
  readonly #figure = element('figure', { class: 'growth' }, this.#picture, this.#caption);

  show(steps: readonly Step[]): void {
    const last = steps.at(-1)!;
    const first = steps[0]!.seconds;
    const span = Math.max(last.seconds - first, 1e-3);
    const most = Math.max(last.total, last.done, 1);
    const x = (seconds: number): string => ((WIDTH * (seconds - first)) / span).toFixed(1);
    const y = (done: number): string => (HEIGHT * (1 - done / most)).toFixed(1);
    const curve = steps.map(({ seconds, done }, i) => `${i === 0 ? 'M' : 'L'}${x(seconds)} ${y(done)}`).join('');
    this.#curve.setAttribute('d', curve);
    const bound = y(last.total);
    this.#bound.setAttribute('y1', bound);
    this.#bound.setAttribute('y2', bound);
    this.#most.setAttribute('y', `${Number(bound) - 5}`);
    this.#most.textContent = `${last.total} steps at most`;
    this.#span.textContent = secondsText(span);
    this.#caption.textContent = `${last.done} of at most ${last.total} steps in ${secondsText(span)}`;
    this.#picture.setAttribute('aria-label', `Growth of the sequence: ${this.#caption.textContent}`);
    if (!this.#figure.isConnected) byId('growth').replaceChildren(this.#figure);
  }

  say(line: string): void {
    byId('growth').replaceChildren(element('p', { class: 'idle' }, line));
  }
}
