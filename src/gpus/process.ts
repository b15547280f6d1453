/**
 * The work of a process with a GPU of its own: it holds one matrix, or its Schur complement, and finds its share of
 * the columns of one sequence ahead of time; or it holds some rows of a matrix, and multiplies by them.
 *
 *   engine → process : sizes of a matrix and of pivots, whose arrays follow as bytes; a task, how far the sequence is
 *                      to go, its end, now or at a checkpoint; a block
 *   process → engine : its GPU, that the sequence has begun, blocks as they come; a product; why there is nothing more
 *
 * A sequence goes as far as its task says at once, and its blocks are sent as they are made, whether the engine waits
 * for them or is busy with those before: what the engine has not read yet is kept here. Its end takes effect at the
 * next step.
 */
import { cores } from '#platform';
import type { KnownInterval } from '../../algorithms/block-wiedemann/block-digests.js';
import { LostSequenceError } from '../../algorithms/block-wiedemann/check-errors.js';
import { inPanels } from '../../algorithms/block-wiedemann/column-panels.js';
import { SequenceKeeper } from '../../algorithms/block-wiedemann/kept-sequence.js';
import type { KrylovSequence } from '../../algorithms/block-wiedemann/krylov.js';
import {
  freeSides,
  type KeptShare,
  type SchurParts,
  type SequenceSides,
  type SequenceTask,
  startSequence,
} from '../../algorithms/block-wiedemann/krylov-columns.js';
import { tallOperator } from '../../algorithms/block-wiedemann/rank.js';
import { WorkingField } from '../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { SchurComplement } from '../../algorithms/schur/schur-complement.js';
import { WordPrime } from '../../fields/word-prime.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import type { Operator } from '../../kernels/executor.js';
import { ExecutorRows } from '../../kernels/executors/executor-rows.js';
import { GpuExecutor } from '../../kernels/executors/gpu.js';
import { GpuDevice } from '../../kernels/gpu/device.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { Team } from '../../kernels/threads/team.js';
import { RunFolder } from '../io/run-folder.js';
import { type ErrorMessage, errorToMessage } from '../questions/error-transport.js';
import { matrixFrom, type PouredSizes } from './poured-matrix.js';
import { PIECE } from './processes.js';

/** The whole of it for a sequence, or some rows for products of residues or of bits. */
export type MatrixUse = 'sequence' | 'rows' | 'bits';

export type ToGpuProcess =
  /** Its arrays follow beside the messages, as bytes. */
  | (PouredSizes & {
      readonly kind: 'matrix';
      readonly p: number;
      readonly use: MatrixUse;
      readonly maxBytes: number | null; // of the GPU's memory
    })
  | { readonly kind: 'multiply'; readonly transposed: boolean; readonly x: Uint32Array; readonly width: number }
  | { readonly kind: 'start'; readonly task: SequenceTask; readonly kept?: KeptShare | undefined }
  | { readonly kind: 'extend'; readonly count: number; readonly moments: number }
  | { readonly kind: 'stop' } // keeps what is made, and makes no more
  | { readonly kind: 'probe' } // is answered at once
  | { readonly kind: 'free' };

export type FromGpuProcess =
  | { readonly kind: 'ready'; readonly name: string; readonly software: boolean; readonly bus: string | null }
  | { readonly kind: 'kept' } // the matrix is on the GPU
  | { readonly kind: 'product'; readonly y: Uint32Array }
  | { readonly kind: 'remark'; readonly line: string } // what is damaged of the share that is kept
  | { readonly kind: 'started' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'alive' }
  /** Whole blocks of S, and of T, that follow those sent before. */
  | {
      readonly kind: 'blocks';
      readonly s: Uint32Array;
      readonly t: Uint32Array;
      readonly adjoint: boolean | null;
      readonly seconds: number; // in which this sequence has been made so far
      /** `known` : of the intervals that end with these blocks. */
      readonly checks: {
        readonly passed: number;
        readonly failed: number;
        readonly known: readonly KnownInterval[];
      };
    }
  | { readonly kind: 'failure'; readonly error: ErrorMessage };

/** Resolves when the message is on its way. */
type Post = (message: FromGpuProcess) => Promise<void>;

/** Fills an array with the bytes that follow, and waits for them: nothing else can be done without its matrix. */
type Read = (bytes: Uint8Array) => void;

