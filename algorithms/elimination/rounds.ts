/**
 * The rank of a sparse matrix mod p by elimination, deterministic and proved: rounds of structural pivots, each
 * followed by the Schur complement, and a dense elimination where fill has made it dense or small.
 *
 *   rank A = Σ pivots of the rounds + rank of the last Schur complement
 *
 * A round presolves without arithmetic (presolve.ts), forms some rows of the Schur complement S for its fill, and then
 * all of S, sparse for another round or dense for the end. Rows of pivots do not come back. Before the first one the
 * matrix is eliminated front by front (fronts.ts) where it falls apart by small cuts; else it tries sparse pivots too
 * (markowitz-trial.ts), unless S seems to be zero. Source: Bouillaguet and Delaplace 2016 (rounds of
 * structural pivots, the Schur complement row by row).
 */

import type { WordPrime } from '../../fields/word-prime.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Estimates, GpuCosts } from '../estimates.js';
import { MethodError } from '../method-error.js';
import { type Presolved, presolve } from '../presolve/presolve.js';
import { exactRank, type RankResult, sufficientRank } from '../rank-result.js';
import { timePhase } from '../stopwatch.js';
import { DENSE_BYTES, denseBytes } from './dense-rows.js';
import { denseSchurRank } from './dense-schur.js';
import type { Dissection } from './dissection.js';
import { fillLine, formSparseSchur, percent, SPARSE_ENTRY, sampleFill } from './fill.js';
import { frontsLine, frontsWithin, rankByFronts } from './fronts.js';
import { markowitzTrial, operationsWorth } from './markowitz-trial.js';

/** Bytes of Schur complements and dense rows by default. */
export const ELIMINATION_BYTES = 2 ** 31;

export interface EliminationOptions {
  /** Bytes that Schur complements and dense rows may take; default ELIMINATION_BYTES. */
  readonly maxBytes?: number | undefined;
  /** Stop as soon as the pivots found prove so much. */
  readonly atLeast?: number | undefined;
  /** Throws to end the run. */
  readonly check?: (() => void) | undefined;
  readonly onPhase?: ((phase: Phase) => void) | undefined;
  /** The matrix with the pivots of the first round, where they are known. */
  readonly presolved?: Presolved | undefined;
  /** Of that matrix, where it is known; null where none is to be looked for. */
  readonly dissection?: Dissection | null | undefined;
  /** For dense eliminations that it makes shorter. */
  readonly gpu?: GpuCosts<GpuDevice> | undefined;
}

type Phase = 'pivots' | 'schur' | 'dense';

