/**
 * The messages between the page's thread, which draws, and its worker, which holds the matrix: plain data only.
 *
 *   page → worker : a job, or the wish that one be given up
 *   worker → page : what the lists of the forms have, once; then progress, and one answer or failure a job
 */
import type { Palette } from '../pictures/paint.js';
import type { FillPart } from '../pictures/row-fill.js';
import type { ProgressEvent, Storage } from '../questions/options.js';

export type Question = 'rank' | 'minpoly' | 'det' | 'solve' | 'nullspace';

export type Source =
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'family'; readonly family: string; readonly words: readonly string[] };

/** What is known of a matrix once it has been read. */
export interface MatrixFacts {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly entries: number; // as they stand in the file, without zeros
  readonly plus: number; // of them +1
  readonly minus: number;
  readonly general: number;
}

/** The part of a matrix that a picture shows, 0-based. */
export interface Window {
  readonly top: number;
  readonly left: number;
  readonly rows: number;
  readonly cols: number;
}

export interface RasterWish extends Window {
  readonly width: number; // pixels, and cells at most
  readonly height: number;
  readonly mod: string; // '0': entries are classed by their integers
  readonly palette: Palette;
}

export interface FillWish {
  readonly mod: string;
  readonly storage: Storage;
  readonly height: number; // lines of pixels
}

/** How full rows are, in one part of the plan: for each line of pixels the mean and the longest of its rows. */
export interface FillPanel extends Omit<FillPart, 'forEachRow'> {
  readonly mean: Float64Array;
  readonly longest: Float64Array;
}

export interface Asking {
  readonly question: Question;
  readonly mod: string;
  readonly method: string;
  readonly device: 'auto' | 'cpu' | 'gpu' | 'reference';
  readonly threads: number | null; // null: chosen
  readonly storage: Storage;
  readonly seed: string | null; // null: a fresh one
  readonly verify: boolean;
  readonly certificate: boolean; // of rank
  readonly left: boolean; // of nullspace
  readonly vectors: number | null; // of nullspace; null: a basis
  readonly right: File | null; // of solve
  readonly keep: boolean; // the run survives a reload
}

/** A question of a page that was left before the answer. */
export interface KeptQuestion {
  readonly source: Source;
  readonly asking: Asking;
}

export interface Download {
  readonly label: string;
  readonly name: string;
  readonly blob: Blob;
}

/** An outcome as the page shows it. */
export interface Answered {
  readonly question: Question;
  readonly headline: string; // the answer itself, or what stands for a long one
  readonly subject: string; // the same within a sentence
  readonly kind: 'proved' | 'probable' | 'oneSided';
  readonly claim: string; // what is proved, in words
  readonly rows: number;
  readonly cols: number;
  readonly entries: number;
  readonly mod: string;
  readonly method: string;
  readonly device: string;
  readonly adapter: string | null;
  readonly threads: number;
  readonly block: string | null;
  readonly seed: string;
  readonly seconds: Readonly<Record<string, number>>; // by phase, and `total`
  readonly explanation: readonly string[];
  readonly warnings: readonly string[];
  readonly downloads: readonly Download[];
}

export interface Verified {
  readonly holds: boolean;
  readonly text: string; // one line
}

/** Each job: what it is given, and what it answers. */
export interface Jobs {
  readonly open: { readonly given: Source; readonly answer: MatrixFacts };
  readonly raster: { readonly given: RasterWish; readonly answer: RasterAnswer };
  readonly fill: { readonly given: FillWish; readonly answer: readonly FillPanel[] };
  /** `owner`: a word of the page's own, by which it knows the run that it keeps. */
  readonly ask: { readonly given: { readonly asking: Asking; readonly owner: string }; readonly answer: Answered };
  readonly kept: { readonly given: null; readonly answer: KeptQuestion | null };
  /** The run that this owner keeps, or null: the one that was left, whoever's it was. */
  readonly forget: { readonly given: string | null; readonly answer: null };
  readonly verify: {
    readonly given: { readonly certificate: Blob; readonly name: string; readonly matrix: File | null };
    readonly answer: Verified;
  };
}

export type JobName = keyof Jobs;

/** The pattern as pixels, and how many entries of each class are in the window. */
export interface RasterAnswer {
  readonly image: ImageData;
  readonly plus: number;
  readonly minus: number;
  readonly general: number;
}

export interface FamilyChoice {
  readonly name: string;
  readonly doc: string;
  readonly args: readonly { readonly name: string; readonly min: number; readonly preset: number | null }[];
}

/** What forms offer. */
export interface Lists {
  readonly families: readonly FamilyChoice[];
  readonly storages: readonly string[];
}

export type ToWorker =
  | { [J in JobName]: { readonly job: J; readonly id: number; readonly given: Jobs[J]['given'] } }[JobName]
  | { readonly job: 'cancel'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'lists'; readonly lists: Lists }
  | { readonly kind: 'progress'; readonly id: number; readonly event: ProgressEvent }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly isCancelled: boolean };
