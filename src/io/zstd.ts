/**
 * Bytes of zstd frames, unpacked, with their checksums compared.
 *
 *   a frame   28 b5 2f fd, descriptor 1, window 0 or 1, dictionary 0 to 4, size 0 to 8, blocks, checksum 0 or 4
 *   a block   header 3: last block 1 bit, type 2, size 21; one of type 1 is a single byte, repeated
 *
 * fzstd unpacks frames; the walk over their blocks here finds where a frame ends and its checksum, the low half of
 * XXH64, which fzstd leaves unread. Source: RFC 8878, section 3.1.
 */
import { Decompress } from 'fzstd';
import type { XXHash } from 'xxhash-wasm';
import type { ByteReader } from './byte-reader.js';

const FRAME = 0xfd2fb528;
const [SKIPPABLE, SKIPPABLE_MASK] = [0x184d2a50, 0xfffffff0];

/** What `zstd -d` takes without being told to. fzstd allocates the window that a header asks for. */
const LARGEST_WINDOW = 1 << 27;
const LARGEST_BLOCK = 1 << 17;
const RUN = 1;

/** All frames. */
export async function* unzstd(packed: ByteReader): AsyncGenerator<Uint8Array> {
  const { create64 } = await (await import('xxhash-wasm')).default();
  while (!(await packed.atEnd())) {
    const at = packed.offset;
    const magic = await packed.number(4, 'a zstd frame');
    if (magic === FRAME) yield* unpackFrame(packed, create64(0n), at);
    else if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE) {
      for (let left = await packed.number(4, 'a frame to skip'); left > 0; ) {
        const piece = await packed.some(left);
        if (piece.length === 0) packed.fail(`${left} bytes of a frame to skip`, 'the end of the file: cut off?');
        left -= piece.length;
      }
    } else packed.fail('a zstd frame', `0x${magic.toString(16)}`, at);
  }
}

async function* unpackFrame(packed: ByteReader, sum: XXHash<bigint>, start: number): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  const frame = new Decompress((piece) => {
    if (piece.length > 0) out.push(piece);
  });
  const push = (bytes: Uint8Array, isLast = false): Uint8Array[] => {
    out = [];
    try {
      frame.push(bytes, isLast);
    } catch (error) {
      packed.fail('a whole zstd file', `'${(error as Error).message}': damaged?`);
    }
    for (const piece of out) sum.update(piece);
    return out;
  };
  const { header, hasSum } = await frameHeader(packed, start);
  push(header);
  for (let isLast = false; !isLast; ) {
    const head = await packed.take(3, 'a block of zstd');
    const word = head[0]! | (head[1]! << 8) | (head[2]! << 16);
    isLast = (word & 1) === 1;
    const [type, size] = [(word >> 1) & 3, word >> 3];
    if (size > LARGEST_BLOCK && type !== RUN) packed.fail(`a block of at most ${LARGEST_BLOCK} bytes`, `${size}`);
    const body = await packed.take(type === RUN ? 1 : size, 'a block of zstd');
    const block = new Uint8Array(3 + body.length);
    block.set(head);
    block.set(body, 3);
    yield* push(block, isLast && !hasSum);
  }
  if (!hasSum) return;
  const said = await packed.take(4, 'the checksum of a frame');
  yield* push(said, true);
  const [expected, got] = [new DataView(said.buffer).getUint32(0, true), Number(sum.digest() & 0xffffffffn)];
  if (expected !== got) packed.fail(`checksum ${expected.toString(16)} of the frame`, `${got.toString(16)}: damaged?`);
}

async function frameHeader(packed: ByteReader, start: number): Promise<{ header: Uint8Array; hasSum: boolean }> {
  const [descriptor] = await packed.take(1, "a frame's header");
  const isSingle = (descriptor! & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor! >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor! & 3]!;
  const rest = await packed.take((isSingle ? 0 : 1) + dictionaryBytes + sizeBytes, "a frame's header");
  if (windowOf(rest, isSingle, sizeBytes) > LARGEST_WINDOW)
    packed.fail(
      `a window of at most ${LARGEST_WINDOW} bytes`,
      'a larger one (zstd --long): unpack it by zstd -d',
      start,
    );
  if (dictionaryBytes > 0) packed.fail('zstd without a dictionary', 'one', start);
  const header = new Uint8Array(5 + rest.length);
  new DataView(header.buffer).setUint32(0, FRAME, true);
  header[4] = descriptor!;
  header.set(rest, 5);
  return { header, hasSum: (descriptor! & 4) !== 0 };
}

/** The bytes that matches reach back over; of a single segment all there are. */
function windowOf(rest: Uint8Array<ArrayBuffer>, isSingle: boolean, sizeBytes: number): number {
  if (!isSingle) return 2 ** (10 + (rest[0]! >> 3)) * (1 + (rest[0]! & 7) / 8);
  let size = 0;
  for (let k = 1; k <= sizeBytes; k++) size = size * 256 + rest[rest.length - k]!;
  return sizeBytes === 2 ? size + 256 : size;
}
