/**
 * Costs of the rank of a Schur complement on one thread, from its sizes and from measurements.
 *
 *   S : R × C, N the shorter side, L the longer      a : seconds of a product with 16 vectors
 *   k : numbers that an element of GF(q) takes
 *   E, F : a multiplication of a dense elimination, an entry formed for it (rates.ts)
 *
 *   elimination      the rows of S, then R × C dense:              R·C·F + N·a/16 + E·R·C·N
 *                    of a sparse S, once its fill is known:
 *                    the rows of S, and the dense end of what its pivots leave
 *   sampling         products with N vectors, and N × N dense, after smaller ones:     N·a/16 + 1.6·E·N³
 *   wiedemann        N/m + N/n steps of n columns, and s columns N/m times; order bases
 *
 * On a GPU block Wiedemann takes S or the whole matrix, whichever is quicker, and the dense end of an elimination may
 * be there (gpu-costs.ts).
 *
 * A rank far below N shortens the last two; for a full N they are right within a factor 2. The time a depends on the
 * places of the entries and on the depth of the substitution, so that a long run measures it (schur/hybrid-rank.ts),
 * together with the fill of S and the rates (probe.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type BlockShape, chooseBlocks } from '../block-wiedemann/block-shape.js';
import { numbersAnElement, workingDegree } from '../block-wiedemann/extension-degree.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import type { Costs, Estimates, FrontSizes, Measurements } from '../estimates.js';
import { phaseSeconds, sumOfPhases } from './phases.js';
import { BYTES, basisSeconds, frontRatesOf, ratesOf, speedup } from './rates.js';

/** The cost of samples, which may be too few, as a share of block Wiedemann's. */
const ATTEMPT = 0.005;

/** A factor for the smaller samples before, of half as many vectors, a quarter and so on. */
const DOUBLING = 1.6;

/** The order basis is searched in pieces that are put together again (block-wiedemann/block-shape.ts: checkpoints). */
const PIECES = 1.6;

/** The same of what 512 rows of bits take together (kernels/schur/bit-schur.ts). */
const BIT_ROWS = 1 / 32;

/** Vectors that a kernel takes at least the time of. */
const LEAST_WIDTH = 8;

/** Fuller Schur complements are eliminated as dense ones: a multiplication of a dense product costs a thirtieth. */
const DENSE_SHARE = 1 / 20;

/** Multiplications of a dense elimination that is quicker than another round whatever the share of entries is. */
const DENSE_WORK = { residues: 2 ** 30, bits: 2 ** 36 };

/** The estimates of a run over `field`. */
export function estimatesOver(field: WordPrime): Estimates {
  return {
    // Over F_p itself: a degree would only scale what block Wiedemann takes.
    costs: (rows, cols, nnz, measurements) => costs(field, rows, cols, nnz, 1, measurements),
    costsLeft: (a, pivots, measurements) => costsLeft(field, a, pivots, measurements),
    productSeconds: (nnz) => productSeconds(field, nnz),
    isSmall: (rows, cols) => isSmall(field, rows, cols),
    isDense: (rows, cols, nnz, measurements) => isDense(field, rows, cols, nnz, measurements),
    frontsSeconds: (sizes) => frontsSeconds(field, sizes),
    speedup,
  };
}

/** A third of R·C·N multiplications eliminate a square; a cell is cleared, filled and moved on. */
function frontsSeconds(field: WordPrime, { products, cells }: FrontSizes): number {
  const { pluq, formed } = frontRatesOf(field);
  return 3 * pluq * products + 2 * formed * cells;
}

/** Of a rows × cols matrix of nnz entries, whose sequence is over a field of k numbers an element. */
export function costs(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  k: number,
  measurements: Measurements = {},
): Costs {
  const { product: a = productSeconds(field, nnz), gpu, substitution } = measurements;
  const rates = ratesOf(field);
  const [N, L] = [Math.min(rows, cols), Math.max(rows, cols)];
  const { dense, sparse } = eliminations(field, rows, cols, nnz, measurements);
  const elimination = sparse === null || isDense(field, rows, cols, nnz, measurements) ? dense : sparse;
  const basis = PIECES * (measurements.rates?.basis ?? 1) * basisSeconds(rates, N, k);
  if (gpu) {
    const wiedemann = gpu.worth * gpu.sequence(field, rows, cols, nnz, substitution) + basis;
    return { elimination, sampling: Number.POSITIVE_INFINITY, wiedemann, samples: 0 };
  }
  const cube = rates.pluq * (measurements.rates?.pluq ?? 1);
  const samplingOf = (samples: number): number => (samples * a) / 16 + DOUBLING * cube * N * samples ** 2;
  const { m, n } = chooseBlocks(N, k);
  const s = Math.max(LEAST_WIDTH, verificationWidth(workingDegree(field.p, 'block') * Math.log2(field.p)));
  const step = (field.p === 2 && k === 1 ? BYTES : 1) * ((n * k * a) / 16) + rates.row * k * L;
  const counts = { steps: N / m + N / n, verifying: N / m };
  const wiedemann = sumOfPhases(
    phaseSeconds(counts, { setup: 0, step, verifying: (s / n) * step, basis, combining: 0 }),
  );
  let samples = 1;
  while (samples < N && samplingOf(2 * samples) <= ATTEMPT * wiedemann) samples *= 2;
  return { elimination, sampling: samplingOf(N), wiedemann, samples };
}

