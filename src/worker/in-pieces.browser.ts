/** Pieces on a disk in a browser: a page has no folder for them. */
import { ScratchError } from '../io/scratch-folder.js';

export function answerWithScratch(): never {
  throw new ScratchError('scratch: here are no folders');
}
