/** Reads the right sides of a system, a matrix in any format or lines of numbers, and the form they came in. */
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { type ByteSource, holdSource } from './byte-source.js';
import { refuseSource } from './chunks.js';
import { FORMATS } from './formats.js';
import { NUMBER_LINES } from './number-lines.js';
import { parseAs, type Reading } from './read-matrix.js';
import type { DenseForm } from './write-dense.js';

export async function readRightSides(
  source: ByteSource,
  reading: Reading,
): Promise<{ readonly matrix: SparseMatrix; readonly form: DenseForm }> {
  const { source: held } = holdSource(source) ?? refuseSource('readRightSides', 'a path or a stream', source);
  // SMS first: its header begins with a number.
  const { matrix, format, layout } = await parseAs([...FORMATS, NUMBER_LINES], held, reading);
  const form = layout ?? (format === 'lines' ? 'lines' : 'sms');
  return { matrix, form };
}
