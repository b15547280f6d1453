/** Sparse products of the reference executor: a plan multiplied entry by entry, as its formats say where they are. */
import type { Field } from '../../fields/field.js';
import * as shapes from '../checks.js';
import type { BlockVector, Operator } from '../executor.js';
import { forEachEntry } from '../sparse/formats/index.js';
import type { Plan } from '../sparse/plan.js';
import type { ValueClass } from '../sparse/unit-split.js';
import { data } from './reference-vector.js';

export class ReferenceOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly field: Field<number>;
  private readonly plan: Plan | null;
  private readonly planTransposed: Plan | null;

  constructor(field: Field<number>, rows: number, cols: number, plan: Plan | null, planTransposed: Plan | null) {
    this.field = field;
    this.rows = rows;
    this.cols = cols;
    this.plan = plan;
    this.planTransposed = planTransposed;
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    shapes.checkApply('apply', this, false, y, x, data(y) === data(x));
    multiply(this.field, shapes.requireStored('apply', this.plan), y, x, alpha, beta);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    shapes.checkApply('applyTransposed', this, true, y, x, data(y) === data(x));
    multiply(this.field, shapes.requireStored('applyTransposed', this.planTransposed), y, x, alpha, beta);
  }
}

/** y ← alpha·A·x + beta·y, entry by entry. */
function multiply(F: Field<number>, plan: Plan, y: BlockVector, x: BlockVector, alpha: number, beta: number): void {
  shapes.checkCanonical('apply', Uint32Array.of(alpha, beta), Number(F.order));
  const { width } = y;
  const [to, from] = [data(y), data(x)];
  for (let i = 0; i < to.length; i++) to[i] = F.mul(beta, to[i]);
  for (const part of plan.parts) {
    const unit = UNITS[part.values](F);
    for (const format of part.formats) {
      forEachEntry(format, unit, (i, j, v) => {
        const factor = F.mul(alpha, v);
        for (let c = 0; c < width; c++) {
          to[i * width + c] = F.add(to[i * width + c], F.mul(factor, from[j * width + c]));
        }
      });
    }
  }
}

/** The element of entries that store no value. */
const UNITS: Readonly<Record<ValueClass, (F: Field<number>) => number>> = {
  plus: (F) => F.one,
  minus: (F) => F.neg(F.one),
  general: () => Number.NaN, // general parts store values
};
