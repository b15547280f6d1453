/**
 * A plan on the cpu executor: its arrays in shared memory, and the SpMM kernels' arguments
 * (kernels/spmm/spmm-layout.ts).
 */
import { type CpuContext, makeMultipliers } from '../blocks/cpu-context.js';
import { cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import { MemoryError } from '../errors/memory-error.js';
import type { BlockVector, Operator } from '../executor.js';
import type { KernelFamily, ResidueStorage } from '../residues/storage.js';
import { CSR } from '../sparse/formats/csr.js';
import { formatOf, toRows } from '../sparse/formats/index.js';
import { type Layout, SEARCHING_WALKS, SHARED_WALKS, WALKS } from '../sparse/formats/layout.js';
import type { NarrowPlan } from '../sparse/narrow-plans.js';
import type { Plan } from '../sparse/plan.js';
import { balanceChunks } from '../sparse/row-partition.js';
import { longestRow } from '../sparse/row-statistics.js';
import { VALUE_CLASSES, type ValueClass } from '../sparse/unit-split.js';
import { type Argument, argumentList } from '../threads/argument-list.js';
import type { Command } from '../threads/team.js';
import { prefetchBeyond, SECOND_CACHE } from './prefetch-bounds.js';
import * as L from './spmm-layout.js';

const SPMM: KernelFamily = { u16: 'spmmU16', u32: 'spmmU32', gf256: 'spmmGf256' };
const CHUNKS_A_THREAD = 16; // as a rule

/** Rows up to which ±1 sums that stay canonical are faster than those reduced once. */
const SHORT_ROW = 16;

/** Products that save about as much as a second plan takes to be made; those of a program are many. */
const FEW = 256;

export class CpuOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  readonly context: CpuContext;
  private readonly stored: readonly PassInMemory[] | null;
  private readonly storedTransposed: readonly PassInMemory[] | null;
  private readonly narrowPlan: (transposed: boolean) => NarrowPlan | null;
  private readonly chunks: number; // a thread
  private readonly narrow = new Map<boolean, readonly PassInMemory[] | null>(); // by direction, once it is made
  private single = FEW; // narrow products one by one, before that
  private isReleased = false;

  /** `narrowPlan`: of a direction for products with few columns, where that is another plan. */
  constructor(
    context: CpuContext,
    rows: number,
    cols: number,
    plan: Plan | null,
    planTransposed: Plan | null,
    narrowPlan: (transposed: boolean) => NarrowPlan | null = () => null,
    chunks = CHUNKS_A_THREAD,
  ) {
    this.context = context;
    this.rows = rows;
    this.cols = cols;
    this.narrowPlan = narrowPlan;
    this.chunks = chunks;
    this.stored = plan && uploadPasses(context, plan, chunks);
    try {
      this.storedTransposed = planTransposed && uploadPasses(context, planTransposed, chunks);
    } catch (error) {
      release(context, this.stored);
      throw error;
    }
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(false, y, x, alpha, beta, true)) this.context.team.go(command);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(true, y, x, alpha, beta, true)) this.context.team.go(command);
  }

  /** Of the kernel for `apply`, as of the last application, of an operator in one pass over the rows in their order. */
  get words(): Int32Array {
    const passes = shapes.requireStored('words', this.stored);
    const { words } = passes[0].command;
    if (passes.length !== 1 || words[L.WALK >> 2] !== WALKS.runs) {
      throw new shapes.ShapeError(`words: expected one pass over rows in order, got ${passes.length}`);
    }
    return words;
  }

  free(): void {
    if (this.isReleased) return; // Others may own the places by now.
    this.isReleased = true;
    for (const passes of [this.stored, this.storedTransposed, ...this.narrow.values()]) release(this.context, passes);
  }

  /** Without room for a second plan the first one serves, and for the first FEW products one by one. */
  private passes(who: string, transposed: boolean, width: number, isOne: boolean): readonly PassInMemory[] {
    const usual = shapes.requireStored(who, transposed ? this.storedTransposed : this.stored);
    const narrow = this.narrowPlan(transposed);
    if (narrow === null || width > narrow.mostWidth || (isOne && this.single-- > 0)) return usual;
    if (!this.narrow.has(transposed)) {
      this.narrow.set(transposed, null);
      try {
        this.narrow.set(transposed, uploadPasses(this.context, narrow.make(), this.chunks));
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
      }
    }
    return this.narrow.get(transposed) ?? usual;
  }

  /** The product as commands, one a pass, whose words stay good until the next call; none where y is empty. */
  commands(transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number, one = false): Command[] {
    const { residues, order } = this.context;
    const who = transposed ? 'applyTransposed' : 'apply';
    if (this.isReleased) throw new shapes.ShapeError(`${who}: expected an operator, got one that was released`);
    const [to, from] = [cpuVector(y).at, cpuVector(x).at];
    shapes.checkApply(who, this, transposed, y, x, to === from);
    const passes = this.passes(who, transposed, x.width, one);
    if (y.length === 0 || y.width === 0) return [];
    shapes.checkCanonical(who, Uint32Array.of(alpha, beta), order);
    return passes.map(({ command, beyond }, i) => {
      // The first pass makes beta·y of y, the others add to it.
      const keep = i === 0 ? beta : 1;
      const { words } = command;
      aim(this.context, command, to, from, x, beyond);
      words[L.AFFINE >> 2] = alpha !== 1 || keep > 1 ? L.ANY_AFFINE : keep === 1 ? L.ADD : L.STORE;
      words[L.ALPHA >> 2] = residues.multiplier(alpha);
      words[L.BETA >> 2] = residues.multiplier(keep);
      return command;
    });
  }
}

