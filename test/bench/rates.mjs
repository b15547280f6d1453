/**
 * The rates of algorithms/methods/rates.ts, measured here beside what that table says.
 *
 *   npm run bench -- rates [--mod P]... [--rounds N] [--what NAME]...
 *
 *   entry    one of a sparse matrix times 16 vectors, in a product with the block of a run      row
 *   the same of what a step of the sequence
 *   does beside it: hash, projection      basis    an unknown's share of the order basis      formed
 *   an entry of a dense Schur complement
 *   pluq     a multiplication of a dense elimination      trials
 *   the small pieces of work that measure two of these before a long run
 *
 * Processor seconds on one thread, minima of N rounds (default 3). One JSON line a rate and prime.
 */
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    mod: { type: 'string', multiple: true, default: ['2', '3', '65521', '2147483629'] },
    rounds: { type: 'string', default: '3' },
    what: { type: 'string', multiple: true, default: ['basis', 'row', 'entry', 'formed', 'pluq', 'trials'] },
  },
});
const rounds = Number(options.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const modules = [
  'algorithms/block-wiedemann/block-shape.js',
  'algorithms/block-wiedemann/preconditioner.js',
  'algorithms/block-wiedemann/krylov.js',
  'algorithms/block-wiedemann/verification.js',
  'algorithms/block-wiedemann/extension-degree.js',
  'algorithms/block-wiedemann/working-field.js',
  'algorithms/elimination/dense-schur.js',
  'algorithms/presolve/structural-pivots.js',
  'algorithms/methods/measured-rates.js',
  'algorithms/methods/rates.js',
  'data/families.js',
  'fields/random.js',
  'fields/word-prime.js',
  'kernels/gf2/bit-matrix.js',
  'kernels/gf2/bit-pluq.js',
  'kernels/executors/cpu.js',
  'kernels/dense/dense-matrix.js',
  'kernels/dense/pluq.js',
  'kernels/sparse/residue-matrix.js',
  'kernels/sparse/sparse-matrix.js',
  'algorithms/sigma-basis/create.js',
];
const B = Object.assign({}, ...(await Promise.all(modules.map((path) => import(new URL(path, DIST).href)))));

/** Processor seconds of `work`, the least of the rounds; `after` is not counted. */
async function least(work, after = () => {}) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const used = process.cpuUsage();
    const made = await work();
    const { user, system } = process.cpuUsage(used);
    if (round > 0) best = Math.min(best, (user + system) / 1e6);
    await after(made);
  }
  return best;
}

function say(what, p, size, rate) {
  report({ bench: 'rates', what, p, size, rate: Number(rate.toPrecision(3)) });
}

function random(rows, cols, perRow, p) {
  const { rows: m, cols: n, ...entries } = B.generate('random', [rows, cols, perRow, p, 1]);
  return B.SparseMatrix.fromTriplets(m, n, entries).residues(p);
}

