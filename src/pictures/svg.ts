/** A picture as SVG: shapes as elements, the raster as a PNG inside. */
import type { Rgb } from './paint.js';
import { encodePixels } from './png.js';
import type { Picture, Shape } from './shapes.js';

export function toSvg({ width, height, title, shapes }: Picture): string {
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<title>${escapeText(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...shapes.map(element),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

function element(shape: Shape): string {
  if (shape.kind === 'rect') {
    const { x, y, width, height, fill } = shape;
    return `<rect x="${x}" y="${y}" width="${short(width)}" height="${height}" fill="${hex(fill)}"/>`;
  }
  if (shape.kind === 'bars') return `<path d="${outline(shape)}" fill="${hex(shape.fill)}"/>`;
  if (shape.kind === 'image') {
    const { x, y, width, height, pixels } = shape;
    const data = base64(encodePixels(width, height, pixels));
    return `<image x="${x}" y="${y}" width="${width}" height="${height}" style="image-rendering:pixelated" href="data:image/png;base64,${data}"/>`;
  }
  const { x, y, text, anchor, isTitle } = shape;
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${isTitle ? ' font-weight="bold"' : ''}>${escapeText(text)}</text>`;
}

/** Equal bars below one another are one step. */
function outline({ x, y, lengths }: Shape & { readonly kind: 'bars' }): string {
  let path = `M${x} ${y}`;
  for (let i = 0; i < lengths.length; ) {
    const from = i;
    while (i < lengths.length && short(lengths[i]) === short(lengths[from])) i++;
    path += `H${short(x + lengths[from])}V${y + i}`;
  }
  return `${path}H${x}Z`;
}

const short = (length: number): string => `${Number(length.toFixed(1))}`;

const hex = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const escapeText = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
