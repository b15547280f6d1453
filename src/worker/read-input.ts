/** The matrix of a question, read in the engine's thread and, of a long file, by threads beside it. */
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { EntrySink } from '../io/entry-list.js';
import type { StartReaders } from '../io/line-pieces.js';
import { isPipe } from '../io/pipe-bytes.js';
import { parseMatrix } from '../io/read-matrix.js';
import type { InputMessage } from '../questions/input.js';
import type { Settings } from '../questions/options.js';
import type { Caller } from './caller.js';
import type { Remote } from './found.js';

export type MatrixMessage = Exclude<InputMessage, { kind: 'factors' }>;
export type ReadSettings = Pick<Settings, 'unterminated' | 'maxMemory' | 'inputFormat' | 'threads'>;

/** The matrix, or what `spill` leaves of it; an operator stays where it is. */
export async function readInput(
  input: MatrixMessage,
  { unterminated, maxMemory, inputFormat: format, threads }: ReadSettings,
  caller: Caller,
  start: StartReaders | undefined,
  spill: EntrySink | undefined,
): Promise<SparseMatrix | Remote> {
  if (input.kind === 'operator') return input;
  // Parts are of a matrix that was checked when the question was asked.
  if (input.kind === 'parts') return SparseMatrix.fromPartsUnchecked(input.parts, new WideEntries(input.parts.wide));
  if (input.kind === 'triplets') return SparseMatrix.fromTriplets(input.rows, input.cols, input.arrays);
  const isHere = input.kind === 'bytes' && !(typeof input.source === 'string' && isPipe(input.source));
  const source = isHere ? input.source : caller.chunks();
  const reading = { name: input.name, format, unterminated, maxMemory: maxMemory ?? undefined, spill };
  const loading = (modules: () => Promise<unknown>): Promise<unknown> => caller.loading(modules);
  const startReaders = (path: string, size: number) => start?.(path, size, threads, loading) ?? null;
  return parseMatrix(source, { ...reading, startReaders });
}
