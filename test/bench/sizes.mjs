/**
 * What each size of a product gains (algorithms/tuning/sizes.ts): a matrix in the storage that is chosen unasked, with
 * every value of one size beside the usual one, all others being usual.
 *
 *   npm run bench -- sizes [--device cpu|gpu] [--matrix NAME]... [--mod P]... [--width N]... [--threads N]
 *                          [--storage NAME] [--size NAME]... [--rounds N]
 *
 * All values of a size take turns with the usual one, on one thread by processor time, on a GPU by the device's clock;
 * `times` are medians of the quotients of a round: how many times as fast as usual; `again` is that of the usual sizes
 * made once more, by which quotients are uncertain. Every product is compared with that of compressed rows, residue for
 * residue, before it is timed. `best` is the fastest value, for workgroups the first local maximum of `times` from the
 * least on, which is what `tune` takes. `together` are the best values that gain 5 % each by themselves, also over
 * `again`, all at once. One JSON line a matrix, modulus, width and size that has other values.
 */
import { parseArgs } from 'node:util';
import { CpuClock, GpuClock, inTurns, median } from './formats-clock.mjs';
import { Operators, Products } from './formats-products.mjs';
import { many, matricesOf } from './matrix-options.mjs';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { GAIN } = await ours('algorithms/tuning/choice.js');
const { degreesOf } = await ours('algorithms/tuning/sizes.js');

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    device: { type: 'string', default: 'cpu' },
    matrix: many([
      'power-law_20000',
      'web_100000',
      'blocks_64000_8',
      'random_10000',
      'delaunay_32768',
      'bibd_81_3',
      'EX5',
      'mk13-b5',
    ]),
    mod: many([65521]),
    width: many([1, 16]),
    threads: { type: 'string', default: '1' },
    storage: { type: 'string', default: 'auto' },
    size: many([]),
    rounds: { type: 'string', default: '15' },
  },
});
const [rounds, threads] = [Number(options.rounds), Number(options.threads)];
if (!['cpu', 'gpu'].includes(options.device)) throw new Error(`--device: expected cpu or gpu, got ${options.device}`);

const clock = options.device === 'gpu' ? await GpuClock.open() : new CpuClock(threads);
for (const { name, p, a } of matricesOf(options)) {
  const operators = await Operators.create(clock, p);
  for (const width of options.width.map(Number)) await measure(operators, name, a, p, width);
  operators.dispose();
}
clock.dispose();

async function measure(operators, name, a, p, width) {
  const products = await Products.create(clock, operators, name, a, p, width);
  const storage = options.storage === 'auto' ? undefined : options.storage;
  const contender = (sizes) => products.contender({ name: JSON.stringify(sizes), storage, sizes });
  const where = { device: options.device, ...(clock.adapter ? { adapter: clock.adapter } : { threads }) };
  const said = {
    bench: 'sizes',
    matrix: name,
    nnz: a.colIdx.length,
    mod: p,
    width,
    storage: options.storage,
    ...where,
  };
  const asked = (size) => options.size.length === 0 || options.size.includes(size);
  const { executor } = operators;
  let together = {};
  const [usual, again] = [await contender({}), await contender({})];
  for (const { name: size, values, isRaised } of degreesOf(a, executor, options.storage, width)) {
    if (!asked(size)) continue;
    const [found, refused] = [new Map(), []];
    for (const value of values({})) {
      try {
        found.set(value, await contender({ [size]: value }));
      } catch (error) {
        if (!['RangeError', 'MemoryError'].includes(error.name)) throw error;
        refused.push(value);
      }
    }
    if (found.size === 0) continue; // no value makes a difference to this matrix
    const [ofUsual, ofAgain, ...others] = await inTurns(clock, [usual, again, ...found.values()], rounds);
    const times = [...found.keys()].map((value, k) => [value, quotient(ofUsual, others[k])]);
    for (const { free } of found.values()) free();
    const [best, gain] = isRaised ? firstPeak(times) : times.toSorted(([, s], [, t]) => t - s)[0];
    const noise = quotient(ofUsual, ofAgain);
    if (gain * (1 - GAIN) >= Math.max(1, noise) && values(together).includes(best))
      together = { ...together, [size]: best };
    const us = Number((1e6 * median(ofUsual)).toPrecision(4));
    report({ ...said, size, us, again: noise, times: Object.fromEntries(times), best, gain, refused });
  }
  if (Object.keys(together).length > 0) {
    const all = await contender(together);
    const [ofUsual, ofAgain, ofAll] = await inTurns(clock, [usual, again, all], 2 * rounds);
    all.free();
    const us = Number((1e6 * median(ofUsual)).toPrecision(4));
    const line = { us, again: quotient(ofUsual, ofAgain), times: {}, best: together, gain: quotient(ofUsual, ofAll) };
    report({ ...said, size: 'together', ...line, refused: [] });
  }
  for (const { free } of [usual, again]) free();
  products.dispose();
}

function quotient(usual, other) {
  return Number(median(usual.map((seconds, k) => seconds / other[k])).toFixed(3));
}

/** The value before the first that is slower. */
function firstPeak(times) {
  const end = times.findIndex(([, quotient], k) => k + 1 === times.length || times[k + 1][1] < quotient);
  return times[end];
}
