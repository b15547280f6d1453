/**
 * A raster as pixels: hue by value class, strength by density.
 *
 *   density of a cell = its entries / the places of the matrix in it
 *
 * A cell has the colour of the class that most of its entries belong to, since mixed colours are in no legend; among
 * equals the rarer kind as a rule, so that it is seen: general, then −1. Its strength grows with the logarithm of the
 * density, from the thinnest cell that has entries to the fullest one: densities differ by powers of ten. Places, not
 * entries, because cells of two columns stand beside cells of three.
 */
import { cellStarts, type Raster } from './raster.js';

export type Rgb = readonly [red: number, green: number, blue: number];

/** +1, −1, general; told apart by everyone (Okabe and Ito 2008). */
export const COLOURS: readonly Rgb[] = [
  [0, 114, 178],
  [213, 94, 0],
  [34, 34, 34],
];

export interface Palette {
  readonly ground: Rgb;
  readonly colours: readonly Rgb[]; // by class
}

const ON_WHITE: Palette = { ground: [255, 255, 255], colours: COLOURS };

/** Of the thinnest cells, so that one entry is seen on the ground. */
const FAINTEST = 0.35;

/** Marks grow as long as they cover no more than this share of the picture, up to RADIUS pixels to each side. */
const SPARSE = 1 / 50;
const RADIUS = 2;

/** The class of a cell with entries, by majority; −1 without entries. */
export function classOfCell({ plus, minus, general }: Raster, cell: number): number {
  const [a, b, c] = [plus[cell], minus[cell], general[cell]];
  if (a + b + c === 0) return -1;
  if (c >= a && c >= b) return 2;
  return b >= a ? 1 : 0;
}

/** width × height pixels of three bytes; of a raster with few cells filled, marks are larger than a pixel. */
export function paint(raster: Raster, width: number, height: number, palette: Palette = ON_WHITE): Uint8Array {
  const { ground } = palette;
  const pixels = groundOf(ground, width * height);
  if (raster.width === 0 || raster.height === 0) return pixels;
  const cells = coloursOfCells(raster, palette);
  const toCell = (size: number, count: number): Uint32Array =>
    Uint32Array.from({ length: size }, (_, x) => Math.floor((x * count) / size));
  const [across, down] = [toCell(width, raster.width), toCell(height, raster.height)];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const cell = 3 * (down[y] * raster.width + across[x]);
      pixels[at] = cells.rgb[cell];
      pixels[at + 1] = cells.rgb[cell + 1];
      pixels[at + 2] = cells.rgb[cell + 2];
    }
  }
  const share = cells.filled / (raster.width * raster.height);
  const isSmall = width >= 3 * raster.width && height >= 3 * raster.height;
  let radius = 0;
  while (!isSmall && radius < RADIUS && share * (2 * radius + 3) ** 2 <= SPARSE) radius++;
  return radius === 0 ? pixels : widen(pixels, width, height, radius, ground);
}

function groundOf(ground: Rgb, count: number): Uint8Array {
  const pixels = new Uint8Array(3 * count);
  for (let at = 0; at < pixels.length; at += 3) pixels.set(ground, at);
  return pixels;
}

function coloursOfCells(
  raster: Raster,
  { ground, colours }: Palette,
): { readonly rgb: Uint8Array; readonly filled: number } {
  const { rows, cols, width, height, plus, minus, general } = raster;
  const [xs, ys] = [cellStarts(cols, width), cellStarts(rows, height)];
  /** The logarithm of the density of cell (x, y); −∞ without entries. */
  const logOf = (x: number, y: number): number => {
    const cell = y * width + x;
    return Math.log((plus[cell] + minus[cell] + general[cell]) / ((xs[x + 1] - xs[x]) * (ys[y + 1] - ys[y])));
  };
  let [least, most, filled] = [Infinity, -Infinity, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const log = logOf(x, y);
      if (log === -Infinity) continue;
      if (log < least) least = log;
      if (log > most) most = log;
      filled++;
    }
  }
  const rgb = groundOf(ground, width * height);
  for (let y = 0, cell = 0; y < height; y++) {
    for (let x = 0; x < width; x++, cell++) {
      const c = classOfCell(raster, cell);
      if (c < 0) continue;
      const strength = most === least ? 1 : FAINTEST + ((1 - FAINTEST) * (logOf(x, y) - least)) / (most - least);
      for (let part = 0; part < 3; part++)
        rgb[3 * cell + part] = Math.round(ground[part] - strength * (ground[part] - colours[c][part]));
    }
  }
  return { rgb, filled };
}

/** Every coloured pixel as a square of `radius` pixels to each side, on those that are bare. */
function widen(pixels: Uint8Array, width: number, height: number, radius: number, ground: Rgb): Uint8Array {
  const isBare = (at: number): boolean =>
    pixels[at] === ground[0] && pixels[at + 1] === ground[1] && pixels[at + 2] === ground[2];
  const out = pixels.slice();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x);
      if (isBare(at)) continue;
      for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
        for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
          const to = 3 * (v * width + u);
          if (isBare(to)) out.set(pixels.subarray(at, at + 3), to);
        }
      }
    }
  }
  return out;
}
