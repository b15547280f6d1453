/**
 * A question answered, in the engine's thread: matrix → residues mod p → operator on an executor → algorithm → outcome.
 *
 * One set of compute threads serves all questions of an engine. Results do not depend on their number, so a question
 * takes whatever is there and asks for more only when it is large enough to gain.
 */
import { cores, mayHaveGpu } from '#platform';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { type Reduced, reduced } from '../../algorithms/elimination/reduced.js';
import { secondsLeft } from '../../algorithms/rank.js';
import { WordPrime } from '../../fields/word-prime.js';
import { CpuExecutor } from '../../kernels/cpu.js';
import type { Executor } from '../../kernels/executor.js';
import type { GpuDevice } from '../../kernels/gpu/gpu-device.js';
import { EntryError, MAX_SIZE, SparseMatrix, StructureError } from '../../kernels/sparse-matrix.js';
import type { Team } from '../../kernels/team.js';
import { compileKernels } from '../../kernels/wasm-module.js';
import { OptionError } from '../errors.js';
import type { InputMessage } from '../input.js';
import { readMatrix } from '../io/read-matrix.js';
import { OVER_Q, type Settings } from '../options.js';
import { kindOfClaim, type Report } from '../outcome.js';
import { answerBig } from './answer-big.js';
import { answerWord, runContext, type WordQuestion } from './answer-word.js';
import { certify, checkCertifiable } from './certify.js';
import { Crew } from './crew.js';
import { CPU_RATE, deviceFor, hardwareGpu, openGpu, workOf } from './device-choice.js';
import type { Caller } from './engine-worker.js';
import { checkShareable, type GpuProcesses } from './gpu-processes.js';
import { coreOf, determinantAtSight } from './idle-lines.js';
import type { Question } from './messages.js';
import { overTheRationals } from './rational.js';
import type { Answer } from './verbs.js';

export type Remote = Extract<InputMessage, { kind: 'operator' }>;

/** What an algorithm found, before it becomes an Outcome. */
export interface Found {
  readonly value: number | bigint | Uint32Array | bigint[] | null;
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  readonly errorLog2: number | null;
  readonly reason?: string | undefined;
  readonly method: string;
  /** Where the run has moved to; absent where it has stayed. */
  readonly device?: 'cpu' | 'gpu' | 'reference' | undefined;
  readonly explanation?: readonly string[];
  readonly block: readonly [number, number] | null;
  readonly seconds: Readonly<Record<string, number>>;
}

/** What ran a question beside its answer. */
interface Ran {
  readonly device: 'cpu' | 'gpu' | 'reference';
  readonly adapter: string | null;
  readonly threads: number;
}

const ONE_THREAD: Ran = { device: 'cpu', adapter: null, threads: 1 };

/** Seconds of all cores after which an elimination that is asked for looks for a GPU, for its dense end. */
const ELIMINATION_WORTH = 30;

