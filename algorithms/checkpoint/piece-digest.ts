/**
 * SHA-256 of a list of arrays, each by another thread while the caller makes the next ones: that of their digests, one
 * behind another. Who digests decides where one array ends and the next begins; other cuts have other digests.
 */
import { sha256Beside } from '#platform';
import { digestOfBytes } from './sealed.js';

/** Arrays that wait for their digest at once: more than a machine digests at a time, and few enough to copy. */
const MOST = 8;

/** Bytes of a piece: its digest takes far longer than handing it over, and its copies find memory that was freed. */
const PIECE_BYTES = 2 ** 18;

export class PieceDigest {
  private readonly digests: Promise<Uint8Array>[] = [];

  /** The bytes are the caller's again afterwards. */
  async add(bytes: Uint8Array): Promise<void> {
    const waiting = this.digests[this.digests.length - MOST];
    if (waiting !== undefined) await waiting;
    this.digests.push(sha256Beside(ownBytes(bytes)));
  }

  /** A long array in pieces; an empty one is none. */
  async addAll(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) await this.add(bytes.subarray(at, at + PIECE_BYTES));
  }

  /** In hexadecimal digits. */
  async digest(): Promise<string> {
    return digestOfBytes(...(await Promise.all(this.digests)));
  }
}

/** No thread digests memory that others may change. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
