/**
 * Sparse matrix times block of vectors on a GPU, ours beside torch.sparse (cuSPARSE, float32), in one run.
 *
 *   npm run bench -- gpu-spmm [--matrix NAME] [--mod P] [--width N] [--no-peer]
 *
 * Seeded random matrices of published sizes, row lengths spread from 0.5 to 1.5 times the mean, and chessboard
 * complexes. 300 rows of each product are checked against sums made on the host before anything is timed. A time is the
 * median of 20 passes of 50 products each, by timestamps of the device, after 400 ms of warming up. One JSON line a
 * matrix, modulus and width:
 *   us, gops = 2·nnz·width / time      peerUs, ratio      bytesFloorUs : indices, values, X and Y once over the copy
 *   bandwidth      gatherFloorUs : 32-byte sectors of X read, one by one, over the best rate of the random matrices at
 *   width 1 in this run      rowsUs : width 1 before bins serve it, if they do (kernels/spmm/gpu-binned.ts)
 *   allMs : BEFORE products with one vector behind those of rowsUs, with all that storing bins takes
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cusparse } from './peers/cusparse.mjs';
import { checkRows, randomRows } from './products.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const ours = (file) => import(new URL(file, DIST).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { CounterRandom } = await ours('fields/random.js');
const { GpuDevice } = await ours('kernels/gpu/device.js');
const { GpuExecutor } = await ours('kernels/executors/gpu.js');
const { SparseMatrix } = await ours('kernels/sparse/sparse-matrix.js');
const { generate } = await ours('data/families.js');

const [P16, P31] = [65521, 2147483629];
const WIDTHS = [1, 8, 16, 32];
const BEFORE = 4100; // products before bins serve one vector, and some
const MATRICES = [
  { name: 'gl7d15-size', size: [460261, 171375, 6080381], units: 0, moduli: [P16, P31] },
  { name: 'gl7d15-size-units', size: [460261, 171375, 6080381], units: 0.85, moduli: [P16], peer: 'gl7d15-size' },
  { name: 'mpolyout2-size', size: [2410560, 2086560, 15707520], units: 0, moduli: [P16, P31] },
  { name: 'ch8-8-b4', family: ['ch', '8', '8', '4'], moduli: [P16] },
  { name: 'ch9-9-b4', family: ['ch', '9', '9', '4'], moduli: [P16] },
  { name: '4M', size: [4000000, 4000000, 80000000], units: 0, moduli: [P16, P31] },
];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string' },
    mod: { type: 'string' },
    width: { type: 'string' },
    'no-peer': { type: 'boolean', default: false },
  },
});
const widths = options.width === undefined ? WIDTHS : [Number(options.width)];
const matrices = MATRICES.filter(({ name }) => options.matrix === undefined || options.matrix === name);
if (matrices.length === 0)
  throw new Error(`--matrix: expected one of ${MATRICES.map((m) => m.name).join(', ')}, got ${options.matrix}`);

const gpu = await GpuDevice.open();
const folder = mkdtempSync(join(tmpdir(), 'wiedemann-gpu-spmm-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
let sectorRate = 0; // sectors a µs
const peer = options['no-peer'] ? null : new Cusparse(folder);
let peerTimes = new Map();

for (const description of matrices) {
  for (const p of description.moduli.filter((p) => options.mod === undefined || p === Number(options.mod))) {
    const a = made(description, p);
    // The peer knows no residues: one measurement serves all moduli.
    if (peer && description.peer === undefined && p === description.moduli[0]) {
      peerTimes = await peer.times(a, widths);
    }
    const executor = new GpuExecutor(WordPrime.of(p), gpu);
    const operator = executor.operator(a, { use: 'apply' });
    for (const width of widths) await measure(description, executor, operator, a, p, width);
    operator.free();
    executor.dispose();
  }
}
peer?.end();
gpu.dispose();

async function measure({ name, size }, executor, operator, a, p, width) {
  const x = executor.vector(a.cols, width);
  const y = executor.vector(a.rows, width);
  const data = new CounterRandom(7n, width).fillResidues(new Uint32Array(a.cols * width), p);
  const slice = Math.floor(2 ** 24 / width);
  for (let first = 0; first < a.cols; first += slice) {
    executor.write(x, data.subarray(first * width, Math.min(a.cols, first + slice) * width), first);
  }
  executor.fill(y, p - 1);
  await operator.apply(y, x);
  checkRows(`${name} mod ${p}`, a, p, width, data, await executor.read(y));
  const product = () => void operator.apply(y, x);
  const timed = async () => {
    const warm = performance.now() + 400;
    while (performance.now() < warm) await gpu.time(() => repeat(20, product));
    const times = [];
    for (let run = 0; run < 20; run++) times.push((await gpu.time(() => repeat(50, product))) / 50_000);
    return median(times);
  };
  // Bins are not stored while the device's clock runs.
  const rowsUs = width === 1 ? await timed() : undefined;
  const start = performance.now();
  for (let i = 0; width === 1 && i < BEFORE; i++) await operator.apply(y, x);
  checkRows(`${name} mod ${p}`, a, p, width, data, await executor.read(y));
  const allMs = performance.now() - start;
  const us = await timed();
  const residue = p < 2 ** 16 && width % 2 === 0 ? 2 : 4;
  const nnz = a.colIdx.length;
  const units = a.values.reduce((count, v) => count + (v === 1 || v === p - 1 ? 1 : 0), 0);
  const general = p < 2 ** 16 ? 6 : 8;
  const bytes = 4 * units + general * (nnz - units) + residue * width * (a.rows + a.cols) + 4 * a.rows;
  const sectors = nnz * Math.ceil((residue * width) / 32);
  if (width === 1 && size) sectorRate = Math.max(sectorRate, sectors / us);
  const peerUs = peerTimes.get(width);
  const copy = peerTimes.get('copy');
  report({
    bench: 'gpu-spmm',
    ...{ matrix: name, rows: a.rows, cols: a.cols, nnz, mod: p, width },
    ...{ us: rounded(us), gops: Math.round((2 * nnz * width) / us / 1000) },
    ...(rowsUs !== undefined && { rowsUs: rounded(rowsUs), allMs: Math.round(allMs) }),
    ...(peerUs && { peerUs: rounded(peerUs), ratio: Number((peerUs / us).toFixed(2)) }),
    ...(copy && { copyGBs: Math.round(copy), bytesFloorUs: rounded(bytes / copy / 1000) }),
    ...(sectorRate > 0 && { gatherFloorUs: rounded(sectors / sectorRate) }),
    adapter: gpu.name,
  });
  executor.release(x);
  executor.release(y);
}

function rounded(us) {
  return Number(us.toFixed(1));
}

function repeat(times, work) {
  for (let i = 0; i < times; i++) work();
}

function made({ family, size, units }, p) {
  if (!family) return randomRows(...size, p, units);
  const triplets = generate(family[0], family.slice(1));
  return SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets).residues(p);
}