/** Block Wiedemann over F_p itself on so many threads, by shape; its products with so many columns were timed there. */
export function runSeconds(
  field: WordPrime,
  L: number,
  N: number,
  threads: number,
  { m, n }: BlockShape,
  product: (columns: number) => number,
): number {
  const rates = ratesOf(field);
  const share = n / 16 / speedup(threads);
  const sequence = (N / m + N / n) * (product(n) + share * rates.row * L);
  const verification = (N / m) * product(verificationWidth(Math.log2(field.p)));
  return sequence + verification + (n / 16) * share * PIECES * basisSeconds(rates, N, 1);
}

/** Seconds of an elimination that goes on with a dense Schur complement, and with a sparse one whose fill is known. */
function eliminations(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  { product: a = productSeconds(field, nnz), fill, rates: measured, gpu }: Measurements,
): { readonly dense: number; readonly sparse: number | null } {
  const { formed, pluq } = ratesOf(field);
  const dense = (R: number, C: number): number => {
    const onGpu = gpu !== undefined && gpu.reasonForThreads(field, R, C) === null;
    const cube = pluq * (measured?.pluq ?? 1) * R * C * Math.min(R, C);
    return R * C * formed + (onGpu ? gpu.worth * gpu.dense(field, R, C) : cube);
  };
  const products = (field.p === 2 ? BIT_ROWS : 1) * ((Math.min(rows, cols) * a) / 16);
  const sparse = fill ? fill.secondsARow * rows + dense(...linesBehindPivots(rows, cols, fill.share)) : null;
  return { dense: dense(rows, cols) + products, sparse };
}

/** Whether a Schur complement is eliminated as a dense one whatever its fill is. */
function isSmall(field: WordPrime, rows: number, cols: number): boolean {
  return rows * cols * Math.min(rows, cols) < (field.p === 2 ? DENSE_WORK.bits : DENSE_WORK.residues);
}

/**
 * Whether a Schur complement this full is eliminated as a dense one: where that is quick whatever it is, or on a GPU
 * quicker.
 */
export function isDense(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  measurements: Measurements,
): boolean {
  const { fill, gpu } = measurements;
  if (fill === undefined || fill.share > DENSE_SHARE) return true;
  if (isSmall(field, rows, cols)) return true;
  if (gpu === undefined) return false;
  const { dense, sparse } = eliminations(field, rows, cols, nnz, measurements);
  return dense < (sparse as number);
}

/**
 * Rows and columns that structural pivots leave of a matrix of this share, as of a random one with d entries a line of
 * its longer side: the larger d, the more of a square is left (test/bench/RESULTS.md#pivots-of-random-matrices).
 */
export function linesBehindPivots(rows: number, cols: number, share: number): [number, number] {
  const N = Math.min(rows, cols);
  const d = share * N;
  const pivots = N * (1 - Math.max(0, d - 1.5) / (d + 10));
  return [rows - pivots, cols - pivots];
}

/** Of what the pivots leave, or, for block Wiedemann on a GPU, of the whole matrix where that is quicker. */
export function costsLeft(field: WordPrime, a: ResidueMatrix, pivots: number, measurements?: Measurements): Costs {
  const k = numbersAnElement(field.p, 'block');
  const behind = (pivots: number, measurements?: Measurements): Costs =>
    costs(field, a.rows - pivots, a.cols - pivots, a.colIdx.length, k, measurements);
  const left = behind(pivots, measurements);
  if (measurements?.gpu === undefined) return left;
  const whole = behind(0, { ...measurements, substitution: undefined }).wiedemann;
  const { gpu, substitution } = measurements;
  // The substitution's values are one buffer, as its blocks are, which are as long as those of the whole matrix.
  const fits = 4 * a.colIdx.length <= gpu.gpu.maxBindingBytes && gpu.pieces(field, a.rows, a.cols) === 1;
  const implicit = substitution && fits ? behind(substitution.pivots, measurements).wiedemann : whole;
  const isImplicit = implicit < whole;
  return { ...left, wiedemann: isImplicit ? implicit : whole, isImplicit };
}

/** An estimate of a. */
function productSeconds(field: WordPrime, nnz: number): number {
  return ratesOf(field).entry * nnz;
}
