/**
 * Reads a sparse matrix from a file, an array or a stream: unpacks it if it is compressed, finds its format by its
 * first bytes or its first line, and parses it as it comes in. A header's numbers alone allocate nothing.
 */
import { describe } from '../../kernels/errors/describe.js';
import { HostError } from '../../kernels/errors/host-error.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { checkOptionNames } from '../option-names.js';
import type { BinaryFormat } from './binary-format.js';
import { ByteReader } from './byte-reader.js';
import { type ByteSource, type HeldSource, holdSource, sizeOf } from './byte-source.js';
import { plainBytes, rawBytes, startsWith } from './bytes.js';
import { refuseSource } from './chunks.js';
import type { EntrySink } from './entry-list.js';
import { Cursor, excerpt } from './format-error.js';
import { BINARY_FORMATS, FORMATS } from './formats.js';
import { type InputFormat, inputFormatOf } from './input-format.js';
import type { LineReaders } from './line-pieces.js';
import { behindByteOrderMark, feedLines } from './lines.js';
import { type Layout, type MatrixFormat, type MatrixParser, takeLines } from './matrix-parser.js';
import { peek } from './peek.js';
import { ReadLimit } from './read-limit.js';
import type { ReadingKernels } from './triple-scanner.js';

export type { ByteSource };

export interface ReadOptions {
  /** 'auto': by the first bytes and the first line; cado, cado-coeffs and gbla are found by name alone. */
  readonly format?: InputFormat | undefined;
  readonly name?: string | undefined; // the source's name in messages; by default the path
  /** Whether an SMS file with entries may end without `0 0 0`; one that does is taken for cut off otherwise. */
  readonly unterminated?: boolean | undefined;
  /**
   * Bytes that the entries may take while they are read, 24 each; default a third of the machine's memory, in browsers
   * no limit.
   */
  readonly maxMemory?: number | undefined;
}

/** The same with all defaults set. */
export interface Reading {
  readonly name: string;
  readonly format?: ReadOptions['format'];
  readonly unterminated?: boolean | undefined;
  readonly maxMemory?: number | undefined;
  readonly sink?: EntrySink | undefined; // takes the entries, so that memory does not hold them
  readonly spill?: EntrySink | undefined; // the same of a text's, from where memory would not hold them
  /** Starts threads that read a file of so many bytes, where they pay. */
  readonly startReaders?: ((path: string, size: number) => LineReaders | null) | undefined;
}

