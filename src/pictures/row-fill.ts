/**
 * How full rows are, beside the pattern: for each pixel line the mean and the longest of its rows, a panel for each
 * part in which a plan stores the matrix, with the cut between its main format and its remainder.
 */

import type { LineCounts } from './line-counts.js';
import { COLOURS, type Rgb } from './paint.js';
import { CLASSES, cellStarts, type Raster } from './raster.js';
import { frame, type Shape, text } from './shapes.js';
import type { Sketched } from './sketch.js';

/** A part of the matrix: the value classes in it, and how it is stored where that is known. */
export interface FillPart {
  readonly classes: readonly number[];
  readonly rows: 'all' | 'short' | 'long'; // those whose entries it has
  readonly storage: string; // names of formats
  readonly cut: Cut | null;
  /** Calls `visit` for each row with entries in the part. */
  readonly forEachRow: (visit: (row: number, length: number) => void) => void;
}

/** Where a plan cuts rows: the entries of each row that the main format holds, or the shortest of the long rows. */
export interface Cut {
  readonly at: number;
  readonly between: 'formats' | 'rows';
}

/** What the dashed line says. */
export const DASHED: Readonly<Record<Cut['between'], string>> = {
  formats: 'up to there the main format, beyond it the remainder',
  rows: 'the shortest of the long rows, which are stored apart',
};

export const FILL_WIDTH = 120;
export const FILL_GAP = 40;

/** Letters in a line of what stands under a panel. */
const LETTERS = 20;
const LINE = 13;

/** Pixels of a digit at most, and between the labels of two ticks at least. */
const [DIGIT, APART] = [7, 5];
const OVERHANG = 20; // pixels of a label beyond the panel's right edge

/** Longest rows up to which the axis is linear; beyond it is logarithmic, since a long row leaves others no room. */
const LINEAR = 40;

const DASH = 6; // pixels

const INK: Rgb = [110, 110, 110];
const CUT: Rgb = [204, 0, 119];
const NAMES = ['+1', '-1', 'other'];

/** Without a plan: a part for each value class that is there. */
export function classParts({ rowCounts, totals }: Sketched): FillPart[] {
  const present = Array.from({ length: CLASSES }, (_, c) => c).filter((c) => totals[c] > 0);
  return present.map((c) => ({ classes: [c], rows: 'all', storage: '', cut: null, forEachRow: rowsOf(rowCounts, c) }));
}

function rowsOf(rowCounts: LineCounts, c: number): FillPart['forEachRow'] {
  return (visit) => {
    rowCounts.forEach((row, counts, at) => {
      if (counts[at + c] > 0) visit(row, counts[at + c]);
    });
  };
}

/** Mean and longest rows of each of `height` pixel lines. */
export function fillOf(
  raster: Raster,
  forEachRow: FillPart['forEachRow'],
  height: number,
): { readonly mean: Float64Array; readonly longest: Float64Array } {
  const cells = raster.height;
  const starts = cellStarts(raster.rows, cells);
  const [sum, most] = [new Float64Array(cells), new Float64Array(cells)];
  forEachRow((row, length) => {
    const y = Math.floor((row * cells) / raster.rows);
    sum[y] += length;
    if (length > most[y]) most[y] = length;
  });
  const cellOf = (y: number): number => Math.floor((y * cells) / height);
  const lines = Array.from({ length: cells === 0 ? 0 : height }, (_, y) => cellOf(y));
  return {
    mean: Float64Array.from(lines, (y) => sum[y] / (starts[y + 1] - starts[y])),
    longest: Float64Array.from(lines, (y) => most[y]),
  };
}

/** Pixels under a panel that the further lines of its label take. */
export function furtherLines({ storage }: FillPart): number {
  return LINE * (linesOf(storage).length - 1);
}

/** The panel of one part at (x, y), `height` pixels high. */
export function fillPanel(part: FillPart, raster: Raster, x: number, y: number, height: number): Shape[] {
  const { classes, rows, cut } = part;
  const { mean, longest } = fillOf(raster, part.forEachRow, height);
  const end = Math.max(
    1,
    cut?.at ?? 0,
    longest.reduce((a, b) => Math.max(a, b), 0),
  );
  const isLinear = end <= LINEAR;
  const scale = (length: number): number =>
    FILL_WIDTH * (isLinear ? length / end : Math.log1p(length) / Math.log1p(end));
  const colour = COLOURS[classes.length === 1 ? classes[0] : CLASSES - 1];
  const faint = colour.map((value) => Math.round(255 - 0.35 * (255 - value))) as unknown as Rgb;
  const name = classes.length === CLASSES ? 'all' : classes.map((c) => NAMES[c]).join(', ');
  const middle = (tick: number): number =>
    Math.round(Math.min(x + scale(tick), x + FILL_WIDTH + OVERHANG - (DIGIT * `${tick}`.length) / 2));
  return [
    text(x, y - 8, `${name} in ${rows === 'all' ? 'a row' : `${rows} rows`}`, 'start'),
    { kind: 'bars', x, y, lengths: longest.map(scale), fill: faint },
    { kind: 'bars', x, y, lengths: mean.map(scale), fill: colour },
    ...frame(x, y, FILL_WIDTH, height, INK),
    ...ticksOf(end, isLinear, scale).flatMap((tick): Shape[] => [
      { kind: 'rect', x: Math.round(x + scale(tick)), y: y + height + 1, width: 1, height: 4, fill: INK },
      text(middle(tick), y + height + 16, `${tick}`, 'middle'),
    ]),
    ...(cut === null ? [] : cutAt(Math.round(x + scale(cut.at)), y, height)),
    ...linesOf(part.storage).map((line, i) => text(x, y + height + 30 + LINE * i, line, 'start')),
  ];
}

/** Words in lines of LETTERS, but for a longer word. */
function linesOf(words: string): string[] {
  const lines = [''];
  for (const word of words.split(' ')) {
    const last = lines.at(-1)!;
    const longer = last === '' ? word : `${last} ${word}`;
    if (last === '' || longer.length <= LETTERS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A dashed line down the panel and a little beyond. */
function cutAt(x: number, y: number, height: number): Shape[] {
  const shapes: Shape[] = [];
  for (let at = -DASH; at < height + DASH; at += DASH + 2) {
    shapes.push({ kind: 'rect', x: x - 1, y: y + at, width: 2, height: Math.min(DASH, height + DASH - at), fill: CUT });
  }
  return shapes;
}

/** 0, the middle or powers of ten, and the end: those whose labels have room. */
function ticksOf(end: number, isLinear: boolean, scale: (length: number) => number): number[] {
  const between = isLinear
    ? [Math.round(end / 2)]
    : Array.from({ length: Math.ceil(Math.log10(end)) }, (_, k) => 10 ** k);
  const haveRoom = (a: number, b: number): boolean =>
    scale(b) - scale(a) >= (DIGIT * (`${a}`.length + `${b}`.length)) / 2 + APART;
  const ticks = [0];
  for (const tick of between) if (haveRoom(ticks.at(-1)!, tick) && haveRoom(tick, end)) ticks.push(tick);
  return [...ticks, end];
}
