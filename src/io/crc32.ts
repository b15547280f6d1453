/** CRC-32 of zip files: the polynomial 0x04c11db7, bits reflected. Source: APPNOTE.TXT 6.3.10, section 4.4.7. */

const POLYNOMIAL = 0xedb88320; // reflected

/** TABLE[b] : the remainder of byte b. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** The sum of what `crc` is the sum of, followed by `bytes`; 0 is the sum of nothing. */
export function crc32(crc: number, bytes: Uint8Array): number {
  let rest = ~crc;
  for (let k = 0; k < bytes.length; k++) rest = TABLE[(rest ^ bytes[k]!) & 0xff]! ^ (rest >>> 8);
  return ~rest >>> 0;
}
