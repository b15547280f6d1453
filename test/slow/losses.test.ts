/** Losses of power and room at every operation, 200 bits changed on the disk, 200 words and 200 bits in memory. */
import { describe } from 'vitest';

process.env['MOMENTS'] = 'Infinity';
process.env['FLIPS'] = '200';

describe('disks', async () => {
  await import('../io/losses.test.js');
});
describe('memory', async () => {
  await import('../algorithms/block-wiedemann/flipped-words.test.js');
  await import('../algorithms/block-wiedemann/flipped-generators.test.js');
  await import('../algorithms/block-wiedemann/flipped-memory.test.js');
  await import('../algorithms/solve/flipped-words.test.js');
  await import('../algorithms/lanczos/flipped-words.test.js');
});
