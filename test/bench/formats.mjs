/**
 * A sparse matrix times a block of vectors in every format by name, beside what the product chooses by itself.
 *
 *   npm run bench -- formats [--device cpu|gpu] [--quick | --big] [--matrix NAME]... [--format NAME]...
 *                            [--study NAME]... [--mod P]... [--width N]... [--threads N]... [--rounds N] [--limit S]
 *                            [--no-peer]
 *
 *   studies : format   every format; CSR, the three fastest others and the choice once more, in turns of the five
 *             modulus  the choice and CSR by moduli          width    the same by widths
 *             words    integers and floats, by moduli        reorder  CSR and the choice, by reverse Cuthill-McKee too
 *             split    CSR with the ±1 apart and without     powers   A^n·x, vectors swapped, by n
 *   sizes   : --quick without the larger matrices, --big with those of 6, 16 and 80 M entries too; --matrix names any
 *
 * Gop/s = 2·nnz·width / time of a whole product. CSR's product is checked against sums made on the host, and every
 * other one is compared with it, residue for residue, before it is timed. A format takes turns with CSR; its rate is
 * CSR's times the median of their quotients. The settings of other studies take turns with each other. A format of more
 * than 12 times CSR's bytes on a sample of rows is left out, with the reason; so is jit beyond a million entries and on
 * a GPU. After --limit seconds no further setting or format begins; stderr and the lines say which are left out. Words
 * are compared in CSR, on a GPU in slices of 32 rows. On a GPU with torch cuSPARSE in float32 stands beside them, as
 * CSR and for blocks as BSR. One JSON line a study, matrix, modulus, width and number of threads.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CpuClock, GpuClock, inTurns, median } from './formats-clock.mjs';
import { entriesAChange, MATRICES, overModulus, residuesOf } from './formats-matrices.mjs';
import { Operators, Products } from './formats-products.mjs';
import { MADE_ON, settingsOf } from './formats-settings.mjs';
import { many } from './matrix-options.mjs';
import { Cusparse } from './peers/cusparse.mjs';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { FORMAT_NAMES: ALL } = await ours('kernels/sparse/formats/index.js');
const { narrowPlans } = await ours('kernels/sparse/narrow-plans.js');
const { describePlan, planOf } = await ours('kernels/sparse/plan.js');

const { loadEncoder } = await ours('kernels/jit/encoder.js');

const MOST_COMPILED = 1e6; // entries
const STUDIES = ['format', ...Object.keys(MADE_ON)];
const MOST_BYTES = 12; // times those of compressed rows
const SAMPLE = 4096;
const FIRST = 3; // rounds, which are all for a format of less than this share of CSR's rate:
const SLOW = 0.5;
const FINALISTS = 3;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    device: { type: 'string', default: 'cpu' },
    quick: { type: 'boolean', default: false },
    big: { type: 'boolean', default: false },
    matrix: many(MATRICES.map(({ name }) => name)),
    format: many(ALL),
    study: many(STUDIES),
    mod: many([65521]),
    width: many([1, 16]),
    threads: many([1, 2]),
    rounds: { type: 'string', default: '9' },
    limit: { type: 'string', default: 'Infinity' },
    'no-peer': { type: 'boolean', default: false },
  },
});
for (const [name, known] of [
  ['matrix', MATRICES.map((matrix) => matrix.name)],
  ['format', ALL],
  ['study', STUDIES],
  ['device', ['cpu', 'gpu']],
]) {
  const wrong = [options[name]].flat().find((each) => !known.includes(each));
  if (wrong !== undefined) throw new Error(`--${name}: expected one of ${known.join(', ')}, got ${wrong}`);
}
const byName = process.argv.includes('--matrix');
const numbers = (name) => options[name].map(Number);
const rounds = Number(options.rounds);
const isGpu = options.device === 'gpu';
const sizes = ['quick', ...(options.quick ? [] : ['more']), ...(options.big ? ['big'] : [])];
const matrices = MATRICES.filter(({ name, size }) => (byName || sizes.includes(size)) && options.matrix.includes(name));
const asked = (study, name) => options.study.includes(study) && (study === 'format' || MADE_ON[study].includes(name));

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-formats-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const deadline = performance.now() + 1000 * Number(options.limit);
const leftOut = [];
if (!isGpu && options.format.includes('jit')) await loadEncoder();
const clocks = isGpu ? [await GpuClock.open()] : numbers('threads').map((threads) => new CpuClock(threads));
const cusparse = isGpu && !options['no-peer'] && options.study.includes('format') ? new Cusparse(folder) : null;
for (const matrix of matrices) {
  if (!hasTime(matrix.name)) continue;
  const a = residuesOf(matrix);
  for (const clock of clocks) await studies(clock, matrix, a);
}
cusparse?.end();
for (const clock of clocks) clock.dispose();
if (leftOut.length > 0) console.error(`left out after ${options.limit} s: ${leftOut.join('; ')}`);

/** Whether a setting may begin. */
function hasTime(...setting) {
  if (performance.now() < deadline) return true;
  leftOut.push(setting.join(' '));
  return false;
}

