/**
 * The interface of a device: block vectors over F_p, small dense blocks, and operators on them.
 *
 *   BlockVector : length × width residues, row-major       SmallBlocks : a stack of rows × cols residues
 *
 * All residues are canonical, in [0, p). Calls enqueue work in order; only `read…` waits for it, so that a device with
 * a queue of its own (a GPU) never runs dry. Every executor returns the same integers; `reference` is the one to
 * believe.
 *
 * Elements of GF(p^k) come in two ways. As k coordinates: a vector of N elements × n columns is N × (k·n) residues, row
 * i holding coordinate 0 of its n columns, then coordinate 1, and so on; `view` turns it into (N·k) × n without moving
 * a byte, so that a matrix over GF(p^k) is an ordinary (N·k) × (M·k) matrix over F_p whose entries are k × k
 * multiplication blocks. Or as codes, on a device that can hold them so (`over`): then every residue, factor and entry
 * below is a code of the extension, and all of the above is said of that field.
 */
import type { ExtensionField } from '../fields/extension.js';
import type { WordPrime } from '../fields/word-prime.js';
import type { Scratch } from './platform/scratch.js';
import type { Words } from './residues/words.js';
import type { FormatName } from './sparse/formats/index.js';
import type { ProductSizes } from './sparse/formats/product-sizes.js';
import type { MatrixPieces } from './sparse/matrix-pieces.js';
import type { ResidueMatrix } from './sparse/sparse-matrix.js';
import type { TakenRows, Taking } from './sparse/take-rows.js';

export type Awaitable<T> = T | Promise<T>;

/** length × width canonical residues or codes, row-major without padding, owned by one executor. */
export interface BlockVector {
  readonly length: number;
  readonly width: number;
}

/** The columns of a block vector from `first` on, of a block that has `of`. */
export interface ColumnShare {
  readonly first: number;
  readonly of: number;
}

/** count dense blocks of rows × cols canonical residues, on the device. */
export interface SmallBlocks {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
}

/** y ← alpha·A·x + beta·y for a linear map A. Widths of x and y are equal; alpha and beta are canonical. */
export interface LinearMap {
  apply(y: BlockVector, x: BlockVector, alpha?: number, beta?: number): Awaitable<void>;
  applyTransposed(y: BlockVector, x: BlockVector, alpha?: number, beta?: number): Awaitable<void>;
  /**
   * The calls that a product consists of, for a map made of others; absent where it is one call, or more than calls.
   */
  calls?(y: BlockVector, x: BlockVector, transposed: boolean, alpha?: number, beta?: number): readonly Call[];
}

export interface Operator extends LinearMap {
  readonly rows: number;
  readonly cols: number;
  /** Whether every product reads the matrix from elsewhere, the host or a disk, piece by piece. */
  readonly isStreamed?: boolean | undefined;
  free?(): void;
}

/** A call on an executor as data. Where it writes a block, that is the one whose index is the step's. */
export type Call =
  | {
      readonly do: 'apply';
      readonly map: LinearMap;
      readonly y: BlockVector;
      readonly x: BlockVector;
      readonly transposed?: boolean;
      readonly alpha?: number | undefined;
      readonly beta?: number | undefined;
    }
  | { readonly do: 'substitute'; readonly by: Substitution; readonly v: BlockVector; readonly x: BlockVector }
  | { readonly do: 'blockDot'; readonly out: SmallBlocks; readonly x: BlockVector; readonly z: BlockVector }
  | { readonly do: 'project'; readonly out: SmallBlocks; readonly u: Projection; readonly z: BlockVector }
  | { readonly do: 'copy'; readonly to: BlockVector; readonly from: BlockVector }
  | { readonly do: 'scale'; readonly v: BlockVector; readonly d: BlockVector };

/** One call after another. */
export type Step = readonly Call[];

