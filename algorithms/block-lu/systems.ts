/**
 * Systems A_k·X_k = B_k mod p, many at once, by block LU without exchanges of block rows.
 *
 *   complete   the pattern of blocks holds all fill (band, arrow down, bidiagonal): X = U^-1·L^-1·B
 *   else       the same factors as a preconditioner, and a correction of rank 32 at most (correction.ts)
 *
 * Systems with blocks of one size and as many columns make a batch (batch-run.ts). Every X is compared with B by a
 * product before it is given. Where a pivot block is singular the other sizes that fill nothing have their turn: a
 * minor that is 0 ends seldom at a block of each size. Without X there is a reason.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { MOST_COLUMNS } from '../../kernels/block-sparse/block-batch.js';
import { hostBytes } from '../../kernels/platform/host-memory.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { MethodError } from '../method-error.js';
import { tooMuch } from '../methods/feasible.js';
import { BatchRun, type BlockSolution, type BlockSystem, type OpenKernels } from './batch-run.js';
import { type BlockShape, chooseBlockShape } from './block-shape.js';

/** A system that there is room for. */
export interface CheckedSystem extends BlockSystem {
  readonly maxBytes: number;
}

/** Tall blocks, with their copies on the host, that a run holds at a time. */
const TALLS = 12;

/** A system as it goes into a batch; MethodError where it is not square or there is no room for its blocks. */
export function blockSystem(
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  maxBytes: number = hostBytes(),
): CheckedSystem {
  const { rows, cols } = matrix;
  if (rows !== cols) throw new MethodError(`method block-lu: expected a square matrix, got ${rows} x ${cols}`);
  const shape = chooseBlockShape(matrix)!;
  const obstacle = tooMuch('block LU', bytesOf(shape), maxBytes);
  if (obstacle !== null) throw new MethodError(`method block-lu: ${obstacle}`);
  return { matrix, rightSides, s, shape, maxBytes };
}

function bytesOf({ b, pattern }: BlockShape): number {
  return 4 * (4 * pattern.blocks * b * b + pattern.n * b * (b + TALLS * MOST_COLUMNS));
}

interface Waiting extends CheckedSystem {
  readonly index: number;
  readonly tried: readonly number[]; // sizes of blocks
  readonly singular: readonly string[]; // where their pivot blocks are
}

export async function solveBlockSystems(
  open: OpenKernels,
  field: WordPrime,
  systems: readonly CheckedSystem[],
  seed: bigint,
  check: () => void,
): Promise<BlockSolution[]> {
  const out = new Array<BlockSolution>(systems.length);
  let waiting: Waiting[] = systems.map((system, index) => ({ ...system, index, tried: [], singular: [] }));
  while (waiting.length > 0) {
    const again: Waiting[] = [];
    for (const group of groupsOf(waiting)) {
      const solved = await new BatchRun(open, field, group, seed, check).solve();
      for (const [k, { singularRow, ...found }] of solved.entries()) {
        const system = group[k]!;
        const next = singularRow < 0 ? null : withOtherBlocks(system, singularRow);
        if (next?.shape) again.push({ ...next, shape: next.shape });
        else {
          const reason = next === null ? found.reason : `a pivot block is singular: ${next.singular.join(', ')}`;
          out[system.index] = { ...found, reason };
        }
      }
    }
    waiting = again;
  }
  return out;
}

/** Blocks of one size and as many columns. */
function groupsOf(systems: readonly Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>();
  for (const system of systems) {
    const name = `${system.shape.b} ${system.s}`;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(system);
  }
  return [...groups.values()];
}

/** The system with another size of blocks that fills nothing and has room; null in place of its shape without one. */
function withOtherBlocks(system: Waiting, singularRow: number): Omit<Waiting, 'shape'> & { shape: BlockShape | null } {
  const { b } = system.shape;
  const tried = [...system.tried, b];
  const other = chooseBlockShape(system.matrix, tried);
  const serves = other?.isComplete && bytesOf(other) <= system.maxBytes;
  const singular = [...system.singular, `row ${singularRow} of blocks of ${b}`];
  return { ...system, tried, singular, shape: serves ? other : null };
}
