/**
 * The methods that a run has room for, and their costs: a method that would be refused, or not fit a GPU, is no choice.
 *
 * Sizes tell all but sparse Schur complements before a run begins: block Wiedemann by memory-estimate.ts, samples and
 * dense rows by their number, as if the rank were full.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { hostBytes } from '../../kernels/platform/host-memory.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type BlockShape, chooseBlocks } from '../block-wiedemann/block-shape.js';
import { numbersAnElement } from '../block-wiedemann/extension-degree.js';
import { deviceBlocks, type RankOptions, type RunContext } from '../block-wiedemann/rank.js';
import { DENSE_BYTES, denseBytes } from '../elimination/dense-rows.js';
import { SPARSE_ENTRY } from '../elimination/fill.js';
import { ELIMINATION_BYTES } from '../elimination/rounds.js';
import type { Costs, Measurements } from '../estimates.js';
import type { Presolved } from '../presolve/presolve.js';
import { costsLeft, isDense, linesBehindPivots } from './costs.js';
import { blocksWithin, samplingBytes, wiedemannBytes } from './memory-estimate.js';

export interface Feasible {
  /** Infinite without room. */
  readonly costs: Costs;
  /** Why there is none, a line each. */
  readonly obstacles: readonly string[];
}

/** Of what the pivots leave. */
export function feasibleCosts(
  field: WordPrime,
  { a, matching }: Pick<Presolved, 'a' | 'matching'>,
  measurements: Measurements,
  { maxBytes, block, mostUnkept }: RankOptions,
): Feasible {
  const costs = costsLeft(field, a, matching.size, measurements);
  const { gpu } = measurements;
  const [rows, cols] = [a.rows - matching.size, a.cols - matching.size];
  const entries = a.colIdx.length;
  const obstacles: string[] = [];
  const unless = (obstacle: string | null, seconds: number): number => {
    if (obstacle === null) return seconds;
    obstacles.push(obstacle);
    return Number.POSITIVE_INFINITY;
  };
  const elimination = unless(
    eliminationObstacle(field, rows, cols, entries, measurements, maxBytes) ??
      tooLong('elimination', costs.elimination, mostUnkept),
    costs.elimination,
  );
  if (gpu) {
    const taken = costs.isImplicit ? measurements.substitution!.pivots : 0;
    const [R, C] = [a.rows - taken, a.cols - taken];
    const wiedemann = unless(
      wiedemannObstacle(field, R, C, entries, measurements, { maxBytes, block }),
      costs.wiedemann,
    );
    return { costs: { ...costs, elimination, wiedemann }, obstacles };
  }
  const sampling = unless(
    tooMuch('sampling', samplingBytes(field, rows, cols), Math.min(maxBytes ?? DENSE_BYTES, DENSE_BYTES)) ??
      tooLong('sampling', costs.sampling, mostUnkept),
    costs.sampling,
  );
  const wiedemann = unless(
    wiedemannObstacle(field, rows, cols, entries, measurements, { maxBytes, block }),
    costs.wiedemann,
  );
  return { costs: { ...costs, elimination, sampling, wiedemann }, obstacles };
}

/** Why block Wiedemann cannot be run on a matrix of so many entries; null where it can. */
export function wiedemannObstacle(
  field: WordPrime,
  rows: number,
  cols: number,
  entries: number,
  { gpu }: Measurements,
  { maxBytes, block }: RankOptions,
): string | null {
  const against = gpu?.reasonAgainst(field, rows, cols, block?.n) ?? null;
  if (against !== null) return `block Wiedemann's vectors: ${against}`;
  const bytes = wiedemannBytes(field, rows, cols, entries, { block });
  return tooMuch('block Wiedemann', bytes, maxBytes ?? hostBytes());
}

/** The same on what these pivots leave. */
export function hybridObstacle(
  field: WordPrime,
  { a, matching: { size } }: Pick<Presolved, 'a' | 'matching'>,
  options: RankOptions,
): string | null {
  return wiedemannObstacle(field, a.rows - size, a.cols - size, a.colIdx.length, {}, options);
}

