/**
 * Problem 7 of the hundred-digit challenge, exactly: the first coordinate of A^-1·e_1 for Trefethen_20000, a fraction
 * of two integers of 97389 digits; smaller matrices of the family too, beside PARI's matsolve, which gives all of x.
 *
 *   npm run bench -- hundred-digit [--sizes 20000,...] [--programs numeric,lifting,pari] [--threads 2] [--device gpu]
 *
 * Fractions prove themselves (algorithms/rational/); those of one matrix are compared with each other, and that of the
 * problem with the digits and lengths that are known. A JSON line a run; progress goes to stderr.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const WHOLE = 20000;
const DIGITS = '7250783462684011674686877192511609688691805944795089578781647692077731899945962835735923927864782020';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    sizes: { type: 'string', default: String(WHOLE) },
    programs: { type: 'string', default: 'numeric' },
    threads: { type: 'string', default: '2' },
    device: { type: 'string', default: 'cpu' },
  },
});

const [{ trefethen }, { SparseMatrix }, { solveRational }, { Team }, { GpuDevice }] = await Promise.all(
  [
    'data/families/trefethen.js',
    'kernels/sparse/sparse-matrix.js',
    'algorithms/rational/solve.js',
    'kernels/threads/team.js',
    'kernels/gpu/device.js',
  ].map((path) => import(new URL(path, DIST).href)),
);

const threads = Number(options.threads);
let team;
const gpu = options.device === 'gpu' ? await GpuDevice.open() : undefined;
let told = 0;
const context = {
  seed: 1n,
  team: async () => {
    team ??= await Team.create(threads);
    return team;
  },
  gpu: async () => gpu,
  check: () => {},
  onProgress: (done, total) => {
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    console.error(`digits ${done} of ${total}`);
  },
};

async function solve(size, method) {
  const right = Array.from({ length: size }, (_, i) => (i === 0 ? 1 : 0));
  const matrix = SparseMatrix.fromCoo(trefethen(size));
  const before = process.cpuUsage();
  const found = await solveRational(context, matrix, [right], { method, coordinates: [0] });
  const { user, system } = process.cpuUsage(before);
  if (found.kind !== 'solved') throw new Error(`hundred-digit: ${found.reasons.join('; ')}`);
  const [{ numerators, denominator, proof, device = 'cpu', steps }] = found.solutions;
  return {
    fraction: [numerators[0], denominator],
    proof,
    device,
    steps,
    seconds: found.seconds,
    cpu: (user + system) / 1e6,
  };
}

const PARI = `
T(n) = matrix(n, n, i, j, if (i == j, prime(i), my(d = abs(i - j)); if (d == 2^valuation(d, 2), 1, 0)));
{ my(a = T(SIZE), b = vectorv(SIZE, i, i == 1), cpu = gettime(), wall = getwalltime(), x);
  x = matsolve(a, b)[1]; cpu = gettime(); wall = getwalltime() - wall;
  print(numerator(x)); print(denominator(x)); print(wall); print(cpu); }`;

function solveByPari(size) {
  const input = PARI.replaceAll('SIZE', size).replaceAll(/\n {2}/g, ' ');
  const { stdout, error } = spawnSync('gp', ['-q', '-f', '-s', '4G'], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error?.code === 'ENOENT') throw new Error('hundred-digit: gp was not found: apt install pari-gp');
  const [numerator, denominator, wall, cpu] = stdout.trim().split('\n');
  return { fraction: [BigInt(numerator), BigInt(denominator)], seconds: wall / 1000, cpu: cpu / 1000 };
}

for (const size of options.sizes.split(',').map(Number)) {
  let first;
  for (const program of options.programs.split(',')) {
    const { fraction, ...rest } = program === 'pari' ? solveByPari(size) : await solve(size, program);
    const [numerator, denominator] = fraction;
    first ??= fraction;
    if (numerator !== first[0] || denominator !== first[1])
      throw new Error(`hundred-digit: expected the fraction of ${options.programs}, got another of ${program}`);
    const digits = ((numerator * 10n ** 100n) / denominator).toString().padStart(100, '0');
    const lengths = fraction.map((x) => x.toString().length);
    if (size === WHOLE && !(digits === DIGITS && lengths.every((length) => length === 97389)))
      throw new Error(`hundred-digit: expected the known digits, got 0.${digits} of ${lengths.join(' and ')} digits`);
    report({ bench: 'hundred-digit', matrix: `Trefethen_${size}`, program, ...rest, lengths, digits });
  }
}
await team?.dispose();
gpu?.dispose();
