/** A picture as PNG: shapes as pixels, letters of 5 × 7 of them. */
import { encode } from 'fast-png';
import font from 'oled-font-5x7';
import type { Rgb } from './paint.js';
import { LETTER, type Picture, type Shape } from './shapes.js';

const BLACK: Rgb = [0, 0, 0];
const UNKNOWN = '?'; // for letters that the font has not

/** RGB pixels as a file. */
export function encodePixels(width: number, height: number, pixels: Uint8Array): Uint8Array {
  return encode({ width, height, data: pixels, channels: 3, depth: 8 });
}

export function toPng({ width, height, shapes }: Picture): Uint8Array {
  const canvas = new Canvas(width, height);
  for (const shape of shapes) canvas.draw(shape);
  return encodePixels(width, height, canvas.pixels);
}

class Canvas {
  readonly pixels: Uint8Array;
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.pixels = new Uint8Array(3 * width * height).fill(255);
  }

  draw(shape: Shape): void {
    if (shape.kind === 'rect') this.#fill(shape.x, shape.y, shape.width, shape.height, shape.fill);
    else if (shape.kind === 'bars') {
      for (let i = 0; i < shape.lengths.length; i++) this.#fill(shape.x, shape.y + i, shape.lengths[i], 1, shape.fill);
    } else if (shape.kind === 'image') this.#copy(shape.x, shape.y, shape.width, shape.height, shape.pixels);
    else this.#write(shape.x, shape.y, shape.text, { start: 0, middle: 1 / 2, end: 1 }[shape.anchor]);
  }

  #fill(left: number, top: number, width: number, height: number, [red, green, blue]: Rgb): void {
    const [x0, x1] = [left, left + width].map((x) => Math.max(0, Math.min(this.#width, Math.round(x))));
    const [y0, y1] = [top, top + height].map((y) => Math.max(0, Math.min(this.#height, Math.round(y))));
    for (let y = y0; y < y1; y++) {
      for (let x = x0, at = 3 * (y * this.#width + x0); x < x1; x++) {
        this.pixels[at++] = red;
        this.pixels[at++] = green;
        this.pixels[at++] = blue;
      }
    }
  }

  #copy(x: number, y: number, width: number, height: number, pixels: Uint8Array): void {
    for (let line = 0; line < height; line++) {
      this.pixels.set(pixels.subarray(3 * width * line, 3 * width * (line + 1)), 3 * ((y + line) * this.#width + x));
    }
  }

  #write(x: number, y: number, text: string, before: number): void {
    const letters = Array.from(text, (letter) => font.lookup.indexOf(font.lookup.includes(letter) ? letter : UNKNOWN));
    let left = Math.round(x - before * (LETTER * letters.length - 1));
    for (const letter of letters) {
      const at = font.width * letter;
      for (let column = 0; column < font.width; column++) {
        for (let row = 0; row < font.height; row++) {
          if ((font.fontData[at + column] >> row) & 1) this.#fill(left + column, y - font.height + row, 1, 1, BLACK);
        }
      }
      left += LETTER;
    }
  }
}
