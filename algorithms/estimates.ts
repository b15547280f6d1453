/**
 * The estimates by which a run chooses before any long step. Types alone, so that methods below can take them; the
 * numbers come from methods/costs.ts.
 *
 *   S : the Schur complement that pivots leave
 */
import type { WordPrime } from '../fields/word-prime.js';
import type { GpuDevice } from '../kernels/gpu/device.js';
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';

/** Seconds on one thread, by method. */
export interface Costs {
  readonly elimination: number;
  readonly sampling: number;
  readonly wiedemann: number;
  /** Samples that are cheap beside the run. */
  readonly samples: number;
  /** On a GPU: `wiedemann` is that of S, never formed, and not that of the whole matrix. */
  readonly isImplicit?: boolean;
}

/** Seconds of the cheapest method. */
export function cheapest({ elimination, sampling, wiedemann }: Costs): number {
  return Math.min(elimination, sampling, wiedemann);
}

/** How full S is. */
export interface Fill {
  readonly share: number; // of its entries, those that are not 0
  readonly secondsARow: number; // of one thread
}

/** This machine's times over those of the table of rates (methods/rates.ts). */
export interface RateRatios {
  readonly basis: number; // an order basis
  readonly pluq: number; // a dense elimination
}

/** Traits of a GPU that its costs depend on. */
export type GpuTraits = Pick<GpuDevice, 'name' | 'software' | 'languageFeatures' | 'maxBindingBytes'>;

/** The costs of a GPU for its parts of the methods, and its limits. */
export interface GpuCosts<Gpu extends GpuTraits = GpuTraits> {
  readonly gpu: Gpu;
  /** Seconds of one thread that a second of the GPU counts for. */
  readonly worth: number;
  /** Why dense rows are eliminated by threads all the same; null where they are not. */
  reasonForThreads(field: WordPrime, rows: number, cols: number): string | null;
  /** Why block Wiedemann with blocks of n columns cannot be run there on a matrix of this size; null where it can. */
  reasonAgainst(field: WordPrime, rows: number, cols: number, n?: number): string | null;
  /** Buffers that a block of n columns is held in there; Infinity where a column does not fit. */
  pieces(field: WordPrime, rows: number, cols: number, n?: number): number;
  /** Seconds of the elimination of dense rows there. */
  dense(field: WordPrime, rows: number, cols: number): number;
  /**
   * Seconds of a sequence of block Wiedemann there, all but the order basis; of products with S where pivots leave it.
   */
  sequence(field: WordPrime, rows: number, cols: number, nnz: number, substitution?: Substitutions): number;
}

/** What a product with S takes beside one with its other rows: a substitution. */
export interface Substitutions {
  readonly pivots: number;
  readonly levels: number;
}

/** The resources of a run, and its measurements. */
export interface Measurements {
  /** The GPU that the run is on. */
  readonly gpu?: GpuCosts | undefined;
  /** Of the pivots that the GPU leaves S by, of which there may be fewer than were found. */
  readonly substitution?: Substitutions | undefined;
  /** Seconds of a product of S with 16 vectors, on one thread. */
  readonly product?: number | undefined;
  readonly fill?: Fill | undefined;
  readonly rates?: RateRatios | undefined;
}

/** Sizes of the fronts of a dissection, each with as many pivots as its sizes allow. */
export interface FrontSizes {
  readonly products: number; // multiplications
  readonly cells: number;
}

/** Estimates over one field. */
export interface Estimates {
  /** Of a rows × cols matrix that has nnz entries, or of an S that takes nnz entries to apply. */
  costs(rows: number, cols: number, nnz: number, measurements?: Measurements): Costs;
  /** Of what so many pivots leave of `a`. */
  costsLeft(a: ResidueMatrix, pivots: number, measurements?: Measurements): Costs;
  /** Seconds of a product with 16 vectors. */
  productSeconds(nnz: number): number;
  /** Whether S is eliminated as a dense matrix whatever its fill is. */
  isSmall(rows: number, cols: number): boolean;
  /** Whether S is eliminated as a dense matrix: where it is small or full, or where a GPU is quicker. */
  isDense(rows: number, cols: number, nnz: number, measurements: Measurements): boolean;
  /** Seconds of the eliminations of fronts. */
  frontsSeconds(sizes: FrontSizes): number;
  /** Seconds of one thread that so many do in one. */
  speedup(threads: number): number;
}