async function studies(clock, { name, block }, a) {
  const { threads, adapter } = clock;
  const shape = { matrix: name, rows: a.rows, cols: a.cols, nnz: a.colIdx.length, entriesAChange: entriesAChange(a) };
  const say = (study, mod, width, line) =>
    report({ bench: 'formats', study, ...shape, mod, width, device: options.device, threads, ...line, adapter });
  const first = clock === clocks[0];
  if (asked('format', name)) {
    const peer = (await cusparse?.times(a, numbers('width'), block)) ?? new Map();
    for (const p of numbers('mod')) {
      const of = overModulus(a, p);
      const operators = await Operators.create(clock, p);
      // More threads than one share the caches of wide products alone.
      for (const width of numbers('width').filter((width) => first || width > 1)) {
        if (!hasTime(name, 'format mod', p, 'width', width, 'threads', threads ?? '-')) continue;
        const line = await allFormats(clock, operators, name, of, p, width);
        say('format', p, width, { ...line, ...besidePeer(line, peer, width, of) });
      }
      operators.dispose();
    }
  }
  if (!first) return;
  for (const study of Object.keys(MADE_ON)) {
    if (!asked(study, name) || !hasTime(name, study)) continue;
    const settings = settingsOf(study, a, isGpu);
    const rates = await inOneGo(clock, name, settings);
    for (const [k, { p, width, n }] of settings.entries()) say(study, p, width, { n, rates: rates[k] });
  }
}

/** Rates of the contenders of each setting, all in turns, so that a slow minute of the machine is one for all. */
async function inOneGo(clock, name, settings) {
  const works = [];
  const made = new Map(); // operators by modulus
  for (const [k, { a, p, width, n = 1, contenders }] of settings.entries()) {
    if (!made.has(p)) made.set(p, await Operators.create(clock, p));
    const products = await Products.create(clock, made.get(p), name, a, p, width);
    for (const contender of contenders) works.push({ k, n, products, ...(await products.contender(contender, n)) });
  }
  const seconds = await inTurns(clock, works, rounds);
  const rates = settings.map(() => ({}));
  works.forEach(({ k, n, products, name: of, free }, at) => {
    rates[k][of] = products.rate(median(seconds[at]) / n);
    free();
  });
  for (const products of new Set(works.map((work) => work.products))) products.dispose();
  for (const operators of made.values()) operators.dispose();
  return rates;
}

