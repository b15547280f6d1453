/**
 * Float words on a GPU: f32 in the formats whose rows kernels/spmm/spmm-rows.wgsl walks, with residues in vectors as
 * ever.
 */
import { checkWords, type Words } from '../residues/words.js';
import { FORMAT_NAMES, type FormatName, formatNamed } from '../sparse/formats/index.js';

const GPU_WORDS: readonly Words[] = ['f32', 'f32-balanced'];

/** Where words are asked for and no storage is. */
export const FLOAT_STORAGE: FormatName = 'sell-32';

const STORAGES = FORMAT_NAMES.filter((name) => formatNamed(name).gpu);

/** Throws RangeError for words that a GPU does not calculate in, and for storages that have shaders of their own. */
export function checkGpuWords(words: Words, p: number, storage: FormatName = FLOAT_STORAGE): void {
  checkWords(words, p);
  if (!GPU_WORDS.includes(words)) {
    throw new RangeError(`words ${words}: expected ${GPU_WORDS.join(' or ')} on a GPU`);
  }
  if (!STORAGES.includes(storage)) {
    throw new RangeError(`words ${words}: expected storage auto, ${STORAGES.join(', ')} on a GPU, got ${storage}`);
  }
}