export async function eliminationRank(
  team: Team,
  field: WordPrime,
  matrix: ResidueMatrix,
  estimates: Estimates,
  options: EliminationOptions = {},
): Promise<RankResult> {
  const { maxBytes = ELIMINATION_BYTES, atLeast = Number.POSITIVE_INFINITY, check = () => {}, gpu } = options;
  const pivots = (options.presolved?.seconds ?? 0) + (options.dissection?.seconds ?? 0);
  const seconds: Record<Phase, number> = { pivots, schur: 0, dense: 0 };
  const explanation: string[] = [];
  const runPhase = <T>(phase: Phase, work: () => T | Promise<T>): Promise<T> => {
    check();
    options.onPhase?.(phase);
    return timePhase(seconds, phase, work);
  };
  const rest = { method: 'sparse-elimination', block: null, seconds, explanation } as const;

  let presolved = options.presolved;
  let given = matrix;
  for (let rank = 0, round = 1; ; round++) {
    const structural = presolved ?? (await runPhase('pivots', () => presolve(field, given, estimates)));
    const { a, pivotsTaken, matching } = structural;
    const { size } = matching;
    let said = explanation.length; // of rounds before
    rank += pivotsTaken + size;
    explanation.push(...structural.explanation);
    const pivotsLine = `${size} structural pivots of ${a.rows} x ${a.cols} with ${a.values.length} entries`;
    if (a.rows > 0 && !options.dissection) explanation.push(pivotsLine);
    if (size === Math.min(a.rows, a.cols)) return { ...exactRank(rank), ...rest };
    if (rank >= atLeast) return { ...sufficientRank(rank, atLeast), ...rest };
    const [rows, cols] = [a.rows - size, a.cols - size];
    const dense = async (share?: number): Promise<RankResult> => {
      const [device, where] = placeFor(gpu, field, rows, cols);
      const full = share === undefined ? '' : `, ${percent(share)} full`;
      explanation.push(`dense elimination of ${rows} x ${cols}${full}${where}`);
      const found = await runPhase('dense', () =>
        denseSchurRank(team, field, a, structural.at, structural.pivots, maxBytes, check, device),
      );
      seconds.schur += found.forming;
      seconds.dense -= found.forming;
      return { ...exactRank(rank + found.rank), ...rest };
    };
    // A small S is eliminated as it is, unless sparse pivots might pay: its fill would change nothing.
    const { elimination } = estimates.costsLeft(a, size);
    const room = Math.min(maxBytes, DENSE_BYTES);
    const find = () => frontsWithin(field, structural, estimates, elimination, maxBytes, check);
    const known = gpu || round > 1 ? null : options.dissection;
    const dissection = known === undefined ? await runPhase('pivots', find) : known;
    if (dissection !== null) {
      explanation.push(frontsLine(structural, dissection));
      try {
        const found = await runPhase('dense', () => rankByFronts(team, field, a, dissection, check));
        return { ...exactRank(rank - size + found), ...rest }; // the fronts have pivots of their own
      } catch (error) {
        // Who gave them may have another method.
        if (options.dissection || !(error instanceof MemoryError)) throw error;
        explanation.push(`back from fronts: ${error.message}`);
        said = explanation.length;
      }
    }
    const isLast = round > 1 || operationsWorth(elimination, estimates.speedup(team.threads)) <= 0;
    if (!gpu && isLast && estimates.isSmall(rows, cols)) return dense();
    const fill = await runPhase('schur', () => sampleFill(team, field, a, structural));
    const { share } = fill;
    // A Schur complement of few entries is formed at once; one of none is mostly nothing.
    const thinner =
      round > 1 || share === 0
        ? null
        : await runPhase('pivots', () =>
            markowitzTrial(field, structural, estimates, (costs) => costs.elimination, {
              ...{ check, fill, maxBytes, gpu },
              threads: team.threads,
            }),
          );
    if (thinner !== null) {
      // This round is done again, from the matrix that sparse pivots leave.
      rank -= pivotsTaken + size;
      explanation.length = said;
      presolved = thinner;
      continue;
    }
    const entries = share * rows * cols;
    // Mod 2 dense rows may take less than sparse ones.
    const sparse = SPARSE_ENTRY * entries <= maxBytes || denseBytes(field, rows, cols, false) > room;
    if (!sparse || estimates.isDense(rows, cols, a.colIdx.length, { fill, gpu })) {
      return dense(share);
    }
    if (SPARSE_ENTRY * entries > maxBytes) throw new MethodError(tooMuch(rows, cols, entries, maxBytes));
    explanation.push(`Schur complement ${rows} x ${cols}: ${fillLine(fill)}`);
    given = await runPhase('schur', () => formSparseSchur(team, field, a, structural, check));
    presolved = undefined;
  }
}

/** The GPU for a dense elimination, and in words where it is done; undefined for the threads. */
function placeFor(
  given: GpuCosts<GpuDevice> | undefined,
  field: WordPrime,
  rows: number,
  cols: number,
): [GpuDevice | undefined, string] {
  if (!given) return [undefined, ''];
  const reason = given.reasonForThreads(field, rows, cols);
  return reason === null ? [given.gpu, `, on ${given.gpu.name}`] : [undefined, `, by threads: ${reason}`];
}

function tooMuch(rows: number, cols: number, entries: number, maxBytes: number): string {
  const [need, have] = [SPARSE_ENTRY * entries, maxBytes].map(megabytes);
  return `method elimination: the ${rows} x ${cols} Schur complement takes about ${need} MB, allowed are ${have}`;
}
