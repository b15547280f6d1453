/** A rank certificate for the caller's matrix, checked before it is given out: algorithms/certificate/README.md. */

import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { certificateField } from '../../algorithms/certificate/certificate-field.js';
import { challengeCount } from '../../algorithms/certificate/challenges.js';
import { LONGEST_TEXT, parseCertificate, stringifyCertificate } from '../../algorithms/certificate/format.js';
import { nonzeroPart } from '../../algorithms/certificate/nonzero-part.js';
import { ProofError, proveRank } from '../../algorithms/certificate/prove.js';
import { verifyRankCertificate } from '../../algorithms/certificate/verify.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { OVER_Q, type Settings } from '../questions/options.js';
import type { Remote } from './found.js';

/** Throws OptionError, before a long run begins, where there is no certificate. */
export function checkCertifiable(matrix: SparseMatrix | Remote, { mod }: Settings): asserts matrix is SparseMatrix {
  if (!(matrix instanceof SparseMatrix)) throw new OptionError('certificate: expected a matrix, got an operator');
  if (mod === OVER_Q || mod > BigInt(MAX_SIZE))
    throw new OptionError(`certificate: expected a prime below 2^31, got ${mod}`);
}

/** The text of a certificate that the rank of `matrix` is `rank`, or at least that; or why there is none. */
export async function certify(
  context: RunContext,
  matrix: SparseMatrix,
  rank: number,
  bounds: 'both' | 'lower',
  maxBytes?: number,
): Promise<{ text: string } | { reason: string }> {
  const { p } = context.executor.field;
  // The vectors are base64 of 4 bytes an element, in two sets, with the pivots beside them.
  const words = 2 * (challengeCount(certificateField(p).q) + 1) * rank;
  if ((words * 16) / 3 > LONGEST_TEXT) return { reason: `its text would be longer than ${LONGEST_TEXT} characters` };
  try {
    const part = nonzeroPart(matrix, p);
    const text = stringifyCertificate(await proveRank(context, part, rank, { bounds, maxBytes }));
    const question = bounds === 'lower' ? { atLeast: rank } : { rank };
    const { holds, reason } = verifyRankCertificate(parseCertificate(text), part, question);
    return holds ? { text } : { reason };
  } catch (error) {
    // The rank is found and stands: the certificate alone is short of memory.
    if (error instanceof ProofError || isOutOfMemory(error)) return { reason: (error as Error).message };
    throw error;
  }
}

/** Of the kernels, or of V8, which has no class for it. */
function isOutOfMemory(error: unknown): boolean {
  const ofV8 = /^(Array buffer allocation failed|Invalid (array|typed array|string) length)/;
  return error instanceof MemoryError || (error instanceof RangeError && ofV8.test(error.message));
}
