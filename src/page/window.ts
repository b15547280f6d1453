/** Windows of a matrix: zoomed about a point, moved, and always inside. */
import type { Window } from './messages.js';

interface Sizes {
  readonly rows: number;
  readonly cols: number;
}

/** Lines that a window has at least, where the matrix has as many. */
const FEWEST = 8;

/** `factor` > 1 comes nearer; (x, y) in 0…1 is the point of the window that stays where it is. */
export function zoomWindow(window: Window, sizes: Sizes, factor: number, x: number, y: number): Window {
  const lines = (now: number, all: number): number =>
    Math.max(Math.min(FEWEST, all), Math.min(all, Math.round(now / factor)));
  const [rows, cols] = [lines(window.rows, sizes.rows), lines(window.cols, sizes.cols)];
  const top = Math.round(window.top + y * (window.rows - rows));
  const left = Math.round(window.left + x * (window.cols - cols));
  return inside({ top, left, rows, cols }, sizes);
}

/** By shares of the window's own size. */
export function moveWindow(window: Window, sizes: Sizes, x: number, y: number): Window {
  const step = (share: number, lines: number): number =>
    share === 0 ? 0 : Math.sign(share) * Math.max(1, Math.round(Math.abs(share) * lines));
  return inside({ ...window, top: window.top + step(y, window.rows), left: window.left + step(x, window.cols) }, sizes);
}

function inside({ top, left, rows, cols }: Window, sizes: Sizes): Window {
  return {
    top: Math.max(0, Math.min(sizes.rows - rows, top)),
    left: Math.max(0, Math.min(sizes.cols - cols, left)),
    rows,
    cols,
  };
}
