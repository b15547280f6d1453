/**
 * The choice of a method for a system: by the costs of a rank, and by what a kept run may take.
 *
 * hybrid and wiedemann solve for square matrices of full rank, elimination and lanczos for any. Elimination keeps
 * nothing: a kept run takes it where it should be over before the first checkpoint, and else lanczos.
 */
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { sampleFill } from '../elimination/fill.js';
import { hasEmptyRow } from '../elimination/pivot-signs.js';
import type { Measurements } from '../estimates.js';
import { MethodError } from '../method-error.js';
import { type StructuralPivots, structuralPivots } from '../presolve/structural-pivots.js';
import { type PivotedMatrix, TOGETHER } from '../schur/hybrid-solve.js';
import { costsOfVectors, gpuOf, prefer, refuseMethod } from './choose.js';
import { feasibleCosts, mostUnkept, wiedemannObstacle } from './feasible.js';

export type SolveMethod = 'auto' | 'elimination' | 'hybrid' | 'wiedemann' | 'lanczos' | 'block-lu';

/** What a kept run may take by choice. */
export type KeptMethod = Exclude<SolveMethod, 'auto' | 'block-lu'>;

/** Of a run of block Wiedemann for systems in one for the rank: T's rows in the order basis, and the combination. */
const RIGHT_SIDES = 1.6;

const PIVOTS = 'pivots are all there is';

export interface VectorChoice {
  /** Null where elimination is to solve. */
  readonly vectors: { readonly pivoted: PivotedMatrix; readonly method: 'hybrid' | 'block-wiedemann' } | null;
  readonly explanation: string[];
}

/** Elimination or vectors, with the pivots that these begin with. */
export function chooseVectors(
  context: RunContext,
  matrix: ResidueMatrix,
  s: number,
  method: Exclude<SolveMethod, 'lanczos' | 'block-lu'>,
  maxBytes: number | undefined,
): VectorChoice {
  const { executor, team } = context;
  const elimination = (reason?: string): VectorChoice => ({ vectors: null, explanation: reason ? [reason] : [] });
  if (method === 'elimination') return elimination();
  if (matrix.rows !== matrix.cols) {
    if (method === 'auto') return elimination();
    throw new MethodError(`method ${method}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
  }
  const whole = (reason: string): VectorChoice => {
    const pivots = { rows: new Uint32Array(0), cols: new Uint32Array(0), depths: Uint32Array.of(0) };
    return {
      vectors: { pivoted: { a: matrix, at: matrix, pivots }, method: 'block-wiedemann' },
      explanation: [`wiedemann: ${reason}`],
    };
  };
  if (method !== 'auto') {
    const { rows, cols, colIdx } = matrix;
    refuseMethod(method, wiedemannObstacle(executor.field, rows, cols, colIdx.length, {}, { maxBytes }));
  }
  if (method === 'wiedemann') return whole('asked for');
  const at = transpose(matrix) as ResidueMatrix;
  if (method === 'auto') {
    if (!team) return elimination();
    if (hasEmptyRow(matrix) || hasEmptyRow(at)) return elimination('elimination: a row or a column is empty');
  }
  if (executor.substitution === undefined) {
    if (method === 'auto') return whole(`${executor.name} has no substitution`);
    throw new MethodError(`method ${method}: ${executor.name} has no substitution`);
  }
  const found = structuralPivots(matrix, at);
  const pivoted = { a: matrix, at, pivots: found.pivots };
  const lines = `${found.matching.size} structural pivots of ${matrix.rows} x ${matrix.cols}`;
  if (method === 'hybrid') return { vectors: { pivoted, method: 'hybrid' }, explanation: [lines] };
  const { eliminates, isWhole, reason } = preferFor(context, { a: matrix, ...found }, s, maxBytes);
  if (eliminates) return elimination(`elimination: ${reason}`);
  if (isWhole) return whole(reason);
  return { vectors: { pivoted, method: 'hybrid' }, explanation: [lines, `hybrid: ${reason}`] };
}

export interface KeptChoice {
  readonly method: KeptMethod;
  readonly reason: string;
}

/** The first method of a kept run. */
export function chooseKept(
  context: RunContext,
  matrix: ResidueMatrix,
  s: number,
  maxBytes: number | undefined,
): KeptChoice {
  const { executor } = context;
  const at = transpose(matrix) as ResidueMatrix;
  const mayBeNonsingular = matrix.rows === matrix.cols && !hasEmptyRow(matrix) && !hasEmptyRow(at);
  if (!mayBeNonsingular || executor.field.p === 2) return chooseForAny(context, matrix, maxBytes, at);
  if (executor.substitution === undefined)
    return { method: 'wiedemann', reason: `${executor.name} has no substitution` };
  const found = structuralPivots(matrix, at);
  const { eliminates, isWhole, hasRoom, reason } = preferFor(context, { a: matrix, ...found }, s, maxBytes);
  if (!hasRoom) return chooseForAny(context, matrix, maxBytes, at);
  return { method: eliminates ? 'elimination' : isWhole ? 'wiedemann' : 'hybrid', reason };
}

/** Of what solves for any matrix: elimination where it should be over before the first checkpoint. */
export function chooseForAny(
  context: RunContext,
  matrix: ResidueMatrix,
  maxBytes: number | undefined,
  at = transpose(matrix) as ResidueMatrix,
): KeptChoice {
  const { team, executor } = context;
  const presolved = { a: matrix, ...structuralPivots(matrix, at) };
  if (presolved.matching.size === Math.min(matrix.rows, matrix.cols)) return { method: 'elimination', reason: PIVOTS };
  const options = { maxBytes, mostUnkept: mostUnkept(context) };
  const estimate = (measurements: Measurements) => feasibleCosts(executor.field, presolved, measurements, options);
  let { costs, obstacles } = estimate({});
  // Fill alone can make elimination cheaper than it seems.
  if (!Number.isFinite(costs.elimination) && team)
    ({ costs, obstacles } = estimate({ fill: sampleFill(team, executor.field, matrix, presolved) }));
  const seconds = costs.elimination;
  return Number.isFinite(seconds)
    ? { method: 'elimination', reason: `it should take ${seconds.toPrecision(2)} s of one thread` }
    : { method: 'lanczos', reason: obstacles[0]! };
}

interface Preference {
  readonly eliminates: boolean;
  readonly isWhole: boolean;
  readonly hasRoom: boolean; // of vectors
  readonly reason: string;
}

/** Elimination or vectors, by what the pivots leave and how many right sides there are. */
function preferFor(
  context: RunContext,
  presolved: StructuralPivots & { readonly a: ResidueMatrix },
  s: number,
  maxBytes: number | undefined,
): Preference {
  const { executor, team } = context;
  if (presolved.matching.size === presolved.a.rows) {
    return { eliminates: true, isWhole: false, hasRoom: true, reason: PIVOTS };
  }
  const gpu = gpuOf(context);
  const estimate = (measurements: Measurements) => {
    const { costs, obstacles } = costsOfVectors(context, presolved, measurements, maxBytes);
    const wiedemann = costs.wiedemann * RIGHT_SIDES * Math.ceil(s / TOGETHER);
    const isWhole = gpu !== undefined && !costs.isImplicit;
    const hasRoom = Number.isFinite(wiedemann);
    return { ...prefer({ costs: { ...costs, wiedemann }, obstacles }, gpu), isWhole, hasRoom };
  };
  const choice = estimate({});
  // Fill alone can make elimination cheaper than it seems.
  if (choice.eliminates || !team) return choice;
  return estimate({ fill: sampleFill(team, executor.field, presolved.a, presolved) });
}
