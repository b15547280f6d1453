/**
 * Fields and bytes in one array that shows whether it is what was written.
 *
 *   a line of JSON, its last field "sha256"      a line break      the bytes
 *
 * The digest is SHA-256 of the line without that field, a line break and the bytes. An array without bytes is a JSON
 * file. What is lost, cut off or changed in one bit has another digest, but for a probability of 2^-256.
 */
import { nextTurn, sha256 } from '#platform';

export type Fields = Readonly<Record<string, unknown>>;

export interface Sealed {
  readonly fields: Fields;
  readonly bytes: Uint8Array;
}

const BREAK = 10;

/** Bytes that are hashed in one turn. */
const SLICE = 2 ** 22;

export function seal(fields: Fields, bytes: Uint8Array = new Uint8Array(0)): Uint8Array {
  return joinBytes([headOf(fields, digestOfBytes(encode(lineOf(fields)), bytes)), bytes]);
}

/** One array of several, one behind another. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** The line before the bytes, which come in pieces; others have their turn while long ones are hashed. */
export async function sealPieces(fields: Fields, bytes: readonly Uint8Array[]): Promise<Uint8Array> {
  const hash = sha256();
  hash.update(encode(lineOf(fields)));
  let hashed = 0; // in this turn
  for (const piece of bytes) {
    for (let at = 0; at < piece.length; at += SLICE) {
      const slice = piece.subarray(at, at + SLICE);
      hashed += slice.length;
      if (hashed > SLICE) {
        await nextTurn();
        hashed = slice.length;
      }
      hash.update(slice);
    }
  }
  return headOf(fields, hex(hash.digest()));
}

function headOf(fields: Fields, digest: string): Uint8Array {
  return encode(lineOf({ ...fields, sha256: digest }));
}

function lineOf(fields: Fields): string {
  return `${JSON.stringify(fields)}\n`;
}

/** null where the array is not what `seal` gave. */
export function unseal(array: Uint8Array): Sealed | null {
  const end = array.indexOf(BREAK);
  if (end < 0) return null;
  try {
    const head: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(array.subarray(0, end)));
    if (typeof head !== 'object' || head === null) return null;
    // The keys of an object keep their order, so that the text of the rest is the text that was hashed.
    const { sha256: digest, ...fields } = head as Fields;
    const bytes = array.subarray(end + 1);
    return digest === digestOfBytes(encode(lineOf(fields)), bytes) ? { fields, bytes } : null;
  } catch {
    return null; // no JSON
  }
}

/** SHA-256 in hexadecimal digits. */
export function digestOfText(text: string): string {
  return digestOfBytes(encode(text));
}

/** The same of several arrays, one behind another. */
export function digestOfBytes(...arrays: readonly Uint8Array[]): string {
  const hash = sha256();
  for (const bytes of arrays) hash.update(bytes);
  return hex(hash.digest());
}

/** The same of pieces that come one after another. */
export async function digestOfPieces(next: () => Promise<Uint8Array | undefined>): Promise<string> {
  const hash = sha256();
  for (let piece = await next(); piece; piece = await next()) hash.update(piece);
  return hex(hash.digest());
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
