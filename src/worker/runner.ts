/**
 * The devices of a question: threads, GPUs, and executors on them.
 *
 * One set of compute threads serves all questions of an engine. Results do not depend on their number, so a question
 * takes the threads there are, and starts more only when it is large enough to gain.
 */
import { cores } from '#platform';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import type { Presolved } from '../../algorithms/presolve/presolve.js';
import { WordPrime } from '../../fields/word-prime.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { Executor } from '../../kernels/executor.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import { loadEncoder } from '../../kernels/jit/encoder.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { compileKernels } from '../../kernels/threads/wasm-module.js';
import type { GpuProcesses } from '../gpus/processes.js';
import { OVER_Q, type Settings } from '../questions/options.js';
import type { PlanData } from '../questions/plan.js';
import type { StageData } from '../questions/stage.js';
import type { TunedData } from '../questions/tuned.js';
import type { Verb } from '../questions/verbs.js';
import type { Caller } from './caller.js';
import { deviceFor, deviceWorth, hardwareGpu, openGpu, type Sizes, secondsOf } from './devices.js';
import { coreOf } from './drop-empty.js';
import { EngineGpu } from './engine-gpu.js';
import type { Found, Hardware, Remote } from './found.js';
import { isSoftware, isWeighed, onCpu, weighAtStart } from './gpu-by-cost.js';
import { loadRareQuestions, type RareQuestions } from './load-modules.js';
import { planShares } from './row-shares.js';
import { ThreadPool } from './thread-pool.js';
import { isOfProducts, TunedChoices } from './tuned-choices.js';
import { answerWord, runContext, type WordQuestion } from './word.js';

/** Seconds of all cores after which an elimination that is asked for looks for a GPU, for its dense end. */
const ELIMINATION_WORTH = 30;

