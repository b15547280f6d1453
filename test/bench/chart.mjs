/**
 * Charts of recorded lines, as the text of an SVG, drawn by Observable Plot.
 *
 *   bars  : { kind: 'bars', title, value, bars: { group, series, value }[] }
 *           a bar for each, those of a group together; `value` names the axis, with its unit
 *   lines : { kind: 'lines', title, x, y, points: { series, x, y }[], isEven? }
 *           a line for each series over logarithmic axes; `x` and `y` name them, with their units; `isEven`: the places
 *           of x are one as far as the other
 *   cells : { kind: 'cells', title, value, cells: { row, column, value, isUnfit? }[] }
 *           a cell for each, coloured by the logarithm of its value, which is a quotient; `value` says of what; without
 *           one a dash where the column `isUnfit` for the row, else nothing
 *
 * `where` is of the runs: { date, machine, adapter, commit }, which stand under each chart, on as many lines as they
 * need.
 */
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#222222']; // Okabe and Ito 2008
const WIDTH = 720;
const LETTER = 7; // pixels, of the labels
const FONT = 12;
const NUMBER = 2.8; // the width of a cell's number, in heights of its letters
const BAR = 16;
const HEADING = 22; // of a group
const CELL = 24;
const LINES_HEIGHT = 380;
const LINES_MARGINS = 80; // above and below, and the room between the lowest point and the axis:
const ABOVE_AXIS = 16; // a name beside that point is no tick's
const LETTERS = 14; // from one name to the next
const EDGE = 12; // to the left and right of title and caption
const CAPTION_LINE = 15;
const CAPTION_LETTER = 7.6; // pixels at most on average, of the widest fonts that are usual

/** The SVG of a chart. */
export function chartText(chart, where) {
  const { document } = parseHTML('<html><body></body></html>');
  const options = chart.kind === 'cells' ? cellOptions(chart) : seriesOptions(chart);
  const svg = Plot.plot({ document, width: WIDTH, style: { fontSize: `${FONT}px` }, ...options });
  return framed(svg, chart.title, captionOf(where, Math.floor((WIDTH - 2 * EDGE) / CAPTION_LETTER)));
}

function seriesOptions(chart) {
  const series = [...new Set((chart.bars ?? chart.points).map((each) => each.series))];
  const color = { domain: series, range: series.map((_, i) => COLOURS[i % COLOURS.length]) };
  return { color, ...(chart.kind === 'bars' ? barOptions(chart, series) : lineOptions(chart)) };
}

/** From blue, half and less, over white, as much, to orange, twice and more. */
function cellOptions({ value, cells }) {
  const filled = cells.filter((cell) => cell.value !== null);
  const bare = cells.filter((cell) => cell.value === null);
  const unfit = bare.filter(({ isUnfit }) => isUnfit);
  const label = [
    value,
    ...(unfit.length > 0 ? ['-: not for this matrix'] : []),
    ...(bare.length > unfit.length ? ['empty: not measured'] : []),
  ].join('; ');
  const longest = (key) => LETTER * Math.max(...cells.map((cell) => cell[key].length));
  const [rows, columns] = ['row', 'column'].map((key) => [...new Set(cells.map((cell) => cell[key]))]);
  const top = 20 + longest('column');
  const [marginLeft, marginRight] = [20 + longest('row'), 20];
  const side = (WIDTH - marginLeft - marginRight) / columns.length;
  return {
    marginLeft,
    marginTop: top,
    marginBottom: 30,
    marginRight,
    height: top + 30 + CELL * rows.length,
    x: { label, labelAnchor: 'center', labelArrow: 'none', axis: null, domain: columns },
    y: { label: null, domain: rows, tickSize: 0 },
    color: { type: 'diverging-log', pivot: 1, domain: [0.5, 2], clamp: true, range: ['#56b4e9', '#fff', '#e69f00'] },
    marks: [
      Plot.axisX({ anchor: 'top', label: null, tickSize: 0, tickRotate: -90 }),
      Plot.cell(filled, { x: 'column', y: 'row', fill: 'value', inset: 1 }),
      Plot.text(filled, {
        ...{ x: 'column', y: 'row', fontSize: Math.min(10, Math.floor(side / NUMBER)) },
        text: (cell) => cell.value.toFixed(cell.value < 9.95 ? 2 : 1),
      }),
      Plot.text(unfit, { x: 'column', y: 'row', text: () => '-' }),
      Plot.text([label], { frameAnchor: 'bottom', dy: 20, text: (text) => text }),
    ],
  };
}

