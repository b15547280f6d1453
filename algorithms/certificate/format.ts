/**
 * The file of a rank certificate: JSON, versioned, described for strangers in README.md beside it.
 *
 *   A : m × n over F_p      A' : m' × n', A mod p without its zero rows and columns (nonzero-part.ts)
 *   r : the rank claimed
 *   P : r × m', Q : n' × r over E (compression.ts, certificate-field.ts)
 *   lower : solutions x of (P·A'·Q)·x = b, one a challenge b
 *   upper : solutions y of A'·Q·y = A'·w, one a challenge w
 *
 * A text has one reading (strict-json.ts, base64.ts), and reading it takes memory that follows its length: sizes that
 * it states allocate nothing.
 */
import { isPrime } from '../../fields/primality.js';
import { fromBase64, toBase64 } from './base64.js';
import { CertificateError, refusal } from './certificate-error.js';
import { certificateField } from './certificate-field.js';
import { type Json, parseStrictJson } from './strict-json.js';

export const FORMAT = 'wiedemann-rank-certificate';
export const VERSION = 2;

/** The longest text, in characters: a little less than V8's longest string. */
export const LONGEST_TEXT = 2 ** 29 - 2 ** 20;

/** `format` and `version` stand within so many characters from the beginning. */
export const HEAD_LENGTH = 4096;

/** The commitment: the claim and the two maps that make its matrix square, fixed before any challenge is drawn. */
export interface Commitment {
  readonly rows: number; // m
  readonly cols: number; // n
  readonly p: number;
  readonly matrix: Uint8Array; // digest of A mod p, 32 bytes
  readonly rank: number;
  readonly pivotRows: Uint32Array; // distinct rows of A' that P keeps as they are, at most rank
  readonly pivotCols: Uint32Array; // as many columns of A', for Q
  readonly layers: number; // 1 … 16, how many of P's rows each other row of A' goes to
  readonly seed: bigint; // of the other rows' and columns' places and coefficients, below 2^64
}

export interface RankCertificate extends Commitment {
  readonly lower: readonly Uint32Array[]; // x, rank elements of E each
  /**
   * y, rank elements each; none when rank = min(m', n'), which nothing exceeds; null when no upper bound is claimed.
   */
  readonly upper: readonly Uint32Array[] | null;
}

const KEYS = [
  ...['format', 'version', 'matrix', 'mod', 'polynomial', 'rank'],
  ...['pivotRows', 'pivotCols', 'layers', 'seed', 'lower', 'upper'],
];

export function stringifyCertificate(c: RankCertificate): string {
  const object = {
    format: FORMAT,
    version: VERSION,
    matrix: { rows: c.rows, cols: c.cols, sha256: hex(c.matrix) },
    mod: c.p,
    polynomial: certificateField(c.p).polynomial,
    rank: c.rank,
    pivotRows: toBase64(c.pivotRows),
    pivotCols: toBase64(c.pivotCols),
    layers: c.layers,
    seed: c.seed.toString(),
    lower: c.lower.map(toBase64),
    upper: c.upper?.map(toBase64) ?? null,
  };
  return `${JSON.stringify(object, null, 1)}\n`;
}

const SPACE = '[ \\t\\n\\r]*';
const HEAD = new RegExp(
  `^${['', '\\{', '"format"', ':', `"${FORMAT}"`, ',', '"version"', ':', ''].join(SPACE)}([0-9]{1,16})(?![0-9])`,
);

/** Throws CertificateError unless the first HEAD_LENGTH characters are those of a certificate of this version. */
export function checkHead(text: string): void {
  const [, version] = HEAD.exec(text.slice(0, HEAD_LENGTH)) ?? [];
  if (version === undefined) {
    throw refusal('format', `JSON that begins with '{"format": "${FORMAT}", "version": ${VERSION}'`, text.slice(0, 80));
  }
  if (Number(version) !== VERSION) throw refusal('version', String(VERSION), Number(version));
}

