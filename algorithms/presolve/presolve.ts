/**
 * A matrix mod p made ready for the methods that begin with structural pivots, without arithmetic on rows:
 *
 *   rank = taken + rank of `a`      `a` : no empty rows and columns, none parallel, only pivots that others depend on
 *
 * Empty and parallel lines go, pivots are found, and where what they leave would take long, those beside the core (core.ts) are
 * taken with their lines; while that takes much, what is left is looked at again.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { type ResidueMatrix, transposed } from '../../kernels/sparse/residue-matrix.js';
import { cheapest, costsLeft } from '../methods/costs.js';
import { coreOf } from './core.js';
import { withoutEmptyLines } from './drop-empty.js';
import { parallelRows } from './parallel-lines.js';
import { type StructuralPivots, structuralPivots } from './structural-pivots.js';

export interface Reduced extends StructuralPivots {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix;
  readonly taken: number;
  readonly thin: boolean; // after sparse pivots (markowitz-trial.ts)
  /** What was taken, a line each. */
  readonly explanation: readonly string[];
  readonly seconds: number;
}

/** Entries that are worth another look, a share of those that there are. */
const WORTH = 1 / 16;

/** Seconds that must be left to do for the core to be looked for: it costs as much as the pivots do (kneser_8_3_1: 50 ms). */
const LONG = 0.1;

export function reduced(F: WordPrime, matrix: ResidueMatrix, long = LONG): Reduced {
  const start = performance.now();
  const explanation: string[] = [];
  let taken = 0;
  let a = withoutEmptyLines(matrix);
  for (;;) {
    const distinct = withoutParallelLines(F, a);
    const { length } = a.colIdx;
    if (distinct.a !== a) {
      const rows = a.rows - distinct.a.rows;
      const cols = a.cols - distinct.a.cols;
      explanation.push(`${rows} rows and ${cols} columns of ${a.rows} x ${a.cols} are multiples of others`);
    }
    const at = distinct.at;
    a = distinct.a;
    const found = structuralPivots(a, at);
    const full = found.matching.size === Math.min(a.rows, a.cols);
    const little = full || cheapest(costsLeft(F, { a, matching: found.matching })) < long;
    const core = little ? null : coreOf(a, at, found.matching);
    if (core === null || core.entries > (1 - WORTH) * length) {
      return { a, at, taken, thin: false, ...found, explanation, seconds: (performance.now() - start) / 1000 };
    }
    taken += core.pivots;
    const rest = restricted(a, core.rows, core.cols);
    explanation.push(
      `${core.pivots} pivots of ${a.rows} x ${a.cols} on which nothing depends leave ${rest.rows} x ${rest.cols}`,
    );
    a = rest;
  }
}

/** Of parallel rows and columns one each, and the transpose. */
function withoutParallelLines(F: WordPrime, a: ResidueMatrix): { a: ResidueMatrix; at: ResidueMatrix } {
  const at = transposed(a) as ResidueMatrix;
  const [rows, cols] = [parallelRows(F, a), parallelRows(F, at)];
  if (rows === null && cols === null) return { a, at };
  const rest = restricted(a, staying(rows, a.rows), staying(cols, a.cols));
  return { a: rest, at: transposed(rest) as ResidueMatrix };
}

function staying(dropped: Uint8Array | null, size: number): Uint8Array {
  return dropped === null ? new Uint8Array(size).fill(1) : dropped.map((mark) => 1 - mark);
}

/** The rows and columns that are marked, without those that this leaves empty. */
function restricted(a: ResidueMatrix, rows: Uint8Array, cols: Uint8Array): ResidueMatrix {
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
  return withoutEmptyLines({ ...a, rowPtr, colIdx: colIdx.slice(0, at), values: values.slice(0, at) });
}
