/**
 * Bytes as text for a JavaScript string, little longer than they are and no longer when gzip has packed it; the way
 * back is kernels/threads/byte-text.ts.
 *
 *   order : hexadecimal digits of all 256 bytes, those that come often first
 *   text : the place of each byte in `order`, p = DIGITS·k + d, as the digit d, behind a mark of k where k > 0
 *
 * Digits are the characters ( … ~ but for the backslash, marks are # and $: no quotation mark, nothing to be escaped.
 */
const DIGITS = 86;
const BACKSLASH = 92;

export function textOfBytes(bytes) {
  const count = new Array(256).fill(0);
  for (const byte of bytes) count[byte]++;
  const order = Uint8Array.from([...count.keys()].sort((a, b) => count[b] - count[a] || a - b));
  const words = [];
  for (const [place, byte] of order.entries()) {
    const code = 40 + (place % DIGITS);
    const digit = String.fromCharCode(code < BACKSLASH ? code : code + 1);
    words[byte] = place < DIGITS ? digit : '#$'[Math.floor(place / DIGITS) - 1] + digit;
  }
  return { order: Buffer.from(order).toString('hex'), text: Array.from(bytes, (byte) => words[byte]).join('') };
}
