/**
 * Plans beside the runs that they are of: seconds by phase as `plan` estimates them, and as `rank` then takes them.
 *
 *   npm run bench -- plan [--size ROWS,COLS,EACH,LESS]... [--mod P] [--device NAME] [--threads N] [--budget S]
 *   npm run bench -- plan --published [--device NAME] [--threads N] [--budget S]
 *
 *   random      EACH entries a row, rank the shorter side less LESS; by default about 0.1, 1 and 5 minutes on two cores
 *   by          sizes: of rows, columns, entries and rank alone; matrix: its own products timed
 *   published   in place of runs: plans of matrices of the literature on 1, 8 and 64 devices such as this one
 *
 * Each plan and each run has an engine of its own, as a process would. One JSON line a run and plan: `planned`,
 * `real`, and their ratio by phase; or a plan and its number of devices. Nothing else should run meanwhile.
 */
import { parseArgs } from 'node:util';
import { generated } from './in-process.mjs';
import { report } from './report.mjs';

const { createEngine } = await import(new URL('../../dist/src/index.js', import.meta.url).href);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    size: {
      type: 'string',
      multiple: true,
      default: ['28000,28000,20,100', '85000,85000,20,100', '180000,180000,20,100'],
    },
    mod: { type: 'string', default: '65521' },
    device: { type: 'string', default: 'cpu' },
    threads: { type: 'string' },
    budget: { type: 'string', default: '12' },
    published: { type: 'boolean', default: false },
  },
});
const mod = Number(options.mod);
const own = { mod, device: options.device, threads: options.threads && Number(options.threads) };
/**
 * GL7d19: Dumas, Elbaz-Vincent, Giorgi, Urbańska 2007. The others are those of the 240-digit records (Boudot, Gaudry,
 * Guillevic, Heninger, Thomé, Zimmermann 2020, sections 3 and 4): 253 and 200 entries a row, whose rank is the shorter
 * side but for some lines. The logarithms are there mod a prime of 795 bits, here mod one of a word: products of many
 * words take as many times longer, and are not planned.
 */
const PUBLISHED = [
  { name: 'GL7d19', mod: 65521, rows: 1911130, cols: 1955309, nnz: 37322725, rank: 1033568 },
  { name: 'DLP-240, a word', mod: 2147483629, rows: 36.2e6, cols: 36.2e6, nnz: 36.2e6 * 253, rank: 36.2e6 },
  { name: 'RSA-240', mod: 2, rows: 282e6, cols: 282e6, nnz: 282e6 * 200, rank: 282e6 },
];
const PHASES = ['setup', 'sequence', 'sigmaBasis', 'verification', 'total'];

if (options.published) for (const matrix of PUBLISHED) await planPublished(matrix);
else for (const size of options.size) await planAndRun(size);

async function planPublished({ name, mod, rank, ...sizes }) {
  const asked = { ...own, mod, rank, devices: [1, 8, 64], budget: Number(options.budget) };
  const { plans, rates } = await withEngine((engine) => engine.plan(sizes, asked));
  for (const { devices, block, seconds, deviceHours, bytes } of plans) {
    const device = rates.adapter ?? rates.device;
    report({
      ...{ bench: 'plan', matrix: name, ...sizes, mod, rank, device, threads: rates.threads },
      ...{ devices, block, hours: seconds.total / 3600, deviceHours, bytes },
    });
  }
}

async function planAndRun(size) {
  const [rows, cols, each, less] = size.split(',').map(Number);
  const matrix = generated('random', [rows, cols, each, mod, 1, less].map(String));
  const rank = Math.min(rows, cols) - less;
  const asked = { ...own, rank, devices: [1], budget: Number(options.budget) };
  const inputs = { sizes: { rows, cols, nnz: matrix.nnz }, matrix };
  const plans = {};
  for (const [by, input] of Object.entries(inputs)) plans[by] = await withEngine((engine) => engine.plan(input, asked));
  const outcome = await withEngine((engine) => engine.rank(matrix, { ...own, method: 'wiedemann', seed: 1 }));
  if (outcome.value !== rank) throw new Error(`bench plan: expected rank ${rank}, got ${outcome.value}`);
  const real = {
    ...outcome.seconds,
    total: PHASES.slice(0, -1).reduce((sum, phase) => sum + outcome.seconds[phase], 0),
  };
  for (const [
    by,
    {
      plans: [plan],
      rates,
      seconds,
    },
  ] of Object.entries(plans)) {
    const pick = (from) => Object.fromEntries(PHASES.map((phase) => [phase, Number(from[phase].toPrecision(3))]));
    const ratio = PHASES.map((phase) => [phase, Number((plan.seconds[phase] / real[phase]).toPrecision(3))]);
    report({
      ...{ bench: 'plan', matrix: `random ${size.replaceAll(',', ' ')}`, mod, device: rates.adapter ?? rates.device },
      ...{ threads: rates.threads, by, block: plan.block, planning: Number(seconds.total.toPrecision(3)) },
      ...{ planned: pick(plan.seconds), real: pick(real), ratio: Object.fromEntries(ratio) },
    });
  }
}

async function withEngine(work) {
  const engine = createEngine({});
  try {
    return await work(engine);
  } finally {
    await engine.dispose();
  }
}
