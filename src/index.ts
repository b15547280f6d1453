/**
 * The library: rank, minimal polynomial, determinant, systems and kernels of sparse integer matrices mod p.
 *
 * Nothing here prints or exits. Questions asked by these functions take turns at one engine, whose threads end with the
 * last of them; `createEngine` keeps threads for as long as it is wanted.
 */

import { collectVectors } from './engine/collect-vectors.js';
import { ThreadedEngine } from './engine/engine.js';
import type { Factors } from './engine/factors.js';
import { FreeQuestions } from './engine/free-questions.js';
import { type Asked, ask } from './questions/asked.js';
import type { Input } from './questions/input.js';
import type { AnswerStream, DetsOptions, Many, RanksOptions, SolvesOptions, System } from './questions/many.js';
import type {
  DetOptions,
  FactorOptions,
  MinpolyOptions,
  NullspaceOptions,
  OverQ,
  RankOptions,
  SolveOptions,
  TuneOptions,
} from './questions/options.js';
import type { Coefficients, Fractions, NullspaceOutcome, Outcome, SolveOutcome } from './questions/outcome.js';
import { type PlanData, type PlanInput, type PlanOptions, planInput } from './questions/plan.js';
import type { RightSides } from './questions/right-sides.js';
import type { Tuned } from './questions/tuned.js';
import type { AnyOutcome } from './questions/verbs.js';

export { CertificateError } from '../algorithms/certificate/certificate-error.js';
export { type CheckpointStore, StoppedError } from '../algorithms/checkpoint/store.js';
export { MethodError } from '../algorithms/method-error.js';
export { FieldError } from '../fields/field.js';
export { ModulusError } from '../fields/primality.js';
export { DeviceError } from '../kernels/errors/device-error.js';
export { HostError } from '../kernels/errors/host-error.js';
export { MemoryError } from '../kernels/errors/memory-error.js';
export { StructureError } from '../kernels/errors/structure-error.js';
export { TeamError } from '../kernels/errors/team-error.js';
export { withoutIdleLines } from '../kernels/sparse/drop-empty.js';
export {
  type CooArrays,
  type CscArrays,
  type CsrArrays,
  type Entry,
  EntryError,
  type Shaped,
  SparseMatrix,
  type SparseMatrixParts,
  type TripletArrays,
} from '../kernels/sparse/sparse-matrix.js';
export { createEngine, type Engine } from './engine/engine.js';
export type { Factors } from './engine/factors.js';
export { type Verdict, type VerifyOptions, verifyCertificate } from './engine/verify-certificate.js';
export { EngineError, OptionError } from './errors.js';
export { FormatError } from './io/format-error.js';
export type { InputFormat } from './io/input-format.js';
export { type ByteSource, type ReadOptions, readMatrix } from './io/read-matrix.js';
export { RunFolderError } from './io/run-folder.js';
export { type RunPart, type RunProgress, type RunReport, runStatus } from './io/run-status.js';
export { writeMatrixMarket, writeSms } from './io/write-matrix.js';
export type { Raster } from './pictures/raster.js';
export { type SpyOptions, spy } from './pictures/spy.js';
export type { CallerOperator, Input, MatrixSource, Triplets } from './questions/input.js';
export type { KernelVectors } from './questions/kernel-vectors.js';
export type {
  Answered,
  AnswerStream,
  DetsOptions,
  Many,
  RanksOptions,
  SolvesOptions,
  System,
} from './questions/many.js';
export type {
  CheckpointOption,
  DetOptions,
  Device,
  EngineOptions,
  FactorOptions,
  FactorsKernelOptions,
  FactorsOptions,
  KeptOptions,
  Method,
  MinpolyOptions,
  NullspaceOptions,
  ProgressEvent,
  QuestionOptions,
  RankOptions,
  SolveOptions,
  Storage,
  TuneOptions,
} from './questions/options.js';
export type {
  Coefficients,
  FactorOutcome,
  Fractions,
  Inconsistent,
  NullspaceOutcome,
  OneSided,
  Outcome,
  OutcomeJson,
  Probable,
  Proved,
  Report,
  Residues,
  SolveOutcome,
} from './questions/outcome.js';
export type { DevicePlan, MachineRates, PlanData, PlanInput, PlanOptions, PricedPlan } from './questions/plan.js';
export type { RightSides } from './questions/right-sides.js';
export type { Tuned, TunedOptions, TunedProduct, TunedRun } from './questions/tuned.js';
export type { TuningStore } from './questions/tuning-store.js';

