/**
 * The options of a question as callers write them, and the plain form that crosses threads (settings.ts makes it).
 *
 *   mod : the prime, of any size; below 2³¹ the fast executors serve it, above it exact elimination does
 */

import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import type { Words } from '../../kernels/residues/words.js';
import type { FormatName } from '../../kernels/sparse/formats/index.js';
import type { Reordering } from '../../kernels/sparse/reordering.js';
import type { InputFormat } from '../io/input-format.js';
import type { CancelSignal } from '../io/web-objects.js';
import type { CheckedOptions } from './checked-options.js';
import type { KernelVectors } from './kernel-vectors.js';
import type { PlanChoices, PlanSettings } from './plan-settings.js';
import type { StageSettings } from './stage.js';
import type { TuningStore } from './tuning-store.js';

export type Method = 'auto' | 'elimination' | 'hybrid' | 'wiedemann';

/** Of systems mod p: two more, block Lanczos and LU of small blocks. */
export type SystemMethod = Method | 'lanczos' | 'block-lu';

export type KernelMethod = 'auto' | 'elimination' | 'lanczos';

/** Of systems over Q: digits to the base of a prime, or binary ones of a floating-point solver. */
export type RationalMethod = 'auto' | 'lifting' | 'numeric';

export type Device = 'auto' | 'cpu' | 'gpu' | 'reference';

export type Storage = 'auto' | FormatName;

