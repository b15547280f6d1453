/**
 * sigma-basis of random matrix series on the GPU beside the CPU's threads, in one run.
 *
 *   npm run bench -- gpu-sigma-basis [--case R,n,order,p]... [--rounds N] [--threads N] [--crossover ORDERS]...
 *   [--cpu-orders N]
 *
 * Checked before it is timed: the GPU's basis of 1000 orders is the CPU's, entry for entry; at full length the degrees
 * sum to n·order and, for random u and w, 200 coefficients of u·P·G·w below the order vanish. The CPU runs orders up to
 * --cpu-orders. `leaves` are the milliseconds of the CPU's base cases within the GPU's run, `waits` those until their
 * series had come down, everything recorded before done. `kernels` are device times of the last level's two products,
 * by kernel, for orders whose values the engine's pool holds.
 * One JSON line a case, crossover and contender.
 */
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    case: { type: 'string', multiple: true, default: ['80,16,8192,65521', '80,16,32768,65521'] },
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: String(Math.min(32, cpus().length)) },
    crossover: { type: 'string', multiple: true },
    'cpu-orders': { type: 'string', default: '8192' },
  },
});
// Beyond, buffers are freed on the way, which ends the pass that the time stamps enclose.
const LONGEST_TIMED = 8192;
const rounds = Number(options.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ PolyEngine }, { GpuPolyEngine }, { CROSSOVER }, { WordPrime }, { CounterRandom }, { Team }, { GpuDevice }] =
  await Promise.all(
    [
      ...[
        'algorithms/sigma-basis/pm-basis.js',
        'algorithms/sigma-basis/gpu-pm-basis.js',
        'algorithms/sigma-basis/gpu-crossover.js',
        'fields/word-prime.js',
      ],
      ...['fields/random.js', 'kernels/threads/team.js', 'kernels/gpu/device.js'],
    ].map((path) => import(new URL(path, DIST).href)),
  );

const gpu = await GpuDevice.open();
const team = await Team.create(Number(options.threads));
const round = (x) => Number(x.toPrecision(4));
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const series = (words, seed) => {
  const [rows, cols, order, p] = words;
  return new CounterRandom(seed, 1).fillResidues(new Uint32Array(rows * cols * order), p, 0);
};

function print(words, contender, samples, extra) {
  const [rows, cols, order, p] = words;
  const times = { ms: round(median(samples)), samples: samples.map(round) };
  const what = { bench: 'gpu-sigma-basis', rows, cols, order, p, contender };
  report({ ...what, ...times, ...extra, adapter: gpu.name, threads: team.threads });
}

/** Some coefficients of u·P·G·w below the order: all must be zero. */
function vanishes(field, basis, blocks, [rows, cols, order]) {
  const random = new CounterRandom(7n, 2);
  const u = random.fillResidues(new Uint32Array(rows), field.p, 0);
  const w = random.fillResidues(new Uint32Array(cols), field.p, rows);
  const left = Array.from({ length: basis.length / (rows * rows) }, (_, k) => {
    const row = new Uint32Array(rows);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < rows; j++) row[j] = field.add(row[j], field.mul(u[i], basis[(k * rows + i) * rows + j]));
    }
    return row;
  });
  const right = Array.from({ length: order }, (_, k) =>
    Uint32Array.from({ length: rows }, (_, i) =>
      field.dot(w, blocks.subarray((k * rows + i) * cols, (k * rows + i + 1) * cols)),
    ),
  );
  for (let t = 0; t < 200; t++) {
    const k = random.residueAt(1000 + t, order);
    let sum = 0;
    for (let j = 0; j <= Math.min(k, left.length - 1); j++) sum = field.add(sum, field.dot(left[j], right[k - j]));
    if (sum !== 0) return false;
  }
  return true;
}

async function onCpu(words, blocks) {
  const [rows, cols, order, p] = words;
  const engine = new PolyEngine(team, WordPrime.of(p));
  const g = engine.create(rows, cols, order);
  engine.write(g, blocks);
  const degrees = new Int32Array(rows);
  const start = performance.now();
  const basis = engine.sigmaBasis(g, degrees);
  const ms = performance.now() - start;
  const result = { ms, degrees, basis: order <= 1000 ? engine.read(basis) : null };
  engine.release(basis);
  engine.release(g);
  engine.dispose();
  return result;
}

