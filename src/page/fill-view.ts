/** Row fill as drawings: down the rows, across their entries; the mean strong, the longest pale, the cut dashed. */
import { DASHED } from '../pictures/row-fill.js';
import { byId, drawing, element } from './element.js';
import type { FillPanel } from './messages.js';

const [WIDTH, HEIGHT] = [220, 160];
const LINEAR = 40; // longest rows up to which the axis is linear
const NAMES = ['+1', '−1', 'other'];

const idle = [...byId('fill').children];

export function hideFill(): void {
  byId('fill').replaceChildren(...idle);
}

export function showFill(panels: readonly FillPanel[]): void {
  const made = panels.map((panel) => panelFigure(panel));
  byId('fill').replaceChildren(...(made.length > 0 ? made : [element('p', { class: 'idle' }, 'No entries.')]));
}

function panelFigure(panel: FillPanel): HTMLElement {
  const { classes, storage, mean, longest } = panel;
  const cut = panel.cut?.at ?? null;
  const most = longest.reduce((a, b) => Math.max(a, b), 0);
  const end = Math.max(1, cut ?? 0, most);
  const isLinear = end <= LINEAR;
  const scale = (length: number): number => WIDTH * (isLinear ? length / end : Math.log1p(length) / Math.log1p(end));
  const lines = mean.length;
  const own = `class-${classes.length === 1 ? classes[0] : 2}`;
  const name = classes.map((c) => NAMES[c]).join(', ');
  const rows = panel.rows === 'all' ? 'a row' : `${panel.rows} rows`;
  const label = `Entries ${name} in ${rows}: longest ${most}${cut === null ? '' : `, cut at ${cut}`}`;
  const ticks = isLinear ? [0, end] : [0, 10, end].filter((tick, i) => i !== 1 || tick * 4 <= end);
  const picture = drawing(
    'svg',
    { viewBox: `-4 -6 ${WIDTH + 14} ${HEIGHT + 26}`, role: 'img', 'aria-label': label },
    drawing('path', { class: `${own} pale`, d: barsOf(longest, lines, scale) }),
    drawing('path', { class: `${own} strong`, d: barsOf(mean, lines, scale) }),
    drawing('path', { class: 'axis', d: `M0 0V${HEIGHT}H${WIDTH}` }),
    ...ticks.map((tick) =>
      drawing('text', { x: scale(tick), y: HEIGHT + 15, 'text-anchor': tick === end ? 'end' : 'middle' }, `${tick}`),
    ),
    ...(cut === null
      ? []
      : [drawing('line', { class: 'cut', x1: scale(cut), x2: scale(cut), y1: -5, y2: HEIGHT + 3 })]),
  );
  const stored = storage === '' ? '' : `, ${panel.cut?.between === 'rows' ? '' : 'stored as '}${storage}`;
  const dashed = panel.cut === null ? '' : `; dashed: ${DASHED[panel.cut.between]}`;
  return element('figure', {}, picture, element('figcaption', {}, `${name} in ${rows}${stored}${dashed}`));
}

/** One path of a bar a line. */
function barsOf(lengths: Float64Array, lines: number, scale: (length: number) => number): string {
  let path = 'M0 0';
  for (let y = 0; y < lines; y++) {
    path += `H${scale(lengths[y]!).toFixed(1)}V${(((y + 1) * HEIGHT) / lines).toFixed(1)}`;
  }
  return `${path}H0Z`;
}
