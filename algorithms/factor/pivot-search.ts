/**
 * The pivots of a matrix and what is needed of it to solve systems: rounds as of elimination/rounds.ts, each kept.
 *
 *   round : a matrix, and pivots on which it is triangular (`structural`), or which an elimination took (`eliminated`)
 *           with the rows of U and the columns of L; the Schur complement that they leave is the next round's matrix
 *   end   : the last Schur complement, dense
 *
 * A round needs no more memory than the Schur complement that it begins with. As many pivots as the rank: A restricted
 * to their rows and columns is nonsingular.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { DENSE_BYTES } from '../elimination/dense-rows.js';
import { EliminationRecord } from '../elimination/elimination-record.js';
import { fillLine, formSparseSchur, percent, SPARSE_ENTRY, sampleFill } from '../elimination/fill.js';
import type { Markowitz } from '../elimination/markowitz.js';
import { operationsWorth, sparsePivots, sparsePivotsLine } from '../elimination/markowitz-trial.js';
import { MethodError } from '../method-error.js';
import { estimatesOver } from '../methods/costs.js';
import { type StructuralPivots, structuralPivots } from '../presolve/structural-pivots.js';
import { timePhase } from '../stopwatch.js';
import { DenseEnd } from './dense-end.js';

/** Pivots by lines of the matrix that was given, in order of elimination. */
interface Lines {
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
}

export type Round = StructuralRound | EliminatedRound;

/** A matrix whose lines are those of `rowIds` and `colIds`. */
interface PlacedMatrix {
  readonly matrix: ResidueMatrix;
  readonly rowIds: Uint32Array;
  readonly colIds: Uint32Array;
}

interface StructuralRound extends PlacedMatrix {
  readonly kind: 'structural';
  readonly pivots: Lines;
}

interface EliminatedRound {
  readonly kind: 'eliminated';
  readonly pivots: Lines;
  readonly lower: PlacedMatrix; // L, a column a pivot, whose numbers are theirs in order
  readonly upper: PlacedMatrix; // U, a row a pivot
}

export interface FoundPivots extends Lines {
  readonly rounds: readonly Round[];
  readonly end: DenseEnd | null;
  readonly explanation: readonly string[];
  readonly seconds: Readonly<Record<string, number>>;
}

export interface SearchOptions {
  /** Bytes that Schur complements and dense rows may take. */
  readonly maxBytes?: number | undefined;
  readonly check?: (() => void) | undefined;
  readonly onPhase?: ((phase: Phase) => void) | undefined;
}

type Phase = 'pivots' | 'schur' | 'dense';

/** Throws MethodError where there is no room. */
export async function findPivots(
  team: Team,
  field: WordPrime,
  matrix: ResidueMatrix,
  options: SearchOptions = {},
): Promise<FoundPivots> {
  const search = new PivotSearch(team, field, matrix, options);
  await search.run(matrix);
  return search.result();
}

class PivotSearch {
  private end: DenseEnd | null = null;
  private readonly team: Team;
  private readonly field: WordPrime;
  private readonly options: SearchOptions;
  private readonly rounds: Round[] = [];
  private readonly explanation: string[] = [];
  private readonly seconds: Record<Phase, number> = { pivots: 0, schur: 0, dense: 0 };
  private rowIds: Uint32Array; // of the matrix that a round is given
  private colIds: Uint32Array;

  constructor(team: Team, field: WordPrime, matrix: ResidueMatrix, options: SearchOptions) {
    this.team = team;
    this.field = field;
    this.options = options;
    this.rowIds = count(matrix.rows);
    this.colIds = count(matrix.cols);
  }

  result(): FoundPivots {
    const { rounds, end, explanation, seconds, rowIds, colIds } = this;
    const parts = rounds.map(({ pivots }) => pivots);
    if (end) parts.push({ rows: end.rows.map((i) => rowIds[i]), cols: end.cols.map((j) => colIds[j]) });
    const rows = concatenate(parts.map((part) => part.rows));
    const cols = concatenate(parts.map((part) => part.cols));
    return { rows, cols, rounds, end, explanation, seconds };
  }

