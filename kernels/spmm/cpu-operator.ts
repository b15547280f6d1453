/**
 * A plan on the cpu executor: its arrays in shared memory, and the SpMM kernels' arguments (kernels/spmm/spmm-arguments.as.ts).
 */
import { type CpuContext, makeMultipliers } from '../blocks/cpu-context.js';
import { cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type { BlockVector, Operator } from '../executor.js';
import type { KernelFamily, ResidueStorage } from '../residues/storage.js';
import { type Coo, fromCoo } from '../sparse/formats/coo.js';
import type { Csr } from '../sparse/formats/csr.js';
import type { Ell } from '../sparse/formats/ell.js';
import type { EllR } from '../sparse/formats/ell-r.js';
import { toRows } from '../sparse/formats/index.js';
import type { SlicedEll } from '../sparse/formats/sliced-ell.js';
import type { Part, Plan } from '../sparse/plan.js';
import { balancedChunks } from '../sparse/row-partition.js';
import { VALUE_CLASSES } from '../sparse/unit-split.js';
import type { Command } from '../threads/team.js';

const SPMM: KernelFamily = { u16: 'spmmU16', u32: 'spmmU32', gf256: 'spmmGf256' };

const CHUNKS_A_THREAD = 16;

/** Rows up to which ±1 sums that stay canonical are faster than those reduced once. */
const SHORT_ROW = 16;

/**
 * Bytes of X beyond which its rows are prefetched: about the second cache. Random 200000 x 200000 with
 * 20 general entries a row, width 16: 24 ms become 19 mod 65521, and 70 to 100 become 38 mod 2147483629 (AMD EPYC, 2026-11).
 */
const PREFETCH_BEYOND = 2 ** 20;

/**
 * The same where several threads have written X: what another one wrote is in its core's cache. Two general entries a row, X of
 * 200 KB, by 2, 4, 8 threads: 111, 65, 38 us become 76, 47, 28 mod 65521, and 250, 170, 93 become 163, 103, 56 mod 2147483629; on
 * one thread 20 entries a row would take 8 % longer (Intel Xeon, 2026-11).
 */
const PREFETCH_BEYOND_SHARED = 2 ** 16;

export class CpuOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  readonly context: CpuContext;
  private readonly stored: PlanInMemory | null;
  private readonly storedTransposed: PlanInMemory | null;

  constructor(context: CpuContext, rows: number, cols: number, plan: Plan | null, planTransposed: Plan | null) {
    this.context = context;
    this.rows = rows;
    this.cols = cols;
    this.stored = plan && uploadInChunks(context, plan);
    try {
      this.storedTransposed = planTransposed && uploadInChunks(context, planTransposed);
    } catch (error) {
      for (const at of this.stored?.places ?? []) context.arena.release(at);
      throw error;
    }
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(false, y, x, alpha, beta)) this.context.team.go(command);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(true, y, x, alpha, beta)) this.context.team.go(command);
  }

  /** Of the kernels for `apply`, as of the last application. */
  get words(): Int32Array {
    return shapes.stored('words', this.stored).command.words;
  }

  free(): void {
    for (const plan of [this.stored, this.storedTransposed]) {
      for (const at of plan?.places ?? []) this.context.arena.release(at);
    }
  }

  /** The product as a command, whose words are good until the next one is asked for; none where y is empty. */
  commands(transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number): Command[] {
    const { residues, order } = this.context;
    const who = transposed ? 'applyTransposed' : 'apply';
    const [to, from] = [cpuVector(y).at, cpuVector(x).at];
    shapes.checkApply(who, this, transposed, y, x, to === from);
    const { command } = shapes.stored(who, transposed ? this.storedTransposed : this.stored);
    if (y.length === 0 || y.width === 0) return [];
    const { words } = command;
    aim(this.context, command, to, from, x);
    words[WORD.affine] = alpha === 1 && beta === 0 ? 0 : 1;
    if (words[WORD.affine] === 1) {
      shapes.checkCanonical(who, Uint32Array.of(alpha, beta), order);
      words[WORD.alpha] = residues.multiplier(alpha);
      words[WORD.beta] = residues.multiplier(beta);
    }
    return [command];
  }
}

/** Words of the arguments that differ from one application to the next; the others are the plan's. */
const WORD = { x: 0, y: 1, width: 2, alpha: 6, beta: 7, affine: 8, rowBytes: 13 } as const;

/** Vectors of x's width at `to` and `from`. */
export function aim(
  { residues, team }: CpuContext,
  { words }: Command,
  to: number,
  from: number,
  x: BlockVector,
): void {
  words[WORD.x] = from;
  words[WORD.y] = to;
  aimWidth(words, x.length, x.width, residues.bytes, team.threads > 1 ? PREFETCH_BEYOND_SHARED : PREFETCH_BEYOND);
}

