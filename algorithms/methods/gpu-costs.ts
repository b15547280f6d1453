/**
 * Costs of a GPU for its parts of the methods: the dense end of an elimination, whose rows threads form, and block
 * Wiedemann, on a whole matrix or on the implicit Schur complement of pivots.
 *
 *   R × C : dense rows, R ≤ C      N ≤ L : sides of a matrix of nnz entries      m, n, k : as in costs.ts
 *
 *   dense        START + R/64 panels + the upload of R × C residues + R²·C multiplications
 *   sequence     SETUP + L rows to set up; N/m + N/n steps, of a constant and what entries, rows and levels take
 *
 * Rates are those of an H200 beside 16 threads (test/bench/RESULTS.md#gpu-pluq and test/bench/RESULTS.md#gpu-krylov).
 * They are added to costs of one thread, so a second of the GPU counts as the work of the threads beside it in that
 * time: `worth` seconds of one of them. Nothing tells a slower GPU's times before; a GPU in software counts as a
 * thread.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { PANEL, pluqBytes, rowBytes } from '../../kernels/dense/gpu-pluq-sizes.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { type BlockShape, chooseBlocks } from '../block-wiedemann/block-shape.js';
import { panelsOf } from '../block-wiedemann/column-panels.js';
import { numbersAnElement, workingDegree } from '../block-wiedemann/extension-degree.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import type { GpuCosts, GpuTraits, Substitutions } from '../estimates.js';
import { ratesOf, speedup } from './rates.js';

/**
 * Seconds: kernels compiled, in a process that has none, of which some pass while rows are formed; a panel; a byte; a
 * multiplication.
 */
const DENSE = {
  u16: { start: 0.3, panel: 2.6e-4, product: 4.4e-14 },
  u32: { start: 0.3, panel: 3.4e-4, product: 1.9e-13 },
};
const UPLOAD = 2e-10;

/**
 * Seconds: kernels compiled, the first slow steps; a number of a line of the longer side; a step, twice that over
 * extensions.
 */
const SETUP = 0.2;
const LINE = 5e-6;
const STEP = 8e-5;

/**
 * Seconds of a level of a substitution, and a factor for an entry, whose vectors the GPU's cache holds or not
 * (test/bench/RESULTS.md#gpu-substitution).
 */
const NEAR = { level: 2.5e-6, entries: 1 };
const FAR = { level: 1e-5, entries: 1.15 };
const CACHE = 2 ** 25; // bytes

/** Of a step, seconds an entry with 16 vectors, and a row of the longer side: hash and projection. */
const SPARSE = { u16: { entry: 1e-11, row: 2.5e-11 }, u32: { entry: 3e-11, row: 5e-11 } };
const VECTORS = 16;

/** The assumed GPU before one is opened. */
export const USUAL_GPU: GpuTraits = {
  name: 'a GPU',
  software: false,
  languageFeatures: new Set(['packed_4x8_integer_dot_product']),
  maxBindingBytes: 2 ** 31 - 4,
};

/**
 * Of N, seconds of the order basis for 32 x 16, which grow as n² does, on a GPU beside 16 threads; of larger residues
 * twice as many (test/bench/RESULTS.md#gpu-blocks).
 */
const BASIS = 2e-6;

/** Block Wiedemann over F_p itself by shape, whose products with so many columns were timed. */
export function gpuRunSeconds(
  field: WordPrime,
  L: number,
  N: number,
  { m, n }: BlockShape,
  product: (columns: number) => number,
): number {
  const { row } = field.isU16 ? SPARSE.u16 : SPARSE.u32;
  const sequence = (N / m + N / n) * (STEP + product(n) + (n / VECTORS) * row * L);
  const verification = (N / m) * (STEP + product(verificationWidth(Math.log2(field.p))));
  return SETUP + LINE * L + sequence + verification + (field.isU16 ? 1 : 2) * BASIS * N * (n / VECTORS) ** 2;
}

/** Beside so many threads. */
export function gpuCosts<Gpu extends GpuTraits>(gpu: Gpu, threads: number): GpuCosts<Gpu> {
  const worth = speedup(threads);
  return {
    ...{ gpu, worth, dense },
    sequence: (field, rows, cols, nnz, substitution) =>
      gpu.software ? onThreads(field, rows, cols, nnz) / worth : sequence(field, rows, cols, nnz, substitution),
    reasonForThreads: (...what) => reasonForThreads(gpu, worth, ...what),
    reasonAgainst: (...what) => reasonAgainst(gpu, ...what),
    pieces: (...what) => pieces(gpu, ...what),
  };
}

