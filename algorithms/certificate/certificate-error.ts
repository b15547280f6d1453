/** A text that is no certificate, and what was expected in its place. */
import { describe } from '../../kernels/errors/describe.js';

export class CertificateError extends Error {
  override name = 'CertificateError';
}

/** `got` is quoted, cut and escaped where it is a string. */
export function refusal(where: string, what: string, got: unknown): CertificateError {
  return new CertificateError(`certificate: ${where}: expected ${what}, got ${describe(got)}`);
}
