/**
 * Challenges in place of a verifier's dice: vectors that follow from the prover's whole commitment (Fiat, Shamir 1986).
 *
 *   D = SHA-256 of the commitment, the matrix's digest in it      b, w = uniform in E from SHAKE128(D, label, number)
 *
 * A prover who wants other challenges must commit to something else, and learns whether it helped at the price of a
 * hash: an error of 2^-64 a commitment means about 2^64 hashes for a lie.
 */
import { shake128 } from '@noble/hashes/sha3.js';
import { sha256 } from '#platform';
import { littleEndian } from './base64.js';
import { certificateField } from './certificate-field.js';
import { type Commitment, FORMAT, VERSION } from './format.js';

/** log2 of the probability with which a false bound passes, at most. */
export const ERROR_LOG2 = -64;

/** Challenges a bound needs: the least number with q^-count ≤ 2^-64. */
export function challengeCount(q: number): number {
  let count = 0;
  for (let power = 1n; power < 1n << BigInt(-ERROR_LOG2); power *= BigInt(q)) count++;
  return count;
}

/** D: every field of the commitment, lists with their lengths before them; the digest of A has m, n and p in it. */
export function commitmentDigest(c: Commitment): Uint8Array {
  const hash = sha256();
  const polynomial = Uint32Array.from(certificateField(c.p).polynomial ?? []);
  const [low, high] = [Number(c.seed & 0xffffffffn), Number(c.seed >> 32n)];
  hash.update(ascii(`${FORMAT} ${VERSION} commitment\n`));
  hash.update(c.matrix);
  hash.update(littleEndian(Uint32Array.of(c.rows, c.cols, c.p, c.rank)));
  hash.update(littleEndian(Uint32Array.of(polynomial.length, ...polynomial)));
  hash.update(littleEndian(Uint32Array.of(c.pivotRows.length)));
  hash.update(littleEndian(c.pivotRows));
  hash.update(littleEndian(c.pivotCols));
  hash.update(littleEndian(Uint32Array.of(c.layers, low, high)));
  return hash.digest();
}

/** Challenge number `index` for a bound: `length` uniform elements of E. */
export function challenge(digest: Uint8Array, bound: 'lower' | 'upper', index: number, length: number, q: number) {
  const label = ascii(`${bound} ${index}\n`);
  const input = new Uint8Array(digest.length + label.length);
  input.set(digest);
  input.set(label, digest.length);
  return uniform(input, length, q);
}

/** The first `length` of the 32-bit words of SHAKE128(input) below the largest multiple of q up to 2^32, mod q. */
function uniform(input: Uint8Array, length: number, q: number): Uint32Array {
  const limit = Math.floor(2 ** 32 / q) * q;
  const stream = shake128.create({}).update(input);
  const out = new Uint32Array(length);
  let have = 0;
  while (have < length) {
    const bytes = stream.xof(4 * Math.min(4096, length - have + 8));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length && have < length; at += 4) {
      const word = view.getUint32(at, true);
      if (word < limit) out[have++] = word % q;
    }
  }
  return out;
}

/** `count` 32-bit words of SHAKE128(text). */
export function streamOfWords(text: string, count: number): Uint32Array {
  const bytes = shake128(ascii(text), { dkLen: 4 * count });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true));
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}
