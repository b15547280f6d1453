/** The bytes of texts that scripts/byte-text.mjs has made of them, where the format is. */
import { bytesOfHex } from '#platform';

const DIGITS = 86;
const FIRST_DIGIT = 40;
const FIRST_MARK = 35; // of 1, and the next one of 2
const BACKSLASH = 92;
const ROW = 128; // codes of characters
const LOCAL_GET = 0x20; // and behind it local.set
const LOCAL_TEE = 0x22;

export function bytesOfText(order: string, text: string, locals: string): Uint8Array<ArrayBuffer> {
  const byteOf = bytesOfCodes(order);
  const codes = new TextEncoder().encode(text + locals);
  const bytes = new Uint8Array(codes.length);
  const [middle, end] = [text.length, codes.length];
  let [used, inText, inLocals] = [0, 0, middle];
  let isLocal = false;
  while (inText < middle || inLocals < end) {
    let code = codes[isLocal ? inLocals++ : inText++]!;
    if (code < FIRST_DIGIT) code = ROW * (code - FIRST_MARK + 1) + codes[isLocal ? inLocals++ : inText++]!;
    const byte: number = byteOf[code]!;
    bytes[used++] = byte;
    isLocal = byte >= LOCAL_GET && byte <= LOCAL_TEE;
  }
  return bytes.subarray(0, used);
}

/** Bytes by the codes of their digits, a row for those without a mark and for each mark. */
function bytesOfCodes(order: string): Uint8Array {
  const rows = new Uint8Array(3 * ROW);
  for (const [place, byte] of bytesOfHex(order).entries()) {
    const code = FIRST_DIGIT + (place % DIGITS);
    rows[ROW * Math.floor(place / DIGITS) + (code < BACKSLASH ? code : code + 1)] = byte;
  }
  return rows;
}
