/**
 * Fields and bytes in one array that shows whether it is what was written.
 *
 *   a line of JSON, its last field "sha256"      a line break      the bytes
 *
 * The digest is SHA-256 of the line without that field, a line break and the bytes. An array without bytes is a JSON
 * file. What is lost, cut off or changed in one bit has another digest, but for a probability of 2^-256.
 */
import { sha256 } from '#platform';

export type Fields = Readonly<Record<string, unknown>>;

export interface Sealed {
  readonly fields: Fields;
  readonly bytes: Uint8Array;
}

const BREAK = 10;

export function seal(fields: Fields, bytes: Uint8Array = new Uint8Array(0)): Uint8Array {
  const head = encode(`${JSON.stringify({ ...fields, sha256: digestOf(fields, bytes) })}\n`);
  const out = new Uint8Array(head.length + bytes.length);
  out.set(head);
  out.set(bytes, head.length);
  return out;
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
    return digest === digestOf(fields, bytes) ? { fields, bytes } : null;
  } catch {
    return null; // no JSON
  }
}

function digestOf(fields: Fields, bytes: Uint8Array): string {
  return digestOfBytes(encode(`${JSON.stringify(fields)}\n`), bytes);
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

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