/** A step that an executor does again and again. */
export interface Program {
  /**
   * Does it as step first, …, end − 1. `check`, which may throw, is called whenever the host is asked for more of them.
   */
  run(first: number, end: number, check?: () => void): Awaitable<void>;
  free(): void;
}

/**
 * The structured left block U, (m·layers) × N: coordinate i belongs to the block row r with
 * bounds[r] ≤ i < bounds[r + 1], where it carries `layers` coefficients (the coordinates of one element of
 * GF(p^layers)).
 *
 *   U[r·layers + a, i] = coefficients[i·layers + a]   for i of block row r, 0 elsewhere
 */
export interface Projection {
  readonly rows: number; // m
  readonly layers: number; // k, 1 for a prime field
  readonly bounds: Uint32Array; // m + 1 offsets, nondecreasing, from 0 to N
  readonly coefficients: Uint32Array; // N·layers canonical residues
}

/**
 * Forward substitution on a vector that it makes longer. T is steps × (given + steps), T[i, j] = 0 for j ≥ given + i:
 *
 *   v[j] ← x[j] for j < given      v[given + i] ← Σ_j T[i, j]·v[j] for i = 0, 1, …
 */
export interface Substitution {
  readonly given: number;
  readonly steps: number;
  /** v has given + steps rows, x has `given`, and both are of one width. */
  run(v: BlockVector, x: BlockVector): Awaitable<void>;
  free?(): void;
}

/** How an operator is stored. */
export interface OperatorOptions {
  /** The directions of application; storing both costs the matrix twice. Default 'both'. */
  readonly use?: 'apply' | 'transposed' | 'both';
  /** One format (kernels/sparse/formats/index.ts) for every part of the plan instead of a choice by row lengths. */
  readonly storage?: FormatName | undefined;
  /** Sizes of that storage and of its kernels that are not the usual ones. */
  readonly sizes?: ProductSizes | undefined;
  /** The words that products are made in; the executor's own where none are named. */
  readonly words?: Words | undefined;
  /** Whether the rows must be walked once and in their order, for kernels that take some of them; default no. */
  readonly onePass?: boolean | undefined;
  /**
   * On a GPU, the matrix stays on the host, from where pieces of it, whose arrays take so many bytes each, are read at
   * every product; in the storage and the words of the executor.
   */
  readonly streamBytes?: number | undefined;
}

/**
 * 64 columns over F_2: row i of a vector is a word of 64 bits, column j its bit j, and two words of 32 on the host.
 * Small matrices are 64 × 64, rows likewise.
 */
export interface BitColumns {
  /** A vector of zeros. */
  vector(length: number): BlockVector;
  write(v: BlockVector, words: Uint32Array): void;
  read(v: BlockVector): Awaitable<Uint32Array>;
  copy(to: BlockVector, from: BlockVector): void;
  release(v: BlockVector): void;
  /** A matrix of ones; alpha is 1 and beta 0. */
  operator(matrix: ResidueMatrix): Operator;
  /** y ← y + x·a; y is not x. */
  axpy(y: BlockVector, x: BlockVector, a: Uint32Array): void;
  /** xᵀ·z */
  dot(x: BlockVector, z: BlockVector): Awaitable<Uint32Array>;
  /** Frees everything that it owns. */
  dispose(): void;
}

export interface Executor {
  readonly name: 'reference' | 'cpu' | 'gpu';
  /** In words: threads, SIMD, adapter. */
  readonly device: string;
  readonly threads: number;
  readonly field: WordPrime;
  /** The extension of `field` whose codes vectors hold; absent or null where they hold residues. */
  readonly extension?: ExtensionField | null;
  /**
   * An executor on the same device whose vectors hold codes of an extension of `field`; null where the device has no
   * storage for them. It has a substitution if this one has, no columnRank, and is disposed of before this one.
   */
  over?(extension: ExtensionField): Executor | null;
  /** Bits on the same device, disposed of before this executor; null unless p = 2. Absent over an extension. */
  bitColumns?(): BitColumns | null;

