/**
 * Problem 7 of the hundred-digit challenge, exactly: the first coordinate of A^-1·e_1 for Trefethen_20000, a fraction
 * of two integers of 97389 digits.
 *
 *   npm run bench -- hundred-digit [--size N] [--method numeric|lifting]
 *
 * The fraction proves itself (algorithms/rational/refinement.ts); of the whole problem its first digits and its lengths
 * are compared with the known ones. One JSON line; progress goes to stderr.
 */
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const WHOLE = 20000;
const DIGITS = '7250783462684011674686877192511609688691805944795089578781647692077731899945962835735923927864782020';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { size: { type: 'string', default: String(WHOLE) }, method: { type: 'string', default: 'numeric' } },
});
const size = Number(options.size);

const [{ trefethen }, { SparseMatrix }, { solveRational }] = await Promise.all(
  ['data/families/trefethen.js', 'kernels/sparse/sparse-matrix.js', 'algorithms/rational/solve.js'].map(
    (path) => import(new URL(path, DIST).href),
  ),
);

let told = 0;
const context = {
  seed: 1n,
  check: () => {},
  onProgress: (done, total) => {
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    console.error(`digits ${done} of ${total}`);
  },
};
const right = Array.from({ length: size }, (_, i) => (i === 0 ? 1 : 0));
const matrix = SparseMatrix.fromCoo(trefethen(size));
const found = solveRational(context, matrix, right, { method: options.method, coordinates: [0] });
if (found.kind !== 'solved') throw new Error(`hundred-digit: ${found.reason}`);
const { numerators, denominator, method, proof, seconds } = found;
const digits = ((numerators[0] * 10n ** 100n) / denominator).toString();
const lengths = [numerators[0], denominator].map((x) => x.toString().length);
if (size === WHOLE && !(digits === DIGITS && lengths.every((length) => length === 97389)))
  throw new Error(`hundred-digit: expected the known digits, got 0.${digits} of ${lengths.join(' and ')} digits`);
const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1e6;
report({ bench: 'hundred-digit', matrix: `Trefethen_${size}`, method, proof, seconds, cpu, lengths, digits });
