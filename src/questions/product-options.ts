/** The options of products with the matrix: its storage, the words they are made in, the order of its lines. */
import { describe } from '../../kernels/errors/describe.js';
import { checkGpuWords } from '../../kernels/float-words/gpu-words.js';
import { isFloat, WORDS, type Words, wordsHold } from '../../kernels/residues/words.js';
import { FORMAT_NAMES, type FormatName, isFormatName } from '../../kernels/sparse/formats/index.js';
import { REORDERINGS, type Reordering } from '../../kernels/sparse/reordering.js';
import { OptionError } from '../errors.js';
import type { AnyOptions } from './options.js';

/** The storages that floats are walked in. */
const STORAGES: readonly unknown[] = ['auto', 'csr', 'ell', 'ell-r'];

export function storageOf(storage: unknown = 'auto', gpus: number | null = null): FormatName | null {
  if (storage === 'auto') return null;
  if (!isFormatName(storage))
    throw new OptionError(`storage: expected one of auto, ${FORMAT_NAMES.join(', ')}, got ${describe(storage)}`);
  if (gpus !== null) throw new OptionError(`gpus ${gpus}: expected storage auto, got ${describe(storage)}`);
  return storage;
}

/** Numbers that hold the prime; null where none are asked for. */
export function wordsOf({ words: asked = 'auto', mod, device, storage = 'auto', gpus }: AnyOptions): Words | null {
  if (asked === 'auto') return null;
  const words = WORDS.find((known) => known === asked);
  if (!words) throw new OptionError(`words: expected one of auto, ${WORDS.join(', ')}, got ${describe(asked)}`);
  if (!wordsHold(words, Number(mod)))
    throw new OptionError(`words ${words}: expected a prime that they hold, got ${mod}`);
  if (gpus !== undefined || device === 'reference')
    throw new OptionError(
      `words ${words}: expected device cpu or gpu, got ${gpus === undefined ? device : `gpus ${gpus}`}`,
    );
  if (device === 'gpu') {
    try {
      checkGpuWords(words, Number(mod), storageOf(storage) ?? undefined);
    } catch (error) {
      throw error instanceof RangeError ? new OptionError(error.message) : error;
    }
    return words;
  }
  if (isFloat(words) && !STORAGES.includes(storage))
    throw new OptionError(`words ${words}: expected storage auto, csr, ell or ell-r, got ${describe(storage)}`);
  return words;
}

export function reorderOf(reorder: unknown = 'none'): Reordering | null {
  if (reorder === 'none') return null;
  const known = REORDERINGS.find((name) => name === reorder);
  if (known) return known;
  throw new OptionError(`reorder: expected one of none, ${REORDERINGS.join(', ')}, got ${describe(reorder)}`);
}
