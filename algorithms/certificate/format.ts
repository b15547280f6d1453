/**
 * The file of a rank certificate: JSON, versioned, described for strangers in algorithms/README.md.
 *
 *   A : m × n over F_p      r : the rank claimed      P : r × m, Q : n × r over E (compression.ts, certificate-field.ts)
 *   lower : solutions x of (P·A·Q)·x = b, one a challenge b        upper : solutions y of A·Q·y = A·w, one a challenge w
 *
 * Long vectors are base64 of little-endian 32-bit words, which every language reads in a line.
 */
import { isPrime } from '../../fields/primality.js';
import { certificateField } from './certificate-field.js';

export const FORMAT = 'wiedemann-rank-certificate';
export const VERSION = 1;

/** What a certificate is about, and the two maps that make its matrix square: fixed before any challenge is drawn. */
export interface Commitment {
  readonly rows: number;
  readonly cols: number;
  readonly p: number;
  readonly matrix: Uint8Array; // digest of A mod p, 32 bytes
  readonly rank: number;
  readonly pivotRows: Uint32Array; // distinct rows of A that P keeps as they are, at most rank
  readonly pivotCols: Uint32Array; // as many columns, for Q
  readonly layers: number; // 1 … 16, how many of P's rows each other row of A goes to
  readonly seed: bigint; // of the other rows' and columns' places and coefficients, below 2^64
}

export interface RankCertificate extends Commitment {
  readonly lower: readonly Uint32Array[]; // x, rank elements of E each
  /** y, rank elements each; none when rank = min(rows, cols), which nothing exceeds; null when no upper bound is claimed. */
  readonly upper: readonly Uint32Array[] | null;
}

/** A text that is no certificate. */
export class CertificateError extends Error {
  override name = 'CertificateError';
}

export function stringifyCertificate(c: RankCertificate): string {
  const object = {
    format: FORMAT,
    version: VERSION,
    matrix: { rows: c.rows, cols: c.cols, sha256: hex(c.matrix) },
    mod: c.p,
    polynomial: certificateField(c.p).polynomial,
    rank: c.rank,
    pivotRows: base64(c.pivotRows),
    pivotCols: base64(c.pivotCols),
    layers: c.layers,
    seed: c.seed.toString(),
    lower: c.lower.map(base64),
    upper: c.upper?.map(base64) ?? null,
  };
  return `${JSON.stringify(object, null, 1)}\n`;
}

/** Throws CertificateError, naming the field and what was expected there; whether the claim holds is not looked at. */
export function parseCertificate(text: string): RankCertificate {
  let object: unknown;
  try {
    object = JSON.parse(text);
  } catch (error) {
    throw new CertificateError(`certificate: expected JSON: ${(error as Error).message}`);
  }
  const top = fields(object, 'certificate', [
    ...[
      'format',
      'version',
      'matrix',
      'mod',
      'polynomial',
      'rank',
      'pivotRows',
      'pivotCols',
      'layers',
      'seed',
      'lower',
      'upper',
    ],
  ]);
  if (top['format'] !== FORMAT) throw expected('format', FORMAT, top['format']);
  if (top['version'] !== VERSION) throw expected('version', String(VERSION), top['version']);
  const matrix = fields(top['matrix'], 'matrix', ['rows', 'cols', 'sha256']);
  const rows = whole(matrix['rows'], 'matrix.rows', 0, 2 ** 31 - 1);
  const cols = whole(matrix['cols'], 'matrix.cols', 0, 2 ** 31 - 1);
  const p = whole(top['mod'], 'mod', 2, 2 ** 31 - 1);
  if (!isPrime(p)) throw expected('mod', 'a prime', p);
  const { q, polynomial } = certificateField(p);
  if (JSON.stringify(top['polynomial']) !== JSON.stringify(polynomial)) {
    throw expected('polynomial', JSON.stringify(polynomial), JSON.stringify(top['polynomial']));
  }
  const rank = whole(top['rank'], 'rank', 0, Math.min(rows, cols));
  const pivotRows = words(top['pivotRows'], 'pivotRows');
  const pivotCols = words(top['pivotCols'], 'pivotCols');
  if (pivotRows.length > rank) throw expected('pivotRows', `at most ${rank} rows`, pivotRows.length);
  if (pivotCols.length !== pivotRows.length) {
    throw expected('pivotCols', `${pivotRows.length} columns`, pivotCols.length);
  }
  distinct(pivotRows, rows, 'pivotRows');
  distinct(pivotCols, cols, 'pivotCols');
  const answers = (value: unknown, name: string): Uint32Array[] => {
    if (!Array.isArray(value)) throw expected(name, 'a list of vectors', value);
    return value.map((one, i) => {
      const vector = words(one, `${name}[${i}]`);
      if (vector.length !== rank) throw expected(`${name}[${i}]`, `${rank} elements`, vector.length);
      if (vector.some((code) => code >= q)) throw expected(`${name}[${i}]`, `elements below ${q}`, 'a larger one');
      return vector;
    });
  };
  return {
    ...{ rows, cols, p, rank, pivotRows, pivotCols },
    matrix: digest(matrix['sha256']),
    layers: whole(top['layers'], 'layers', 1, 16),
    seed: seedOf(top['seed']),
    lower: answers(top['lower'], 'lower'),
    upper: top['upper'] === null ? null : answers(top['upper'], 'upper'),
  };
}

function expected(field: string, what: string, got: unknown): CertificateError {
  const came = typeof got === 'string' || typeof got === 'number' ? String(got).slice(0, 80) : typeof got;
  return new CertificateError(`certificate: ${field}: expected ${what}, got ${came}`);
}

function fields(value: unknown, name: string, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(name, 'an object', value);
  for (const key of names) if (!Object.hasOwn(value, key)) throw expected(key, 'a value', 'nothing');
  for (const key of Object.keys(value)) if (!names.includes(key)) throw expected(name, names.join(', '), key);
  return value as Record<string, unknown>;
}

function whole(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw expected(name, `an integer from ${least} to ${most}`, value);
}

function distinct(indices: Uint32Array, size: number, name: string): void {
  const seen = new Uint8Array(size);
  for (const i of indices) {
    if (i >= size || seen[i] === 1) throw expected(name, `distinct numbers below ${size}`, i);
    seen[i] = 1;
  }
}

function digest(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw expected('matrix.sha256', '64 hex digits', value);
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(value.slice(2 * i, 2 * i + 2), 16));
}

function seedOf(value: unknown): bigint {
  if (typeof value === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(value) && BigInt(value) < 2n ** 64n)
    return BigInt(value);
  throw expected('seed', 'a decimal number below 2^64, as a string', value);
}

function words(value: unknown, name: string): Uint32Array {
  if (typeof value !== 'string') throw expected(name, 'base64 of 32-bit words', value);
  let binary: string;
  try {
    binary = atob(value);
  } catch {
    throw expected(name, 'base64 of 32-bit words', 'other characters');
  }
  if (binary.length % 4 !== 0) throw expected(name, 'base64 of 32-bit words', `${binary.length} bytes`);
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

const CHUNK = 2 ** 14;

function base64(vector: Uint32Array): string {
  const bytes = littleEndian(vector);
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** 32-bit words as bytes, the lowest first, on any machine. */
export function littleEndian(vector: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(4 * vector.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < vector.length; i++) view.setUint32(4 * i, vector[i], true);
  return bytes;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
