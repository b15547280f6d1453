/** Words of 32 bits as the bytes of an array in a store: little-endian, as WebAssembly's memory is on every machine. */

export function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** A copy: bytes may lie anywhere. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(Math.floor(bytes.length / 4));
  bytesOf(words).set(bytes.subarray(0, 4 * words.length));
  return words;
}

export function sameWords(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
