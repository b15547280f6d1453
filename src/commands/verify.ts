/**
 * `wiedemann verify CERTIFICATE|- [FILE|-]`: checks a rank certificate against the matrix it is about, by itself, without
 * the engine. Prints the rank when it holds; exit code 1, and why, when it does not, when it is about another modulus than
 * -p says, or when it shows a lower bound alone and --at-least asks for no less.
 */
import { createReadStream } from 'node:fs';
import { parseCertificate } from '../../algorithms/certificate/format.js';
import { verifyRankCertificate } from '../../algorithms/certificate/verify.js';
import { FormatError } from '../io/format-error.js';
import { readMatrix } from '../io/read-matrix.js';
import { type Options, rankAskedFor, standardInput } from './arguments.js';
import { writeOut } from './standard-output.js';
import { whatFailed } from './system-error.js';
import { RefusedError, UsageError } from './usage-error.js';

const STDIN = '<stdin>'; // for messages

export async function run(words: readonly string[], options: Options): Promise<void> {
  const [path = '-', file = '-'] = words;
  if (path === '-' && file === '-') throw new UsageError('expected a FILE where the certificate is standard input');
  const name = path === '-' ? STDIN : path;
  const certificate = parseCertificate(await readText(path, name));
  const asked = options['mod'] as string | undefined;
  if (asked !== undefined && asked !== `${certificate.p}`) {
    throw new RefusedError(`${name}: it is about the rank mod ${certificate.p}, not ${asked}`);
  }
  const atLeast = rankAskedFor(options['atLeast'] as string | undefined);
  const matrix = file === '-' ? await readMatrix(standardInput(), { name: STDIN }) : await readMatrix(file);
  const verdict = verifyRankCertificate(certificate, matrix.residues(certificate.p));
  if (!verdict.holds) throw new RefusedError(`${name}: ${verdict.reason}`);
  const { rank, lowerBound, upperBound, errorLog2 } = verdict;
  if (atLeast === undefined && upperBound === null) {
    throw new RefusedError(`${name}: it shows no more than rank ≥ ${rank}; --at-least R would be content with that`);
  }
  if (atLeast !== undefined && rank < atLeast) {
    throw new RefusedError(`${name}: it shows rank ${rank}, not ${atLeast} or more`);
  }
  if (options['json']) {
    const { rows, cols, p } = certificate;
    const shown = { rank, rows, cols, nnz: matrix.nnz, mod: `${p}`, lowerBound, upperBound, errorLog2 };
    await writeOut(`${JSON.stringify({ schema: 1, command: 'verify', ...shown })}\n`);
    return;
  }
  await writeOut(`${rank}\n`);
  if (options['quiet']) return;
  const claim = upperBound === null ? `rank at least ${rank}` : `rank ${rank}`;
  process.stderr.write(
    `${claim} of ${certificate.rows} x ${certificate.cols} mod ${certificate.p}   certified, error below 2^${errorLog2} a bound\n`,
  );
}

async function readText(path: string, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of path === '-' ? standardInput() : createReadStream(path)) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new FormatError(name, 0, 'a readable file', whatFailed(error));
  }
  return Buffer.concat(chunks).toString('utf8');
}
