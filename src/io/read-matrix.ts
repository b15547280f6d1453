/**
 * Reads a sparse matrix from a file, an array or a stream: unpacks it if it is gzipped, finds its format by its first
 * line, and parses it as it comes in. Nothing is allocated on a header's word alone.
 */
import type { SparseMatrix } from '../../kernels/sparse-matrix.js';
import { type ByteSource, plainBytes } from './bytes.js';
import { Cursor, excerpt } from './format-error.js';
import { FORMATS } from './formats.js';
import { behindByteOrderMark, feedLines } from './lines.js';
import { type MatrixFormat, type MatrixParser, takeLines } from './matrix-parser.js';
import type { ReadingKernels } from './triple-scanner.js';

export type { ByteSource };

export interface ReadOptions {
  readonly format?: 'auto' | 'sms' | 'matrixmarket'; // 'auto': by the first line
  readonly name?: string; // what messages call the source; a path by default calls itself
}

/** What may stand before a header: nothing, or a comment; a banner begins %% and is no comment. */
const COMMENT = /^(#|%(?!%)|$)/;

/** Bytes at once from which on reading them takes about as long as making the kernel ready: some milliseconds, once a thread. */
const WORTH_KERNELS = 1 << 16;

/** The matrix in `source`; FormatError, with the line, when there is none. Long ones are read by WebAssembly. */
export async function readMatrix(source: ByteSource, options: ReadOptions = {}): Promise<SparseMatrix> {
  const { format = 'auto', name = typeof source === 'string' ? source : '<input>' } = options;
  const formats = format === 'auto' ? FORMATS : FORMATS.filter((candidate) => candidate.name === format);
  if (formats.length === 0)
    throw new RangeError(`readMatrix: expected format auto, sms or matrixmarket, got ${format}`);
  const cursor = new Cursor(name);
  const kernels: ReadingKernels = { triples: null };
  let parser: MatrixParser | null = null;
  let begun = false;
  await feedLines(
    withKernels(
      plainBytes(source, name, () => cursor.line),
      kernels,
    ),
    cursor,
    (bytes, from, to) => {
      let at = begun ? from : behindByteOrderMark(bytes, from);
      begun = true;
      if (parser === null) {
        at = takeLines(bytes, at, to, cursor, (line) => {
          parser = formats.find((candidate) => candidate.detects(line))?.parser(cursor, kernels) ?? null;
          if (parser === null && !COMMENT.test(line)) cursor.fail(headers(formats), excerpt(line));
          return parser === null;
        });
      }
      if (at < to) parser!.parse(bytes, at, to);
    },
  );
  // A cast, because the assignment hides in a callback where the compiler cannot see it.
  return ((parser as MatrixParser | null) ?? cursor.fail(headers(formats), 'the end of the file')).finish();
}

async function* withKernels(chunks: AsyncIterable<Uint8Array>, kernels: ReadingKernels): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (chunk.length >= WORTH_KERNELS) {
      // Loaded here alone: what reads small files needs no kernels.
      kernels.triples ??= await (await import('../../kernels/triples.js')).TripleKernel.get();
    }
    yield chunk;
  }
}

function headers(formats: readonly MatrixFormat[]): string {
  return `a header ${formats.map(({ header }) => header).join(' or ')}`;
}
