/** Bytes in pieces for a queue, which takes no shared memory: what stands there goes through an array of its own. */

const MOST = 2 ** 26; // bytes at a time
/** The same of shared memory: one array takes all pieces, one after another, and stays in the cache. */
const MOST_SHARED = 2 ** 22;

export function* queuePieces(data: Uint32Array | Uint16Array): Generator<Uint8Array<ArrayBuffer>> {
  const { buffer, byteOffset, byteLength } = data;
  if (buffer instanceof ArrayBuffer) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (let at = 0; at < byteLength; at += MOST) yield bytes.subarray(at, at + MOST);
    return;
  }
  const own = new Uint8Array(Math.min(byteLength, MOST_SHARED));
  for (let at = 0; at < byteLength; at += MOST_SHARED) {
    const piece = new Uint8Array(buffer, byteOffset + at, Math.min(MOST_SHARED, byteLength - at));
    own.set(piece);
    yield own.subarray(0, piece.length);
  }
}