/** Lines that may stand before a header: empty ones and comments; a banner begins %% and is no comment. */
const COMMENT = /^(#|%(?!%)|$)/;

/** Bytes from which on reading takes as long as making the kernel ready, once a thread. */
const WORTH_KERNELS = 1 << 16;

const LF = 10;

const SOURCES = 'a path, a URL, bytes, a Blob, a response or a stream';
const OPTIONS: readonly string[] = ['format', 'name', 'unterminated', 'maxMemory'];

/**
 * The matrix in `source`, in any format of formats.ts, plain or compressed. Bytes are read as they are at the call.
 * FormatError, with the line or the byte, when there is no matrix in it; MemoryError when it is larger than allowed;
 * EntryError for a value that is no entry; OptionError for what is no source or option.
 */
export async function readMatrix(source: ByteSource, options: ReadOptions = {}): Promise<SparseMatrix> {
  checkOptions(options);
  const held = holdSource(source) ?? refuseSource('readMatrix', SOURCES, source);
  const { format, name = held.name, unterminated = false, maxMemory } = options;
  return parseMatrix(held.source, { name, format, unterminated, maxMemory });
}

function checkOptions(options: unknown): void {
  checkOptionNames('readMatrix', options, OPTIONS);
  const { format = 'auto', name = '', unterminated = false, maxMemory = 1 } = options as ReadOptions;
  inputFormatOf('readMatrix: format', format);
  if (typeof name !== 'string') throw new OptionError(`readMatrix: expected a name, got ${describe(name)}`);
  if (typeof unterminated !== 'boolean')
    throw new OptionError(`readMatrix: expected unterminated true or false, got ${describe(unterminated)}`);
  if (!(Number.isFinite(maxMemory) && maxMemory > 0))
    throw new OptionError(`readMatrix: expected maxMemory to be a number of bytes, got ${describe(maxMemory)}`);
}

/** The matrix in a source that is held. */
export async function parseMatrix(source: HeldSource, reading: Reading): Promise<SparseMatrix> {
  const { format = 'auto' } = reading;
  const formats = format === 'auto' ? FORMATS : FORMATS.filter((candidate) => candidate.name === format);
  return (await parseAs(formats, source, reading)).matrix;
}

/** The binary format of a file that begins with `head`, by its name where the caller gives one. */
function binaryOf(head: Uint8Array, { format = 'auto' }: Reading): BinaryFormat | undefined {
  return BINARY_FORMATS.find(({ name, magic }) =>
    format === 'auto' ? magic !== null && startsWith(head, magic) : name === format,
  );
}

/** A sink gets the entries when all of them are read. */
async function readBinary(
  format: BinaryFormat,
  source: HeldSource,
  bytes: ByteReader,
  reading: Reading,
): Promise<Parsed> {
  const matrix = await (await format.load())(bytes, source);
  const { rows, cols, rowIdx, colIdx, values, wide } = matrix;
  reading.sink?.begin(rows, cols, 'general');
  reading.sink?.take(rowIdx, colIdx, values, wide);
  return { matrix, format: format.name, layout: undefined };
}

/** Hands the entries of the matrix in `source` to the sink of `reading`, errors as readMatrix. */
export async function streamEntries(source: ByteSource, reading: Reading): Promise<void> {
  await parseMatrix((holdSource(source) ?? refuseSource('streamEntries', SOURCES, source)).source, reading);
}

export interface Parsed {
  readonly matrix: SparseMatrix;
  readonly format: string; // its name
  readonly layout: Layout | undefined;
}

/** Bytes that a binary format is known by. */
const MAGIC_BYTES = 4;

/** The matrix in one of these formats, the first that detects it, or a binary one. */
export async function parseAs(formats: readonly MatrixFormat[], source: HeldSource, reading: Reading): Promise<Parsed> {
  const cursor = new Cursor(reading.name, new ReadLimit(reading.maxMemory));
  const { head, bytes } = await peek(
    plainBytes(source, reading.name, () => cursor.line),
    MAGIC_BYTES,
  );
  const binary = binaryOf(head, reading);
  cursor.size = sizeOf(source);
  if (binary === undefined) {
    const isFile = typeof source === 'string' && cursor.size !== null;
    const readers = isFile ? (reading.startReaders?.(source, cursor.size!) ?? null) : null;
    return parseText(formats, bytes, cursor, reading, readers);
  }
  try {
    return await readBinary(binary, source, new ByteReader(bytes, cursor), reading);
  } finally {
    bytes.return(undefined).catch(() => undefined); // no await: a source may stand still
  }
}

/** Long texts are read by WebAssembly. */
async function parseText(
  formats: readonly MatrixFormat[],
  text: AsyncIterable<Uint8Array>,
  cursor: Cursor,
  reading: Reading,
  readers: LineReaders | null,
): Promise<Parsed> {
  const kernels: ReadingKernels = { triples: null };
  let found: MatrixFormat | undefined;
  let parser: MatrixParser | null = null;
  let begun = false;
  const chunks = withReaders(withKernels(text, kernels), readers, reading.name, () => parser);
  await feedLines(chunks, cursor, (bytes, from, to) => {
    let at = begun ? from : behindByteOrderMark(bytes, from);
    begun = true;
    if (parser === null) {
      at = takeLines(bytes, at, to, cursor, (line) => {
        found = formats.find((candidate) => candidate.detects(line));
        parser = found?.parser(cursor, kernels, reading) ?? null;
        if (parser === null && !COMMENT.test(line)) cursor.fail(headers(formats), excerpt(line));
        return parser === null;
      });
    }
    if (at < to) parser!.parse(bytes, at, to);
    cursor.read += to - from;
  });
  // The compiler does not see the assignment in the callback, hence the cast.
  const ended = (parser as MatrixParser | null) ?? cursor.fail(headers(formats), 'the end of the file');
  return { matrix: ended.finish(), format: found!.name, layout: ended.layout };
}

/** Without WebAssembly, or memory for it, plain code reads the same lines, slower. */
async function* withKernels(chunks: AsyncIterable<Uint8Array>, kernels: ReadingKernels): AsyncGenerator<Uint8Array> {
  let isRefused = false;
  for await (const chunk of chunks) {
    if (chunk.length >= WORTH_KERNELS && !isRefused) {
      try {
        // Small files need no kernels, so the import is here.
        kernels.triples ??= await (await import('../../kernels/sparse/scan-triples.js')).TripleKernel.get();
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        isRefused = true;
      }
    }
    yield chunk;
  }
}

/** The bytes that threads leave: those before they are ready, and from the first line on that is not plain. */
async function* withReaders(
  chunks: AsyncIterable<Uint8Array>,
  readers: LineReaders | null,
  name: string,
  parser: () => MatrixParser | null,
): AsyncGenerator<Uint8Array> {
  if (readers === null) return yield* chunks;
  try {
    let at = 0; // the byte that the chunk begins at
    for await (const chunk of chunks) {
      const whole = readers.isReady ? chunk.lastIndexOf(LF) + 1 : 0;
      yield chunk.subarray(0, whole);
      // All lines before are consumed.
      const rest = whole === 0 ? null : await parser()?.parseAhead?.(readers, at + whole);
      if (typeof rest === 'number') return yield* rawBytes(readers.bytesFrom(rest), name);
      yield chunk.subarray(whole);
      at += chunk.length;
    }
  } finally {
    readers.end();
  }
}

function headers(formats: readonly MatrixFormat[]): string {
  return `a header ${formats.map(({ header }) => header).join(' or ')}`;
}
