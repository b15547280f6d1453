/**
 * Elimination of random dense matrices on a GPU beside the CPU's PLUQ on all threads, in one run.
 *
 *   npm run bench -- gpu-pluq [--case n,rank,p]... [--rounds N] [--threads N] [--cpu-size N]
 *
 * Each rank is the planted one; up to --cpu-size the CPU runs too, and the columns of the pivots must be the same. `ms`
 * is from the matrix in kernel memory to the rank, `upload` what of it is spent until the matrix has been handed over,
 * `first` a run before these, which may have to compile the kernels; `tera` is n²·r − n·r² + r³/3 products over what is
 * left of `ms`, 10^12 a second. The peer are cuBLAS's products of two n × n matrices through torch, where python3 has
 * it, in float32 and float64: n³ multiply-adds over their time. One JSON line a case and contender; minima.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const SIZES = [2000, 4000, 8000, 16000];
const CASES = [65521, 2147483629].flatMap((p) => [...SIZES.map((n) => `${n},${n},${p}`), `8000,4000,${p}`]);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    case: { type: 'string', multiple: true, default: CASES },
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: String(cpus().length) },
    'cpu-size': { type: 'string', default: '4000' },
  },
});
const rounds = Number(options.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ DenseMatrix }, { pluq }, { GpuDenseMatrix }, { gpuPluq }, { GpuDevice }, { WordPrime }, { Team }] =
  await Promise.all(
    [
      ...['kernels/dense/dense-matrix.js', 'kernels/dense/pluq.js', 'kernels/dense/gpu-dense-matrix.js'],
      ...['kernels/dense/gpu-pluq.js', 'kernels/gpu/device.js', 'fields/word-prime.js', 'kernels/threads/team.js'],
    ].map((path) => import(new URL(path, DIST).href)),
  );

const gpu = await GpuDevice.open();
const team = await Team.create(Number(options.threads));
const here = { adapter: gpu.name, threads: team.threads };
const round = (x) => Number(x.toPrecision(4));

/** Pseudorandom words of a row, quickly: numbers are not what is looked at here. */
function fill(row, p, seed) {
  let x = Math.imul(seed + 1, 2654435761) | 1;
  for (let j = 0; j < row.length; j++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    row[j] = (x >>> 0) % p;
  }
}

/** n × n in kernel memory; rows from `rank` on are sums of two before them. */
function planted(F, n, rank) {
  const a = new DenseMatrix(team.memory, F, n, n);
  for (let i = 0; i < rank; i++) fill(a.row(i), F.p, i);
  for (let i = rank; i < n; i++) {
    const [to, x, y] = [a.row(i), a.row((7 * i) % rank), a.row((11 * i + 3) % rank)];
    for (let j = 0; j < n; j++) to[j] = F.add(x[j], y[j]);
  }
  return a;
}

async function onGpu(F, a) {
  const start = performance.now();
  const b = new GpuDenseMatrix(gpu, F, a.rows, a.cols);
  await b.append(a);
  await gpu.read(b.buffer, 0, 16);
  const upload = performance.now() - start;
  const found = await gpuPluq(gpu, F, b);
  const ms = performance.now() - start;
  b.release();
  return { ...found, ms, upload };
}

function onCpu(F, a) {
  const start = performance.now();
  const found = pluq(team, F, a);
  return { ...found, ms: performance.now() - start };
}

function print([n, rank, p], contender, samples, extra) {
  for (const sample of samples) {
    if (sample.rank !== rank) throw new Error(`${contender}: rank ${sample.rank} of ${[n, rank, p]}`);
  }
  const ms = Math.min(...samples.map((sample) => sample.ms));
  const products = n * n * rank - n * rank * rank + rank ** 3 / 3;
  const what = { bench: 'gpu-pluq', n, rank, p, contender, ms: round(ms), samples: samples.map(({ ms }) => round(ms)) };
  const best = samples.find((sample) => sample.ms === ms);
  report({ ...what, ...extra(best, products), ...here });
}

const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
try {
  const sizes = new Set();
  for (const text of options.case) {
    const words = text.split(',').map(Number);
    const [n, rank, p] = words;
    sizes.add(n);
    const F = WordPrime.of(p);
    const a = planted(F, n, rank);
    const runs = [];
    for (let i = 0; i <= rounds; i++) runs.push(await onGpu(F, a)); // the first compiles the kernels
    print(words, 'gpu', runs.slice(1), ({ ms, upload }, products) => ({
      upload: round(upload),
      first: round(runs[0].ms),
      tera: round(products / (ms - upload) / 1e9),
    }));
    if (n <= Number(options['cpu-size'])) {
      const cpu = onCpu(F, a);
      print(words, 'cpu', [cpu], () => ({ ratio: round(cpu.ms / Math.min(...runs.slice(1).map(({ ms }) => ms))) }));
      if (cpu.pivotCols.some((j, t) => j !== runs[0].pivotCols[t])) throw new Error(`${text}: other columns of pivots`);
    }
    a.release();
  }
  const script = fileURLToPath(new URL('peers/gemm-rates.py', import.meta.url));
  const { status, stdout } = spawnSync('python3', [script, ...[...sizes].map(String)], { encoding: 'utf8' });
  if (status !== 0) console.error('gpu-pluq bench: no peer: python3 has no torch with a GPU');
  for (const line of status === 0 ? stdout.trim().split('\n') : []) {
    const { n, ...tera } = JSON.parse(line);
    report({ bench: 'gpu-pluq', n, contender: 'cuBLAS products', tera, ...here });
  }
} finally {
  clearInterval(awake);
  gpu.dispose();
  await team.dispose();
}
