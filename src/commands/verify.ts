/**
 * `wiedemann verify CERTIFICATE [FILE|-]`: checks a rank certificate against the matrix it is about, by itself, without
 * the engine. Prints the rank when it holds; exit code 1, and why, when it does not.
 */
import { readFileSync } from 'node:fs';
import { parseCertificate } from '../../algorithms/certificate/format.js';
import { verifyRankCertificate } from '../../algorithms/certificate/verify.js';
import { checkModulus } from '../../fields/primality.js';
import { readMatrix } from '../io/read-matrix.js';
import { type Options, standardInput } from './arguments.js';
import { RefusedError, UsageError } from './usage-error.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const [path, file] = words;
  if (path === undefined || words.length > 2) {
    throw new UsageError(`expected CERTIFICATE and FILE, got ${words.length} words`);
  }
  const certificate = parseCertificate(readText(path));
  checkModulus(certificate.p);
  const fromInput = file === undefined || file === '-';
  const name = fromInput ? '<stdin>' : file;
  const matrix = await readMatrix(fromInput ? standardInput() : file, { name });
  const verdict = verifyRankCertificate(certificate, matrix.residues(certificate.p));
  if (!verdict.holds) throw new RefusedError(`${path}: ${verdict.reason}`);
  const { rank, lowerBound, upperBound, errorLog2 } = verdict;
  if (options['json']) {
    const { rows, cols, p } = certificate;
    const shown = { rank, rows, cols, nnz: matrix.nnz, mod: `${p}`, lowerBound, upperBound, errorLog2 };
    process.stdout.write(`${JSON.stringify({ schema: 1, command: 'verify', ...shown })}\n`);
    return;
  }
  process.stdout.write(`${rank}\n`);
  if (options['quiet']) return;
  const claim = upperBound === null ? `rank at least ${rank}` : `rank ${rank}`;
  process.stderr.write(
    `${claim} of ${certificate.rows} x ${certificate.cols} mod ${certificate.p}   certified, error below 2^${errorLog2} a bound\n`,
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'a directory' : (code ?? String(error));
    throw new UsageError(`${path}: ${why}`);
  }
}