/** The rank of a matrix mod p, with what is proved about it. */
export async function rank(input: Input, options: RankOptions): Promise<Outcome<number>> {
  return (await answerOf(ask('rank', input, options))) as Outcome<number>;
}

/**
 * The ranks of many matrices, in their order, as they are found: `threads` take a whole matrix each. A matrix without
 * an answer is one with an error; the stream goes on. Leaving the loop, or the signal, ends it.
 */
export function ranks(matrices: Many<Input>, options: RanksOptions): AnswerStream<Outcome<number>> {
  return byOwnEngine((engine) => engine.ranks(matrices, options));
}

/** The same of determinants. */
export function dets(matrices: Many<Input>, options: DetsOptions): AnswerStream<Outcome<bigint | null>> {
  return byOwnEngine((engine) => engine.dets(matrices, options));
}

/** The same of systems A·X = B. */
export function solves(systems: Many<System>, options: SolvesOptions): AnswerStream<SolveOutcome> {
  return byOwnEngine((engine) => engine.solves(systems, options));
}

/** A stream of answers whose threads end with it. */
function byOwnEngine<O>(ask: (engine: ThreadedEngine) => AnswerStream<O>): AnswerStream<O> {
  const engine = new ThreadedEngine({});
  const stream = ask(engine);
  return (async function* () {
    try {
      yield* stream;
    } finally {
      await engine.dispose();
    }
  })();
}

/** The minimal polynomial of a square matrix mod p: monic, constant term first. */
export async function minpoly(input: Input, options: MinpolyOptions): Promise<Outcome<Coefficients>> {
  return (await answerOf(ask('minpoly', input, options))) as Outcome<Coefficients>;
}

/** The determinant of a square matrix mod p; null, and oneSided, in the rare case that every attempt was unlucky. */
export async function det(input: Input, options: DetOptions): Promise<Outcome<bigint | null>> {
  return (await answerOf(ask('det', input, options))) as Outcome<bigint | null>;
}

/**
 * X with A·X = B mod p, for any A, for one right side or many: proved always, or null with a proof that a column of B
 * has no solution. With mod 0 it is over Q, for a square nonsingular A: numerators over a denominator a column.
 * StructureError where b is not as long, or B has not as many rows, as A has rows.
 */
export async function solve(a: Input, b: RightSides, options: SolveOptions & OverQ): Promise<SolveOutcome<Fractions>>;
export async function solve(a: Input, b: RightSides, options: SolveOptions): Promise<SolveOutcome>;
export async function solve(a: Input, b: RightSides, options: SolveOptions): Promise<SolveOutcome<never>> {
  return (await answerOf(ask('solve', a, options, {}, b))) as SolveOutcome<never>;
}

/** The kernel { x : A·x = 0 } mod p as rows of a matrix: a basis, or random vectors of it. */
export async function nullspace(a: Input, options: NullspaceOptions): Promise<NullspaceOutcome> {
  return collectVectors(options, (own) => answerOf(ask('nullspace', a, own)));
}

/**
 * The products that block Wiedemann makes of a matrix, timed by storage, width and threads, each compared with the
 * reference before; its `options` are those of `rank`, `minpoly` and `det` that they speak for.
 */
export async function tune(input: Input, options: TuneOptions): Promise<Tuned> {
  return (await answerOf(ask('tune', input, options))) as Tuned;
}

/**
 * A rank by block Wiedemann planned, of a matrix or of `{ rows, cols, nnz }`: time by phase, memory, disk, network and
 * price for numbers of devices, from rates that are measured here or were elsewhere.
 */
export async function plan(input: PlanInput, options: PlanOptions): Promise<PlanData> {
  const [matrix, own] = planInput(input, options);
  return (await answerOf(ask('plan', matrix, own))) as PlanData;
}

/**
 * A matrix mod p with its factors, for many systems and kernels, its rank and its determinant. An engine of its own
 * keeps them until they are disposed of.
 */
export async function factor(a: Input, options: FactorOptions): Promise<Factors> {
  const engine = new ThreadedEngine({});
  try {
    return await engine.factor(a, options, {
      answer: (asked) => engine.answer(asked),
      release: () => engine.dispose(),
    });
  } catch (error) {
    await engine.dispose();
    throw error;
  }
}

let freeQuestions: FreeQuestions | undefined;

function answerOf(asked: Asked): Promise<AnyOutcome> {
  freeQuestions ??= new FreeQuestions();
  return freeQuestions.answer(asked);
}
