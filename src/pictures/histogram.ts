/** A histogram of the lengths of rows or columns: a bar for each class of lengths, its count beside it. */
import type { RowLengths } from '../../kernels/sparse/row-statistics.js';
import type { Rgb } from './paint.js';
import { type Shape, text } from './shapes.js';

const BAR: Rgb = [130, 130, 130];
const LINE = 16; // pixels from bar to bar
const LABEL = 110;
const LONGEST = 110;

/** Pixels down that a histogram takes, its heading included. */
export function histogramHeight({ filled, empty }: Lengths): number {
  return 24 + LINE * (filled.histogram.length + (empty > 0 ? 1 : 0));
}

export interface Lengths {
  readonly filled: RowLengths;
  readonly empty: number;
}

/** `what`: 'row' or 'column'; (x, y) is the top left corner. */
export function histogram(what: string, { filled, empty }: Lengths, x: number, y: number): Shape[] {
  const classes = [...(empty > 0 ? [{ from: 0, to: 0, rows: empty }] : []), ...filled.histogram];
  const most = Math.max(...classes.map(({ rows }) => rows));
  return [
    text(x, y + 8, `${what}s by their number of entries`, 'start'),
    ...classes.flatMap(({ from, to, rows }, i): Shape[] => {
      const top = y + 20 + LINE * i;
      const label = from === to ? `${from}` : `${from} - ${to}`;
      const width = Math.max(1, (LONGEST * rows) / most);
      return [
        text(x + LABEL - 8, top + 9, label, 'end'),
        { kind: 'rect', x: x + LABEL, y: top, width, height: 11, fill: BAR },
        text(Math.round(x + LABEL + width + 6), top + 9, `${rows}`, 'start'),
      ];
    }),
  ];
}