/** Throws CertificateError, naming the field and what was expected there; whether the claim holds is not looked at. */
export function parseCertificate(text: string): RankCertificate {
  if (typeof text !== 'string') throw refusal('text', 'a string', text);
  if (text.length > LONGEST_TEXT) throw refusal('text', `at most ${LONGEST_TEXT} characters`, text.length);
  checkHead(text);
  const top = fields(parseStrictJson(text), 'the whole', KEYS);
  if (top['format'] !== FORMAT) throw refusal('format', FORMAT, top['format']);
  if (top['version'] !== VERSION) throw refusal('version', String(VERSION), top['version']);
  const matrix = fields(top['matrix'], 'matrix', ['rows', 'cols', 'sha256']);
  const rows = whole(matrix['rows'], 'matrix.rows', 0, 2 ** 31 - 1);
  const cols = whole(matrix['cols'], 'matrix.cols', 0, 2 ** 31 - 1);
  const p = whole(top['mod'], 'mod', 2, 2 ** 31 - 1);
  if (!isPrime(p)) throw refusal('mod', 'a prime', p);
  const { q, polynomial } = certificateField(p);
  if (JSON.stringify(top['polynomial']) !== JSON.stringify(polynomial)) {
    throw refusal('polynomial', JSON.stringify(polynomial), JSON.stringify(top['polynomial']));
  }
  const rank = whole(top['rank'], 'rank', 0, Math.min(rows, cols));
  const pivotRows = words(top['pivotRows'], 'pivotRows');
  const pivotCols = words(top['pivotCols'], 'pivotCols');
  if (pivotRows.length > rank) throw refusal('pivotRows', `at most ${rank} rows`, pivotRows.length);
  if (pivotCols.length !== pivotRows.length) {
    throw refusal('pivotCols', `${pivotRows.length} columns`, pivotCols.length);
  }
  checkDistinct(pivotRows, rows, 'pivotRows');
  checkDistinct(pivotCols, cols, 'pivotCols');
  const answers = (value: Json | undefined, name: string): Uint32Array[] => {
    if (!Array.isArray(value)) throw refusal(name, 'a list of vectors', value);
    return value.map((one, i) => {
      const vector = words(one, `${name}[${i}]`);
      if (vector.length !== rank) throw refusal(`${name}[${i}]`, `${rank} elements`, vector.length);
      const above = vector.find((code) => code >= q);
      if (above !== undefined) throw refusal(`${name}[${i}]`, `elements below ${q}`, above);
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

function fields(value: Json | undefined, name: string, names: readonly string[]): Readonly<Record<string, Json>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal(name, 'an object', value);
  for (const key of names) {
    if (!Object.hasOwn(value, key))
      throw new CertificateError(`certificate: ${name}: expected a field ${key}, got none`);
  }
  for (const key of Object.keys(value)) if (!names.includes(key)) throw refusal(name, names.join(', '), key);
  return value as Readonly<Record<string, Json>>;
}

function whole(value: Json | undefined, name: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw refusal(name, `an integer from ${least} to ${most}`, value);
}

function checkDistinct(indices: Uint32Array, size: number, name: string): void {
  const sorted = indices.slice().sort();
  for (let i = 0; i < sorted.length; i++) {
    if (sorted[i] >= size || (i > 0 && sorted[i] === sorted[i - 1])) {
      throw refusal(name, `distinct numbers below ${size}`, sorted[i]);
    }
  }
}

function digest(value: Json | undefined): Uint8Array {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw refusal('matrix.sha256', '64 hex digits, small letters', value);
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(value.slice(2 * i, 2 * i + 2), 16));
}

function seedOf(value: Json | undefined): bigint {
  if (typeof value === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(value) && BigInt(value) < 2n ** 64n)
    return BigInt(value);
  throw refusal('seed', 'a decimal number below 2^64, as a string', value);
}

function words(value: Json | undefined, name: string): Uint32Array {
  if (typeof value !== 'string') throw refusal(name, 'base64 of 32-bit words', value);
  const read = fromBase64(value);
  if (typeof read === 'string')
    throw new CertificateError(`certificate: ${name}: expected base64 of 32-bit words, got ${read}`);
  return read;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
