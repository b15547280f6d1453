/** Errors of a question that name its input. */
import { printableName } from '../../kernels/errors/excerpt.js';
import { EntryError } from '../../kernels/sparse/sparse-matrix.js';
import type { InputMessage } from '../questions/input.js';

/** An entry without a residue is found when the file's lines are forgotten, but the file has a name. */
export function named<T>(input: InputMessage, finding: Promise<T>): Promise<T> {
  return finding.catch((error: unknown) => {
    if (error instanceof EntryError && 'name' in input)
      throw new EntryError(`${printableName(input.name)}: ${error.message}`);
    throw error;
  });
}
