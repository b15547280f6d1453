/**
 * Plans for products with fewer columns than most have, where another one is faster for these
 * (test/bench/RESULTS.md#blocks-unasked, #rows-sorted-unasked):
 *
 *   dense blocks          where wide products take rows
 *   rows that are sorted  where fewer columns of X are near enough
 *   2 x 2 blocks          half full, for one vector
 */
import { areHalfFull } from './block-fill.js';
import { chooseBlocks, WIDE } from './dense-blocks.js';
import { isBcsr } from './formats/bcsr.js';
import { isCsr } from './formats/csr.js';
import type { ProductSizes } from './formats/product-sizes.js';
import { type Plan, planInBlocks, planOf, WIDTH } from './plan.js';
import { type ResidueMatrix, transpose } from './residue-matrix.js';
import { areUneven, nearWidth } from './uneven-rows.js';

export interface NarrowPlan {
  readonly mostWidth: number; // columns, from 1 on
  readonly make: () => Plan;
}

/** Those of A or of Aᵀ, beside `plan` or `planTransposed`; undefined, and nothing is kept, where there are none. */
export function narrowPlans(
  matrix: ResidueMatrix,
  plan: Plan | null,
  planTransposed: Plan | null,
  sizes: ProductSizes = {},
): ((transposed: boolean) => NarrowPlan | null) | undefined {
  const [ofPlan, ofTransposed] = [plan, planTransposed].map((each) => each && chooseNarrow(matrix, each));
  const p = plan?.p ?? planTransposed?.p;
  return p && (ofPlan || ofTransposed) ? plansOf(matrix, p, sizes, ofPlan ?? null, ofTransposed ?? null) : undefined;
}

/** For products of up to so many columns: 2 x 2 blocks, or what is chosen for so many. */
interface Choice {
  readonly mostWidth: number;
  readonly isHalfFull: boolean;
}

/** By themselves, so that they keep no more than these. */
function plansOf(
  matrix: ResidueMatrix,
  p: number,
  sizes: ProductSizes,
  ofPlan: Choice | null,
  ofTransposed: Choice | null,
): (transposed: boolean) => NarrowPlan | null {
  const narrow = (choice: Choice | null, transposed: boolean): NarrowPlan | null => {
    if (choice === null) return null;
    const { mostWidth, isHalfFull } = choice;
    const make = (): Plan => {
      const a = transposed ? transpose(matrix) : matrix;
      return isHalfFull ? planInBlocks(a, p, 2) : planOf(a, p, { width: mostWidth, sizes });
    };
    return { mostWidth, make };
  };
  const [direct, turned] = [narrow(ofPlan, false), narrow(ofTransposed, true)];
  return (transposed) => (transposed ? turned : direct);
}

/** Beside a plan of A or of Aᵀ; `matrix` is A: the blocks of Aᵀ are those of A, as full as they are. */
function chooseNarrow(matrix: ResidueMatrix, plan: Plan): Choice | null {
  const { p, parts, lengths } = plan;
  const stored = parts.flatMap(({ formats }) => formats);
  const inBlocks = stored.find(isBcsr);
  const b = chooseBlocks(matrix, p, lengths.max, WIDE - 1);
  if (b !== null && b !== inBlocks?.b) return { mostWidth: WIDE - 1, isHalfFull: false };
  // Rows that are sorted are as fast as blocks that are half full, and so are units of one sign.
  if (inBlocks !== undefined || stored.some(({ kind }) => kind === 'csr-sorted')) return null;
  const areUnits = parts.length === 1 && parts[0].values !== 'general';
  if (p > 2 && p < 2 ** 16 && !areUnits && areHalfFull(matrix)) return { mostWidth: 1, isHalfFull: true };
  return chooseSorted(plan);
}

/** Compressed rows beside panels of long ones, if there are any. */
function chooseSorted(plan: Plan): Choice | null {
  const rows = plan.parts.filter((part) => part.rows !== 'long').flatMap(({ formats }) => formats);
  const mostWidth = Math.min(WIDTH - 1, nearWidth(plan));
  const [first] = rows;
  if (rows.length !== 1 || !isCsr(first) || mostWidth === 0) return null;
  return areUneven(first.rowPtr, plan, mostWidth) ? { mostWidth, isHalfFull: false } : null;
}
