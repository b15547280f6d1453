/**
 * A certificate from a file or a stream, and no more of it than a certificate can have.
 *
 * The beginning tells whether a text is one: an endless device is left after a block. A certificate is read up to
 * LONGEST_TEXT bytes, a character each, since it is ASCII; a longer text is refused there, and a longer regular file
 * before it is read.
 */
import { createReadStream, statSync } from 'node:fs';
import { CertificateError } from '../../algorithms/certificate/certificate-error.js';
import {
  checkHead,
  HEAD_LENGTH,
  LONGEST_TEXT,
  parseCertificate,
  type RankCertificate,
} from '../../algorithms/certificate/format.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { FormatError } from '../io/format-error.js';
import { whatFailed } from './system-error.js';

/**
 * `source` is a path, or chunks of any length; `name` is what messages call it. Throws CertificateError for a text that
 * is no certificate and FormatError for a source that cannot be read.
 */
export async function readCertificate(
  source: string | AsyncIterable<Uint8Array>,
  name: string,
): Promise<RankCertificate> {
  try {
    return parseCertificate(await readText(typeof source === 'string' ? fileChunks(source) : source));
  } catch (error) {
    if (error instanceof CertificateError) throw new CertificateError(`${printableName(name)}: ${error.message}`);
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new FormatError(name, 0, 'a readable file', whatFailed(error));
  }
}

function fileChunks(path: string): AsyncIterable<Uint8Array> {
  const found = statSync(path);
  if (found.isFile()) checkLength(found.size);
  return createReadStream(path, { highWaterMark: 2 ** 16 });
}

/** Leaving the loop closes the source. */
async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: string[] = [];
  let [head, length] = ['', 0];
  for await (const chunk of chunks) {
    length += chunk.length;
    checkLength(length);
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    pieces.push(piece);
    if (head.length >= HEAD_LENGTH) continue;
    head += piece;
    if (head.length >= HEAD_LENGTH) checkHead(head);
  }
  return pieces.join('');
}

function checkLength(length: number): void {
  if (length <= LONGEST_TEXT) return;
  throw new CertificateError(`certificate: expected at most ${LONGEST_TEXT} bytes, got more`);
}
