/**
 * Plans beside the runs that they are of: seconds by phase as `plan` estimates them, and as `rank` then takes them.
 *
 *   npm run bench -- plan [--size ROWS,COLS,EACH,LESS]... [--mod P] [--device NAME] [--threads N] [--budget S]
 *
 *   random   EACH entries a row, rank the shorter side less LESS; by default about 0.1, 1 and 5 minutes on two cores
 *   by       sizes: of rows, columns, entries and rank alone; matrix: its own products timed
 *
 * Each plan and each run has an engine of its own, as a process would. One JSON line a run and plan: `planned`,
 * `real`, and their ratio by phase. Nothing else should run meanwhile.
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
    budget: { type: 'string', default: '8' },
  },
});
const mod = Number(options.mod);
const own = { mod, device: options.device, threads: options.threads && Number(options.threads) };
const PHASES = ['setup', 'sequence', 'sigmaBasis', 'verification', 'total'];

for (const size of options.size) {
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