const PARTS = {
  async basis(executor, p) {
    await B.overBlockField({ executor }, async ({ executor: over }) => {
      const working = new B.WorkingField(over, 'block');
      const k = B.numbersAnElement(p, 'block');
      const engine = B.orderBasisEngines(executor, executor.team).orderBasisEngine(working.field);
      for (const N of [1024, 4096, 16384]) {
        const { m, n } = B.chooseBlocks(N, k);
        const s = B.verificationWidth(working.log2q);
        const orders = Math.ceil(N / m + N / n) + 4;
        const g = engine.create(m + n + s, n, orders);
        const source = new B.CounterRandom(1n, 0);
        engine.write(g, source.fillResidues(new Uint32Array((m + n + s) * n * orders), working.q));
        const degrees = () => new Int32Array(m + n + s).fill(1, m);
        const seconds = await least(
          () => engine.sigmaBasis(g, degrees(), s),
          (basis) => engine.release(basis),
        );
        engine.release(g);
        say('basis', p, N, seconds / N);
      }
      engine.dispose?.();
    });
  },
  async row(executor, p) {
    await B.overBlockField({ executor }, async ({ executor: over }) => {
      const working = new B.WorkingField(over, 'block');
      const k = B.numbersAnElement(p, 'block');
      for (const N of [1000, 8000]) {
        const shape = { ...B.chooseBlocks(N, k), s: 0, shift: 1 };
        const nothing = { rows: N, cols: N, apply() {}, applyTransposed() {} };
        const c = B.hashFactor(over, N, N, working, 1n);
        const steps = 64;
        let krylov;
        const seconds = await least(
          async () => {
            krylov = await B.KrylovSequence.create(over, nothing, c, working, shape, 1n);
            await krylov.extend(
              steps,
              0,
              () => {},
              () => {},
            );
          },
          () => krylov.free(),
        );
        c.free();
        say('row', p, N, seconds / steps / N / k);
      }
    });
  },
  async entry(executor, p) {
    await B.overBlockField({ executor }, async ({ executor: over }) => {
      const { k } = new B.WorkingField(over, 'block');
      for (const [N, perRow] of [
        [4000, 20],
        [20000, 5],
      ]) {
        const { n } = B.chooseBlocks(N, B.numbersAnElement(p, 'block'));
        const a = over.operator(random(N, N, perRow, p), { use: 'apply' });
        const [x, y] = [over.vector(N, k * n), over.vector(N, k * n)];
        const seconds = await least(() => {
          for (let t = 0; t < 20; t++) a.apply(y, x);
        });
        say('entry', p, `${N} x ${N}, ${perRow} a row`, (seconds / 20 / N / perRow / (k * n)) * 16);
        a.free();
        for (const v of [x, y]) over.release(v);
      }
    });
  },
  async formed(executor, p) {
    const a = random(4000, 4000, 20, p);
    const at = B.transpose(a);
    const { pivots } = B.structuralPivots(a, at);
    const N = a.rows - pivots.rows.length;
    const form = async () => {
      if (p === 2) return B.bitLines(executor.team, a, at, pivots).bits;
      const lines = new B.SchurLines(executor.team, executor.field, a, at, pivots);
      const dense = new B.DenseMatrix(executor.team.memory, executor.field, N, N);
      await lines.form(0, N, dense, 0);
      lines.free();
      return dense;
    };
    say('formed', p, N, (await least(form, (dense) => dense.release())) / N / N);
  },
  async pluq(executor, p) {
    const { team, field } = executor;
    for (const n of p === 2 ? [4000, 8000] : [1000, 2000]) {
      let dense;
      const fresh = () => {
        dense = p === 2 ? new B.BitMatrix(team.memory, n, n) : new B.DenseMatrix(team.memory, field, n, n);
        for (let i = 0; i < n; i++) {
          const source = new B.CounterRandom(1n, i);
          const words = p === 2 ? Math.ceil(n / 32) : n;
          const drawn = new Uint32Array(words);
          dense.row(i).set(p === 2 ? source.fillWords(drawn, 0) : source.fillResidues(drawn, p));
        }
      };
      fresh();
      const seconds = await least(
        () => (p === 2 ? B.bitPluq(team, dense) : B.pluq(team, field, dense)),
        () => {
          dense.release();
          fresh();
        },
      );
      dense.release();
      say('pluq', p, n, seconds / n ** 3);
    }
  },
  async trials(executor, p) {
    const context = { executor, team: executor.team, ...B.orderBasisEngines(executor, executor.team) };
    const { basis, pluq } = await B.trialSeconds(context, executor.team, 0.2);
    say('trial basis', p, 'seconds', basis);
    say('trial pluq', p, 'seconds', pluq);
  },
};

for (const p of options.mod.map(Number)) {
  for (const what of options.what) {
    const executor = await B.CpuExecutor.create(B.WordPrime.of(p));
    await PARTS[what](executor, p);
    executor.dispose();
  }
}
