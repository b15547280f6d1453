/**
 * Lists of 32-bit words as base64 of their bytes, lowest first, in one way only: the alphabet of RFC 4648 section 4,
 * padded with =, no space, and the bits that padding leaves over 0.
 */

// Pieces of whole groups, so that no copy of a long vector is made beside the result.
const BYTES = 3 * 2 ** 12;
const CHARACTERS = 4 * 2 ** 12;

export function toBase64(words: Uint32Array): string {
  const bytes = littleEndian(words);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + BYTES))));
  }
  return pieces.join('');
}

/** The words; or, in words, what is wrong with the text. */
export function fromBase64(text: string): Uint32Array | string {
  if (text.length % 4 !== 0) return `${text.length} characters`;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = (text.length / 4) * 3 - padding;
  if (length % 4 !== 0) return `${length} bytes`;
  const bytes = new Uint8Array(length);
  for (let at = 0; at < text.length; at += CHARACTERS) {
    const piece = text.slice(at, at + CHARACTERS);
    const isLast = at + CHARACTERS >= text.length;
    const digits = isLast ? piece.slice(0, piece.length - padding) : piece;
    if (/[^A-Za-z0-9+/]/.test(digits)) return 'other characters';
    const binary = atob(piece);
    if (isLast && btoa(binary) !== piece) return 'bits left over';
    const from = (at / 4) * 3;
    for (let i = 0; i < binary.length; i++) bytes[from + i] = binary.charCodeAt(i);
  }
  const view = new DataView(bytes.buffer);
  const words = new Uint32Array(length / 4);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true);
  return words;
}

const IS_LITTLE = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** 32-bit words as bytes, the lowest first, on any machine; they may be the words' own. */
export function littleEndian(vector: Uint32Array): Uint8Array {
  if (IS_LITTLE) return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  const bytes = new Uint8Array(4 * vector.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < vector.length; i++) view.setUint32(4 * i, vector[i], true);
  return bytes;
}
