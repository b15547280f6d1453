/** What a picture is drawn of, in pixels from its top left corner; svg.ts and png.ts write it. */
import type { Rgb } from './paint.js';

export type Shape =
  | {
      readonly kind: 'rect';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: Rgb;
    }
  /** Bars to the right of x, one pixel high and below one another. */
  | {
      readonly kind: 'bars';
      readonly x: number;
      readonly y: number;
      readonly lengths: ArrayLike<number>;
      readonly fill: Rgb;
    }
  | {
      readonly kind: 'image';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly pixels: Uint8Array;
    }
  /** A line of text whose letters stand on y. */
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly anchor: Anchor;
      readonly isTitle?: boolean;
    };

export type Anchor = 'start' | 'middle' | 'end';

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly shapes: readonly Shape[];
}

/** Pixels from letter to letter. */
export const LETTER = 6;

/** The outline of a rectangle, outside of it. */
export function frame(x: number, y: number, width: number, height: number, fill: Rgb): Shape[] {
  return [
    { kind: 'rect', x: x - 1, y: y - 1, width: width + 2, height: 1, fill },
    { kind: 'rect', x: x - 1, y: y + height, width: width + 2, height: 1, fill },
    { kind: 'rect', x: x - 1, y, width: 1, height, fill },
    { kind: 'rect', x: x + width, y, width: 1, height, fill },
  ];
}

export function text(x: number, y: number, words: string, anchor: Anchor, isTitle = false): Shape {
  return { kind: 'text', x, y, text: words, anchor, isTitle };
}
