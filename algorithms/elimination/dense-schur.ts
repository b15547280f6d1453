/**
 * The rank of a Schur complement S that is full or small, by dense elimination of all of it.
 *
 *   S : m × n, the lines of its shorter side are the rows that are eliminated: Sᵀ·e_i or S·e_j
 *
 * They are formed many at a time, as products with unit vectors (schur-complement.ts): the substitution then runs through
 * whole vectors, and a full row costs a hundredth of what it costs alone (kernels/schur-rows.ts), which only wins where
 * rows meet few pivots. Mod 2 they are bits from the beginning where all of S fits (kernels/bit-schur.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { BitMatrix } from '../../kernels/bit-matrix.js';
import { bitPluq } from '../../kernels/bit-pluq.js';
import { bitSchur } from '../../kernels/bit-schur.js';
import { CpuExecutor } from '../../kernels/cpu.js';
import { columnsToRows } from '../../kernels/dense-columns.js';
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';
import type { Team } from '../../kernels/team.js';
import { SchurComplement } from '../hybrid/schur-complement.js';
import { rankOfDenseRows } from './dense-rows.js';
import type { Pivots } from './pattern.js';

/** Unit vectors of one product: whole cache lines of residues, and the vectors of mk13-b5 stay below 20 MB. */
const TOGETHER = 32;

export interface DenseSchurRank {
  readonly rank: number;
  readonly forming: number; // seconds of them that S took to form
}

/** `at` is the transpose of `a`; throws MethodError when the rows do not fit. */
export async function denseSchurRank(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: Pivots,
  maxBytes: number,
  check: () => void,
): Promise<DenseSchurRank> {
  if (field.p === 2) {
    const sides = [a.rows, a.cols].map((lines) => lines - pivots.rows.length);
    if (BitMatrix.bytesOf(Math.max(...sides), Math.min(...sides)) <= maxBytes) return rankOfBits(team, a, at, pivots);
  }
  const executor = new CpuExecutor(field, team);
  const s = new SchurComplement(executor, a, at, pivots);
  const byRows = s.rows <= s.cols;
  const [count, length] = byRows ? [s.rows, s.cols] : [s.cols, s.rows];
  const width = Math.min(TOGETHER, count);
  const unit = executor.vector(count, width);
  const line = executor.vector(length, width);
  let forming = 0;
  try {
    const rank = await rankOfDenseRows(
      ...[team, field, count, length],
      async (first, rows, to, place) => {
        const start = performance.now();
        for (let i = first; i < first + rows; i += width) {
          check();
          executor.fill(unit, 0);
          executor.write(unit, identity(Math.min(width, count - i), width), i);
          await (byRows ? s.applyTransposed(line, unit) : s.apply(line, unit));
          columnsToRows(team, to, place + i - first, line, Math.min(width, first + rows - i));
        }
        forming += (performance.now() - start) / 1000;
      },
      maxBytes,
    );
    return { rank, forming };
  } finally {
    s.free();
    executor.dispose();
  }
}

/** The first `rows` rows of the identity. */
function identity(rows: number, width: number): Uint32Array {
  const out = new Uint32Array(rows * width);
  for (let t = 0; t < rows; t++) out[t * width + t] = 1;
  return out;
}

/** The shorter side of S is the one that is formed 512 lines at a time. */
function rankOfBits(team: Team, a: ResidueMatrix, at: ResidueMatrix, pivots: Pivots): DenseSchurRank {
  const start = performance.now();
  // A's last pivots are eliminated first, and those of Aᵀ, the same, last.
  const s =
    a.rows <= a.cols
      ? bitSchur(team, at, { rows: pivots.rows.slice().reverse(), cols: pivots.cols.slice().reverse() })
      : bitSchur(team, a, { rows: pivots.cols, cols: pivots.rows });
  const forming = (performance.now() - start) / 1000;
  try {
    return { rank: bitPluq(team, s).rank, forming };
  } finally {
    s.release();
  }
}