/** Vectors of x's width at `to` and `from`, of X prefetched where it has more bytes than `beyond`. */
export function aim(
  context: CpuContext,
  { words }: Command,
  to: number,
  from: number,
  x: BlockVector,
  beyond = prefetchBeyond(context),
): void {
  words[L.X >> 2] = from;
  words[L.Y >> 2] = to;
  aimWidth(words, x.length, x.width, context.residues.bytes, beyond);
}

/** Vectors of a width, from one of so many rows of residues of so many bytes. */
function aimWidth(words: Int32Array, length: number, width: number, bytes: number, beyond: number): void {
  words[L.WIDTH >> 2] = width;
  const rowBytes = width * bytes;
  words[L.ROW_BYTES >> 2] = length * rowBytes > beyond ? rowBytes : 0;
}

/** Arguments for y ← A·x on vectors of one thread's own, their places still to be written. */
export function plainArguments(given: Int32Array, length: number, width: number, bytes: number): Int32Array {
  const words = given.slice();
  aimWidth(words, length, width, bytes, SECOND_CACHE);
  words[L.AFFINE >> 2] = L.STORE;
  return words;
}

/** Parts that one call of a kernel multiplies by, and the command that calls it. */
export interface PassInMemory {
  readonly command: Command;
  readonly places: readonly number[]; // to be released
  readonly beyond: number; // bytes of X from which its rows are prefetched
}

/** One call of a kernel: a part for each value class that has one, all walked alike. */
type Pass = Partial<Record<ValueClass, Layout>>;

/**
 * Value classes whose rows have their places side by side go together, as a row's entries of all classes; any other
 * part has a pass of its own. Parts of fewer rows come last.
 */
export function passesOf(plan: Plan): Pass[] {
  const passes: Pass[] = [];
  for (const { values, formats } of plan.parts) {
    for (const part of formats) {
      const layout = formatOf(part).layout?.(part) ?? CSR.layout(toRows(part, 1));
      const free = passes.find((pass) => !pass[values] && Object.values(pass).every((other) => isAlike(layout, other)));
      if (free) free[values] = layout;
      else passes.push({ [values]: layout });
    }
  }
  const [whole, partial] = [true, false].map((want) => passes.filter((pass) => takesAllRows(pass, plan.rows) === want));
  // Without a pass over all rows, too, y ← beta·y.
  return [...(whole.length > 0 ? whole : [{}]), ...partial];
}

function isAlike(a: Layout, b: Layout): boolean {
  return a.walk === b.walk && a.order === b.order && SHARED_WALKS.includes(a.walk);
}

function takesAllRows(pass: Pass, rows: number): boolean {
  return Object.values(pass).every(({ order }) => order === undefined || order.length === rows);
}

/** Entries of the pass before its i-th row; of all passes where a part does not say. */
function offsetsOf(plan: Plan, pass: Pass): Uint32Array {
  const [first, ...others] = Object.values(pass).map(({ offsets }) => offsets);
  if (first === undefined || others.includes(undefined)) return plan.rowPtr;
  if (others.length === 0) return first;
  return first.map((at, i) => others.reduce((sum, offsets) => sum + offsets![i], at));
}

