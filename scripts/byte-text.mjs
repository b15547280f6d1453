/**
 * Bytes of a WebAssembly module as text for JavaScript strings, little longer than they are, and packed by gzip a
 * fifth shorter; the way back is kernels/threads/byte-text.ts.
 *
 *   order : hexadecimal digits of all 256 bytes, those that come often first
 *   text : the place of each byte in `order`, p = DIGITS·k + d, as the digit d, behind a mark of k where k > 0
 *   locals : the same of the bytes that stand behind local.get, local.set or local.tee, and not in `text`
 *
 * Kernels that differ in the numbers of their locals have long pieces of `text` alike. A byte that only looks like one
 * of the three operations makes the text no less right. Digits are the characters ( … ~ but for the backslash, marks
 * are # and $: no quotation mark, nothing to be escaped.
 */
const DIGITS = 86;
const BACKSLASH = 92;
const [LOCAL_GET, LOCAL_TEE] = [0x20, 0x22];

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
  const isLocal = (_, at) => at > 0 && bytes[at - 1] >= LOCAL_GET && bytes[at - 1] <= LOCAL_TEE;
  const textOf = (some) => Array.from(some, (byte) => words[byte]).join('');
  return {
    order: Buffer.from(order).toString('hex'),
    text: textOf(bytes.filter((byte, at) => !isLocal(byte, at))),
    locals: textOf(bytes.filter(isLocal)),
  };
}
