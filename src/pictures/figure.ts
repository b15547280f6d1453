/**
 * The figure of a matrix: its pattern with both axes, how full its rows are, and histograms of row and column lengths.
 */
import { histogram, histogramHeight, type Lengths } from './histogram.js';
import { COLOURS, paint, type Rgb } from './paint.js';
import { CLASSES, type Raster } from './raster.js';
import { DASHED, FILL_GAP, FILL_WIDTH, type FillPart, fillPanel, furtherLines } from './row-fill.js';
import { frame, LETTER, type Picture, type Shape, text } from './shapes.js';
import type { Sketched } from './sketch.js';

const INK: Rgb = [110, 110, 110];
const MARGIN = { left: 76, right: 24, top: 84, bottom: 14 };
const BELOW = 56; // pixels between the panels and the histograms
const HISTOGRAM_WIDTH = 310;
const TICKS = 8;
const OVERHANG = 16; // pixels of a label beyond the pattern's edge
const LINE = 14;

const NOTES = [
  'Pattern: the colour of most entries of a cell, stronger where more of its places are filled.',
  'Rows beside it: of each line of pixels the mean, strong, and the longest, pale.',
];

/** Pixels between labels across. */
const APART = 70;

/** `name` is the matrix's; the pattern has width × height pixels. */
export function figure(
  name: string,
  sketched: Sketched,
  parts: readonly FillPart[],
  width: number,
  height: number,
): Picture {
  const { raster, rowCounts, colCounts, totals } = sketched;
  const { rows, cols } = raster;
  const [x, y] = [MARGIN.left, MARGIN.top];
  const lengths: readonly [string, Lengths][] = [
    ['row', rowCounts.lengths()],
    ['column', colCounts.lengths()],
  ];
  const cuts = new Set(parts.flatMap(({ cut }) => (cut === null ? [] : [cut.between])));
  const notes = [...NOTES, ...Array.from(cuts, (between) => `Dashed: ${DASHED[between]}.`)];
  const panels = parts.length * (FILL_GAP + FILL_WIDTH);
  const whole = Math.max(x + width + panels, x + 2 * HISTOGRAM_WIDTH) + MARGIN.right;
  const entries = totals.slice(0, CLASSES).reduce((a, b) => a + b, 0);
  const title = `${name}: ${rows} x ${cols}, ${entries} entries`;
  const under = y + height + BELOW + Math.max(0, ...parts.map(furtherLines));
  const bottom = under + Math.max(...lengths.map(([, each]) => histogramHeight(each)));
  return {
    width: whole,
    height: bottom + LINE * notes.length + MARGIN.bottom,
    title,
    shapes: [
      text(MARGIN.left, 20, shorten(title, whole - MARGIN.left - MARGIN.right), 'start', true),
      ...legend(totals, x),
      { kind: 'image', x, y, width, height, pixels: paint(raster, width, height) },
      ...frame(x, y, width, height, INK),
      ...axes(raster, x, y, width, height),
      ...parts.flatMap((part, i) =>
        fillPanel(part, raster, x + width + FILL_GAP + i * (FILL_GAP + FILL_WIDTH), y, height),
      ),
      ...lengths.flatMap(([what, each], i) => histogram(what, each, x + i * HISTOGRAM_WIDTH, under)),
      ...notes.map((note, i) => text(x, bottom + LINE * (i + 1), note, 'start')),
    ],
  };
}

/** Column numbers above the pattern, row numbers to its left. */
function axes({ rows, cols }: Raster, x: number, y: number, width: number, height: number): Shape[] {
  return [
    ...ticksOf(cols, width, Math.floor(width / APART)).flatMap(({ at, label }): Shape[] => [
      { kind: 'rect', x: x + at, y: y - 5, width: 1, height: 4, fill: INK },
      text(Math.min(x + at, x + width + OVERHANG - (LETTER / 2) * label.length), y - 8, label, 'middle'),
    ]),
    ...ticksOf(rows, height, Math.floor(height / (3 * LETTER))).flatMap(({ at, label }): Shape[] => [
      { kind: 'rect', x: x - 5, y: y + at, width: 4, height: 1, fill: INK },
      text(x - 8, y + at + 4, label, 'end'),
    ]),
  ];
}

/** A title that is too long loses its beginning: the sizes stand at its end. */
function shorten(title: string, width: number): string {
  const letters = Math.floor(width / LETTER);
  return title.length <= letters ? title : `...${title.slice(title.length - letters + 3)}`;
}

function legend(totals: Float64Array, x: number): Shape[] {
  const labels = ['+1', '-1', 'other'].map((name, c) => `${name}: ${totals[c]}`);
  let at = x;
  return labels.flatMap((label, c): Shape[] => {
    const left = at;
    at += 30 + LETTER * label.length;
    return [
      { kind: 'rect', x: left, y: 34, width: 10, height: 10, fill: COLOURS[c] },
      text(left + 15, 43, label, 'start'),
    ];
  });
}

/** Round line numbers, from 1 on, at most so many; each at the middle of its line. */
function ticksOf(lines: number, pixels: number, most: number): { readonly at: number; readonly label: string }[] {
  const least = lines / Math.max(1, Math.min(most, TICKS));
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((by) => by * power).find((size) => size >= least) ?? 1;
  const ticks: { at: number; label: string }[] = [];
  for (let line = step; line <= lines; line += step)
    ticks.push({ at: Math.floor(((line - 0.5) * pixels) / lines), label: `${line}` });
  return ticks;
}