function dense(field: WordPrime, rows: number, cols: number): number {
  const [R, C] = [Math.min(rows, cols), Math.max(rows, cols)];
  const { start, panel, product } = field.isU16 ? DENSE.u16 : DENSE.u32;
  return start + (R / PANEL) * panel + R * rowBytes(field, C) * UPLOAD + R * R * C * product;
}

function sequence(field: WordPrime, rows: number, cols: number, nnz: number, substitution?: Substitutions): number {
  const { k, L, steps } = stepsOf(field, rows, cols);
  return SETUP + LINE * k * L + steps * stepSeconds(field, rows, cols, nnz, substitution);
}

/** Seconds of a step; of a rows × cols Schur complement, nnz entries are those of the whole matrix. */
export function stepSeconds(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  { pivots, levels }: Substitutions = { pivots: 0, levels: 0 },
): number {
  const { k, L, columns } = stepsOf(field, rows, cols);
  const { entry, row } = field.isU16 ? SPARSE.u16 : SPARSE.u32;
  const bytes = (field.isU16 ? 2 : 4) * columns * (L + pivots);
  const { level, entries } = bytes <= CACHE ? NEAR : FAR;
  const product = (columns / VECTORS) * entries * entry * nnz + levels * level;
  return (k === 1 ? STEP : 2 * STEP) + product + k * row * L;
}

/** On one thread, which a GPU in software is at best. */
function onThreads(field: WordPrime, rows: number, cols: number, nnz: number): number {
  const { k, L, steps, columns } = stepsOf(field, rows, cols);
  const { entry, row } = ratesOf(field);
  return steps * ((columns / VECTORS) * entry * nnz + k * row * L);
}

function stepsOf(field: WordPrime, rows: number, cols: number) {
  const [N, L] = [Math.min(rows, cols), Math.max(rows, cols)];
  const k = numbersAnElement(field.p, 'block');
  const { m, n } = chooseBlocks(N, k);
  return { k, L, steps: N / m + N / n, columns: k * n };
}

function reasonForThreads(gpu: GpuTraits, worth: number, field: WordPrime, rows: number, cols: number): string | null {
  if (field.p === 2) return 'bits are eliminated there';
  if (gpu.software) return `${gpu.name} is slower`;
  if (!gpu.languageFeatures.has('packed_4x8_integer_dot_product')) return `${gpu.name} has no products of bytes`;
  const [R, C] = [Math.min(rows, cols), Math.max(rows, cols)];
  const larger = tooLarge(gpu, Math.max(...Object.values(pluqBytes(field, R, C))));
  if (larger !== null) return larger;
  return worth * dense(field, R, C) < ratesOf(field).pluq * R * R * C ? null : 'they are faster on so few';
}

/** Of the widest block of vectors: one of the sequence, or of the verification. */
function pieces(gpu: GpuTraits, field: WordPrime, rows: number, cols: number, n?: number): number {
  const { k, L, columns } = stepsOf(field, rows, cols);
  const s = verificationWidth(workingDegree(field.p, 'block') * Math.log2(field.p));
  return panelsOf(field, L, k, Math.max(n ?? columns / k, s), gpu.maxBindingBytes);
}

/** The largest buffer is a column of vectors: blocks come in pieces, the matrix is stored in slices. */
function reasonAgainst(gpu: GpuTraits, field: WordPrime, rows: number, cols: number, n?: number): string | null {
  if (pieces(gpu, field, rows, cols, n) < Number.POSITIVE_INFINITY) return null;
  // A lone column has a residue a word, as those of extensions have.
  const { k, L } = stepsOf(field, rows, cols);
  return tooLarge(gpu, 4 * k * L);
}

function tooLarge(gpu: GpuTraits, bytes: number): string | null {
  if (bytes <= gpu.maxBindingBytes) return null;
  const [need, have] = [bytes, gpu.maxBindingBytes].map(megabytes);
  return `${need} MB are more than the ${have} that ${gpu.name} takes in one piece`;
}
