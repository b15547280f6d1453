/** `wiedemann generate FAMILY ARGS...`: a matrix of a known family on stdout; without a family, the list of them. */
import { FAMILIES, generate, usage } from '../../data/families.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { EXPRESSION_NAMES, writeExpression } from '../io/write-expression.js';
import { writeMatrixMarket, writeSms } from '../io/write-matrix.js';
import type { Options } from './arguments.js';
import { writeOut } from './standard-output.js';
import { UsageError } from './usage-error.js';

/** One line a format. */
const WRITERS: Readonly<Record<string, (matrix: SparseMatrix) => Iterable<Uint8Array | string>>> = {
  sms: writeSms,
  matrixmarket: writeMatrixMarket,
  ...Object.fromEntries(
    EXPRESSION_NAMES.map((name) => [
      name,
      (matrix: SparseMatrix) => writeExpression(name, null, [matrix.rows, matrix.cols], matrix.entries()),
    ]),
  ),
};

export async function run(words: readonly string[], options: Options): Promise<void> {
  const [family, ...given] = words;
  if (family === undefined) {
    await writeOut(listing());
    return;
  }
  const writer = WRITERS[options['format'] as string];
  if (!writer) throw new UsageError(`--format: expected ${Object.keys(WRITERS).join(', ')}, got ${options['format']}`);
  const { rows, cols, ...entries } = generate(family, given);
  for (const chunk of writer(SparseMatrix.fromTriplets(rows, cols, entries))) {
    await writeOut(chunk);
  }
}

function listing(): string {
  const lines = FAMILIES.map((family) => [`${family.name} ${usage(family)}`, family.doc] as const);
  const width = Math.max(...lines.map(([call]) => call.length));
  return lines.map(([call, doc]) => `${call.padEnd(width)}   ${doc}\n`).join('');
}
