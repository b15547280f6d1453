/**
 * The pattern of the matrix on a canvas, with zoom: by wheel, by dragging, by two buttons, by keys.
 *
 * Each window is counted anew by the worker, one at a time and the latest wish next, so that a cell of the picture is
 * never a magnified one.
 */
import type { Palette } from '../pictures/paint.js';
import { byId } from './element.js';
import type { MatrixFacts, RasterAnswer, RasterWish, Window } from './messages.js';
import { moveWindow, zoomWindow } from './window.js';

const ASPECT = { least: 0.3, most: 1 }; // height of the picture over its width
const STEP = 1.6; // of a button or a key
const NO_MATRIX = byId('spy').getAttribute('aria-label')!;
const count = new Intl.NumberFormat('en');

export class SpyView {
  readonly #canvas = byId<HTMLCanvasElement>('spy');
  readonly #caption = byId('spy-caption');
  readonly #hint = this.#caption.textContent!;
  readonly #rasterOf: (wish: RasterWish) => Promise<RasterAnswer>;
  #facts: MatrixFacts | null = null;
  #window: Window = { top: 0, left: 0, rows: 0, cols: 0 };
  #mod = '0';
  #isBusy = false;
  #isStale = false;

  constructor(rasterOf: (wish: RasterWish) => Promise<RasterAnswer>) {
    this.#rasterOf = rasterOf;
    this.#listen();
  }

  show(facts: MatrixFacts, mod: string): void {
    this.#facts = facts;
    this.#mod = mod;
    this.#window = { top: 0, left: 0, rows: facts.rows, cols: facts.cols };
    this.redraw();
  }

  clear(): void {
    this.#facts = null;
    this.#canvas.width = this.#canvas.width; // empties it
    this.#canvas.setAttribute('aria-label', NO_MATRIX);
    this.#caption.textContent = this.#hint;
  }

  /** Classes are those modulo another prime from now on. */
  classBy(mod: string): void {
    if (mod === this.#mod) return;
    this.#mod = mod;
    this.redraw();
  }

  redraw(): void {
    if (this.#facts === null) return;
    if (this.#isBusy) {
      this.#isStale = true;
      return;
    }
    void this.#draw();
  }

  async #draw(): Promise<void> {
    this.#isBusy = true;
    try {
      do {
        this.#isStale = false;
        const [window, mod] = [this.#window, this.#mod];
        const [width, height] = this.#pixels();
        const palette = paletteOf(this.#canvas);
        const answer = await this.#rasterOf({ ...window, width, height, mod, palette });
        this.#show(answer);
        this.#say(window, answer);
      } while (this.#isStale);
    } catch {
      // The matrix is gone: the next one draws anew.
    } finally {
      this.#isBusy = false;
    }
  }

  /** Pixels of the screen across and down. */
  #pixels(): [width: number, height: number] {
    const { rows, cols } = this.#facts!;
    const ratio = Math.min(ASPECT.most, Math.max(ASPECT.least, cols === 0 ? 1 : rows / cols));
    const width = Math.max(1, Math.round(this.#canvas.clientWidth * Math.min(2, devicePixelRatio)));
    return [width, Math.max(1, Math.round(width * ratio))];
  }

  #show({ image }: RasterAnswer): void {
    const canvas = this.#canvas;
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')!.putImageData(image, 0, 0);
  }

  #say({ top, left, rows, cols }: Window, { plus, minus, general }: RasterAnswer): void {
    const range = (first: number, lines: number): string =>
      `${count.format(first + 1)} to ${count.format(first + lines)}`;
    const where = rows === 0 || cols === 0 ? 'no places' : `rows ${range(top, rows)}, columns ${range(left, cols)}`;
    const what = `${count.format(plus + minus + general)} entries: ${count.format(plus)} are +1, ${count.format(minus)} are −1, ${count.format(general)} others`;
    this.#canvas.setAttribute('aria-label', `Pattern of ${this.#facts!.name}, ${where}: ${what}`);
    this.#caption.textContent = `${where[0]!.toUpperCase()}${where.slice(1)}. ${this.#hint}`;
  }

  #zoom(factor: number, x = 0.5, y = 0.5): void {
    if (this.#facts === null) return;
    this.#window = zoomWindow(this.#window, this.#facts, factor, x, y);
    this.redraw();
  }

  #move(x: number, y: number): void {
    if (this.#facts === null) return;
    this.#window = moveWindow(this.#window, this.#facts, x, y);
    this.redraw();
  }

  #whole(): void {
    if (this.#facts !== null) this.show(this.#facts, this.#mod);
  }

  #listen(): void {
    const canvas = this.#canvas;
    byId('zoom-in').addEventListener('click', () => this.#zoom(STEP));
    byId('zoom-out').addEventListener('click', () => this.#zoom(1 / STEP));
    byId('zoom-all').addEventListener('click', () => this.#whole());
    const keys: Readonly<Record<string, () => void>> = {
      '+': () => this.#zoom(STEP),
      '=': () => this.#zoom(STEP),
      '-': () => this.#zoom(1 / STEP),
      '0': () => this.#whole(),
      ArrowLeft: () => this.#move(-0.2, 0),
      ArrowRight: () => this.#move(0.2, 0),
      ArrowUp: () => this.#move(0, -0.2),
      ArrowDown: () => this.#move(0, 0.2),
    };
    canvas.addEventListener('keydown', (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    });
    const place = (event: MouseEvent): [x: number, y: number] => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      return [(event.clientX - left) / width, (event.clientY - top) / height];
    };
    canvas.addEventListener(
      'wheel',
      (event) => {
        // The page scrolls where there is nothing to zoom.
        if (this.#facts === null) return;
        event.preventDefault();
        this.#zoom(Math.exp(-event.deltaY / 400), ...place(event));
      },
      { passive: false },
    );
    canvas.addEventListener('dblclick', (event) => this.#zoom(STEP * STEP, ...place(event)));
    let last: [number, number] | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      last = place(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (last === null) return;
      const [x, y] = place(event);
      this.#move(last[0] - x, last[1] - y);
      last = [x, y];
    });
    for (const end of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(end, () => {
        last = null;
      });
    new ResizeObserver(() => this.redraw()).observe(canvas.parentElement!);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
  }
}

/** The colours of the style sheet, however it writes them. */
function paletteOf(canvas: HTMLCanvasElement): Palette {
  const style = getComputedStyle(canvas);
  const context = canvas.getContext('2d')!;
  const [ground, ...colours] = ['--paper', '--plus', '--minus', '--general'].map((name) => {
    context.fillStyle = style.getPropertyValue(name); // read back, it is #rrggbb
    const word = Number.parseInt(String(context.fillStyle).slice(1), 16);
    return [word >> 16, (word >> 8) & 255, word & 255] as const;
  });
  return { ground: ground!, colours };
}
