/**
 * A question answered, in the engine's thread: matrix → residues mod p → operator on an executor → algorithm → outcome.
 *
 * The first use loads the parts that many small matrices do without: executors, their kernels and the algorithms on
 * them (usual-questions.ts), integers beyond a word, certificates.
 */
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { cheapest } from '../../algorithms/estimates.js';
import { costsLeft, estimatesOver } from '../../algorithms/methods/costs.js';
import { bigBytes } from '../../algorithms/methods/memory-estimate.js';
import { KnownPivots } from '../../algorithms/presolve/known-pivots.js';
import { rankOfPivots } from '../../algorithms/presolve/pivots-alone.js';
import { type Presolved, presolve } from '../../algorithms/presolve/presolve.js';
import { WordPrime } from '../../fields/word-prime.js';
import { MAX_SIZE, StructureError } from '../../kernels/errors/structure-error.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { SparseMatrix, type SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { EngineError, OptionError } from '../errors.js';
import { checkShareable } from '../gpus/processes.js';
import type { EntrySink } from '../io/entry-list.js';
import type { StartReaders } from '../io/line-pieces.js';
import { BRIEF_ENTRIES, BRIEF_SECONDS, LongError, secondsOfBig, secondsOfSequence } from '../questions/brief.js';
import type { Question } from '../questions/messages.js';
import { OVER_Q, type Settings } from '../questions/options.js';
import { type AnyOutcomeData, isAboutVectors } from '../questions/verbs.js';
import type { Caller } from './caller.js';
import { coreOf, determinantAtSight } from './drop-empty.js';
import type { Found, Hardware, KeptFactors, Remote } from './found.js';
import { loadIntegerQuestions, loadRareQuestions, type RareQuestions } from './load-modules.js';
import { named } from './named-input.js';
import { checkOperator } from './operator-options.js';
import { outcomeOf } from './outcome-of.js';
import { type MatrixMessage, type ReadSettings, readInput } from './read-input.js';
import { checkVectors, denseRightSides } from './right-sides.js';
import { besideMatrix, checkHeapRoom } from './room.js';
import type { Runner } from './runner.js';
import type { WordQuestion } from './word.js';

const ONE_THREAD: Hardware = { device: 'cpu', adapter: null, threads: 1 };

export class Answerer {
  readonly #caller: Caller;
  readonly #isBrief: boolean;
  readonly #startReaders: StartReaders | undefined;
  #runner: Promise<Runner> | undefined; // once something needs it
  readonly #kept = new Map<number, KeptFactors>();

  /** `isBrief`: throws LongError where an answer would take long (brief.ts). */
  constructor(caller: Caller, isBrief = false, startReaders?: StartReaders) {
    this.#caller = caller;
    this.#isBrief = isBrief;
    this.#startReaders = startReaders;
    // The first use of the runner throws a failure of its loading.
    if (!isBrief) this.#load().catch(() => undefined);
  }

