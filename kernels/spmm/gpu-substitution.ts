/**
 * Forward substitution on the device: one product with the given columns, then what is between the rows, level by level
 * (substitute.wgsl). A large level is a dispatch of its own, small ones that follow each other are one dispatch of one
 * workgroup, which waits at barriers instead of for the host.
 */
import type { GpuContext } from '../blocks/gpu-context.js';
import type { GpuForms } from '../blocks/gpu-forms.js';
import { type GpuVector, gpuVector, layoutOf } from '../blocks/gpu-vector.js';
import * as shapes from '../checks.js';
import type { Awaitable, BlockVector, Operator, Substitution } from '../executor.js';
import type { GpuBuffer } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import { lending, type RowRuns, wholeRows } from '../sparse/formats/row-runs.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { splitColumns, takeRuns } from '../sparse/split-columns.js';
import { independentRuns } from './independent-runs.js';

/**
 * Rows and entries of a level from which several workgroups are faster than one
 * (test/bench/RESULTS.md#gpu-substitution, by entries of whole rows).
 */
const LARGE = 1024;

/** Invocations that keep a large device busy: beyond them no row is shared. */
const BUSY = 2 ** 16;

/** Levels of one dispatch. */
interface Section {
  readonly first: number;
  readonly end: number;
  readonly rows: number; // of a large level; 0 where one workgroup takes all
  readonly entries: number;
}

export class GpuSubstitution implements Substitution {
  readonly given: number;
  readonly steps: number;
  private readonly context: GpuContext;
  private readonly forms: GpuForms;
  private readonly sections: readonly Section[];
  private readonly owned: GpuBuffer[] = []; // in the order of the bindings
  private readonly ahead: Operator; // of the given columns: one product, before the levels
  private readonly sums = new Map<number, GpuVector>(); // of that product, by width
  private isReleased = false;

  constructor(context: GpuContext, forms: GpuForms, matrix: ResidueMatrix, operator: (runs: RowRuns) => Operator) {
    this.context = context;
    this.forms = forms;
    this.given = shapes.checkTriangular(matrix);
    this.steps = matrix.rows;
    const runs = independentRuns(matrix, this.given);
    const cut = (a: ResidueMatrix): RowRuns[] => splitColumns(wholeRows(a), [this.given]);
    const aheadOf = (a: ResidueMatrix): RowRuns => ({ ...cut(a)[0]!, cols: this.given });
    const [ahead, behind] = cut(matrix);
    const between = takeRuns(behind!);
    this.sections = sectionsOf(between.rowPtr, runs);
    this.ahead = operator({ ...ahead!, cols: this.given, lend: lending(matrix, aheadOf) });
    try {
      for (const words of [Uint32Array.from(runs), between.rowPtr, between.colIdx, between.values]) {
        this.owned.push(context.upload(words));
      }
    } catch (error) {
      this.free();
      throw error;
    }
  }

  run(v: BlockVector, x: BlockVector): Awaitable<void> {
    if (this.isReleased) throw new shapes.ShapeError('expected a substitution, got one that was released');
    shapes.checkSubstitution(this.given, this.steps, v, x, gpuVector(v).buffer === gpuVector(x).buffer);
    if (v.length === 0 || v.width === 0) return undefined;
    const sums = this.sumsOf(x.width);
    const pace = this.ahead.apply(sums, x);
    this.forms.align([v, x, sums], [v], ([to, from, ahead]) => this.dispatch(to, from, ahead));
    return pace ?? this.context.gpu.keepPace();
  }

  private sumsOf(width: number): GpuVector {
    let sums = this.sums.get(width);
    if (sums === undefined) {
      sums = this.forms.vector(this.steps, width);
      this.sums.set(width, sums);
    }
    return sums;
  }

  free(): void {
    this.isReleased = true;
    for (const buffer of this.owned.splice(0)) this.context.free(buffer);
    this.ahead.free?.();
    for (const sums of this.sums.values()) this.forms.release(sums);
    this.sums.clear();
  }

  private dispatch(v: GpuVector, x: GpuVector, ahead: GpuVector): void {
    const { context, given } = this;
    const { gpu } = context;
    const layout = layoutOf(v.form, v.width);
    const kernel = context.kernel('substitute', layout, { LANES: layout.count });
    gpu.copy(v.buffer, x.buffer, x.bytes);
    for (const { first, end, rows, entries } of this.sections) {
      const items = Math.min(Math.max(rows, entries / 2) * layout.count, Math.max(rows * layout.count, BUSY));
      const groups = rows === 0 ? 1 : Math.ceil(items / WORKGROUP);
      gpu.run(kernel, [...this.owned, ahead.buffer, v.buffer], [first, end, given], groups);
    }
  }
}

/** Large levels, and between them as many small ones as follow each other. */
function sectionsOf(rowPtr: Uint32Array, runs: readonly number[]): Section[] {
  const sections: Section[] = [];
  let first = 0; // of the small ones
  const takeSmall = (end: number): void => {
    if (end > first) sections.push({ first, end, rows: 0, entries: 0 });
  };
  for (let level = 0; level + 1 < runs.length; level++) {
    const entries = rowPtr[runs[level + 1]] - rowPtr[runs[level]];
    const rows = runs[level + 1] - runs[level];
    if (rows + entries < LARGE) continue;
    takeSmall(level);
    sections.push({ first: level, end: level + 1, rows, entries });
    first = level + 1;
  }
  takeSmall(runs.length - 1);
  return sections;
}
