/** The entries of a plan, to be compared. */
import { forEachEntry } from '../../../kernels/sparse/formats/index.js';
import type { Plan } from '../../../kernels/sparse/plan.js';

/** Every entry as text, in order. */
export function entries(plan: Plan): string[] {
  const unit = { plus: 1, minus: plan.p - 1, general: Number.NaN };
  const out: string[] = [];
  for (const { values, formats } of plan.parts) {
    for (const format of formats) {
      forEachEntry(format, unit[values], (i, j, v) => out.push(`${i},${j},${v}`));
    }
  }
  return out.sort();
}