/** Rates of all formats, and the choice beside the best of them. */
async function allFormats(clock, operators, name, a, p, width) {
  const products = await Products.create(clock, operators, name, a, p, width);
  const { csr } = products;
  const [found, ready, refused] = [new Map(), new Map(), {}];
  const others = options.format.filter((format) => format !== 'csr');
  for (const contender of [...others.map((storage) => ({ name: storage, storage })), { name: 'chosen' }]) {
    const isLate = performance.now() >= deadline && contender.storage;
    const why = isLate ? `no time after ${options.limit} s` : contender.storage && tooMuch(a, p, contender.storage);
    if (why) {
      refused[contender.name] = why;
      continue;
    }
    try {
      const own = await products.contender(contender);
      const quotients = [];
      for (const turns of [FIRST, rounds - FIRST]) {
        const [ofCsr, ofOwn] = await inTurns(clock, [csr, own], turns);
        quotients.push(...ofCsr.map((time, k) => time / ofOwn[k]));
        if (median(quotients) < SLOW) break;
      }
      own.free();
      if (operators.keeps) ready.set(contender.name, own);
      found.set(contender, median(quotients));
    } catch (error) {
      if (!['StructureError', 'MemoryError', 'DeviceError', 'RangeError'].includes(error.name)) throw error;
      refused[contender.name] = error.message;
    }
  }
  const byName = [...found].filter(([{ storage }]) => storage !== undefined);
  const fastest = byName.sort(([, s], [, t]) => t - s).slice(0, FINALISTS);
  const again = async (contender) => ready.get(contender.name) ?? (await products.contender(contender));
  const finalists = [csr];
  for (const [contender] of fastest) finalists.push(await again(contender));
  finalists.push(await again({ name: 'chosen' }));
  const final = await inTurns(clock, finalists, 2 * rounds);
  for (const { free } of finalists.slice(1)) free();
  const times = (one, other) => median(one.map((time, k) => time / other[k]));
  const quotients = new Map([[csr, 1], ...found].map(([{ name: format }, quotient]) => [format, quotient]));
  for (const [k, finalist] of finalists.entries()) quotients.set(finalist.name, times(final[0], final[k]));
  const csrSeconds = median(final[0]);
  const rates = Object.fromEntries([...quotients].map(([key, times]) => [key, products.rate(csrSeconds / times)]));
  const ofBest = finalists.slice(0, -1).map((_, k) => times(final[k], final.at(-1)));
  const best = ofBest.indexOf(Math.min(...ofBest));
  products.dispose();
  const plan = planned(a, p, width);
  return { rates, best: finalists[best].name, ofBest: Number(ofBest[best].toFixed(2)), plan, refused };
}

/** Why a format has no room for a matrix, or undefined: its places, or its bytes on a sample of rows. */
function tooMuch(a, p, storage) {
  if (storage === 'jit') {
    return isGpu || a.colIdx.length > MOST_COMPILED ? `the CPU alone, up to ${MOST_COMPILED} entries` : undefined;
  }
  const first = Math.max(0, (a.rows - SAMPLE) >> 1);
  const rows = Math.min(SAMPLE, a.rows);
  const [begin, end] = [a.rowPtr[first], a.rowPtr[first + rows]];
  const longest = (from, count) => {
    let most = 0;
    for (let i = from; i < from + count; i++) most = Math.max(most, a.rowPtr[i + 1] - a.rowPtr[i]);
    return most;
  };
  if (/^(ell|ell-r|dense)$/.test(storage)) {
    const places = a.rows * (storage === 'dense' ? a.cols : longest(0, a.rows));
    const times = Math.round(places / a.colIdx.length);
    return times > MOST_BYTES ? `${times} places an entry` : undefined;
  }
  const rowPtr = a.rowPtr.slice(first, first + rows + 1).map((at) => at - begin);
  const sample = {
    ...{ rows, cols: a.cols, rowPtr },
    colIdx: a.colIdx.slice(begin, end),
    values: a.values.slice(begin, end),
  };
  const { bytes, parts } = describePlan(planOf(sample, p, { storage }));
  // Dense columns, where there are none.
  if (!parts.some(({ formats }) => formats.some(({ format }) => format === storage))) return 'nothing of it is so';
  const times = Math.round(bytes / (4 * rows + 8 * (end - begin)));
  return times > MOST_BYTES ? `${times} times the bytes of csr` : undefined;
}

/** The choice in words. */
function planned(a, p, width) {
  if (isGpu) return undefined;
  const plan = planOf(a, p);
  const narrow = narrowPlans(a, plan, null)?.(false);
  return describePlan(narrow && width <= narrow.mostWidth ? narrow.make() : plan)
    .parts.map(({ values, formats }) => `${values} ${[...new Set(formats.map(({ format }) => format))].join(' + ')}`)
    .join(', ');
}

function besidePeer({ rates }, peer, width, a) {
  const rate = (us) => us && Number(((2 * a.colIdx.length * width) / us / 1000).toPrecision(4));
  const peers = { 'cuSPARSE csr': rate(peer.get(width)), 'cuSPARSE bsr': rate(peer.get(`bsr ${width}`)) };
  const best = Math.max(...Object.values(peers).filter((each) => each !== undefined));
  if (!(best > 0)) return {};
  return { rates: { ...rates, ...peers }, ofPeer: Number((rates.chosen / best).toFixed(2)) };
}