/** Where a run stands; `total` is an estimate until the last phase has begun. */
export interface ProgressEvent {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

export interface EngineOptions {
  /**
   * 'auto', the default, takes the GPU where there is one and the matrix is large enough to gain, else the CPU; 'gpu'
   * takes it or fails; 'reference' is plain TypeScript, slow, and meant to be believed.
   */
  readonly device?: Device | undefined;
  /** Compute threads; the default is as many as the work pays for, at most one a core. */
  readonly threads?: number | undefined;
}

export interface QuestionOptions extends EngineOptions {
  /** A prime; for rank and solve also 0, which asks over the rationals. */
  readonly mod: number | bigint | string;
  /**
   * One format for the products with the matrix, instead of 'auto', the choice by its rows; `info` describes either.
   * Structural pivots, elimination and Schur complements have storages of their own, so that an answer they find makes
   * no use of it.
   */
  readonly storage?: Storage | undefined;
  /**
   * The numbers that products with the matrix are made in, on threads: 'auto', the default, is 'u16' below 2^16 and
   * 'u32' above; 'f32' and 'f64' are floating-point numbers with residues from 0 on, or '-balanced' around 0, for the
   * primes that they hold, and storages auto, csr, ell and ell-r. They change no answer.
   */
  readonly words?: 'auto' | Words | undefined;
  /**
   * An order of rows and columns for the products of block Wiedemann: 'rcm', reverse Cuthill-McKee, or 'none', the
   * default. Minimal polynomials and determinants take rows and columns alike, so that the answer is the same.
   */
  readonly reorder?: 'none' | Reordering | undefined;
  /**
   * Whether choices that `tune` has kept are used, where storage or threads are not asked for: those in the user's
   * cache directory, the default, none of them, or those of a store, which a browser has to be given. They change no
   * answer.
   */
  readonly tuning?: boolean | TuningStore | undefined;
  /** The source of all randomness; the same seed gives the same answer on any number of threads. */
  readonly seed?: number | bigint | string | undefined;
  /** Whether to show the upper bound too, with a stated error; it takes about a second sequence. Default true. */
  readonly verify?: boolean | undefined;
  /**
   * Bytes that the run may take, the matrix and its residues included, beside what every run takes: code, Node's own 40
   * to 60 MB, and some MB a thread. A file is read no further than its entries fit (MemoryError); a method that would
   * take more by its estimate is refused before it begins (MethodError), but the fill of an elimination mod p beyond
   * 2^31 is not foreseen. A GPU's own memory does not count. By default entries may take a third of the machine's
   * memory while they are read.
   */
  readonly maxMemory?: number | undefined;
  /** The input's name in messages; by default the path. */
  readonly name?: string | undefined;
  /**
   * Whether the question may take the caller's arrays for good, where it would copy them: typed arrays and bytes are
   * detached, the arrays of a SparseMatrix are shared and must not be written to before the answer. Default false.
   */
  readonly transfer?: boolean | undefined;
  /** Whether an SMS file with entries may end without `0 0 0`; one that does is taken for cut off otherwise. */
  readonly unterminated?: boolean | undefined;
  /** The format of the input, where its bytes do not tell it; the names are readMatrix's. */
  readonly inputFormat?: InputFormat | undefined;
  readonly signal?: CancelSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

/** What questions take whose run may be kept. */
export interface KeptOptions {
  /**
   * Where the run is kept, so that the same question goes on after whatever ends it. Then 'auto' takes methods without
   * checkpoints only where they should be over before the first one.
   */
  readonly checkpoint?: CheckpointOption | undefined;
}

/** What minpoly takes. */
export interface MinpolyOptions extends QuestionOptions, KeptOptions, CheckedOptions, GpuOptions {}

/** What det takes beside the others, and rank too. */
export interface DetOptions extends MinpolyOptions {
  /**
   * The method; 'auto' takes the one that should be fastest. An operator shows no entries, so its method is wiedemann.
   */
  readonly method?: Method | undefined;
  /**
   * Modulus 0, the determinant over Z: whether primes go on up to Hadamard's bound, so that the answer is proved;
   * without it they end earlier, with an error below 2^−62.
   */
  readonly certain?: boolean | undefined;
}

/** Where a run is kept: in a folder, which is made, or in a store of the caller's own. Either serves one run. */
export interface CheckpointOption {
  /** Under Node. One process at a time works in it, others get a RunFolderError. */
  readonly directory?: string | undefined;
  /** Used in the caller's thread. Its names are of small letters, digits, `-` and `.`; a name begins with no `.`. */
  readonly store?: CheckpointStore | undefined;
  /** Seconds between two checkpoints at least, 60 by default; they take no more than about 2 % of the time. */
  readonly interval?: number | undefined;
  /** Once it is aborted, the run ends with a checkpoint and a StoppedError. */
  readonly stop?: CancelSignal | undefined;
}

/** The same as plain data. */
export interface CheckpointSettings {
  readonly directory: string | null; // null: a store in the caller's thread
  readonly interval: number;
  readonly seed: bigint | null; // null: that of the run in the folder
}

/** What questions take for several GPUs, and for the memory of each. */
export interface GpuOptions {
  /**
   * How many devices of the kind 'gpu' take part, each in a process of its own. By 'lanczos' each has some rows of the
   * matrix; by 'hybrid' and 'wiedemann' they share the sequence of block Wiedemann, on the matrix or on what pivots
   * leave, and run ahead of the search of its generator. Then device 'gpu' is meant, and of a kernel, or of a system
   * where no method is named and no kept run has one, 'lanczos'; Node is needed. The same seed gives the same answer.
   */
  readonly gpus?: number | undefined;
  /**
   * Bytes that buffers may take on a GPU; device 'gpu', or gpus, goes with it. Beyond it the GPUs of `gpus` have some
   * rows each (not of minpoly, det), and block Wiedemann on one reads the matrix in pieces; else MemoryError.
   */
  readonly maxGpuMemory?: number | undefined;
}

export interface RankOptions extends Omit<DetOptions, 'certain'> {
  /** Columns n of a block, or [m, n] with m rows of U; chosen by cost when absent. */
  readonly block?: number | readonly [m: number, n: number] | undefined;
  /** 'shifted' reads the rank off the degrees; 'classical' interpolates the determinant of the generator. */
  readonly formula?: 'shifted' | 'classical' | undefined;
  /** The run may end as soon as the rank is proved to be no less. */
  readonly atLeast?: number | undefined;
  /** Whether to make a certificate of the rank, at the price of about another run: `certificate` of the outcome. */
  readonly certificate?: boolean | undefined;
  /**
   * A folder for what memory does not hold: a matrix that `maxMemory`, or the machine, has no room for waits there in
   * pieces, and block Wiedemann reads them at every step. Nothing is written where there is room. Under Node, mod p
   * below 2^31, on threads.
   */
  readonly scratch?: string | undefined;
  /** Whether to find as many independent rows and columns as the rank: `pivotRows` and `pivotCols` of the outcome. */
  readonly pivots?: boolean | undefined;
}

/** What solve takes; a solution is always checked, so nothing is said of that. */
export interface SolveOptions
  extends Omit<QuestionOptions, 'storage' | 'words' | 'reorder' | 'verify' | 'tuning'>,
    GpuOptions,
    KeptOptions {
  /** The method; 'auto' takes the one that should be fastest. Over Q it is 'lifting' or 'numeric'. */
  readonly method?: SystemMethod | RationalMethod | undefined;
  /** Over Q: the coordinates of the solution that are wanted, 0-based; all of them without. */
  readonly coordinates?: readonly number[] | undefined;
  /**
   * Whether to take a uniformly random one of all solutions; without it the same one for every seed, but by 'lanczos'.
   */
  readonly random?: boolean | undefined;
}

/** The modulus that stands for none, where it shows in a type. */
export interface OverQ {
  readonly mod: 0 | 0n | '0';
}

/** What nullspace takes. */
export interface NullspaceOptions
  extends Omit<QuestionOptions, 'storage' | 'words' | 'reorder' | 'verify' | 'tuning'>,
    GpuOptions,
    KeptOptions {
  /**
   * 'auto', the default, is elimination, and 'lanczos' where the run is kept. 'lanczos' stores the matrix and a few
   * vectors alone, of a basis the basis; with `vectors` it says neither the rank nor the dimension.
   */
  readonly method?: KernelMethod | undefined;
  /** Whether the left kernel is meant, { y : yᵀ·A = 0 }. */
  readonly left?: boolean | undefined;
  /** So many independent uniformly random vectors of the kernel, instead of a basis. */
  readonly vectors?: number | undefined;
  /**
   * Takes the vectors as they are found, in order; the next ones wait for its promise. The outcome's value is then
   * null, and memory holds one batch at a time.
   */
  readonly onVectors?: ((batch: KernelVectors) => void | Promise<void>) | undefined;
}

/** What factor takes. */
export type FactorOptions = Omit<QuestionOptions, 'storage' | 'words' | 'reorder' | 'verify' | 'tuning'>;

/**
 * What tune takes: of the device 'reference' there is nothing to tune, and `tuning` says where the choice is kept.
 */
export interface TuneOptions extends Omit<QuestionOptions, 'storage' | 'words' | 'reorder' | 'verify' | 'seed'> {
  /**
   * Seconds of timing; by default 2 % of what `rank` should take by itself, at most 10, and where they are below 0.2
   * nothing is timed and no choice is kept. Reading, the reference's product and the first storage come beside it.
   */
  readonly budget?: number | undefined;
}

/** What a question about factors takes. */
export type FactorsOptions = Pick<
  SolveOptions,
  'random' | 'seed' | 'threads' | 'device' | 'maxMemory' | 'signal' | 'onProgress'
>;

/** What a question about their kernel takes. */
export type FactorsKernelOptions = Omit<FactorsOptions, 'random'> &
  Pick<NullspaceOptions, 'left' | 'vectors' | 'onVectors'>;

/** What a stage of a kept run takes. */
export interface StageOptions extends RankOptions {
  readonly stage: StageSettings;
}

/** All options of all questions. */
export type AnyOptions = Omit<RankOptions, 'method'> &
  Pick<DetOptions, 'certain'> &
  SolveOptions &
  Omit<NullspaceOptions, 'method'> &
  FactorOptions &
  Pick<TuneOptions, 'budget'> &
  PlanChoices & { readonly stage?: StageSettings | undefined };

/** The same as plain data. */
export interface Settings {
  readonly mod: bigint;
  readonly device: Device;
  readonly threads: number | null;
  readonly storage: FormatName | null; // null: chosen
  readonly words: Words | null; // null: those of the executor
  readonly reorder: Reordering | null; // null: none
  readonly tuning: boolean; // whether there is a store of choices
  readonly block: { readonly m: number | null; readonly n: number } | null;
  readonly seed: bigint;
  readonly verify: boolean;
  readonly selfChecks: boolean | undefined; // undefined: of a rank
  readonly formula: 'shifted' | 'classical';
  readonly method: SystemMethod;
  readonly atLeast: number | null;
  readonly maxMemory: number | null;
  readonly maxGpuMemory: number | null;
  readonly certificate: boolean;
  readonly gpus: number | null;
  readonly checkpoint: CheckpointSettings | null;
  readonly scratch: string | null; // a folder
  readonly stage: StageSettings | null; // of a kept run in parts
  readonly unterminated: boolean;
  readonly inputFormat: InputFormat;
  readonly pivots: boolean;
  readonly random: boolean;
  readonly certain: boolean;
  readonly left: boolean;
  readonly vectors: number | null;
  /** Of solve over Q. */
  readonly overQ: { readonly method: RationalMethod; readonly coordinates: readonly number[] | null } | null;
  readonly budget: number | null; // of tune and plan
  readonly plan: PlanSettings | null;
  readonly transposed: boolean; // of a system of factors
  readonly factors: number | null; // the number that factors are kept under
}

/** The modulus that stands for none. */
export const OVER_Q = 0n;
