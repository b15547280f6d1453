/** A rank certificate for the caller's matrix, checked before it is given out: algorithms/README.md. */

import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { certificateField } from '../../algorithms/certificate/certificate-field.js';
import { challengeCount } from '../../algorithms/certificate/challenges.js';
import { parseCertificate, stringifyCertificate } from '../../algorithms/certificate/format.js';
import { ProofError, proveRank } from '../../algorithms/certificate/prove.js';
import { verifyRankCertificate } from '../../algorithms/certificate/verify.js';
import { MAX_SIZE, SparseMatrix } from '../../kernels/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { OVER_Q, type Settings } from '../options.js';
import type { Remote } from './answer.js';

/** Throws OptionError where no certificate can be had: known before a long run begins. */
export function checkCertifiable(matrix: SparseMatrix | Remote, { mod }: Settings): asserts matrix is SparseMatrix {
  if (!(matrix instanceof SparseMatrix)) throw new OptionError('certificate: expected a matrix, got an operator');
  if (mod === OVER_Q || mod > BigInt(MAX_SIZE))
    throw new OptionError(`certificate: expected a prime below 2^31, got ${mod}`);
}

// A text of more characters is no string in V8; the vectors are base64 of 4 bytes an element, in two sets.
const LONGEST_TEXT = 2 ** 29 - 2 ** 20;

/** The text of a certificate that the rank of `matrix` is `rank`, or at least that; or why there is none. */
export async function certify(
  context: RunContext,
  matrix: SparseMatrix,
  rank: number,
  bounds: 'both' | 'lower',
  maxBytes?: number,
): Promise<{ text: string } | { reason: string }> {
  const { p } = context.executor.field;
  const words = 2 * (challengeCount(certificateField(p).q) + 1) * rank;
  if ((words * 16) / 3 > LONGEST_TEXT) return { reason: `its text would be longer than ${LONGEST_TEXT} characters` };
  const residues = matrix.residues(p);
  try {
    const text = stringifyCertificate(await proveRank(context, residues, rank, { bounds, maxBytes }));
    const { holds, reason } = verifyRankCertificate(parseCertificate(text), residues);
    return holds ? { text } : { reason };
  } catch (error) {
    if (error instanceof ProofError) return { reason: error.message };
    throw error;
  }
}
