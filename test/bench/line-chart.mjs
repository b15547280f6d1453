/** A chart of lines over two logarithmic axes, as the text of an SVG. */

const [WIDTH, HEIGHT] = [720, 400];
const MARGIN = { left: 70, right: 170, top: 50, bottom: 50 };
const LABEL = 15;
const COLORS = ['#0072b2', '#56b4e9', '#d55e00', '#e69f00']; // Okabe and Ito 2008: told apart by everyone

/** `series`: { name, points: [x, y][], dashed? }[], all positive. `title`, `xName` and `yName` are plain text. */
export function lineChart({ title, xName, yName, series }) {
  const points = series.flatMap((line) => line.points);
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const y0 = 10 ** Math.floor(Math.log10(Math.min(...ys)));
  const y1 = 10 ** Math.ceil(Math.log10(Math.max(...ys)));
  const x = scale(Math.min(...xs), Math.max(...xs), MARGIN.left, WIDTH - MARGIN.right);
  const y = scale(y0, y1, HEIGHT - MARGIN.bottom, MARGIN.top);
  const [left, right, bottom] = [MARGIN.left, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom];
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${left}" y="26" font-size="15">${escaped(title)}</text>`,
  ];
  for (let tick = y0; tick <= y1 * 1.01; tick *= 10) {
    out.push(`<path d="M${left} ${y(tick)}H${right}" stroke="#ccc"/>`);
    out.push(`<text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${Number(tick.toPrecision(1))}</text>`);
  }
  for (const tick of [...new Set(xs)].sort((a, b) => a - b)) {
    out.push(`<path d="M${x(tick)} ${bottom}v5" stroke="#555"/>`);
    out.push(`<text x="${x(tick)}" y="${bottom + 20}" text-anchor="middle">${tick}</text>`);
  }
  out.push(`<text x="${(left + right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(xName)}</text>`);
  out.push(
    `<text transform="translate(18 ${(MARGIN.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(yName)}</text>`,
  );
  const labels = apart(series.map((line) => y(line.points.at(-1)[1])));
  series.forEach(({ name, points: line, dashed }, i) => {
    const color = COLORS[i % COLORS.length];
    const at = line.map(([px, py]) => `${x(px)} ${y(py)}`);
    const dash = dashed ? ' stroke-dasharray="6 4"' : '';
    out.push(`<path d="M${at.join('L')}" fill="none" stroke="${color}" stroke-width="2"${dash}/>`);
    out.push(...line.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${color}"/>`));
    out.push(`<text x="${right + 10}" y="${labels[i] + 4}" fill="${color}">${escaped(name)}</text>`);
  });
  return `${out.join('\n')}\n</svg>\n`;
}

/** The same heights, moved down where a label would stand on another. */
function apart(heights) {
  const placed = [...heights];
  const order = heights.map((_, i) => i).sort((i, j) => heights[i] - heights[j]);
  for (let k = 1; k < order.length; k++) placed[order[k]] = Math.max(heights[order[k]], placed[order[k - 1]] + LABEL);
  return placed;
}

/** Logarithmic, to a tenth of a pixel. */
function scale(from, to, first, last) {
  const span = Math.log(to / from) || 1;
  return (value) => Math.round(10 * (first + ((last - first) * Math.log(value / from)) / span)) / 10;
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