  async run(matrix: ResidueMatrix): Promise<void> {
    const { team, field, explanation, options } = this;
    const estimates = estimatesOver(field);
    const check = options.check ?? (() => {});
    let a = this.begin(matrix);
    for (let round = 1; a.rows > 0 && a.cols > 0; round++) {
      const at = transpose(a) as ResidueMatrix;
      const found = await this.phase('pivots', () => structuralPivots(a, at));
      const { size } = found.matching;
      const [rows, cols] = [a.rows - size, a.cols - size];
      const line = `${size} structural pivots of ${a.rows} x ${a.cols} with ${a.values.length} entries`;
      const isComplete = rows === 0 || cols === 0;
      const { elimination } = estimates.costsLeft(a, size);
      const isFirst = round === 1;
      const fill =
        !isComplete && (isFirst || !estimates.isSmall(rows, cols))
          ? await this.phase('schur', () => sampleFill(team, field, a, found))
          : undefined;
      const isWorth = operationsWorth(elimination, estimates.speedup(team.threads)) > 0;
      // A Schur complement of few entries is formed at once; one of none is mostly nothing.
      if (isFirst && isWorth && fill !== undefined && fill.share > 0) {
        const rest = await this.phase('pivots', () => this.trySparsePivots(a, at, found));
        if (rest !== null) {
          a = rest;
          continue;
        }
      }
      explanation.push(line);
      this.keepStructural(a, found);
      if (isComplete) return;
      if (fill !== undefined) {
        const bytes = SPARSE_ENTRY * fill.share * rows * cols;
        const fits = bytes <= (options.maxBytes ?? DENSE_BYTES);
        if (fits && (fill.share === 0 || !estimates.isDense(rows, cols, a.colIdx.length, { fill }))) {
          explanation.push(`Schur complement ${rows} x ${cols}: ${fillLine(fill)}`);
          const s = await this.phase('schur', () => formSparseSchur(team, field, a, found, check));
          this.passOn(found);
          a = this.begin(s);
          continue;
        }
        explanation.push(`dense elimination of ${rows} x ${cols}, ${percent(fill.share)} full`);
      } else explanation.push(`dense elimination of ${rows} x ${cols}`);
      this.checkRoom(rows, cols);
      this.end = await this.phase('dense', () => DenseEnd.of(team, field, { a, at, pivots: found.pivots }, check));
      this.passOn(found);
      return;
    }
  }

  /** What sparse pivots leave, where they pay. */
  private trySparsePivots(a: ResidueMatrix, at: ResidueMatrix, { matching }: StructuralPivots): ResidueMatrix | null {
    const { team, field, options, explanation } = this;
    const record = new EliminationRecord();
    const tried = sparsePivots(field, { a, at, matching }, estimatesOver(field), (costs) => costs.elimination, {
      ...{ check: options.check, maxBytes: options.maxBytes, threads: team.threads, record },
    });
    if (tried === null || tried.run.pivots === 0) return null;
    const { run } = tried;
    explanation.push(sparsePivotsLine(a, run));
    this.keepEliminated(a, run, record);
    return this.begin(run.rest());
  }

  private keepStructural(matrix: ResidueMatrix, { pivots }: StructuralPivots): void {
    const { rowIds, colIds } = this;
    const lines = { rows: pivots.rows.map((i) => rowIds[i]), cols: pivots.cols.map((j) => colIds[j]) };
    this.rounds.push({ kind: 'structural', pivots: lines, matrix, rowIds, colIds });
  }

  private keepEliminated(a: ResidueMatrix, run: Markowitz, record: EliminationRecord): void {
    if (run.pivots === 0) return;
    const { rowIds, colIds } = this;
    const pivots = {
      rows: Uint32Array.from(run.pivotRows, (i) => rowIds[i]),
      cols: Uint32Array.from(run.pivotCols, (j) => colIds[j]),
    };
    const lower = transpose(record.lower.toRows(a.rows)) as ResidueMatrix;
    const upper = record.upper.toRows(a.cols);
    this.rounds.push({
      ...{ kind: 'eliminated', pivots },
      lower: { matrix: lower, rowIds, colIds: pivots.cols },
      upper: { matrix: upper, rowIds: pivots.rows, colIds },
    });
  }

  /** The lines without pivots are those of the Schur complement. */
  private passOn({ matching }: StructuralPivots): void {
    this.rowIds = this.rowIds.filter((_, i) => matching.colOf[i] < 0);
    this.colIds = this.colIds.filter((_, j) => matching.rowOf[j] < 0);
  }

  /** The lines of `matrix` that have entries. */
  private begin(matrix: ResidueMatrix): ResidueMatrix {
    const { rowIds, colIds } = this;
    const number = new Uint32Array(matrix.cols);
    for (const column of matrix.colIdx) number[column] = 1;
    const cols = colIds.filter((_, j) => number[j] > 0);
    for (let j = 0, next = 0; j < matrix.cols; j++) if (number[j] > 0) number[j] = next++;
    const isFull = (i: number): boolean => matrix.rowPtr[i + 1] > matrix.rowPtr[i];
    const rows = rowIds.filter((_, i) => isFull(i));
    const rowPtr = new Uint32Array(rows.length + 1);
    for (let i = 0, at = 0; i < matrix.rows; i++) if (isFull(i)) rowPtr[++at] = matrix.rowPtr[i + 1];
    this.rowIds = rows;
    this.colIds = cols;
    const colIdx = matrix.colIdx.map((column) => number[column]);
    return { rows: rows.length, cols: cols.length, rowPtr, colIdx, values: matrix.values };
  }

  private checkRoom(rows: number, cols: number): void {
    const bytes = DenseEnd.bytesOf(this.field, rows, cols);
    const most = Math.min(this.options.maxBytes ?? DENSE_BYTES, DENSE_BYTES);
    if (bytes <= most) return;
    const [takes, allowed] = [bytes, most].map(megabytes);
    throw new MethodError(`method elimination: ${rows} x ${cols} dense rows take ${takes} MB, allowed are ${allowed}`);
  }

  private phase<T>(phase: Phase, work: () => T | Promise<T>): Promise<T> {
    this.options.check?.();
    this.options.onPhase?.(phase);
    return timePhase(this.seconds, phase, work);
  }
}

function count(size: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: size }, (_, i) => i);
}

function concatenate(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