/** The engine with stop-watches at its base cases. */
function watched(field, crossover) {
  const engine = new GpuPolyEngine(team, gpu, field, crossover === undefined ? {} : { crossover });
  const watch = { leaves: 0, waits: 0 };
  const { cpu } = engine;
  const base = cpu.sigmaBasis.bind(cpu);
  cpu.sigmaBasis = (...args) => {
    const start = performance.now();
    const basis = base(...args);
    watch.leaves += performance.now() - start;
    return basis;
  };
  const vectors = engine.vectors.bind(engine);
  engine.vectors = async (a) => {
    const start = performance.now();
    const result = await vectors(a);
    watch.waits += performance.now() - start;
    return result;
  };
  return { engine, watch };
}

async function onGpu(words, blocks, crossover, reading) {
  const [rows, cols, order, p] = words;
  const { engine, watch } = watched(WordPrime.of(p), crossover);
  const g = engine.create(rows, cols, order);
  engine.write(g, blocks);
  await gpu.read(g.buffer, 0, 16);
  const degrees = new Int32Array(rows);
  const start = performance.now();
  const basis = await engine.sigmaBasis(g, degrees);
  await gpu.read(basis.buffer, 0, 16);
  const ms = performance.now() - start;
  const result = { ms, degrees, ...watch, basis: reading ? await engine.read(basis) : null };
  engine.dispose();
  return result;
}

/** Device milliseconds of the last level's residual and compose, by kernel. */
async function kernelTimes([rows, cols, order, p]) {
  const field = WordPrime.of(p);
  const engine = new GpuPolyEngine(team, gpu, field);
  const degree = Math.ceil((order / 2) * (cols / rows));
  const [a, b] = [engine.create(rows, rows, degree + 1), engine.create(rows, rows, degree + 1)];
  const g = engine.create(rows, cols, order);
  for (const m of [a, b, g])
    engine.write(m, new CounterRandom(3n, 1).fillResidues(new Uint32Array(m.rows * m.cols * m.length), p, 0));
  const run = gpu.run;
  const names = ['', 'ntt-load', 'ntt-level', 'ntt-forward', 'pointwise', 'ntt-inverse', 'crt-lift'];
  const times = {};
  const works = {
    residual: () => engine.residual(a, g, order / 2, order / 2),
    compose: () => engine.compose(a, b, 2 * degree + 1),
  };
  for (const [work, go] of Object.entries(works)) {
    engine.release(go());
    for (const name of names) {
      gpu.run = (kernel, ...rest) => {
        if (kernel.pipeline.label.includes(name)) run.call(gpu, kernel, ...rest);
      };
      const samples = [];
      for (let i = 0; i < 5; i++) samples.push(await gpu.time(() => engine.release(go())));
      times[`${work} ${name || 'all'}`] = round(median(samples) / 1e6);
    }
  }
  gpu.run = run;
  engine.dispose();
  return times;
}

const awake = setInterval(() => {}, 1000);
try {
  for (const text of options.case) {
    const words = text.split(',').map(Number);
    const [rows, cols, order, p] = words;
    const few = [rows, cols, Math.min(order, 1000), p];
    const small = series(few, 5n);
    const [theirs, ours] = [await onCpu(few, small), await onGpu(few, small, undefined, true)];
    if (theirs.basis.some((x, i) => x !== ours.basis[i]) || theirs.basis.length !== ours.basis.length) {
      throw new Error(`${few}: the GPU's basis is not the CPU's`);
    }
    const blocks = series(words, 6n);
    const checked = await onGpu(words, blocks, undefined, true);
    const sum = checked.degrees.reduce((a, b) => a + b, 0);
    if (sum !== cols * order || !vanishes(WordPrime.of(p), checked.basis, blocks, words)) {
      throw new Error(`${words}: wrong basis (degrees sum to ${sum})`);
    }
    checked.basis = null;
    for (const crossover of (options.crossover ?? [CROSSOVER]).map(Number)) {
      const runs = [];
      const cpuRuns = [];
      for (let i = 0; i < rounds; i++) {
        runs.push(await onGpu(words, blocks, crossover, false));
        if (order <= Number(options['cpu-orders']) && i < 2) cpuRuns.push(await onCpu(words, blocks));
      }
      const [leaves, waits] = ['leaves', 'waits'].map((key) => round(median(runs.map((run) => run[key]))));
      print(
        words,
        'gpu',
        runs.map(({ ms }) => ms),
        { crossover, leaves, waits },
      );
      if (cpuRuns.length > 0)
        print(
          words,
          'cpu',
          cpuRuns.map(({ ms }) => ms),
          {},
        );
    }
    if (order <= LONGEST_TIMED) print(words, 'gpu kernels', [0], { kernels: await kernelTimes(words) });
  }
} finally {
  clearInterval(awake);
  gpu.dispose();
  await team.dispose();
}
