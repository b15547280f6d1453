/** A text that is no certificate, and what was expected in its place. */
import { excerpt } from '../../kernels/errors/excerpt.js';

export class CertificateError extends Error {
  override name = 'CertificateError';
}

/** `got` is quoted, cut and escaped where it is a string. */
export function expected(where: string, what: string, got: unknown): CertificateError {
  return new CertificateError(`certificate: ${where}: expected ${what}, got ${shown(got)}`);
}

function shown(got: unknown): string {
  if (typeof got === 'string') return excerpt(got);
  if (typeof got === 'number' || got === null) return String(got);
  if (Array.isArray(got)) return 'a list';
  return typeof got === 'object' ? 'an object' : typeof got;
}
