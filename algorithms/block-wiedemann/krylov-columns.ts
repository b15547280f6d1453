/**
 * A sequence whose columns are found on several devices: U·B^i·V = [U·B^i·V_1 | U·B^i·V_2 | …], the same B and U on
 * each.
 *
 * A share is a pure function of its task and A, so the joined blocks are those of one device, whatever the number of
 * shares.
 */

import { deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunPlace } from '../checkpoint/checkpoint.js';
import type { PivotPlaces } from '../presolve/pattern.js';
import type { Draw } from './extension-degree.js';
import type { SequenceKeeper } from './kept-sequence.js';
import { KrylovSequence, type Sequence } from './krylov.js';
import { type KrylovShape, readOf } from './krylov-steps.js';
import { diagonalFactor, gramFactor, hashFactor, mixingFactor } from './preconditioner.js';
import { Projections } from './projections.js';
import { writeRandom } from './random-vectors.js';
import { SequenceCheck } from './sequence-check.js';
import { identityFactor, type LeftFactor } from './sparse-factor.js';
import { SplitSequence } from './split-sequence.js';
import { triangularPreconditioner } from './triangular-preconditioner.js';
import type { WorkingField } from './working-field.js';

/** C by its name; those behind `gram` are of a square A, and `diagonal` and `mixing` are of systems. */
const FACTORS = {
  hash: (executor, a, working, seed) => hashFactor(executor, a.cols, a.rows, working, seed),
  gram: gramFactor,
  diagonal: (executor, a, working, seed) => diagonalFactor(executor, a.cols, working, seed),
  mixing: (executor, a, working, seed) => mixingFactor(executor, a.cols, working, seed),
  identity: identityFactor,
  triangular: (executor, a, working, seed) => triangularPreconditioner(executor, a.cols, working, seed),
} satisfies Readonly<
  Record<string, (executor: Executor, a: Operator, working: WorkingField, seed: bigint) => LeftFactor>
>;

/** A sequence's dependencies beside A, as plain data. */
export interface SequenceTask {
  readonly preconditioner: keyof typeof FACTORS;
  readonly draw?: Draw | undefined; // from GF(q); a block where it is absent
  readonly rows?: Uint32Array | undefined; // Y where it is given: N × s codes
  readonly shape: KrylovShape;
  readonly seed: bigint;
  /** Blocks of S and of T that another device makes by itself: they bound its memory. */
  readonly length: number;
  readonly moments: number;
  /** Whether its blocks are checked (sequence-check.ts). */
  readonly checked?: boolean | undefined;
}

/** What a Schur complement of a matrix is made of beside it: its transpose, which takes long to make, and pivots. */
export interface SchurParts {
  readonly at: ResidueMatrix;
  readonly pivots: PivotPlaces;
}

/** Another device, which finds shares of the sequences of one matrix. */
export interface SequenceDevice {
  /**
   * Takes the matrix of the sequences to come, or that of whose Schur complement they are; resolves when this side may
   * drop it.
   */
  hold(matrix: ResidueMatrix, field: WordPrime, schur?: SchurParts): Promise<void>;
  /** The sequence goes on from what is `kept`, and is kept there; `remark` takes a line about what is damaged. */
  start(task: SequenceTask, kept?: KeptShare, remark?: (line: string) => void): Promise<Sequence>;
}

/** Where another device keeps its share: in the folder of a run, under names that begin so. */
export interface KeptShare extends RunPlace {
  readonly name: string;
}

/** Some columns of a sequence, and where they are kept if they are. */
export interface Share {
  readonly task: SequenceTask;
  readonly kept?: KeptShare | undefined;
  readonly remark?: ((line: string) => void) | undefined;
}

/** The common part of a sequence's columns, and of their verification. */
export interface SequenceSides {
  readonly c: LeftFactor;
  readonly left: Projections;
}

