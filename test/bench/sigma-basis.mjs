/**
 * sigma-basis of random matrix series, ours with 1 and 2 threads beside LinBox's PM-basis, in one run.
 *
 *   npm run bench -- sigma-basis [--case R,n,order,p]... [--rounds N] [--no-peer]
 *
 * Ours is checked before its time counts: for random u and w, 200 coefficients of u·P·G·w below the order must vanish,
 * and the degrees must sum to the rank at all orders. Each round times ours with 1 thread, the peer (1 thread), ours
 * with 2 threads, ours with 1 thread again; `speedupOnTwoCores` is of the rounds in which two threads were worth two
 * (two-cores.mjs). `cpu` is the processor time of ours, all threads: on a machine that others use too it says more than
 * the wall time. One JSON line a case and contender.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';
import { hadTwoCores, twoCores } from './two-cores.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const PEER = fileURLToPath(new URL('peers/linbox-sigma-basis.cpp', import.meta.url));
const CASES = ['16,8,4096,65521', '32,16,4096,65521', '16,8,1024,2147483629'];
const ALONE = ['16,8,4096,2147483629', '2,1,40000,65521']; // the peer would take too long

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    case: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    'no-peer': { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ PolyEngine }, { WordPrime }, { CounterRandom }, { Team }] = await Promise.all(
  ['algorithms/sigma-basis/pm-basis.js', 'fields/word-prime.js', 'fields/random.js', 'kernels/threads/team.js'].map(
    (path) => import(new URL(path, DIST).href),
  ),
);
const say = (line) => console.error(`sigma-basis bench: ${line}`);
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Compiles LinBox's program; null where it cannot be. */
function peer(folder) {
  const library = spawnSync('pkg-config', ['--libs-only-l', 'linbox'], { encoding: 'utf8' });
  const linbox = /-llinbox\S*/.exec(library.stdout ?? '')?.[0];
  if (linbox === undefined) {
    say('LinBox is missing (pkg-config finds no linbox; Debian: liblinbox-dev): no peer');
    return null;
  }
  const program = join(folder, 'linbox-sigma-basis');
  const libraries = [linbox, '-lntl', '-lmpfr', '-lgivaro', '-lgmpxx', '-lgmp', '-llapack', '-lblas'];
  const flags = ['-O3', '-march=native', '-fopenmp', '-w', '-DDISABLE_COMMENTATOR'];
  const built = spawnSync('g++', [...flags, PEER, '-o', program, ...libraries], { encoding: 'utf8' });
  if (built.status !== 0) {
    say(`LinBox's PM-basis does not compile: ${(built.stderr ?? String(built.error)).split('\n')[0]}`);
    return null;
  }
  return (words) => {
    const one = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    const run = spawnSync(program, [...words.map(String), '1'], { encoding: 'utf8', env: one });
    if (run.status !== 0) throw new Error(`linbox-sigma-basis ${words.join(' ')}: ${run.stderr}`);
    return Number(run.stdout) * 1000;
  };
}

