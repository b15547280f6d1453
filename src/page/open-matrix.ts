/** The matrix of a file, read as it streams in, or of a family of data/; and what the page says of it. */
import { FAMILIES, generate } from '../../data/families.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { readMatrix } from '../io/read-matrix.js';
import { sketchMatrix } from '../pictures/sketch.js';
import type { ProgressEvent } from '../questions/options.js';
import type { MatrixFacts, Source } from './messages.js';

export interface Opened {
  readonly matrix: SparseMatrix;
  readonly name: string;
  readonly source: Source;
}

export async function openMatrix(
  source: Source,
  signal: AbortSignal,
  onProgress: (event: ProgressEvent) => void,
): Promise<Opened> {
  if (source.kind === 'file') {
    const { file } = source;
    const matrix = await readMatrix(watchedBytes(file, signal, onProgress), { name: file.name });
    return { matrix, name: file.name, source };
  }
  const { family, words } = source;
  onProgress({ phase: 'generating', done: 0, total: 1 });
  const { rows, cols, ...entries } = generate(family, words);
  const matrix = SparseMatrix.fromTriplets(rows, cols, entries);
  const { instance, args } = FAMILIES.find(({ name }) => name === family)!;
  return { matrix, name: instance(...args.map((arg, i) => Number(words[i] ?? arg.default))), source };
}

/** The bytes of a file as they are read; the signal ends it between two chunks. */
export async function* watchedBytes(
  file: File,
  signal: AbortSignal,
  onProgress: (event: ProgressEvent) => void,
): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    let done = 0;
    for (;;) {
      signal.throwIfAborted();
      const { value } = await reader.read();
      if (value === undefined) return;
      yield value;
      done += value.length;
      onProgress({ phase: 'reading', done, total: file.size });
    }
  } finally {
    await reader.cancel();
  }
}

/** Cells of the sketch that counts entries: none of them is drawn. */
const FEW = 1;

export function factsOf({ matrix, name }: Opened): MatrixFacts {
  const { totals } = sketchMatrix(matrix, { size: () => [FEW, FEW] });
  const [plus, minus, general] = totals;
  const { rows, cols } = matrix;
  return { name, rows, cols, entries: plus! + minus! + general!, plus: plus!, minus: minus!, general: general! };
}
