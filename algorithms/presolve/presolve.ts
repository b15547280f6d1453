/**
 * A matrix mod p made ready for the methods that begin with structural pivots, without arithmetic on rows:
 *
 *   rank = pivotsTaken + rank of `a`
 *   `a` : no empty rows and columns, none parallel, only pivots that others depend on
 *
 * The steps: empty and parallel lines are dropped and structural pivots found. Where the estimate of the rest is long,
 * the pivots beside the core (core.ts) are taken with their lines, and the steps begin again while each turn drops a
 * good share. They end where the pivots are all there is, or as many as are asked for.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import { cheapest, type Estimates } from '../estimates.js';
import { coreOf } from './core.js';
import { dropEmptyLines } from './drop-empty.js';
import type { KnownPivots } from './known-pivots.js';
import { parallelRows } from './parallel-lines.js';
import { type StructuralPivots, structuralPivots } from './structural-pivots.js';
import { vanishingLog2 } from './vanishing.js';

export interface Presolved extends StructuralPivots {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix;
  readonly pivotsTaken: number;
  readonly sparsePivots: number; // of those taken, the first ones (elimination/markowitz-trial.ts)
  /** log2 of the error of the pivots being all there is (vanishing.ts); null where that is not known. */
  readonly vanishingLog2: number | null;
  /** The steps that changed the matrix, a line each. */
  readonly explanation: readonly string[];
  readonly seconds: number;
}

/** The steps begin again when the core drops this share of the entries. */
const WORTH = 1 / 16;

/**
 * Estimated seconds from which on the core is searched for, which takes as long as the search for pivots; and of an
 * elimination from which on random vectors come first.
 */
const LONG = 0.1;

/** Pivots that leave a larger share of the shorter side's lines are hardly all there is. */
const MUCH = 1 / 4;

export interface PresolveOptions {
  /** Estimated seconds of the rest from which on the core is searched for. */
  readonly long?: number;
  /** Of random vectors, by which the pivots may be shown to be all there is; none are taken without it. */
  readonly seed?: bigint;
  /** Pivots that prove so much are enough. */
  readonly atLeast?: number | undefined;
  /** Of the same matrix modulo other primes. */
  readonly known?: KnownPivots | undefined;
}

export function presolve(
  F: WordPrime,
  matrix: ResidueMatrix,
  estimates: Pick<Estimates, 'costsLeft'>,
  { long = LONG, seed, atLeast = Number.POSITIVE_INFINITY, known }: PresolveOptions = {},
): Presolved {
  const start = performance.now();
  const explanation: string[] = [];
  let pivotsTaken = 0;
  let a = dropEmptyLines(matrix);
  for (;;) {
    const distinct = dropParallelLines(F, a);
    const { length } = a.colIdx;
    if (distinct.a !== a) {
      const rows = a.rows - distinct.a.rows;
      const cols = a.cols - distinct.a.cols;
      explanation.push(`${rows} rows and ${cols} columns of ${a.rows} x ${a.cols} are multiples of others`);
    }
    const at = distinct.at;
    a = distinct.a;
    let vanishing: number | null = null;
    const provesEnough = ({ matching }: StructuralPivots): boolean => pivotsTaken + matching.size >= atLeast;
    const test = (found: StructuralPivots): boolean => {
      const { matching, pivots } = found;
      if (provesEnough(found)) return true;
      if (seed === undefined || isMuchLeft({ a, matching })) return false;
      // A short elimination proves the rank.
      if (estimates.costsLeft(a, matching.size).elimination <= LONG) return false;
      vanishing = vanishingLog2(F, a, at, pivots, seed);
      return vanishing !== null;
    };
    const found = known ? known.find(a, at, test) : structuralPivots(a, at, test);
    const isEnough = found.matching.size === Math.min(a.rows, a.cols) || vanishing !== null || provesEnough(found);
    const little = isEnough || cheapest(estimates.costsLeft(a, found.matching.size)) < long;
    const core = little ? null : coreOf(a, at, found.matching);
    if (core === null || core.entries > (1 - WORTH) * length) {
      const seconds = (performance.now() - start) / 1000;
      return { a, at, pivotsTaken, sparsePivots: 0, ...found, vanishingLog2: vanishing, explanation, seconds };
    }
    pivotsTaken += core.pivots;
    const rest = restrict(a, core.rows, core.cols);
    explanation.push(
      `${core.pivots} pivots of ${a.rows} x ${a.cols} on which nothing depends leave ${rest.rows} x ${rest.cols}`,
    );
    a = rest;
  }
}

/** Whether pivots leave so much that random vectors hardly show the rank of the rest. */
export function isMuchLeft({ a, matching }: Pick<Presolved, 'a' | 'matching'>): boolean {
  const most = Math.min(a.rows, a.cols);
  return most - matching.size > MUCH * most;
}

/** Of parallel rows and columns one each, and the transpose. */
function dropParallelLines(F: WordPrime, a: ResidueMatrix): { a: ResidueMatrix; at: ResidueMatrix } {
  const at = transpose(a) as ResidueMatrix;
  const [rows, cols] = [parallelRows(F, a), parallelRows(F, at)];
  if (rows === null && cols === null) return { a, at };
  const [keptRows, keptCols] = [markKept(rows, a.rows), markKept(cols, a.cols)];
  return { a: restrict(a, keptRows, keptCols), at: restrict(at, keptCols, keptRows) };
}

function markKept(dropped: Uint8Array | null, size: number): Uint8Array {
  return dropped === null ? new Uint8Array(size).fill(1) : dropped.map((mark) => 1 - mark);
}

/** The rows and columns that are marked, without those that this leaves empty. */
function restrict(a: ResidueMatrix, rows: Uint8Array, cols: Uint8Array): ResidueMatrix {
  const rowPtr = new Uint32Array(a.rows + 1);
  const colIdx = new Uint32Array(a.colIdx.length);
  const values = new Uint32Array(a.values.length);
  let at = 0;
  for (let i = 0; i < a.rows; i++) {
    if (rows[i] === 1) {
      for (let k = a.rowPtr[i], end = a.rowPtr[i + 1]; k < end; k++) {
        if (cols[a.colIdx[k]] === 0) continue;
        colIdx[at] = a.colIdx[k];
        values[at++] = a.values[k];
      }
    }
    rowPtr[i + 1] = at;
  }
  return dropEmptyLines({ ...a, rowPtr, colIdx: colIdx.slice(0, at), values: values.slice(0, at) });
}