/** Some coefficients of u·P·G·w below the order: all must be zero. */
function vanishes(field, random, basis, series, { rows, cols, order }) {
  const u = random.fillResidues(new Uint32Array(rows), field.p, 0);
  const w = random.fillResidues(new Uint32Array(cols), field.p, rows);
  const left = Array.from({ length: basis.length / (rows * rows) }, (_, k) =>
    Uint32Array.from({ length: rows }, (_, j) =>
      field.dot(
        u,
        Uint32Array.from({ length: rows }, (_, i) => basis[(k * rows + i) * rows + j]),
      ),
    ),
  );
  const right = Array.from({ length: order }, (_, k) =>
    Uint32Array.from({ length: rows }, (_, i) =>
      field.dot(w, series.subarray((k * rows + i) * cols, (k * rows + i + 1) * cols)),
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

function ours(team, words, seed, checked) {
  const [rows, cols, order, p] = words;
  const field = WordPrime.of(p);
  const random = new CounterRandom(seed, 1);
  const series = random.fillResidues(new Uint32Array(rows * cols * order), p, 0);
  const engine = new PolyEngine(team, field);
  const g = engine.create(rows, cols, order);
  engine.write(g, series);
  return {
    time() {
      const degrees = new Int32Array(rows);
      const before = process.cpuUsage();
      const start = performance.now();
      const basis = engine.sigmaBasis(g, degrees);
      const wall = performance.now() - start;
      const used = process.cpuUsage(before);
      if (checked) {
        const sum = degrees.reduce((a, b) => a + b, 0);
        const good = vanishes(field, new CounterRandom(seed, 2), engine.read(basis), series, { rows, cols, order });
        if (!good || sum !== cols * order) throw new Error(`${words}: wrong basis (degrees sum to ${sum})`);
      }
      engine.release(basis);
      return { wall, cpu: (used.user + used.system) / 1000 };
    },
    dispose() {
      engine.release(g);
      engine.dispose();
    },
  };
}

function walls(samples, pick) {
  return pick(samples.map(({ wall }) => wall));
}

function print(words, contender, threads, samples, extra) {
  const [rows, cols, order, p] = words;
  const wall = walls(samples, median);
  const cpu = samples[0].cpu === undefined ? undefined : median(samples.map((sample) => sample.cpu));
  const round = (x) => (x === undefined ? undefined : Number(x.toPrecision(4)));
  const what = { bench: 'sigma-basis', rows, cols, order, p, contender, threads };
  const times = { ms: round(wall), cpuMs: round(cpu), samples: samples.map((sample) => round(sample.wall)) };
  report({ ...what, ...times, ...extra });
  return { wall, cpu };
}

const folder = mkdtempSync(join(tmpdir(), 'sigma-basis-'));
const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
try {
  const linbox = options['no-peer'] ? null : peer(folder);
  const teams = [await Team.create(1), await Team.create(2)];
  const cores = await twoCores();
  const cases = options.case ?? [...CASES, ...ALONE];
  for (const text of cases) {
    const words = text.split(',').map(Number);
    const compared = linbox !== null && !ALONE.includes(text);
    const checker = ours(teams[1], words, 5n, true);
    checker.time();
    checker.dispose();
    const [one, two] = teams.map((team) => ours(team, words, 6n, false));
    for (const contender of [one, two, one, two]) contender.time(); // V8 compiles the kernels twice
    const times = { one: [], two: [], peer: [] };
    cores.ratios.length = 0;
    for (let round = 0; round < rounds; round++) {
      times.one.push(one.time());
      if (compared) times.peer.push({ wall: linbox(words) });
      cores.measure();
      times.two.push(two.time());
      times.one.push(one.time());
      cores.measure();
    }
    const single = print(words, 'wiedemann', 1, times.one, { peakBytes: teams[0].memory.peakBytes });
    const speedupBy = (pick) => Number((walls(times.one, pick) / walls(times.two, pick)).toPrecision(3));
    const fastest = (list) => Math.min(...list);
    const neighbours = times.two.map(({ wall }, r) => (times.one[2 * r].wall + times.one[2 * r + 1].wall) / 2 / wall);
    // Right after two threads its run on one, and around both what two threads of arithmetic were worth.
    const onTwoCores = times.two.flatMap(({ wall }, r) =>
      hadTwoCores(cores.ratios.slice(2 * r, 2 * r + 2)) ? [times.one[2 * r + 1].wall / wall] : [],
    );
    print(words, 'wiedemann', 2, times.two, {
      speedup: speedupBy(median),
      speedupOfNeighbours: Number(median(neighbours).toPrecision(3)),
      speedupOnTwoCores: onTwoCores.length === 0 ? null : Number(median(onTwoCores).toPrecision(3)),
      roundsOnTwoCores: onTwoCores.length,
      speedupOfFastest: speedupBy(fastest),
      speedupOfArithmetic: Number(median(cores.ratios).toPrecision(3)),
    });
    if (compared) {
      const ratio = walls(times.peer, median) / single.wall;
      print(words, 'LinBox PM_Basis', 1, times.peer, { ours: Number(ratio.toPrecision(3)) });
    }
    one.dispose();
    two.dispose();
  }
  await Promise.all([...teams.map((team) => team.dispose()), cores.end()]);
} finally {
  clearInterval(awake);
  rmSync(folder, { recursive: true, force: true });
}
