/**
 * `wiedemann verify CERTIFICATE [FILE|-]`: checks a rank certificate against the matrix it is about, by itself, without
 * the engine. Prints the rank when it holds; exit code 1, and why, when it does not, when it is about another modulus than
 * -p says, or when it shows a lower bound alone and --at-least asks for no less.
 */
import { readFileSync } from 'node:fs';
import { parseCertificate } from '../../algorithms/certificate/format.js';
import { verifyRankCertificate } from '../../algorithms/certificate/verify.js';
import { readMatrix } from '../io/read-matrix.js';
import { type Options, rankAskedFor, standardInput } from './arguments.js';
import { RefusedError, UsageError } from './usage-error.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const [path, file] = words;
  if (path === undefined) throw new UsageError('expected CERTIFICATE and FILE');
  const certificate = parseCertificate(readText(path));
  const asked = options['mod'] as string | undefined;
  if (asked !== undefined && asked !== `${certificate.p}`) {
    throw new RefusedError(`${path}: it is about the rank mod ${certificate.p}, not ${asked}`);
  }
  const atLeast = rankAskedFor(options['atLeast'] as string | undefined);
  const fromInput = file === undefined || file === '-';
  const name = fromInput ? '<stdin>' : file;
  const matrix = await readMatrix(fromInput ? standardInput() : file, { name });
  const verdict = verifyRankCertificate(certificate, matrix.residues(certificate.p));
  if (!verdict.holds) throw new RefusedError(`${path}: ${verdict.reason}`);
  const { rank, lowerBound, upperBound, errorLog2 } = verdict;
  if (atLeast === undefined && upperBound === null) {
    throw new RefusedError(`${path}: it shows no more than rank ≥ ${rank}; --at-least R would be content with that`);
  }
  if (atLeast !== undefined && rank < atLeast) {
    throw new RefusedError(`${path}: it shows rank ${rank}, not ${atLeast} or more`);
  }
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