  /** A vector of zeros. Throws MemoryError when the device cannot hold it. */
  vector(length: number, width: number): BlockVector;
  /** The same residues seen with another shape of equal size; shares storage with v and is not freed by itself. */
  view(v: BlockVector, length: number, width: number): BlockVector;
  /**
   * Rows firstRow … firstRow + length − 1 of v as a vector; shares storage with v and is not freed by itself. Absent on
   * devices without a substitution.
   */
  slice?(v: BlockVector, firstRow: number, length: number): BlockVector;
  /** Rows firstRow … of v ← data (canonical, row-major). */
  write(v: BlockVector, data: Uint32Array, firstRow?: number): void;
  /** v as it is when it is asked for, whatever is done with it before it is here. */
  read(v: BlockVector): Awaitable<Uint32Array>;
  copy(to: BlockVector, from: BlockVector): void;
  /**
   * v[i, j] ← residue i·of + first + j of the stream; where no share is named, v is the whole block. Absent where the
   * device has nothing faster than `write` of the same numbers.
   */
  random?(v: BlockVector, seed: bigint, stream: number, share?: ColumnShare): void;
  /**
   * The first `count` residues mod `below` ≤ 2^32 of a stream, for the host. Absent where the host makes them itself.
   */
  randomNumbers?(count: number, below: number, seed: bigint, stream: number): Uint32Array;
  fill(v: BlockVector, value: number): void;
  release(v: BlockVector): void;

  operator(matrix: ResidueMatrix, options?: OperatorOptions): Operator;
  /**
   * The operator of a matrix in pieces, which wait on the disk and are read into two buffers of so many bytes. Absent
   * on devices that hold matrices whole.
   */
  operatorInPieces?(pieces: MatrixPieces, scratch: Scratch, bufferBytes: number): Operator;
  /**
   * The substitution by T. Long runs of rows that do not need each other make it fast, so they should stand next to
   * each other. Absent on devices without one.
   */
  substitution?(matrix: ResidueMatrix): Substitution;
  /**
   * Rows first … end − 1 of those that are taken, in arrays that are good until they are released; null where there is
   * no room for them, or are no threads. Absent on devices that keep the arrays of a matrix.
   */
  takeRows?(taking: Taking, first: number, end: number): TakenRows | null;
  /** The rank of the matrix [v_0 v_1 …] of all columns of vectors of one length. Absent where `substitution` is. */
  columnRank?(vectors: readonly BlockVector[]): Awaitable<number>;

  /** v[i, ·] ← d[i]·v[i, ·]; d is length × 1. */
  scale(v: BlockVector, d: BlockVector): void;
  /** y ← y + x·a with a dense, x.width × y.width, canonical, row-major, on the host. */
  blockAxpy(y: BlockVector, x: BlockVector, a: Uint32Array): void;
  /**
   * y[i, ·] ← y[i, ·] + Σ_a U[r·k + a, i]·c[r·k + a, ·], i of block row r: y += Uᵀ·c with c (m·k) × y.width on the
   * host.
   */
  expand(y: BlockVector, u: Projection, c: Uint32Array): void;

  blocks(count: number, rows: number, cols: number): SmallBlocks;
  /** out[index] ← xᵀ·z, x.width × z.width. */
  blockDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void;
  /** out[index] ← U·z, (m·k) × z.width. */
  project(out: SmallBlocks, index: number, u: Projection, z: BlockVector): void;
  /**
   * Blocks first … first + count − 1, one after another, as they are after the calls made so far, whatever comes later.
   */
  readBlocks(out: SmallBlocks, first: number, count: number): Awaitable<Uint32Array>;
  releaseBlocks(out: SmallBlocks): void;

  /**
   * The step as a program of this executor. Until it is freed its operands are not released, and vectors that it only
   * reads stay as they are.
   */
  compile(step: Step): Program;

  /** Frees everything the executor owns; it cannot be used afterwards. */
  dispose(): void;
}