/** The sides of a task's sequence on this device, the caller's to free. A has no fewer rows than columns. */
export async function sidesOf(
  executor: Executor,
  a: Operator,
  working: WorkingField,
  { preconditioner, shape, seed, rows }: SequenceTask,
): Promise<SequenceSides> {
  const ofC = deriveSeed(seed, preconditioner === 'diagonal' ? 'solve D' : 'C');
  const c = FACTORS[preconditioner](executor, a, working, ofC);
  const write = (y: BlockVector): void => {
    if (rows) executor.write(y, working.toResidues(rows, shape.s));
    else writeRandom(executor, y, shape.s, working, deriveSeed(seed, 'dense U'));
  };
  try {
    const left =
      rows || readOf(shape) === 'T'
        ? Projections.ofRows(executor, a.cols, working, shape, seed, write)
        : await Projections.random(executor, a, working, shape, seed);
    return { c, left };
  } catch (error) {
    c.free();
    throw error;
  }
}

/** A task's sequence on this device, with its sides: all are the caller's to free. It goes on from what is kept. */
export async function startSequence(
  executor: Executor,
  a: Operator,
  working: WorkingField,
  task: SequenceTask,
  keeper?: SequenceKeeper,
  check?: () => void,
): Promise<SequenceSides & { readonly krylov: KrylovSequence }> {
  const sides = await sidesOf(executor, a, working, task);
  try {
    return { ...sides, krylov: await startBetween(sides, executor, a, working, task, keeper, check) };
  } catch (error) {
    freeSides(sides);
    throw error;
  }
}

/** The same with sides that stay the caller's. */
export async function startBetween(
  { c, left }: SequenceSides,
  executor: Executor,
  a: Operator,
  working: WorkingField,
  { shape, seed, length, checked }: SequenceTask,
  keeper?: SequenceKeeper,
  check?: () => void,
): Promise<KrylovSequence> {
  const krylov = new KrylovSequence(executor, a, c, working, shape, seed, left);
  try {
    const of = { a, c, working, left, shift: shape.shift, n: shape.n, read: readOf(shape) };
    const ofCheck = deriveSeed(seed, 'check');
    const made = checked ? await SequenceCheck.create(executor, of, length, ofCheck, check, keeper?.checks) : null;
    // Where S alone is read a GPU may not have made them yet.
    if (made && of.read !== 'S') krylov.productSeconds = made.seconds / made.interval;
    await krylov.begin(keeper, made);
    return krylov;
  } catch (error) {
    krylov.free();
    throw error;
  }
}

export function freeSides({ c, left }: SequenceSides): void {
  left.free();
  c.free();
}

/** Of these devices those that get columns of blocks of n, once they hold what is given. */
export async function holdOnDevices(
  devices: readonly SequenceDevice[] | undefined,
  n: number,
  ...given: Parameters<SequenceDevice['hold']>
): Promise<readonly SequenceDevice[] | undefined> {
  const busy = devices?.slice(0, n);
  await Promise.all((busy ?? []).map((device) => device.hold(...given)));
  return busy;
}

/**
 * A sequence in shares on as many other devices; when one of them fails nothing is left on the others, and those that
 * are kept keep what they have made by then.
 */
export async function startShares(devices: readonly SequenceDevice[], shares: readonly Share[]): Promise<Sequence> {
  const started = await Promise.allSettled(
    shares.map(({ task, kept, remark }, j) => devices[j].start(task, kept, remark)),
  );
  const sequences = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = started.find((each) => each.status === 'rejected');
  if (!failure) return sequences.length === 1 ? sequences[0] : new SplitSequence(sequences);
  if (shares.some(({ kept }) => kept)) await Promise.allSettled(sequences.map((sequence) => sequence.stop?.()));
  for (const sequence of sequences) sequence.free();
  throw failure.reason;
}

/** Whole lanes of four columns where there are enough: kernels on other widths load less at a time. */
const LANE = 4;

/** The tasks of `count` devices or fewer: none is without columns. */
export function sharesOf(task: SequenceTask, count: number): SequenceTask[] {
  const { n } = task.shape;
  const lane = n >= LANE * count ? LANE : 1;
  const boundOf = (j: number): number => (j === count ? n : lane * Math.floor((j * n) / (count * lane)));
  const shares = Array.from({ length: count }, (_, j) => ({ first: boundOf(j), end: boundOf(j + 1) }));
  return shares
    .filter(({ first, end }) => end > first)
    .map(({ first, end }) => ({ ...task, shape: { ...task.shape, n: end - first, share: { first, of: n } } }));
}
