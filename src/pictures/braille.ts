/**
 * A raster as text: a braille character has 2 × 4 dots, each a cell of the raster that has entries or not.
 *
 * U+2800 + bits; dots 1, 2, 3, 7 go down the left column, 4, 5, 6, 8 down the right one (Unicode, "Braille Patterns").
 */
import { COLOURS, classOfCell } from './paint.js';
import type { Raster } from './raster.js';

const BLANK = 0x2800;
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
];

/** Lines of ⌈width/2⌉ characters in a frame; `colour` paints a piece of text in the colour of a class. */
export function braille(raster: Raster, colour: (text: string, c: number) => string = (text) => text): string[] {
  const { width, height } = raster;
  const across = Math.ceil(width / 2);
  const lines: string[] = [];
  for (let top = 0; top < height; top += 4) {
    let line = '';
    // Characters of one colour and the blanks behind them; −1 before the first.
    let run = { text: '', c: -1 };
    const end = (): void => {
      line += run.c < 0 ? run.text : colour(run.text, run.c);
      run = { text: '', c: -1 };
    };
    for (let left = 0; left < width; left += 2) {
      let bits = 0;
      const votes = COLOURS.map(() => 0);
      for (let y = top; y < Math.min(top + 4, height); y++) {
        for (let x = left; x < Math.min(left + 2, width); x++) {
          const c = classOfCell(raster, y * width + x);
          if (c < 0) continue;
          bits |= DOTS[x - left][y - top];
          votes[c]++;
        }
      }
      const c = bits === 0 ? run.c : votes.lastIndexOf(Math.max(...votes));
      if (c !== run.c) end();
      run = { text: run.text + String.fromCharCode(BLANK + bits), c };
    }
    end();
    lines.push(`│${line}│`);
  }
  return [`┌${'─'.repeat(across)}┐`, ...lines, `└${'─'.repeat(across)}┘`];
}
