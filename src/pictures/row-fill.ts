/**
 * How full rows are, beside the pattern: for each pixel line the mean and the longest of its rows, a panel for each
 * part in which a plan stores the matrix, with the cut between its main format and its remainder.
 */

import type { LineCounts } from './line-counts.js';
import { COLOURS, type Rgb } from './paint.js';
import { CLASSES, cellStarts, type Raster } from './raster.js';
import { frame, type Shape, text } from './shapes.js';

/** A part of the matrix: the value classes in it, and how it is stored where that is known. */
export interface FillPart {
  readonly classes: readonly number[];
  readonly storage: string; // names of formats
  readonly cut: number | null; // entries of a row that the main format holds, where a remainder has the others
}

export const FILL_WIDTH = 120;
export const FILL_GAP = 40;

/** Longest rows up to which the axis is linear; beyond it is logarithmic, since a long row leaves others no room. */
const LINEAR = 40;

const DASH = 6; // pixels

const INK: Rgb = [110, 110, 110];
const CUT: Rgb = [204, 0, 119];
const NAMES = ['+1', '-1', 'other'];

/** Mean and longest rows of each of `height` pixel lines, entries of `classes` alone. */
export function fillOf(
  raster: Raster,
  rowCounts: LineCounts,
  classes: readonly number[],
  height: number,
): { readonly mean: Float64Array; readonly longest: Float64Array } {
  const cells = raster.height;
  const starts = cellStarts(raster.rows, cells);
  const [sum, most] = [new Float64Array(cells), new Float64Array(cells)];
  rowCounts.forEach((row, counts, at) => {
    let length = 0;
    for (const c of classes) length += counts[at + c];
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

/** The panel of one part at (x, y), `height` pixels high. */
export function fillPanel(
  part: FillPart,
  raster: Raster,
  rowCounts: LineCounts,
  x: number,
  y: number,
  height: number,
): Shape[] {
  const { mean, longest } = fillOf(raster, rowCounts, part.classes, height);
  const end = Math.max(
    1,
    part.cut ?? 0,
    longest.reduce((a, b) => Math.max(a, b), 0),
  );
  const isLinear = end <= LINEAR;
  const scale = (length: number): number =>
    FILL_WIDTH * (isLinear ? length / end : Math.log1p(length) / Math.log1p(end));
  const colour = COLOURS[part.classes.length === 1 ? part.classes[0] : CLASSES - 1];
  const faint = colour.map((value) => Math.round(255 - 0.35 * (255 - value))) as unknown as Rgb;
  const name = part.classes.map((c) => NAMES[c]).join(', ');
  const ticks = isLinear ? [0, Math.round(end / 2), end] : logTicks(end);
  return [
    text(x, y - 8, `${name} in a row`, 'start'),
    { kind: 'bars', x, y, lengths: longest.map(scale), fill: faint },
    { kind: 'bars', x, y, lengths: mean.map(scale), fill: colour },
    ...frame(x, y, FILL_WIDTH, height, INK),
    ...[...new Set(ticks)].flatMap((tick): Shape[] => [
      { kind: 'rect', x: Math.round(x + scale(tick)), y: y + height + 1, width: 1, height: 4, fill: INK },
      text(Math.round(x + scale(tick)), y + height + 16, `${tick}`, 'middle'),
    ]),
    ...(part.cut === null ? [] : cutAt(Math.round(x + scale(part.cut)), y, height)),
    text(x, y + height + 30, part.storage, 'start'),
  ];
}

/** A dashed line down the panel and a little beyond. */
function cutAt(x: number, y: number, height: number): Shape[] {
  const shapes: Shape[] = [];
  for (let at = -DASH; at < height + DASH; at += DASH + 2) {
    shapes.push({ kind: 'rect', x: x - 1, y: y + at, width: 2, height: Math.min(DASH, height + DASH - at), fill: CUT });
  }
  return shapes;
}

/** 0, powers of ten, and the end where it leaves them room. */
function logTicks(end: number): number[] {
  const ticks = [0];
  for (let tick = 1; tick * 4 <= end; tick *= 10) if (tick > 1 || end < 1000) ticks.push(tick);
  return [...ticks, end];
}
