/** A rank certificate for the caller's matrix, checked before it is given out: algorithms/README.md. */

import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { parseCertificate, stringifyCertificate } from '../../algorithms/certificate/format.js';
import { ProofError, proveRank } from '../../algorithms/certificate/prove.js';
import { verifyRankCertificate } from '../../algorithms/certificate/verify.js';
import { MAX_SIZE, SparseMatrix } from '../../kernels/sparse-matrix.js';
import { EngineError, OptionError } from '../errors.js';
import { OVER_Q, type Settings } from '../options.js';
import type { Remote } from './answer.js';

/** Throws OptionError where no certificate can be had: known before a long run begins. */
export function checkCertifiable(matrix: SparseMatrix | Remote, { mod }: Settings): asserts matrix is SparseMatrix {
  if (!(matrix instanceof SparseMatrix)) throw new OptionError('certificate: expected a matrix, got an operator');
  if (mod === OVER_Q || mod > BigInt(MAX_SIZE))
    throw new OptionError(`certificate: expected a prime below 2^31, got ${mod}`);
}

/** The text of a certificate that the rank of `matrix` is `rank`, or at least that. */
export async function certify(
  context: RunContext,
  matrix: SparseMatrix,
  rank: number,
  bounds: 'both' | 'lower',
): Promise<string> {
  const residues = matrix.residues(context.executor.field.p);
  try {
    const text = stringifyCertificate(await proveRank(context, residues, rank, { bounds }));
    const { holds, reason } = verifyRankCertificate(parseCertificate(text), residues);
    if (holds) return text;
    throw new EngineError(`rank ${rank} has no certificate: ${reason}`);
  } catch (error) {
    if (error instanceof ProofError) throw new EngineError(`rank ${rank}: ${error.message}`);
    throw error;
  }
}