export class Answerer {
  readonly #caller: Caller;
  readonly #crew: Crew;
  #gpu: GpuDevice | undefined;
  #processes: GpuProcesses | undefined; // for as long as one question lasts
  #left = false;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#crew = new Crew((data) => caller.recruit(data));
    // On V8's own threads, while the question's matrix is read; whoever needs the kernels hears of a failure.
    compileKernels().catch(() => undefined);
  }

  async answer(question: Question): Promise<Answer> {
    checkShareable(question.verb, question.input, question.settings);
    try {
      return await this.#answer(question);
    } finally {
      this.#processes?.end();
      this.#processes = undefined;
    }
  }

  async #answer({ verb, input, settings }: Question): Promise<Answer> {
    const start = performance.now();
    if (settings.device !== 'reference' && isWord(settings)) this.#crew.callAhead(settings.threads);
    if (settings.gpus !== null) await this.#startProcesses(settings.gpus); // while the matrix is read
    const matrix = input.kind === 'operator' ? input : await this.#matrix(input);
    const reading = (performance.now() - start) / 1000;
    if (verb !== 'rank' && matrix.rows !== matrix.cols) {
      throw new StructureError(`${verb}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
    }
    if (settings.certificate) checkCertifiable(matrix, settings);
    const found = await this.#find({ verb, matrix, settings }).catch((error: unknown) => {
      // An entry without a residue is found when the file's lines are forgotten, but the file has a name.
      if (error instanceof EntryError && 'name' in input) throw new EntryError(`${input.name}: ${error.message}`);
      throw error;
    });
    const certificate = settings.certificate ? await this.#certificate(matrix, settings, found) : null;
    const report: Report = {
      rows: matrix.rows,
      cols: matrix.cols,
      nnz: matrix instanceof SparseMatrix ? matrix.nnz : null,
      mod: settings.mod,
      lowerBound: found.lowerBound,
      upperBound: found.upperBound,
      method: found.method,
      explanation: found.explanation ?? [],
      device: found.device,
      adapter: found.adapter,
      threads: found.threads,
      block: found.block,
      seed: settings.seed,
      certificate: certificate?.text ?? null,
      ...(certificate?.reason === undefined ? {} : { certificateReason: certificate.reason }),
      seconds: { reading, ...found.seconds, ...certificate?.seconds, total: (performance.now() - start) / 1000 },
    };
    return { ...report, ...kindOfClaim(found.value, found) } as Answer;
  }

  /** Gives up the GPU for good; a question that runs on it fails. */
  leaveGpu(): void {
    this.#left = true;
    this.#gpu?.dispose();
    this.#processes?.end();
  }

  /** A process for each GPU that is asked for; the first has the one that is opened here. */
  async #startProcesses(gpus: number): Promise<void> {
    this.#gpu = await openGpu('gpu', this.#gpu, () => this.#caller.takesGpu());
    const { startGpuProcesses } = await import('#gpu-processes');
    this.#processes = startGpuProcesses(gpus, this.#gpu!);
    if (this.#left) this.leaveGpu();
  }

  async #find(question: WordQuestion): Promise<Found & Ran> {
    const { verb, matrix, settings } = question;
    const word = isWord(settings);
    if (!(matrix instanceof SparseMatrix)) {
      if (settings.mod === OVER_Q) throw new OptionError('mod 0: expected a matrix, got an operator mod one prime');
      if (!word) throw new OptionError(`an operator is served for primes below 2^31, not ${settings.mod}`);
      return this.#findWord(question);
    }
    if (settings.mod === OVER_Q) {
      return overTheRationals(matrix, settings, (inner) => this.#find({ verb, matrix, settings: inner }));
    }
    const known = verb === 'det' ? determinantAtSight(matrix) : null;
    if (known !== null) return { ...known, ...ONE_THREAD };
    const core = coreOf(verb, matrix);
    if (!word) {
      return { ...core.complete(answerBig(verb, core.matrix, settings.mod)), ...ONE_THREAD, device: 'reference' };
    }
    const { device, adapter, threads, ...found } = await this.#findWord({ ...question, matrix: core.matrix });
    return { ...core.complete(found), device, adapter, threads };
  }

  async #findWord(question: WordQuestion): Promise<Found & Ran> {
    // Pivots first: what they leave says whether a second thread has enough to do.
    const known = pivotsOf(question, () => this.#caller.progress({ phase: 'pivots', done: 0, total: 1 }));
    const left = known && secondsLeft(WordPrime.of(Number(question.settings.mod)), known);
    // Where there are pivots a GPU is looked for when random vectors have not said the rank (algorithms/rank.ts).
    const { device, method } = question.settings;
    const later = known !== undefined && method === 'auto' && device === 'auto' && mayHaveGpu();
    const long = method === 'elimination' && (left as number) > ELIMINATION_WORTH * cores();
    const settings = known === undefined || long ? question.settings : onCpu(question.settings);
    const sequenceDevices = this.#processes?.devices;
    const work = async (context: RunContext, ran: Ran): Promise<Found & Ran> => {
      let moved: RunContext | null = null;
      const onGpu = async (): Promise<RunContext | null> => {
        moved ??= await this.#movedToGpu(context, settings);
        return moved;
      };
      try {
        const here = { ...context, sequenceDevices, onGpu: later ? onGpu : undefined };
        const found = await answerWord(question, here, this.#caller, known);
        const there: Partial<Ran> = found.device === 'gpu' ? { device: 'gpu', adapter: this.#gpu!.name } : {};
        return { ...found, ...ran, ...there };
      } finally {
        (moved as RunContext | null)?.executor.dispose();
      }
    };
    return this.#running(question.matrix, settings, work, left);
  }

  /** The same run on a GPU, if there is one that is no software. */
  async #movedToGpu({ executor, team }: RunContext, settings: Settings): Promise<RunContext | null> {
    const gpu = await hardwareGpu(this.#gpu, () => this.#caller.takesGpu());
    if (gpu === undefined) return null;
    this.#gpu = gpu;
    if (this.#left) this.leaveGpu();
    const { GpuExecutor } = await import('../../kernels/gpu.js');
    return runContext(new GpuExecutor(executor.field, gpu), team, settings, this.#caller);
  }

  async #certificate(matrix: SparseMatrix | Remote, settings: Settings, { value, upperBound }: Found) {
    checkCertifiable(matrix, settings);
    // A run that was content with a lower bound says nothing of an upper one.
    const bounds = settings.atLeast !== null && upperBound === null ? 'lower' : 'both';
    const start = performance.now();
    // Where the rank came from: the CPU, unless another device was asked for by name.
    const device = settings.device === 'auto' ? 'cpu' : settings.device;
    const { matrix: used } = coreOf('rank', matrix); // whose size says what runs it
    const made = await this.#running(used, { ...settings, device }, (context) =>
      certify(context, matrix, Number(value), bounds, settings.maxMemory ?? undefined),
    );
    const { text = null, reason } = made as { text?: string; reason?: string };
    return { text, reason, seconds: { certificate: (performance.now() - start) / 1000 } };
  }

  /** What `work` makes of an executor for the matrix, and of the threads beside it. */
  async #running<T>(
    matrix: SparseMatrix | Remote,
    settings: Settings,
    work: (context: RunContext, ran: Ran) => Promise<T>,
    seconds = secondsOf(matrix),
  ): Promise<T> {
    // Order bases are found by threads whatever the vectors are on.
    const team =
      settings.device === 'reference'
        ? undefined
        : await this.#crew.team(settings.threads, seconds, this.#processes?.devices.length);
    const executor = await this.#executor(matrix, settings, team);
    const adapter = executor.name === 'gpu' ? (this.#processes?.adapter ?? this.#gpu?.name ?? null) : null;
    try {
      const context = runContext(executor, team, settings, this.#caller);
      return await work(context, { device: executor.name, adapter, threads: team?.threads ?? 1 });
    } finally {
      executor.dispose();
    }
  }

  async #matrix(input: Exclude<InputMessage, Remote>): Promise<SparseMatrix> {
    if (input.kind === 'parts') return SparseMatrix.fromParts(input.parts);
    if (input.kind === 'triplets') return SparseMatrix.fromTriplets(input.rows, input.cols, input.arrays);
    if (input.kind === 'bytes') return readMatrix(input.source, { name: input.name });
    return readMatrix(this.#caller.chunks(), { name: input.name });
  }

  /** On the GPU, on the team, or, without one, the reference executor. */
  async #executor(matrix: SparseMatrix | Remote, settings: Settings, team: Team | undefined): Promise<Executor> {
    const field = WordPrime.of(Number(settings.mod));
    if (!team) {
      const { ReferenceExecutor } = await import('../../kernels/reference.js');
      return new ReferenceExecutor(field);
    }
    const gpu = await deviceFor(matrix, settings.device, this.#gpu, () => this.#caller.takesGpu());
    if (gpu === undefined) return new CpuExecutor(field, team);
    this.#gpu = gpu;
    if (this.#left) this.leaveGpu();
    const { GpuExecutor } = await import('../../kernels/gpu.js');
    return new GpuExecutor(field, gpu);
  }
}

/** The matrix of a rank question with its structural pivots, where a method is left that begins with them. */
function pivotsOf({ verb, matrix, settings }: WordQuestion, onStart: () => void): Reduced | undefined {
  const { mod, method, block, formula } = settings;
  const begins = method !== 'wiedemann' && (method !== 'auto' || block === null);
  if (verb !== 'rank' || !(matrix instanceof SparseMatrix) || !begins || formula !== 'shifted') return undefined;
  onStart();
  return reduced(WordPrime.of(Number(mod)), matrix.residues(Number(mod)));
}

/** Where pivots are known a GPU comes later, if at all. */
function onCpu(settings: Settings): Settings {
  return settings.device === 'auto' ? { ...settings, device: 'cpu' } : settings;
}

/** Whether threads are of use: beyond a word there is none but the reference. */
function isWord({ mod }: Settings): boolean {
  return mod <= BigInt(MAX_SIZE);
}

/** Of a run without pivots, on one thread. */
function secondsOf(matrix: SparseMatrix | Remote): number {
  return workOf(matrix) / CPU_RATE;
}
