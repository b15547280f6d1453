/**
 * `wiedemann info [FILE|-] [-p P]`: sizes, value classes, row and column lengths, and the plan that rank would multiply
 * by, with its bytes and reasons: a plan of the rows and columns that have entries mod p, since rank drops the others;
 * where threads have another for products with one vector, that one too.
 * Without a prime it plans for 65521, the largest below 2^16. Over Q (-p 0) and mod a prime beyond 2^31 there is no
 * plan, and the rest is printed all the same.
 */

import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import type { FormatName } from '../../kernels/sparse/formats/index.js';
import { narrowPlans } from '../../kernels/sparse/narrow-plans.js';
import { describePlan, type Plan, type PlanDescription, planOf } from '../../kernels/sparse/plan.js';
import { type RowLengths, rowLengths } from '../../kernels/sparse/row-statistics.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { readMatrix } from '../io/read-matrix.js';
import { OVER_Q, type QuestionOptions } from '../questions/options.js';
import { settings } from '../questions/settings.js';
import { fileAndModulus, type Options, readingOptions, standardInput } from './arguments.js';
import { bytesText } from './byte-count.js';
import { nonzeroPlaces } from './nonzero-places.js';
import { writeOut } from './standard-output.js';

const USUAL_PRIME = '65521';
const BAR = 40;

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { file, mod = USUAL_PRIME } = fileAndModulus(words, options);
  const { mod: p, storage } = settings('rank', { mod, storage: options['storage'] as QuestionOptions['storage'] });
  const name = file ?? '<stdin>';
  const matrix = await readMatrix(file ?? standardInput(), { name, ...readingOptions(options) });
  const plan = isPlanned(p) ? describeModulo(matrix, Number(p), storage) : countPlaces(matrix, p);
  await writeOut(options['json'] ? json(matrix, plan) : text(name, matrix, plan));
}

/** The description of a matrix mod p; without a plan it has no parts and no bytes. */
type Described = Omit<PlanDescription, 'mod' | 'bytes'> & {
  readonly mod: bigint;
  readonly bytes: number | null;
  readonly colLengths: RowLengths;
  /** Of threads, for products with few vectors; null where the plan serves these as well. */
  readonly fewVectors: (Stored & { readonly mostWidth: number }) | null;
};

type Stored = Pick<PlanDescription, 'parts' | 'bytes'>;

function isPlanned(p: bigint): boolean {
  return p !== OVER_Q && p <= BigInt(MAX_SIZE);
}

function describeModulo(matrix: SparseMatrix, p: number, storage: FormatName | null): Described {
  const residues = dropEmptyLines(withoutIdleLines(matrix).residues(p));
  const { cols, colIdx } = residues;
  const plan = planOf(residues, p, { storage: storage ?? undefined });
  const narrow = storage === null ? narrowPlans(residues, plan, null)?.(false) : null;
  const fewVectors = narrow ? { mostWidth: narrow.mostWidth, ...storedBy(narrow.make()) } : null;
  return { ...describePlan(plan), mod: BigInt(p), colLengths: colLengths(cols, colIdx), fewVectors };
}

function vectorsText(most: number): string {
  return most === 1 ? 'one vector' : `up to ${most} vectors`;
}

function storedBy(plan: Plan): Stored {
  const { parts, bytes } = describePlan(plan);
  return { parts, bytes };
}

function countPlaces(matrix: SparseMatrix, mod: bigint): Described {
  const { rows, cols, rowPtr, colIdx } = nonzeroPlaces(matrix, mod);
  const lengths = { rowLengths: rowLengths(rowPtr), colLengths: colLengths(cols, colIdx) };
  return { rows, cols, nnz: rowPtr[rows]!, mod, ...lengths, parts: [], bytes: null, fewVectors: null };
}

/** How long columns are, of the column of each entry. */
function colLengths(cols: number, colIdx: Uint32Array): RowLengths {
  const ends = new Uint32Array(cols + 1);
  for (let k = 0; k < colIdx.length; k++) ends[colIdx[k]! + 1]!++;
  for (let j = 0; j < cols; j++) ends[j + 1]! += ends[j]!;
  return rowLengths(ends);
}