/** Vectors of a width, from one of so many rows of residues of so many bytes. */
function aimWidth(words: Int32Array, length: number, width: number, bytes: number, prefetchBeyond: number): void {
  words[WORD.width] = width;
  const rowBytes = width * bytes;
  words[WORD.rowBytes] = length * rowBytes > prefetchBeyond ? rowBytes : 0;
}

/** Arguments for y ← A·x on vectors of one thread's own, their places still to be written. */
export function plainArguments(given: Int32Array, length: number, width: number, bytes: number): Int32Array {
  const words = given.slice();
  aimWidth(words, length, width, bytes, PREFETCH_BEYOND);
  words[WORD.affine] = 0;
  return words;
}

export interface PlanInMemory {
  readonly command: Command;
  readonly places: readonly number[]; // to be released
}

function uploadInChunks(context: CpuContext, plan: Plan): PlanInMemory {
  const { threads } = context.team;
  const bounds = balancedChunks(plan.rowPtr, threads === 1 ? 1 : threads * CHUNKS_A_THREAD);
  return upload(context, plan, SPMM, bounds, bounds.length - 1);
}

/** A plan, and the command of a kernel that takes its rows by `bounds`, in `count` chunks or sections of `shares`. */
export function upload(
  context: CpuContext,
  plan: Plan,
  kernels: KernelFamily,
  bounds: Uint32Array,
  count: number,
  shares = 0,
  alone = false,
): PlanInMemory {
  const { arena, team, residues, field } = context;
  const places: number[] = [];
  const put: Put = (words, areMultipliers = false) => {
    if (words === null) return 0;
    const at = arena.upload(words);
    places.push(at);
    if (areMultipliers) makeMultipliers(context, at, words.length);
    return at;
  };
  try {
    const chunks = put(bounds);
    const parts = VALUE_CLASSES.flatMap((name) => {
      const part = plan.parts.find(({ values }) => values === name);
      return part ? partWords(part, put) : new Array<number>(8).fill(0);
    });
    const words = [
      ...[0, 0, 0, chunks, count, field.p, 0, 0, 0],
      ...[
        4 * residues.unitTerms,
        4 * residues.generalTerms,
        residues.constant,
        sumsOf(residues, plan),
        0,
        team.spin,
        shares,
      ],
      ...parts, // from byte PARTS on
    ];
    const command = team.command(kernels[residues.name], words, alone);
    return { command, places };
  } catch (error) {
    for (const at of places) arena.release(at);
    throw error;
  }
}

/** What u16 kernels may rely on in every row; as numbered in kernels/spmm/spmm-arguments.as.ts. */
const SUMS = { any: 0, short: 1, small: 2, general: 3 } as const;

function sumsOf(residues: ResidueStorage, { parts, lengths }: Plan): number {
  const units = parts.every(({ values }) => values !== 'general');
  if (lengths.max <= (units ? residues.i16UnitTerms : residues.i16Terms)) return SUMS.small;
  if (units) return lengths.max <= SHORT_ROW ? SUMS.short : SUMS.any;
  const isOne = parts.length === 1 && parts[0].formats.length === 1;
  return isOne && lengths.max <= residues.generalTerms ? SUMS.general : SUMS.any;
}

/** Where a copy of the words is in the kernels' memory, or of the multipliers that they become; 0 of none. */
type Put = (words: Uint32Array | null, areMultipliers?: boolean) => number;

/** The 8 words of a part: a rectangle, if there is one, and compressed rows. */
function partWords(part: Part, put: Put): number[] {
  const words = new Array<number>(8).fill(0);
  for (const format of part.formats as readonly (Coo | Csr | Ell | EllR | SlicedEll)[]) {
    switch (format.kind) {
      case 'ell':
      case 'ell-r':
        words[0] = format.width;
        words[1] = put(format.kind === 'ell-r' ? format.lengths : null);
        words[2] = put(format.colIdx);
        words[3] = put(format.values, true);
        break;
      case 'csr':
      case 'coo':
      case 'sliced-ell': {
        // Kernels fuse what a row has in all parts, so coordinates and slices go row by row.
        const rows =
          format.kind === 'coo' ? fromCoo(format) : format.kind === 'csr' ? format : toRows(format, Number.NaN);
        words[4] = put(rows.rowPtr);
        words[5] = put(rows.colIdx);
        words[6] = put(rows.values, true);
        break;
      }
    }
  }
  return words;
}