function uploadPasses(context: CpuContext, plan: Plan, ofThread: number): PassInMemory[] {
  const { threads } = context.team;
  const chunks = threads === 1 ? 1 : threads * ofThread;
  const stored: PassInMemory[] = [];
  try {
    for (const pass of passesOf(plan)) {
      const count = Object.values(pass).some(({ walk }) => SEARCHING_WALKS.includes(walk)) ? threads : chunks;
      const bounds = balanceChunks(offsetsOf(plan, pass), count);
      stored.push(upload(context, plan, pass, SPMM, bounds, bounds.length - 1));
    }
  } catch (error) {
    release(context, stored);
    throw error;
  }
  return stored;
}

function release({ arena }: CpuContext, passes: readonly PassInMemory[] | null): void {
  for (const at of passes?.flatMap(({ places }) => places) ?? []) arena.release(at);
}

/** A pass, and the command of a kernel that takes its rows by `bounds`, in `count` chunks or sections of `shares`. */
export function upload(
  context: CpuContext,
  plan: Plan,
  pass: Pass,
  kernels: KernelFamily,
  bounds: Uint32Array,
  count: number,
  shares = 0,
  alone = false,
): PassInMemory {
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
    const parts = VALUE_CLASSES.flatMap((name, c) => partArguments(L.PARTS + c * L.PART_BYTES, pass[name], put));
    const [{ walk, order } = { walk: WALKS.runs }] = Object.values(pass);
    // Words that differ from one application to the next are 0 so far.
    const words = argumentList(
      [L.CHUNKS, chunks],
      [L.CHUNK_COUNT, count],
      [L.MODULUS, field.p],
      [L.UNIT_TERMS, 4 * residues.unitTerms],
      [L.GENERAL_TERMS, 4 * residues.generalTerms],
      [L.CONSTANT, residues.constant],
      [L.SUMS, sumsOf(residues, plan, pass)],
      [L.SPIN, team.spin],
      [L.SHARES, shares],
      [L.WALK, walk],
      [L.ORDER, order ? put(order) : 0],
      ...parts,
    );
    const command = team.command(kernels[residues.name], words, alone);
    // Lists of some rows are panels of columns, whose rows of X stay in the caches (kernels/sparse/long-rows.ts). What
    // neighbours read is there anyway (test/bench/RESULTS.md#prefetch-of-local-rows).
    const isScattered = plan.isScattered && takesAllRows(pass, plan.rows);
    const entries = pass.general?.offsets ?? offsetsOf(plan, pass); // general ones are prefetched
    const beyond = isScattered ? prefetchBeyond(context, entries) : Number.POSITIVE_INFINITY;
    return { command, places, beyond };
  } catch (error) {
    for (const at of places) arena.release(at);
    throw error;
  }
}

/** The property of all rows that u16 kernels may rely on. */
function sumsOf(residues: ResidueStorage, plan: Plan, pass: Pass): number {
  const longest = longestRow(offsetsOf(plan, pass));
  const units = pass.general === undefined;
  if (longest <= (units ? residues.i16UnitTerms : residues.i16Terms)) return L.SMALL_SUMS;
  if (units) return longest <= SHORT_ROW ? L.SHORT_SUMS : L.ANY_SUMS;
  return Object.keys(pass).length === 1 && longest <= residues.generalTerms ? L.GENERAL_SUMS : L.ANY_SUMS;
}

/** Where a copy of the words is in the kernels' memory, or of the multipliers that they become; 0 of none. */
type Put = (words: Uint32Array | null, areMultipliers?: boolean) => number;

/** The arguments of a part from offset `at` on: columns, values, those of the walk. */
function partArguments(at: number, layout: Layout | undefined, put: Put): Argument[] {
  if (layout === undefined) return [[at + L.WORD_2, 0]];
  return [
    [at + L.COLUMNS, put(layout.columns)],
    [at + L.VALUES, put(layout.values, true)],
    [at + L.WORD_2, 0],
    ...layout.words.map((word, w): Argument => [at + L.WORD_0 + 4 * w, typeof word === 'number' ? word : put(word)]),
  ];
}