function json(matrix: SparseMatrix, plan: Described): string {
  const { rows, cols, nnz } = matrix;
  const { mod, nnz: residues, rowLengths, colLengths, parts, bytes, fewVectors } = plan;
  const empty = { emptyRows: rows - plan.rows, emptyCols: cols - plan.cols };
  const described = { residues, ...empty, rowLengths, colLengths, parts, bytes, fewVectors };
  return `${JSON.stringify({ schema: 1, command: 'info', rows, cols, nnz, mod: `${mod}`, values: valuesOf(matrix), plan: described })}\n`;
}

/** The integers as they stand in the file, before any prime. */
function valuesOf({ values, wide }: SparseMatrix): Record<'plusOne' | 'minusOne' | 'zero' | 'other' | 'wide', number> {
  const counts = { plusOne: 0, minusOne: 0, zero: 0, other: 0, wide: wide.size };
  for (let k = 0; k < values.length; k++) {
    const v = values[k];
    if (v === 1) counts.plusOne++;
    else if (v === -1) counts.minusOne++;
    else if (v === 0) counts.zero++;
    else counts.other++;
  }
  counts.zero -= wide.size; // a wide entry's place among the 32-bit values holds a 0
  return counts;
}

function text(name: string, matrix: SparseMatrix, plan: Described): string {
  const values = valuesOf(matrix);
  const lines = [
    `${printableName(name)}: ${matrix.rows} x ${matrix.cols}, ${matrix.nnz} entries`,
    `values    +1: ${values.plusOne}   -1: ${values.minusOne}   0: ${values.zero}   other: ${values.other}   beyond 32 bits: ${values.wide}`,
    `${plan.mod === OVER_Q ? `over Q   ${plan.nnz} nonzero entries` : `mod ${plan.mod}   ${plan.nnz} nonzero residues`}   empty rows: ${matrix.rows - plan.rows}   empty columns: ${matrix.cols - plan.cols}`,
    `row lengths   ${lengthsText(plan.rowLengths)}`,
    ...histogram(plan.rowLengths),
    `column lengths   ${lengthsText(plan.colLengths)}`,
    ...histogram(plan.colLengths),
    plan.bytes === null ? `no plan   ${whyNone(plan.mod)}` : `plan, ${bytesText(plan.bytes)}`,
    ...plan.parts.map(partText),
  ];
  if (plan.fewVectors !== null) {
    lines.push(
      `plan of threads for ${vectorsText(plan.fewVectors.mostWidth)}, ${bytesText(plan.fewVectors.bytes)}`,
      ...plan.fewVectors.parts.map(partText),
    );
  }
  return `${lines.join('\n')}\n`;
}

function partText({ values, formats, reason }: PlanDescription['parts'][number]): string {
  const stored = formats.map((f) => `${f.format} ${f.nnz} entries, ${bytesText(f.bytes)}`).join(' + ');
  return `  ${values.padEnd(8)} ${stored}   ${reason}`;
}

function whyNone(p: bigint): string {
  return p === OVER_Q
    ? 'the rank over Q is found modulo two random primes below 2^31'
    : 'mod a prime beyond 2^31 entries are eliminated as they are';
}

function lengthsText({ min, median, mean, max }: RowLengths): string {
  return `min ${min}   median ${median}   mean ${mean.toFixed(1)}   max ${max}`;
}

function histogram({ histogram: classes }: RowLengths): string[] {
  const most = Math.max(...classes.map(({ rows }) => rows));
  const labels = classes.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const width = Math.max(...labels.map((label) => label.length));
  return classes.map(({ rows }, i) => {
    const bar = '#'.repeat(Math.max(1, Math.round((rows / most) * BAR)));
    return `  ${labels[i]!.padStart(width)} | ${bar} ${rows}`;
  });
}
