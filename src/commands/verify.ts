/**
 * `wiedemann verify CERTIFICATE|- [FILE|-]`: checks a rank certificate against the matrix it is about, by itself,
 * without the engine. Prints the rank when it holds; exit code 1, and why, when it does not, when it is about another
 * modulus than -p says, or when it shows a lower bound alone and --at-least asks for no less.
 */
import { printable, printableName } from '../../kernels/errors/excerpt.js';
import { EntryError } from '../../kernels/sparse/sparse-matrix.js';
import { checkCertificate, type Verdict } from '../engine/verify-certificate.js';
import { readMatrix } from '../io/read-matrix.js';
import { type Options, rankOption, readingOptions, standardInput } from './arguments.js';
import { readCertificate } from './read-certificate.js';
import { writeOut } from './standard-output.js';
import { RefusedError, UsageError } from './usage-error.js';

const STDIN = '<stdin>'; // for messages

export async function run(words: readonly string[], options: Options): Promise<void> {
  const [path = '-', file = '-'] = words;
  if (path === '-' && file === '-') throw new UsageError('expected a FILE where the certificate is standard input');
  const name = path === '-' ? STDIN : path;
  const refuse = (why: string) => new RefusedError(`${printableName(name)}: ${why}`);
  const certificate = await readCertificate(path === '-' ? standardInput() : path, name);
  const { rows, cols, p } = certificate;
  const asked = options['mod'] as string | undefined;
  if (asked !== undefined && asked !== `${p}`) {
    throw refuse(`it is about the rank mod ${p}, not ${printable(asked)}`);
  }
  const atLeast = rankOption(options['atLeast'] as string | undefined);
  const [input, matrixName] = file === '-' ? [standardInput(), STDIN] : [file, file];
  const matrix = await readMatrix(input, { name: matrixName, ...readingOptions(options) });
  const verdict = checkNamed(matrixName, () =>
    checkCertificate(certificate, matrix, atLeast === undefined ? {} : { atLeast }),
  );
  const { rank, lowerBound, upperBound, errorLog2 } = verdict;
  if (!verdict.holds) {
    const isLower = lowerBound !== null && upperBound === null && atLeast === undefined;
    throw refuse(`${verdict.reason}${isLower ? '; --at-least R would be content with that' : ''}`);
  }
  if (options['json']) {
    const shown = { rank, rows, cols, nnz: matrix.nnz, mod: `${p}`, lowerBound, upperBound, errorLog2 };
    await writeOut(`${JSON.stringify({ schema: 1, command: 'verify', ...shown })}\n`);
    return;
  }
  await writeOut(`${rank}\n`);
  if (options['quiet']) return;
  const claim = upperBound === null ? `rank at least ${rank}` : `rank ${rank}`;
  process.stderr.write(`${claim} of ${rows} x ${cols} mod ${p}   certified, error below 2^${errorLog2} a bound\n`);
}

/** An entry without a residue is told with the name of the matrix. */
function checkNamed(name: string, check: () => Verdict): Verdict {
  try {
    return check();
  } catch (error) {
    if (error instanceof EntryError) throw new EntryError(`${printableName(name)}: ${error.message}`);
    throw error;
  }
}
