/** Whether a certificate shows what the caller believes: the library's door to algorithms/certificate. */
import { parseCertificate, type RankCertificate } from '../../algorithms/certificate/format.js';
import { nonzeroPart } from '../../algorithms/certificate/nonzero-part.js';
import {
  otherSizes,
  type Question,
  refusal,
  type Verdict,
  verifyRankCertificate,
} from '../../algorithms/certificate/verify.js';
import { describe } from '../../kernels/errors/describe.js';
import { SparseMatrix, type SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { checkOptionNames } from '../option-names.js';

export type { Verdict };

export interface VerifyOptions {
  /** The prime that the certificate has to be about; any, when absent. */
  readonly mod?: number | bigint | string | undefined;
  /**
   * The rank, exactly: both bounds have to show it. When absent, both have to show the one that the certificate claims.
   */
  readonly rank?: number | undefined;
  /** Instead of a rank: a lower bound of this or more is enough. */
  readonly atLeast?: number | undefined;
}

const OPTIONS = ['mod', 'rank', 'atLeast'];

/**
 * Checks a rank certificate, the `certificate` of an outcome, on the caller's thread, in a few sparse products. `holds`
 * of the verdict is true only where the certificate shows what `options` ask: without any, that the rank of `matrix`
 * mod `verdict.mod` is `verdict.rank`, neither less nor more. A bound is wrong with probability at most 2^-64.
 *
 * Throws CertificateError for a text that is no certificate, OptionError for a matrix or options of the wrong kind,
 * StructureError for parts that are no matrix, and EntryError where the prime divides a denominator of the matrix.
 */
export function verifyCertificate(
  text: string,
  matrix: SparseMatrix | SparseMatrixParts,
  options: VerifyOptions = {},
): Verdict {
  const { mod, question } = readOptions(options);
  const a = matrixOf(matrix);
  const certificate = parseCertificate(text);
  if (mod !== undefined && mod !== BigInt(certificate.p)) {
    return refusal(certificate, `it is about the rank mod ${certificate.p}, not ${mod}`);
  }
  return checkCertificate(certificate, a, question);
}

/** A matrix, or its parts: a structured clone of one, one of another copy of this package. */
function matrixOf(matrix: unknown): SparseMatrix {
  if (matrix instanceof SparseMatrix) return matrix;
  if (typeof matrix === 'object' && matrix !== null && 'wide' in matrix)
    return SparseMatrix.fromParts(matrix as SparseMatrixParts);
  throw new OptionError(`verifyCertificate: expected a SparseMatrix, got ${describe(matrix)}`);
}

/** The same of a certificate that has been read. Sizes are compared before anything is made of the matrix. */
export function checkCertificate(certificate: RankCertificate, matrix: SparseMatrix, question: Question): Verdict {
  const other = otherSizes(certificate, matrix);
  if (other !== null) return refusal(certificate, other);
  return verifyRankCertificate(certificate, nonzeroPart(matrix, certificate.p), question);
}

function readOptions(options: VerifyOptions): { mod: bigint | undefined; question: Question } {
  checkOptionNames('verifyCertificate', options, OPTIONS);
  const { mod, rank, atLeast } = options;
  checkRank('rank', rank);
  checkRank('atLeast', atLeast);
  if (rank !== undefined && atLeast !== undefined) {
    throw new OptionError('verifyCertificate: expected rank or atLeast, got both');
  }
  return { mod: primeOf(mod), question: atLeast === undefined ? { rank } : { atLeast } };
}

/** A number that no prime equals is refused here; the certificate tells whether it is a prime. */
function primeOf(mod: unknown): bigint | undefined {
  if (mod === undefined || typeof mod === 'bigint') return mod;
  if (typeof mod === 'string' && /^[0-9]{1,40}$/.test(mod)) return BigInt(mod);
  if (typeof mod === 'number' && Number.isSafeInteger(mod)) return BigInt(mod);
  throw new OptionError(`mod: expected a prime, got ${describe(mod)}`);
}

function checkRank(name: string, rank: unknown): void {
  if (rank === undefined || (typeof rank === 'number' && Number.isSafeInteger(rank) && rank >= 0)) return;
  throw new OptionError(`${name}: expected a rank, got ${describe(rank)}`);
}
