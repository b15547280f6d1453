/** The bytes of a text that scripts/byte-text.mjs has made of them, where the format is. */
import { bytesOfHex } from '#platform';

const DIGITS = 86;
const FIRST_DIGIT = 40;
const FIRST_MARK = 35; // of 1, and the next one of 2
const BACKSLASH = 92;

export function bytesOfText(order: string, text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  const byteAt = bytesOfHex(order);
  let [used, base] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < FIRST_DIGIT) base = DIGITS * (code - FIRST_MARK + 1);
    else {
      bytes[used++] = byteAt[base + code - FIRST_DIGIT - (code > BACKSLASH ? 1 : 0)]!;
      base = 0;
    }
  }
  return bytes.subarray(0, used);
}