/**
 * `piece` : words of blocks in a message, or one block where that is more. `team` : the threads that bring a matrix of
 * so many entries into the GPU's storage.
 */
export async function serveGpu(
  post: Post,
  listen: (listener: (message: ToGpuProcess) => void) => void,
  read: Read,
  { piece = PIECE, team = (nnz: number) => teamFor(nnz) } = {},
): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let share: GpuShare | undefined;
  listen((message) => {
    if (message.kind === 'probe') {
      post({ kind: 'alive' }).catch(() => undefined); // nobody listens any more
      return;
    }
    if (message.kind === 'free') share?.halt();
    if (message.kind === 'stop') share?.callOff();
    // Messages in their order; a failure ends the process.
    last = last
      .then(() => share!.take(message))
      .catch((error: unknown) => post({ kind: 'failure', error: errorToMessage(error) }));
  });
  last = GpuDevice.open().then(async (gpu) => {
    share = new GpuShare(gpu, post, read, piece, team);
    const { name, software, bus } = gpu;
    await post({ kind: 'ready', name, software, bus });
  });
  await last.catch((error: unknown) => post({ kind: 'failure', error: errorToMessage(error) }));
}

/** Entries from which threads are worth their start, and of the host's cores these; others have processes too. */
const LARGE = 2 ** 22;
const MOST_SETUP = 8;

/** At most so many threads; none where they cannot be started, since this one can do what they do. */
export async function teamFor(nnz: number, most = Number.POSITIVE_INFINITY): Promise<Team | undefined> {
  const threads = Math.min(most, MOST_SETUP, Math.floor(cores() / 4));
  return nnz >= LARGE && threads > 1 ? Team.create(threads).catch(() => undefined) : undefined;
}

const HALTED = new Error('the sequence was ended');

function asDeviceError(error: unknown): never {
  throw error instanceof LostSequenceError ? new DeviceError(`device gpu: ${error.message}`) : error;
}

interface Held {
  readonly executor: GpuExecutor;
  readonly operator?: Operator;
  readonly longest?: number; // elements of a vector that a product takes
  readonly rows?: ExecutorRows;
}

/** The state of such a process. */
class GpuShare {
  readonly #gpu: GpuDevice;
  readonly #post: Post;
  readonly #read: Read;
  readonly #piece: number;
  readonly #teamFor: (nnz: number) => Promise<Team | undefined>;
  #team: Team | undefined;
  #held: Held | undefined;
  #sequence: (SequenceSides & { readonly krylov: KrylovSequence }) | undefined;
  #checkpoint: Checkpoint | undefined; // where the sequence is kept
  #ends = 0; // of sequences that are still to be freed
  #isCalledOff = false;

  constructor(gpu: GpuDevice, post: Post, read: Read, piece: number, team: (nnz: number) => Promise<Team | undefined>) {
    this.#gpu = gpu;
    this.#post = post;
    this.#read = read;
    this.#piece = piece;
    this.#teamFor = team;
  }

  /** The sequence under way ends at its next checkpoint, which is made now. */
  callOff(): void {
    this.#isCalledOff = true;
  }

  /** The sequence under way ends without further steps. */
  halt(): void {
    this.#ends++;
  }

  async take(message: Exclude<ToGpuProcess, { kind: 'probe' }>): Promise<void> {
    if (message.kind === 'matrix') await this.#hold(message);
    else if (message.kind === 'multiply') await this.#multiply(message);
    else if (message.kind === 'start') await this.#start(message.task, message.kept);
    else if (message.kind === 'stop') await this.#stop();
    else if (message.kind === 'extend') await this.#extend(message.count, message.moments);
    else this.#free();
  }