function barOptions({ value, bars }, series) {
  const groups = [...new Set(bars.map(({ group }) => group))];
  return {
    marginLeft: 20 + LETTER * Math.max(...series.map((name) => name.length)),
    marginRight: 20,
    marginTop: HEADING,
    marginBottom: 40,
    height: 40 + groups.length * (BAR * series.length + HEADING),
    x: { label: value, labelArrow: 'none', labelAnchor: 'center', grid: true, insetRight: 40 },
    y: { label: null, domain: series },
    fy: { axis: null, domain: groups, paddingInner: HEADING / (BAR * series.length + HEADING) },
    marks: [
      Plot.barX(bars, { x: 'value', y: 'series', fy: 'group', fill: 'series' }),
      Plot.text(bars, { x: 'value', y: 'series', fy: 'group', text: 'value', textAnchor: 'start', dx: 4 }),
      Plot.text(groups, {
        fy: (name) => name,
        text: (name) => name,
        frameAnchor: 'top-left',
        dy: 6 - HEADING,
        fontWeight: 600,
      }),
      Plot.ruleX([0]),
    ],
  };
}

function lineOptions({ x, y, points, isEven = false }) {
  const ticks = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b);
  const series = groupBySeries(points);
  const [marginLeft, marginRight] = [60, 20 + LETTER * Math.max(...[...series.keys()].map((name) => name.length))];
  const longest = LETTER * Math.max(...ticks.map((tick) => String(tick).length + 1));
  const apart = isEven ? (WIDTH - marginLeft - marginRight) / ticks.length : longest;
  return {
    marginLeft,
    marginRight,
    marginTop: LINES_MARGINS - ABOVE_AXIS - 40,
    marginBottom: 40,
    height: LINES_HEIGHT,
    x: { type: isEven ? 'point' : 'log', axis: null },
    y: { label: y, labelArrow: 'none', type: 'log', grid: true, tickFormat: String, insetBottom: ABOVE_AXIS },
    marks: [
      // With a text for each, since the axis of its own leaves out labels between powers of ten.
      Plot.axisX(ticks, {
        label: x,
        labelArrow: 'none',
        labelAnchor: 'center',
        text: ticks.map(String),
        fontSize: Math.min(FONT, Math.floor((FONT * apart) / longest)),
      }),
      Plot.line(points, { x: 'x', y: 'y', z: 'series', stroke: 'series' }),
      Plot.dot(points, { x: 'x', y: 'y', fill: 'series', r: 3 }),
      Plot.text(namesApart([...series.values()], points), {
        ...{ x: 'x', y: 'y', text: 'series', fill: 'series', textAnchor: 'start', dx: 8 },
      }),
    ],
  };
}

/** The last point of each line, moved up or down until no name lies on another. */
function namesApart(lines, points) {
  const heights = points.map(({ y }) => Math.log(y));
  const letters = (LETTERS * (Math.max(...heights) - Math.min(...heights))) / (LINES_HEIGHT - LINES_MARGINS);
  const last = lines.map((line) => line.reduce((a, b) => (a.x > b.x ? a : b))).sort((a, b) => a.y - b.y);
  let lowest = Number.NEGATIVE_INFINITY;
  return last.map((point) => {
    const at = Math.log(point.y);
    const isFree = at >= lowest;
    const y = isFree ? point.y : Math.exp(lowest);
    lowest = (isFree ? at : lowest) + letters;
    return { ...point, y };
  });
}

function groupBySeries(points) {
  const groups = new Map();
  for (const point of points) groups.set(point.series, [...(groups.get(point.series) ?? []), point]);
  return groups;
}

/** Dates, commits: those of all runs in the chart. Lines of at most so many letters. */
function captionOf({ date, machine, adapter, commit }, letters) {
  const parts = [adapter, machine, [date].flat().join(', '), `commit ${[commit].flat().join(', ')}`];
  const lines = [];
  for (const word of parts.filter(Boolean).join('; ').split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The plot under its title and above where it was measured, on white. */
function framed(svg, title, caption) {
  const under = Number(svg.getAttribute('height')) + 50; // where the first line of the caption stands
  const height = under + 10 + CAPTION_LINE * (caption.length - 1);
  svg.setAttribute('y', '32');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${EDGE}" y="22" font-size="14" font-weight="bold">${escapeText(title)}</text>`,
    svg.outerHTML,
    ...caption.map((line, i) => {
      return `<text x="${EDGE}" y="${under + CAPTION_LINE * i}" fill="#555">${escapeText(line)}</text>`;
    }),
    '</svg>\n',
  ].join('\n');
}

const escapeText = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
