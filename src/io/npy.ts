/**
 * NumPy's arrays of numbers of one dimension, and short texts, out of `.npy` bytes.
 *
 *   93 4e 55 4d 50 59, version 2 bytes, length of the header 2 bytes (4 from version 2 on), header, items
 *   header   {'descr': '<i8', 'fortran_order': False, 'shape': (5,), }
 *   descr    byte order < > | =, kind i u f b S U, bytes an item (of U characters of 4 bytes)
 *
 * Source: numpy.lib.format, "Format Version 1.0" to 3.0.
 */
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import { bytesOfWide, parseEntry, WideEntries } from '../../kernels/sparse/big-entries.js';
import { GrowingWords } from '../../kernels/sparse/formats/growing-words.js';
import type { ByteReader } from './byte-reader.js';
import { excerpt } from './format-error.js';

const MAGIC = '\x93NUMPY';
const LONGEST_HEADER = 1 << 16;

export interface NpyHeader {
  readonly kind: string;
  readonly itemBytes: number;
  readonly littleEndian: boolean;
  readonly length: number; // items
  readonly start: number; // the byte where the items begin
}

/** Bytes of what else is kept beside an array that is read. */
export interface Held {
  readonly words: number;
  readonly wide: number; // on V8's heap
}

/** Reads the header of an array of one dimension at most. */
export async function npyHeader(bytes: ByteReader): Promise<NpyHeader> {
  const magic = String.fromCharCode(...(await bytes.take(6, 'an array of NumPy')));
  if (magic !== MAGIC) bytes.fail('an array of NumPy', excerpt(magic), 0);
  const [major] = await bytes.take(2, 'the version of an array');
  if (major! < 1 || major! > 3) bytes.fail('version 1, 2 or 3 of an array', `${major}`, 6);
  const length = await bytes.number(major === 1 ? 2 : 4, 'the length of a header');
  if (length > LONGEST_HEADER) bytes.fail(`a header below ${LONGEST_HEADER} bytes`, `${length}`, 8);
  const at = bytes.offset;
  const text = new TextDecoder('latin1').decode(await bytes.take(length, 'the header of an array'));
  const descr = /'descr':\s*'([<>|=])([a-zA-Z])(\d+)'/.exec(text);
  const shape = /'shape':\s*\((?:(\d+),)?\s*\)/.exec(text);
  if (descr === null || shape === null) bytes.fail('numbers in one dimension', excerpt(text.trim()), at);
  const [, order, kind, size] = descr as unknown as [string, string, string, string];
  const items = shape[1] === undefined ? 1 : Number(shape[1]);
  if (items > MAX_SIZE) bytes.fail(`at most ${MAX_SIZE} items`, `${items}`, at);
  const itemBytes = kind === 'U' ? 4 * Number(size) : Number(size);
  return { kind, itemBytes, littleEndian: order !== '>', length: items, start: bytes.offset };
}

/** A short text; of characters beyond ASCII, junk. */
export async function npyText(bytes: ByteReader, header: NpyHeader): Promise<string> {
  const { kind, itemBytes, length, start } = header;
  if (!'SU'.includes(kind) || length !== 1 || itemBytes > 64) bytes.fail('a short text', typeOf(header), start);
  return String.fromCharCode(...(await bytes.take(itemBytes, 'a text'))).replaceAll('\0', '');
}

/** Indices, in 0…2³¹−1. */
export async function npyIndices(bytes: ByteReader, header: NpyHeader, held: Held): Promise<Uint32Array> {
  if (!'iu'.includes(header.kind)) bytes.fail('integers', typeOf(header), header.start);
  const words = new GrowingWords();
  await eachItem(bytes, header, words, held, (value, byte) => {
    if (!(value >= 0 && value <= MAX_SIZE)) bytes.fail(`an index in 0…${MAX_SIZE}`, `${value}`, byte);
    words.push(Number(value));
  });
  return words.take();
}

export interface NpyValues {
  readonly values: Int32Array; // 0 where `wide` has the value
  readonly wide: WideEntries;
}

/** Integers of any type, floating-point numbers among them. */
export async function npyValues(bytes: ByteReader, header: NpyHeader, held: Held): Promise<NpyValues> {
  const words = new GrowingWords();
  const wide = new WideEntries();
  let wideBytes = held.wide;
  await eachItem(bytes, header, words, held, (value, byte) => {
    if (typeof value === 'number' && !Number.isInteger(value))
      bytes.fail('a value that is an integer', `${value}`, byte);
    const entry = parseEntry(Number.isSafeInteger(value) || typeof value === 'bigint' ? value : BigInt(value));
    if (typeof entry !== 'number') {
      wideBytes += bytesOfWide(entry);
      bytes.cursor.limit.check(held.words + 4 * words.length, wideBytes, bytes.cursor.place);
      wide.push(words.length, entry);
    }
    words.push(typeof entry === 'number' ? entry : 0);
  });
  const taken = words.take();
  return { values: new Int32Array(taken.buffer, 0, taken.length), wide };
}

/** Hands each item and its byte on, while `words` grows by one an item. */
async function eachItem(
  bytes: ByteReader,
  header: NpyHeader,
  words: GrowingWords,
  held: Held,
  take: (value: number | bigint, byte: number) => void,
): Promise<void> {
  const { itemBytes, length, start } = header;
  const get = GETTERS[`${header.kind}${itemBytes}`];
  if (get === undefined) bytes.fail('integers, or floating-point numbers that are', typeOf(header), start);
  for await (const batch of bytes.items(length, itemBytes, `${length} items`)) {
    const view = new DataView(batch.buffer);
    const from = bytes.offset - batch.length;
    // The list doubles by copying.
    bytes.cursor.limit.check(held.words + 12 * words.length, held.wide, bytes.cursor.place);
    for (let at = 0; at < batch.length; at += itemBytes) take(get(view, at, header.littleEndian), from + at);
  }
}

type Getter = (view: DataView, at: number, littleEndian: boolean) => number | bigint;

const GETTERS: Readonly<Record<string, Getter>> = {
  b1: (view, at) => view.getUint8(at),
  i1: (view, at) => view.getInt8(at),
  u1: (view, at) => view.getUint8(at),
  i2: (view, at, little) => view.getInt16(at, little),
  u2: (view, at, little) => view.getUint16(at, little),
  i4: (view, at, little) => view.getInt32(at, little),
  u4: (view, at, little) => view.getUint32(at, little),
  i8: (view, at, little) => {
    // Most values are short, and a bigint is an object.
    const low = view.getInt32(little ? at : at + 4, little);
    return view.getInt32(little ? at + 4 : at, little) === low >> 31 ? low : view.getBigInt64(at, little);
  },
  u8: (view, at, little) => {
    const low = view.getUint32(little ? at : at + 4, little);
    return view.getUint32(little ? at + 4 : at, little) === 0 ? low : view.getBigUint64(at, little);
  },
  f4: (view, at, little) => view.getFloat32(at, little),
  f8: (view, at, little) => view.getFloat64(at, little),
};

function typeOf({ kind, itemBytes, length }: NpyHeader): string {
  return `${length} items of NumPy's type ${kind}${kind === 'U' ? itemBytes / 4 : itemBytes}`;
}