/** The blocks that are asked for, or of the device for the Schur complement of these pivots where memory has room. */
export function schurBlocks(
  context: RunContext,
  { a, matching }: Pick<Presolved, 'a' | 'matching'>,
  { block, maxBytes = hostBytes() }: RankOptions,
): BlockShape | undefined {
  if (block !== undefined) return block;
  const [rows, cols] = [a.rows - matching.size, a.cols - matching.size];
  const { length } = a.colIdx;
  const wide = deviceBlocks(context, Math.max(a.rows, a.cols), Math.min(rows, cols), length);
  const bytes = wide && wiedemannBytes(context.executor.field, rows, cols, length, { block: wide });
  return bytes !== undefined && bytes <= maxBytes ? wide : undefined;
}

/** The blocks that are asked for, or narrower ones than usual where memory has no room for those, and why. */
export function blocksWithRoom(
  context: RunContext,
  { rows, cols, colIdx: { length } }: ResidueMatrix,
  { block, maxBytes = hostBytes() }: RankOptions,
): { readonly block?: BlockShape | undefined; readonly explanation: readonly string[] } {
  if (block !== undefined) return { block, explanation: [] };
  const { field } = context.executor;
  const [N, L] = [Math.min(rows, cols), Math.max(rows, cols)];
  const bytesOf = (block?: BlockShape): number => wiedemannBytes(field, rows, cols, length, { block });
  const usual = bytesOf();
  if (usual > maxBytes) {
    const narrow = blocksWithin(field, rows, cols, length, maxBytes);
    return { block: narrow, explanation: [whyNarrow(narrow, usual, maxBytes)] };
  }
  const wide = deviceBlocks(context, L, N, length);
  const isTooWide = wide !== undefined && bytesOf(wide) > maxBytes;
  return { block: isTooWide ? chooseBlocks(N, numbersAnElement(field.p, 'block')) : undefined, explanation: [] };
}

/** Why blocks are narrower than the usual ones, which take so many bytes. */
export function whyNarrow({ m, n }: BlockShape, usual: number, allowed: number): string {
  return `wiedemann: blocks of ${m} x ${n}, since the usual ones take about ${megabytes(usual)} MB, allowed are ${megabytes(allowed)}`;
}

function eliminationObstacle(
  field: WordPrime,
  rows: number,
  cols: number,
  entries: number,
  measurements: Measurements,
  maxBytes = ELIMINATION_BYTES,
): string | null {
  const { fill, gpu } = measurements;
  const dense = (R: number, C: number): string | null => {
    const onGpu = gpu?.reasonForThreads(field, R, C) === null;
    return tooMuch('elimination', denseBytes(field, R, C, onGpu), Math.min(maxBytes, DENSE_BYTES));
  };
  if (fill === undefined || isDense(field, rows, cols, entries, measurements)) return dense(rows, cols);
  return SPARSE_ENTRY * fill.share * rows * cols > maxBytes
    ? dense(rows, cols)
    : dense(...linesBehindPivots(rows, cols, fill.share));
}

/** Of a method without checkpoints. */
function tooLong(what: string, seconds: number, allowed = Number.POSITIVE_INFINITY): string | null {
  if (seconds <= allowed) return null;
  return `${what} keeps nothing and should take ${seconds.toPrecision(2)} s of one thread`;
}

/** Seconds of one thread that all threads do between two checkpoints; undefined where nothing is kept. */
export function mostUnkept({ checkpoint, team }: RunContext): number | undefined {
  return checkpoint && checkpoint.interval * (team?.threads ?? 1);
}

export function tooMuch(what: string, bytes: number, allowed: number): string | null {
  if (bytes <= allowed) return null;
  const [takes, most] = [bytes, allowed].map(megabytes);
  return `${what} takes about ${takes} MB, allowed are ${most}`;
}
