/**
 * The files in a zip archive, one after the other as they stand in it, unpacked, each with its CRC checked.
 *
 *   a file     50 4b 03 04, version 2, flags 2, method 2, time 4, crc 4, packed size 4, size 4, lengths 2 + 2,
 *              name, extra
 *   behind     50 4b 01 02 …, the directory, which repeats it all, up to 50 4b 05 06, its end
 *
 * Extra field 1 has sizes of 64 bits, size first, where those of 32 bits are all ones. A file whose sizes stand behind
 * it (flag 3), as a writer to a pipe leaves it, is refused.
 * Source: APPNOTE.TXT 6.3.10, sections 4.3.7 to 4.3.16 and 4.5.3.
 */
import { Inflate } from 'fflate';
import type { ByteReader } from './byte-reader.js';
import { crc32 } from './crc32.js';

const [FILE, DIRECTORY, END64, LOCATOR64, END] = [0x04034b50, 0x02014b50, 0x06064b50, 0x07064b50, 0x06054b50];
const [STORED, DEFLATED] = [0, 8];
const [ENCRYPTED, SIZES_BEHIND] = [1, 8];
const IN_EXTRA = 0xffffffff;

/** Packed bytes at a time: a byte unpacks to a thousand at most. */
const PIECE = 1 << 14;

interface ZippedFile {
  readonly name: string;
  readonly bytes: AsyncGenerator<Uint8Array>; // to be read to its end before the next file
}

export async function* filesInZip(zip: ByteReader): AsyncGenerator<ZippedFile> {
  for (;;) {
    const signature = await zip.number(4, 'a file or the directory of the zip');
    if (signature === FILE) yield await fileIn(zip);
    else if (signature === DIRECTORY || signature === END) return skipDirectory(zip, signature);
    else zip.fail('a file or the directory of the zip', `0x${signature.toString(16)}`, zip.offset - 4);
  }
}

async function fileIn(zip: ByteReader): Promise<ZippedFile> {
  const start = zip.offset - 4;
  const header = new DataView((await zip.take(26, "a file's header in the zip")).buffer);
  const [flags, method] = [header.getUint16(2, true), header.getUint16(4, true)];
  const name = new TextDecoder('latin1').decode(await zip.take(header.getUint16(22, true), 'the name of a file'));
  const extra = await zip.take(header.getUint16(24, true), 'the extra fields of a file');
  if (flags & ENCRYPTED) zip.fail('a zip without a password', `${name} encrypted`, start);
  if (flags & SIZES_BEHIND) zip.fail('sizes in front of files', `${name} as written to a pipe, without them`, start);
  if (method !== STORED && method !== DEFLATED) zip.fail('a file stored or deflated', `method ${method}`, start);
  let [packed, size] = [header.getUint32(14, true), header.getUint32(18, true)];
  if (packed === IN_EXTRA || size === IN_EXTRA) [size, packed] = longSizes(extra, zip);
  return { name, bytes: unpack(zip, { name, method, packed, size, crc: header.getUint32(10, true) }) };
}

/** Sizes of 64 bits: the file's own, the packed one. */
function longSizes(extra: Uint8Array<ArrayBuffer>, zip: ByteReader): [size: number, packed: number] {
  const view = new DataView(extra.buffer);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1 || at + 20 > extra.length) continue;
    return [Number(view.getBigUint64(at + 4, true)), Number(view.getBigUint64(at + 12, true))];
  }
  zip.fail('an extra field with sizes of 64 bits', 'none');
}

interface Packed {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly crc: number;
}

async function* unpack(zip: ByteReader, { name, method, packed, size, crc }: Packed): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  const inflate = new Inflate((piece) => out.push(piece));
  let [left, found, sum] = [packed, 0, 0];
  do {
    const at = zip.offset;
    const piece = await zip.some(Math.min(left, PIECE));
    if (piece.length === 0 && left > 0) zip.fail(`${left} more bytes of ${name}`, 'the end of the file: cut off?');
    left -= piece.length;
    out = [];
    if (method === STORED) out.push(piece);
    else inflatePiece(inflate, piece, left === 0, zip, at);
    for (const bytes of out) {
      found += bytes.length;
      sum = crc32(sum, bytes);
      yield bytes;
    }
  } while (left > 0);
  if (found !== size) zip.fail(`${size} bytes in ${name}`, `${found}`);
  if (sum !== crc) zip.fail(`CRC ${crc.toString(16)} of ${name}`, `${sum.toString(16)}: damaged?`);
}

function inflatePiece(inflate: Inflate, piece: Uint8Array, isLast: boolean, zip: ByteReader, at: number): void {
  try {
    inflate.push(piece, isLast);
  } catch (error) {
    zip.fail('deflated bytes', `'${(error as Error).message}': damaged?`, at);
  }
}

/** Reads to the end of the archive, so that one that is cut off is found out. */
async function skipDirectory(zip: ByteReader, first: number): Promise<void> {
  for (let signature = first; ; signature = await zip.number(4, 'the end of the directory')) {
    const start = zip.offset - 4;
    const header = async (bytes: number): Promise<DataView> =>
      new DataView((await zip.take(bytes, 'the directory of the zip')).buffer);
    if (signature === DIRECTORY) {
      const view = await header(42);
      const lengths = [24, 26, 28].map((at) => view.getUint16(at, true));
      for (const length of lengths) await zip.take(length, 'the directory of the zip');
    } else if (signature === END64) await zip.take((await header(8)).getUint32(0, true), 'the directory of the zip');
    else if (signature === LOCATOR64) await header(16);
    else if (signature === END) {
      await zip.take((await header(18)).getUint16(16, true), 'the comment of the zip');
      if (!(await zip.atEnd())) zip.fail('the end of the zip', 'more behind it');
      return;
    } else zip.fail('the directory of the zip', `0x${signature.toString(16)}`, start);
  }
}