export class Runner {
  readonly #caller: Caller;
  readonly pool: ThreadPool;
  readonly #gpu: EngineGpu;
  #processes: GpuProcesses | undefined; // for as long as one question lasts

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#gpu = new EngineGpu(caller);
    this.pool = new ThreadPool((data) => caller.startThread(data));
    // Compilation runs on V8's own threads while the matrix is read. The first use of the kernels throws its failure.
    compileKernels().catch(() => undefined);
  }

  /** What a question wishes before its matrix is there: threads, GPUs. */
  async callAhead(verb: Verb, settings: Settings, isWord: boolean): Promise<void> {
    const { device, threads, gpus } = settings;
    if (device !== 'reference' && isWord) this.pool.callAhead(threads);
    if (device === 'gpu' && isWeighed(verb, settings)) this.#gpu.seek();
    if (gpus !== null) await this.#startProcesses(gpus, settings);
  }

  /** A process for each GPU that is asked for; the first has the one that is opened here. */
  async #startProcesses(gpus: number, settings: Settings): Promise<void> {
    const { maxGpuMemory, threads, checkpoint } = settings;
    const own = await this.#gpu.take(settings, (...open) => openGpu('gpu', ...open));
    const { startGpuProcesses } = await import('#gpu-processes');
    const stops = async (): Promise<boolean> => (await this.#caller.call({ what: 'stop' })) !== null;
    const limits = { maxBytes: maxGpuMemory, threads, stops: checkpoint && stops };
    this.#processes = startGpuProcesses(gpus, own!, limits);
  }

  /** Resolves when none of them is left, or with a line about each that does not end. */
  async endProcesses(): Promise<readonly string[]> {
    const processes = this.#processes;
    this.#processes = undefined;
    return (await processes?.end()) ?? [];
  }

  /** Gives up the GPU for good; a question that runs on it fails. Resolves when nothing of the GPU is under way. */
  async leaveGpu(): Promise<void> {
    void this.#processes?.end();
    await this.#gpu.leave();
  }

  /**
   * `presolved`: the matrix with its pivots, where a method is left that begins with them; `left`: seconds of the rest.
   */
  async find(
    question: WordQuestion,
    presolved: Presolved | undefined,
    left: number | undefined,
  ): Promise<Found & Hardware> {
    // Where there are pivots a GPU is looked for when random vectors have not said the rank (algorithms/rank.ts).
    const { device, method } = question.settings;
    const isChosen = presolved !== undefined && isWeighed(question.verb, question.settings);
    const isAsked = isChosen && device === 'gpu';
    if (isAsked) this.#gpu.seek();
    const later = isChosen && !(isAsked && (await isSoftware(this.#gpu)));
    const long = method === 'elimination' && (left as number) > ELIMINATION_WORTH * cores();
    const processes = this.#processes;
    const shares = processes && planShares(question, processes.devices);
    // Of rows the GPUs have the matrix, the threads the vectors.
    const settings =
      shares?.rowSplit === undefined
        ? presolved === undefined || long
          ? question.settings
          : onCpu(question.settings, later)
        : { ...question.settings, device: 'cpu' as const };
    const sequenceDevices = shares?.rowSplit === undefined ? processes?.devices : undefined;
    const tuned = settings.tuning && processes === undefined ? new TunedChoices(settings, this.#caller) : null;
    const work = async (context: RunContext, hardware: Hardware): Promise<Found & Hardware> => {
      let moved: RunContext | null = null;
      const onGpu = async (): Promise<RunContext | null> => {
        moved ??= await this.#moveToGpu(context, settings, isAsked);
        return moved && { ...moved, ...tuned?.on({ device: 'gpu', adapter: this.#gpu.name! }) };
      };
      try {
        const choices = hardware.device === 'reference' ? {} : tuned?.on(hardware);
        const { checkpoint, parts, pivots } = question.kept ?? {};
        const devices = { sequenceDevices, rowSplit: shares?.rowSplit, checkpoint, parts, pivots };
        const weighed = later && isAsked ? weighAtStart(question, presolved!, context) : null;
        const first = weighed?.pays ? await onGpu() : null;
        const own = first ?? { ...context, ...choices, onGpu: later ? onGpu : undefined };
        const found = await answerWord(question, { ...own, ...devices }, this.#caller, presolved);
        // An answer by threads is given where there is a GPU.
        const sought = later && isAsked && moved === null ? await this.#gpu.sought() : null;
        const adapter = shares?.rowSplit && processes ? processes.adapter : this.#gpu.name;
        const isThere = found.device === 'gpu' || first !== null || shares?.rowSplit !== undefined;
        const there: Partial<Hardware> = isThere ? { device: 'gpu', adapter: adapter! } : {};
        const explanation = [
          ...(weighed ? [weighed.reason] : []),
          ...(sought ? [`a GPU was found in ${sought.seconds.toFixed(2)} s beside the run, and not opened`] : []),
          ...this.#gpu.tellOpening(),
          ...(found.explanation ?? []),
          ...(shares?.explanation(found.method) ?? []),
          ...(tuned?.explanation ?? []),
        ];
        return { ...found, explanation, ...hardware, ...there };
      } finally {
        (moved as RunContext | null)?.executor.dispose();
      }
    };
    const most =
      settings.threads === null && isOfProducts(question) ? await tuned?.threads(question.matrix) : undefined;
    return this.#runOn(question.matrix, settings, work, left, most);
  }

  /** The same run on a GPU: one that is no software, or, where that `isAsked` for, whatever there is. */
  async #moveToGpu({ executor, team }: RunContext, settings: Settings, isAsked: boolean): Promise<RunContext | null> {
    const gpu = await this.#gpu.take(settings, isAsked ? (...open) => openGpu('gpu', ...open) : hardwareGpu);
    if (gpu === undefined) return null;
    const { GpuExecutor } = await import('../../kernels/executors/gpu.js');
    return runContext(new GpuExecutor(executor.field, gpu, false, team), team, settings, this.#caller);
  }

  /** Threads for a matrix, whatever the modulus. */
  team(matrix: SparseMatrix | Remote, { threads }: Settings): Promise<Team> {
    return this.pool.team(threads, secondsOf(matrix), this.#processes?.devices.length);
  }

  /** A GPU for work that one thread would take `seconds` for, where it should be one. */
  gpu(settings: Settings, seconds: number): Promise<GpuDevice | undefined> {
    return this.#gpu.take(settings, (...open) => deviceWorth(seconds, settings.device, ...open));
  }

  /** The result of `work` about several matrices, on the device that is asked for. */
  async together<T>(settings: Settings, work: (context: RunContext, hardware: Hardware) => Promise<T>): Promise<T> {
    return this.#runOn({ kind: 'operator', rows: 0, cols: 0, transposes: false }, settings, work);
  }

  /** The result of `work` about a matrix of these sizes that it has by itself, on the threads. */
  async onThreads(
    { rows, cols }: Pick<Remote, 'rows' | 'cols'>,
    settings: Settings,
    work: (context: RunContext) => Promise<Found>,
  ): Promise<Found & Hardware> {
    const device = settings.device === 'reference' ? 'reference' : 'cpu';
    const size: Remote = { kind: 'operator', rows, cols, transposes: false };
    return this.#runOn(size, { ...settings, device }, async (context, hardware) => {
      return { ...(await work(context)), ...hardware };
    });
  }

  /** A stage of a kept run in parts, of a matrix that took `reading` seconds to read. */
  async stage(matrix: SparseMatrix | Remote, settings: Settings, reading: number): Promise<StageData> {
    const { answerStage } = await loadRareQuestions(this.#caller);
    return answerStage(matrix, settings, this.#caller, (own, work) => this.#runOn(matrix, own, work), reading);
  }

  /** The products of the matrix, timed. */
  async tune(matrix: SparseMatrix, settings: Settings): Promise<TunedData> {
    const { tuneMatrix } = await loadRareQuestions(this.#caller);
    return tuneMatrix(matrix, settings, this.#caller, (own, work) => this.#runOn(matrix, own, work, Infinity));
  }

  async plan(matrix: SparseMatrix, settings: Settings, reading: number): Promise<PlanData> {
    const { planMatrix } = await loadRareQuestions(this.#caller);
    return planMatrix(matrix, settings, this.#caller, (size, work) => this.#runOn(size, settings, work), reading);
  }

  /** Independent lines of the matrix; what elimination says of the rank on the way to them is certain. */
  async pivots(matrix: SparseMatrix, settings: Settings, first: Found) {
    const { value, prime } = first;
    const { findPivots, findPivotsBig } = await loadRareQuestions(this.#caller);
    const start = performance.now();
    const rank = Number(value);
    const mod = prime === undefined ? settings.mod : BigInt(prime);
    const device = settings.device === 'reference' ? 'reference' : 'cpu';
    const { matrix: used } = coreOf('rank', matrix);
    const { lines, reason } =
      mod > BigInt(MAX_SIZE)
        ? findPivotsBig(matrix, mod, settings.maxMemory)
        : await this.#runOn(used, { ...settings, mod, device }, (context) =>
            findPivots(context, matrix, rank, settings.maxMemory ?? undefined),
          );
    const seconds = { independentLines: (performance.now() - start) / 1000 };
    const size = lines?.rows.length ?? rank;
    if (lines?.exact && settings.mod !== OVER_Q) {
      const claim = { value: size, lowerBound: size, upperBound: size, errorLog2: Number.NEGATIVE_INFINITY };
      return { lines, seconds, claim: { ...claim, reason: undefined } };
    }
    // Lines beyond the bound that ended the run: their number is the bound.
    if (size > rank) {
      const reason = first.reason ?? 'independent rows and columns show more than the run that came before';
      return { lines, seconds, claim: { value: size, lowerBound: size, upperBound: null, errorLog2: null, reason } };
    }
    if (size === rank) return { lines, reason, seconds, claim: {} };
    return { lines: null, reason: `pivots: elimination finds rank ${size}, not ${rank}`, seconds, claim: {} };
  }

  /** A certificate of the rank that was found, or why there is none. */
  async certificate(matrix: SparseMatrix | Remote, settings: Settings, { value, upperBound }: Found) {
    const certifying: RareQuestions = await loadRareQuestions(this.#caller);
    certifying.checkCertifiable(matrix, settings);
    // A run that ends with a lower bound has no upper one.
    const bounds = settings.atLeast !== null && upperBound === null ? 'lower' : 'both';
    const start = performance.now();
    // Where the rank came from: the CPU, unless another device was asked for by name.
    const device = settings.device === 'auto' ? 'cpu' : settings.device;
    const { matrix: used } = coreOf('rank', matrix); // whose size says what runs it
    const made = await this.#runOn(used, { ...settings, device }, (context) =>
      certifying.certify(context, matrix, Number(value), bounds, settings.maxMemory ?? undefined),
    );
    const { text = null, reason } = made as { text?: string; reason?: string };
    return { text, reason, seconds: { certificate: (performance.now() - start) / 1000 } };
  }

  /** The result of `work` on an executor for the matrix, and on the threads beside it. */
  async #runOn<T>(
    matrix: SparseMatrix | Remote | Sizes,
    settings: Settings,
    work: (context: RunContext, hardware: Hardware) => Promise<T>,
    seconds = secondsOf(matrix),
    mostThreads?: number,
  ): Promise<T> {
    // Threads find order bases, whatever device has the vectors.
    const team =
      settings.device === 'reference'
        ? undefined
        : await this.pool.team(settings.threads, seconds, this.#processes?.devices.length, mostThreads);
    const executor = await this.#executor(matrix, settings, team);
    const adapter = executor.name === 'gpu' ? (this.#processes?.adapter ?? this.#gpu.name ?? null) : null;
    try {
      const context = runContext(executor, team, settings, this.#caller);
      return await work(context, { device: executor.name, adapter, threads: team?.threads ?? 1 });
    } finally {
      executor.dispose();
    }
  }

  /** On the GPU, on the team, or, without one, the reference executor. */
  async #executor(
    matrix: SparseMatrix | Remote | Sizes,
    settings: Settings,
    team: Team | undefined,
  ): Promise<Executor> {
    const field = WordPrime.of(Number(settings.mod));
    if (!team) return new ReferenceExecutor(field);
    const gpu = await this.#gpu.take(settings, (...open) => deviceFor(matrix, settings.device, ...open));
    if (gpu === undefined) {
      if (settings.storage === 'jit') await loadEncoder();
      return new CpuExecutor(field, team);
    }
    const { GpuExecutor } = await import('../../kernels/executors/gpu.js');
    return new GpuExecutor(field, gpu, false, team);
  }
}