  async #hold(sizes: Extract<ToGpuProcess, { kind: 'matrix' }>): Promise<void> {
    const { p, nnz, use } = sizes;
    this.#held?.rows?.free();
    this.#held?.executor.dispose();
    this.#gpu.memory.maxBytes = sizes.maxBytes ?? Number.POSITIVE_INFINITY;
    const { matrix, schur } = matrixFrom(this.#read, sizes);
    this.#team ??= await this.#teamFor(nnz);
    const executor = new GpuExecutor(WordPrime.of(p), this.#gpu, false, this.#team);
    if (use === 'sequence') {
      const operator = schur === null ? executor.operator(matrix) : schurComplement(executor, matrix, schur);
      this.#held = { executor, operator, longest: Math.max(matrix.rows, matrix.cols) };
    } else {
      const rows = new ExecutorRows(executor);
      await rows.holdRows(matrix, executor.field, use === 'bits');
      this.#held = { executor, rows };
    }
    await this.#post({ kind: 'kept' });
  }

  async #multiply({ transposed, x, width }: Extract<ToGpuProcess, { kind: 'multiply' }>): Promise<void> {
    await this.#post({ kind: 'product', y: await this.#held!.rows!.multiply(transposed, x, width) });
  }

  async #start(task: SequenceTask, kept: KeptShare | undefined): Promise<void> {
    const { executor, operator, longest } = this.#held!;
    const working = new WorkingField(executor, task.draw ?? 'block');
    const { panels } = inPanels(executor, longest!, working.k, task.shape.n);
    const a = tallOperator(panels?.adopt(operator!) ?? operator!);
    this.#isCalledOff = false; // as the sequence before was
    this.#checkpoint = undefined;
    const keeper = kept && (await this.#keeperOf(kept));
    this.#sequence = await startSequence(panels ?? executor, a, working, task, keeper).catch(asDeviceError);
    await this.#post({ kind: 'started' });
    await this.#extend(task.length, task.moments, true);
  }

  async #keeperOf({ directory, run, interval, name }: KeptShare): Promise<SequenceKeeper> {
    const stops = async (): Promise<boolean> => this.#isCalledOff;
    const remark = (line: string): void => void this.#post({ kind: 'remark', line });
    this.#checkpoint = new Checkpoint(await RunFolder.open(directory), run, { interval, stops, remark });
    return new SequenceKeeper(this.#checkpoint, name);
  }

  async #stop(): Promise<void> {
    await this.#sequence?.krylov.keep();
    await this.#post({ kind: 'stopped' });
  }

  /** `isNew`: nothing has been sent, also of what was kept. */
  async #extend(count: number, moments: number, isNew = false): Promise<void> {
    const { krylov } = this.#sequence!;
    let [sent, tSent] = isNew ? [0, 0] : [krylov.s.count, krylov.t.count];
    let known = isNew ? 0 : sent; // blocks whose digests have been sent
    const check = (): void => {
      if (this.#ends > 0) throw HALTED;
    };
    /** The next blocks, whole ones, of those that are made. */
    const post = (): Promise<void> => {
      const { s, t, adjoint, seconds } = krylov;
      const count = Math.max(1, Math.floor(this.#piece / (s.size + t.size)));
      const [end, tEnd] = [Math.min(s.count, sent + count), Math.min(t.count, tSent + count)];
      const own = { s: s.copy(sent, end), t: t.copy(tSent, tEnd) };
      [sent, tSent] = [end, tEnd];
      const { passed = 0, failed = 0, digests } = krylov.check ?? {};
      const ending = digests?.within(known, t.size > 0 ? Math.min(sent, tSent) : sent) ?? [];
      for (const { first, count } of ending) known = first + count;
      const checks = { passed, failed, known: ending };
      return this.#post({ kind: 'blocks', ...own, adjoint, seconds, checks });
    };
    const isBehind = (): boolean => krylov.s.count > sent || krylov.t.count > tSent;
    while (this.#ends === 0 && isBehind()) await post(); // what was kept: one after another, since it is long
    const step = (): void => {
      while (isBehind()) void post();
    };
    try {
      await krylov.extend(count, moments, check, step);
      await this.#checkpoint?.settle();
    } catch (error) {
      if (error !== HALTED && !(error instanceof StoppedError)) asDeviceError(error);
    } finally {
      await this.#checkpoint?.writing;
    }
  }

  #free(): void {
    this.#ends--;
    if (!this.#sequence) return;
    this.#sequence.krylov.free();
    freeSides(this.#sequence);
    this.#sequence = undefined;
  }
}

/** With its products that a sequence is made of, in the direction in which it is tall. */
function schurComplement(executor: GpuExecutor, matrix: ResidueMatrix, { at, pivots }: SchurParts): SchurComplement {
  const s = new SchurComplement(executor, matrix, at, pivots);
  s.direction(s.rows < s.cols);
  return s;
}