  #load(): Promise<Runner> {
    // The kernel that reads long files is loaded too, while nobody ends this thread.
    const modules = () => Promise.all([import('./usual-questions.js'), import('../../kernels/sparse/scan-triples.js')]);
    this.#runner ??= this.#caller.loading(modules).then(([{ Runner }]) => new Runner(this.#caller));
    return this.#runner;
  }

  async answer(question: Question): Promise<AnyOutcomeData> {
    const { verb, input, settings } = question;
    checkShareable(verb, input, settings);
    try {
      return await (input.kind === 'factors'
        ? this.#answerKept(question, input.number)
        : this.#answer(question, input));
    } finally {
      void (await this.#runner)?.endProcesses();
    }
  }

  async #answer(question: Question, input: MatrixMessage): Promise<AnyOutcomeData> {
    const start = performance.now();
    const { verb, settings: asked } = question;
    const runner = this.#isBrief ? null : await this.#load();
    await runner?.callAhead(verb, asked, isWord(asked)); // while the matrix is read
    if (asked.scratch !== null) return this.#answerWithScratch(question, input, start);
    const matrix = await this.read(input, asked);
    return this.answerAbout(matrix, { ...question, input }, since(start));
  }

  /** In memory, or, where that has no room, by pieces on the disk. */
  async #answerWithScratch(question: Question, input: MatrixMessage, start: number): Promise<AnyOutcomeData> {
    this.#checkBrief(false);
    const { answerWithScratch } = await this.#caller.loading(() => import('#in-pieces'));
    const read = (spill: EntrySink) => this.read(input, question.settings, spill);
    const answer = (matrix: SparseMatrix) => this.answerAbout(matrix, { ...question, input }, since(start));
    const runner = await this.#load();
    return named(input, answerWithScratch(question.settings, runner, this.#caller, read, answer, start));
  }

  /** The answer about a matrix that took `reading` seconds to read. */
  async answerAbout(
    matrix: SparseMatrix | Remote,
    { verb, input, right, settings: asked }: Pick<Question, 'verb' | 'input' | 'right' | 'settings'>,
    reading: number,
    known?: KnownPivots,
  ): Promise<AnyOutcomeData> {
    const start = performance.now() - 1000 * reading;
    const isAboutLines = isAboutVectors(verb) && matrix instanceof SparseMatrix;
    const lines = isAboutLines ? matrix.rows + matrix.cols : 0;
    this.#checkBrief(matrix instanceof SparseMatrix && lines + matrix.nnz <= BRIEF_ENTRIES);
    if ((verb === 'minpoly' || verb === 'det') && matrix.rows !== matrix.cols) {
      throw new StructureError(`${verb}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
    }
    if (verb === 'stage') return named(input, (await this.#load()).stage(matrix, asked, reading));
    const keeping = asked.checkpoint && (await loadRareQuestions(this.#caller));
    const isOverQ = asked.mod === OVER_Q;
    const isDense = right !== null && !isOverQ && matrix instanceof SparseMatrix;
    const sides = !isDense ? null : denseRightSides(right, matrix, besideMatrix(matrix, asked));
    const kept = keeping && (await named(input, keeping.openKeptRun(verb, matrix, asked, this.#caller, sides)));
    const settings = besideMatrix(matrix, kept === null ? asked : { ...asked, ...kept.settings });
    if (isAboutLines && sides === null) checkVectors(verb, matrix, right?.cols ?? 1, settings);
    if (settings.certificate) await this.#checkCertifiable(matrix, settings);
    if (!(matrix instanceof SparseMatrix)) checkOperator(verb, settings);
    if (verb === 'plan') return named(input, (await this.#load()).plan(matrix as SparseMatrix, settings, reading));
    if (verb === 'tune') {
      const tuned = await named(input, (await this.#load()).tune(matrix as SparseMatrix, settings));
      return { ...tuned, seconds: { reading, ...tuned.seconds, total: since(start) } };
    }
    const overQ = right !== null && isOverQ ? this.#solveOverQ(matrix as SparseMatrix, right, settings) : null;
    const finding = overQ ?? this.#find({ verb, matrix, right: sides, settings, kept, known: kept?.pivots ?? known });
    const first = await named(input, kept?.told(finding) ?? finding);
    const left = kept === null ? [] : ((await (await this.#runner)?.endProcesses()) ?? []);
    await kept?.end(first);
    const pivots = settings.pivots ? await (await this.#load()).pivots(matrix as SparseMatrix, settings, first) : null;
    const warnings = [...new Set([...(first.warnings ?? []), ...(kept?.remarks ?? []), ...left])];
    const found = { ...first, warnings, ...pivots?.claim };
    const certificate = settings.certificate ? await (await this.#load()).certificate(matrix, settings, found) : null;
    if (found.kept !== undefined) this.#kept.set(settings.factors!, found.kept);
    const { rows, cols } = matrix;
    const nnz = matrix instanceof SparseMatrix ? matrix.nnz : null;
    const seconds = { reading, ...found.seconds, ...pivots?.seconds, ...certificate?.seconds, total: since(start) };
    return outcomeOf({ rows, cols, nnz }, settings, { ...found, seconds }, pivots, certificate);
  }

  /** What the thread has, for questions that are answered together. */
  runner(): Promise<Runner> {
    return this.#load();
  }

  /** About factors that are kept here. */
  async #answerKept({ verb, right, settings: asked }: Question, number: number): Promise<AnyOutcomeData> {
    const start = performance.now();
    const kept = this.#kept.get(number);
    if (kept === undefined)
      throw new EngineError('factors: the thread that kept them has ended; factor the matrix again');
    const settings = { ...asked, mod: kept.mod };
    const [rows, cols] = settings.transposed ? [kept.cols, kept.rows] : [kept.rows, kept.cols];
    const sides = right === null ? null : denseRightSides(right, { rows, cols }, settings);
    const ask = (context: RunContext | null): Promise<Found> =>
      verb === 'solve' ? kept.solve(context, sides!, settings) : kept.nullspace(context, settings, this.#caller);
    const found: Found & Hardware = isWord(settings)
      ? await (await this.#load()).onThreads(kept, settings, ask)
      : { ...(await ask(null)), ...ONE_THREAD, device: 'reference' };
    return outcomeOf(kept, settings, { ...found, seconds: { ...found.seconds, total: since(start) } });
  }

  /** Forgets factors. */
  release(number: number): void {
    this.#kept.get(number)?.free();
    this.#kept.delete(number);
  }

  /** Gives up the GPU for good; a question that runs on it fails. */
  async leaveGpu(): Promise<void> {
    await (await this.#runner)?.leaveGpu();
  }

  async #find(question: WordQuestion): Promise<Found & Hardware> {
    const { verb, matrix, right, settings } = question;
    const word = isWord(settings);
    if (!(matrix instanceof SparseMatrix)) {
      if (settings.mod === OVER_Q) throw new OptionError('mod 0: expected a matrix, got an operator mod one prime');
      if (!word) throw new OptionError(`an operator is served for primes below 2^31, not ${settings.mod}`);
      return this.#findWord(question);
    }
    const known = verb === 'det' ? determinantAtSight(matrix) : null;
    if (known !== null) return { ...known, ...ONE_THREAD };
    if (settings.mod === OVER_Q && verb === 'det') return this.#determinantOverZ(question, matrix);
    if (settings.mod === OVER_Q) {
      const { overTheRationals } = await this.#caller.loading(() => import('./rational.js'));
      const core = withoutIdleLines(matrix);
      const pivots = new KnownPivots();
      return overTheRationals(core, settings, (inner) =>
        this.#find({ verb, matrix: core, right, settings: inner, known: pivots }),
      );
    }
    const core = coreOf(verb, matrix);
    if (!word) {
      const { rows, cols, nnz } = core.matrix;
      this.#checkBrief(secondsOfBig(Math.min(rows, cols), nnz) <= BRIEF_SECONDS);
      const { answerBig } = await this.#caller.loading(() => import('./usual-questions.js'));
      checkHeapRoom(`a prime of ${settings.mod.toString(2).length} bits`, bigBytes(core.matrix), settings);
      const found = await answerBig({ ...question, matrix: core.matrix }, this.#caller);
      return { ...core.complete(found), ...ONE_THREAD, device: 'reference' };
    }
    const { device, adapter, threads, ...found } = await this.#findWord({ ...question, matrix: core.matrix });
    return { ...core.complete(found), device, adapter, threads };
  }

  async #determinantOverZ(question: WordQuestion, matrix: SparseMatrix): Promise<Found & Hardware> {
    const { settings } = question;
    this.#checkBrief(secondsOfBig(matrix.rows, matrix.nnz) <= BRIEF_SECONDS);
    const { determinantOverZ } = await loadIntegerQuestions(this.#caller);
    const runner = this.#isBrief || settings.device === 'reference' ? null : await this.#load();
    let hardware: Hardware = ONE_THREAD;
    const findModulo = async (inner: Settings): Promise<Found> => {
      const { device, adapter, threads, ...found } = await this.#find({ ...question, settings: inner });
      hardware = { device, adapter, threads };
      return found;
    };
    const team = runner === null ? undefined : () => runner.team(matrix, settings);
    const found = await determinantOverZ(matrix, settings, this.#caller, findModulo, team);
    return { ...found, ...hardware };
  }

  async #solveOverQ(matrix: SparseMatrix, right: SparseMatrixParts, settings: Settings): Promise<Found & Hardware> {
    this.#checkBrief(secondsOfBig(matrix.rows, matrix.nnz) <= BRIEF_SECONDS && settings.device !== 'gpu');
    const { solveOverTheRationals } = await loadIntegerQuestions(this.#caller);
    const runner = this.#isBrief || settings.device === 'reference' ? null : await this.#load();
    let threads = 1;
    const team = async (): Promise<Team> => {
      const team = await runner!.team(matrix, settings);
      threads = team.threads;
      return team;
    };
    let adapter: string | null = null;
    const gpu = async (seconds: number): Promise<GpuDevice | undefined> => {
      const gpu = await runner!.gpu(settings, seconds);
      adapter = gpu?.name ?? null;
      return gpu;
    };
    const devices = runner === null ? {} : { team, gpu };
    const found = await solveOverTheRationals(matrix, right, settings, this.#caller, devices);
    return { ...found, ...ONE_THREAD, threads, ...(found.device === 'gpu' ? { device: 'gpu', adapter } : {}) };
  }

  async #findWord(question: WordQuestion): Promise<Found & Hardware> {
    const { matrix, settings } = question;
    // Pivots first: the lines that they leave say whether a second thread has enough work.
    const presolved = presolveQuestion(question, () => this.#caller.progress({ phase: 'pivots', done: 0, total: 1 }));
    const { method, device, threads } = settings;
    const isPlain = method === 'auto' && (device === 'auto' || device === 'cpu') && (threads ?? 1) === 1;
    const answer = presolved && isPlain ? rankOfPivots(presolved, settings.atLeast ?? undefined) : null;
    if (answer !== null) return { ...answer, value: answer.rank, block: null, ...ONE_THREAD };
    const left = presolved && costsLeft(WordPrime.of(Number(settings.mod)), presolved.a, presolved.matching.size);
    this.#checkBrief((left?.elimination ?? secondsOf(matrix)) <= BRIEF_SECONDS);
    return (await this.#load()).find(question, presolved, left && cheapest(left));
  }

  async #checkCertifiable(matrix: SparseMatrix | Remote, settings: Settings): Promise<void> {
    const certifying: RareQuestions = await loadRareQuestions(this.#caller);
    certifying.checkCertifiable(matrix, settings);
    this.#checkBrief(secondsOf(matrix) <= BRIEF_SECONDS);
  }

  #checkBrief(holds: boolean): void {
    if (this.#isBrief && !holds) throw new LongError('not in the own thread of a program');
  }

  /** The matrix of a question, or what `spill` leaves of it; an operator stays where it is. */
  read(input: MatrixMessage, settings: ReadSettings, spill?: EntrySink): Promise<SparseMatrix | Remote> {
    return readInput(input, settings, this.#caller, this.#startReaders, spill);
  }
}

function since(start: number): number {
  return (performance.now() - start) / 1000;
}

/** The matrix of a rank question with its structural pivots, where a method is left that begins with them. */
function presolveQuestion({ verb, matrix, settings, known }: WordQuestion, onStart: () => void): Presolved | undefined {
  const { mod, method, block, formula, seed } = settings;
  const atLeast = settings.atLeast ?? undefined;
  const begins = method !== 'wiedemann' && (method !== 'auto' || block === null);
  if (verb !== 'rank' || !(matrix instanceof SparseMatrix) || !begins || formula !== 'shifted') return undefined;
  onStart();
  const field = WordPrime.of(Number(mod));
  const allowed = method === 'elimination' ? { atLeast, known } : { seed, atLeast, known };
  return presolve(field, matrix.residues(field.p), estimatesOver(field), allowed);
}

/** Of a run without pivots, or of a certificate. */
function secondsOf(matrix: SparseMatrix | Remote): number {
  if (!(matrix instanceof SparseMatrix)) return Number.POSITIVE_INFINITY;
  return secondsOfSequence(Math.min(matrix.rows, matrix.cols), matrix.nnz);
}

/** Whether threads help: beyond a word there is the reference alone. */
const isWord = ({ mod }: Settings): boolean => mod <= BigInt(MAX_SIZE);
