/**
 * A question answered, in the engine's thread: matrix → residues mod p → operator on an executor → algorithm → outcome.
 *
 * The first use loads the parts that many small matrices do without: executors, their kernels and the algorithms on
 * them (runner.ts), integers beyond a word, certificates.
 */
import { canShareMemory } from '#platform';
import { cheapest } from '../../algorithms/estimates.js';
import { costsLeft, estimatesOver } from '../../algorithms/methods/costs.js';
import { bigBytes } from '../../algorithms/methods/memory-estimate.js';
import { rankOfPivots } from '../../algorithms/presolve/pivots-alone.js';
import { type Presolved, presolve } from '../../algorithms/presolve/presolve.js';
import { isPrimeProved } from '../../fields/primality.js';
import { WordPrime } from '../../fields/word-prime.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { MAX_SIZE, StructureError } from '../../kernels/errors/structure-error.js';
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { EntryError, SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { checkShareable } from '../gpus/processes.js';
import { isPipe } from '../io/pipe-bytes.js';
import { parseMatrix } from '../io/read-matrix.js';
import { BRIEF_ENTRIES, BRIEF_SECONDS, LongError, secondsOfBig, secondsOfSequence } from '../questions/brief.js';
import type { InputMessage } from '../questions/input.js';
import type { Question } from '../questions/messages.js';
import { OVER_Q, type Settings } from '../questions/options.js';
import { classify, type Report } from '../questions/outcome.js';
import type { AnyOutcomeData } from '../questions/verbs.js';
import type { Caller } from './caller.js';
import { coreOf, determinantAtSight } from './drop-empty.js';
import type { Found, Hardware, Remote } from './found.js';
import { denseRightSides } from './right-sides.js';
import { besideMatrix, checkRoom } from './room.js';
import type { Runner } from './runner.js';
import type { WordQuestion } from './word.js';

const ONE_THREAD: Hardware = { device: 'cpu', adapter: null, threads: 1 };

export class Answerer {
  readonly #caller: Caller;
  readonly #isBrief: boolean;
  #runner: Promise<Runner> | undefined; // once something needs it

  /** `isBrief`: throws LongError where an answer would take long (brief.ts). */
  constructor(caller: Caller, isBrief = false) {
    this.#caller = caller;
    this.#isBrief = isBrief;
    // The first use of the runner throws a failure of its loading.
    if (!isBrief) this.#load().catch(() => undefined);
  }

  #load(): Promise<Runner> {
    // The kernel that reads long files is loaded too, while nobody ends this thread.
    const modules = () => Promise.all([import('./runner.js'), import('../../kernels/sparse/scan-triples.js')]);
    this.#runner ??= this.#caller.loading(modules).then(([{ Runner }]) => new Runner(this.#caller));
    return this.#runner;
  }

  async answer(question: Question): Promise<AnyOutcomeData> {
    checkShareable(question.verb, question.input, question.settings);
    try {
      return await this.#answer(question);
    } finally {
      (await this.#runner)?.endProcesses();
    }
  }

  async #answer({ verb, input, right, settings: asked }: Question): Promise<AnyOutcomeData> {
    const start = performance.now();
    const runner = this.#isBrief ? null : await this.#load();
    if (asked.device !== 'reference' && isWord(asked)) runner?.callAhead(asked.threads);
    if (asked.gpus !== null) await runner?.startProcesses(asked.gpus); // while the matrix is read
    const matrix = input.kind === 'operator' ? input : await this.#matrix(input, asked);
    const reading = (performance.now() - start) / 1000;
    this.#checkBrief(matrix instanceof SparseMatrix && matrix.nnz <= BRIEF_ENTRIES);
    if ((verb === 'minpoly' || verb === 'det') && matrix.rows !== matrix.cols) {
      throw new StructureError(`${verb}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
    }
    const settings = besideMatrix(matrix, asked);
    if (settings.certificate) await this.#checkCertifiable(matrix, settings);
    if (settings.pivots && !(matrix instanceof SparseMatrix))
      throw new OptionError('pivots: expected a matrix, got an operator');
    if (settings.storage !== null && !(matrix instanceof SparseMatrix))
      throw new OptionError(`storage ${settings.storage}: expected a matrix, got an operator`);
    if ((verb === 'solve' || verb === 'nullspace') && !(matrix instanceof SparseMatrix))
      throw new OptionError(`${verb}: expected a matrix, got an operator`);
    const sides = right === null ? null : denseRightSides(right, matrix, settings);
    const first = await this.#find({ verb, matrix, right: sides, settings }).catch((error: unknown) => {
      // An entry without a residue is found when the file's lines are forgotten, but the file has a name.
      if (error instanceof EntryError && 'name' in input)
        throw new EntryError(`${printableName(input.name)}: ${error.message}`);
      throw error;
    });
    const pivots = settings.pivots ? await (await this.#load()).pivots(matrix as SparseMatrix, settings, first) : null;
    const found = { ...first, ...pivots?.claim };
    const certificate = settings.certificate ? await (await this.#load()).certificate(matrix, settings, found) : null;
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
      pivotRows: pivots?.lines?.rows ?? null,
      pivotCols: pivots?.lines?.cols ?? null,
      ...(pivots?.reason === undefined ? {} : { pivotsReason: pivots.reason }),
      warnings: warningsOf(settings),
      seconds: {
        reading,
        ...found.seconds,
        ...pivots?.seconds,
        ...certificate?.seconds,
        total: (performance.now() - start) / 1000,
      },
    };
    return { ...report, ...found.own, ...classify(found.value, found) } as AnyOutcomeData;
  }

  /** Gives up the GPU for good; a question that runs on it fails. */
  async leaveGpu(): Promise<void> {
    (await this.#runner)?.leaveGpu();
  }

  async #find(question: WordQuestion): Promise<Found & Hardware> {
    const { verb, matrix, right, settings } = question;
    const word = isWord(settings);
    if (!(matrix instanceof SparseMatrix)) {
      if (settings.mod === OVER_Q) throw new OptionError('mod 0: expected a matrix, got an operator mod one prime');
      if (!word) throw new OptionError(`an operator is served for primes below 2^31, not ${settings.mod}`);
      return this.#findWord(question);
    }
    if (settings.mod === OVER_Q) {
      const { overTheRationals } = await this.#caller.loading(() => import('./rational.js'));
      const core = withoutIdleLines(matrix);
      return overTheRationals(core, settings, (inner) => this.#find({ verb, matrix: core, right, settings: inner }));
    }
    const known = verb === 'det' ? determinantAtSight(matrix) : null;
    if (known !== null) return { ...known, ...ONE_THREAD };
    const core = coreOf(verb, matrix);
    if (!word) {
      const { rows, cols, nnz } = core.matrix;
      this.#checkBrief(secondsOfBig(Math.min(rows, cols), nnz) <= BRIEF_SECONDS);
      const { answerBig } = await this.#caller.loading(() => import('./big.js'));
      checkRoom(`a prime of ${settings.mod.toString(2).length} bits`, bigBytes(core.matrix), settings);
      const found = await answerBig({ ...question, matrix: core.matrix }, this.#caller);
      return { ...core.complete(found), ...ONE_THREAD, device: 'reference' };
    }
    const { device, adapter, threads, ...found } = await this.#findWord({ ...question, matrix: core.matrix });
    return { ...core.complete(found), device, adapter, threads };
  }

  async #findWord(question: WordQuestion): Promise<Found & Hardware> {
    const { matrix, settings } = question;
    // Pivots first: the lines that they leave say whether a second thread has enough work.
    const presolved = presolveQuestion(question, () => this.#caller.progress({ phase: 'pivots', done: 0, total: 1 }));
    const { method, device, threads } = settings;
    const isPlain = method === 'auto' && (device === 'auto' || device === 'cpu') && (threads ?? 1) === 1;
    const answer = presolved && isPlain ? rankOfPivots(presolved) : null;
    if (answer !== null) return { ...answer, value: answer.rank, block: null, ...ONE_THREAD };
    const left = presolved && costsLeft(WordPrime.of(Number(settings.mod)), presolved.a, presolved.matching.size);
    this.#checkBrief((left?.elimination ?? secondsOf(matrix)) <= BRIEF_SECONDS);
    return (await this.#load()).find(question, presolved, left && cheapest(left));
  }

  async #checkCertifiable(matrix: SparseMatrix | Remote, settings: Settings): Promise<void> {
    const certifying: typeof import('./certify.js') = await this.#caller.loading(() => import('./certify.js'));
    certifying.checkCertifiable(matrix, settings);
    this.#checkBrief(secondsOf(matrix) <= BRIEF_SECONDS);
  }

  #checkBrief(holds: boolean): void {
    if (this.#isBrief && !holds) throw new LongError('not in the own thread of a program');
  }

  async #matrix(
    input: Exclude<InputMessage, Remote>,
    { unterminated, maxMemory }: Pick<Settings, 'unterminated' | 'maxMemory'>,
  ): Promise<SparseMatrix> {
    // Parts are of a matrix that was checked when the question was asked.
    if (input.kind === 'parts') return SparseMatrix.fromPartsUnchecked(input.parts, new WideEntries(input.parts.wide));
    if (input.kind === 'triplets') return SparseMatrix.fromTriplets(input.rows, input.cols, input.arrays);
    const isHere = input.kind === 'bytes' && !(typeof input.source === 'string' && isPipe(input.source));
    const source = isHere ? input.source : this.#caller.chunks();
    return parseMatrix(source, { name: input.name, unterminated, maxMemory: maxMemory ?? undefined });
  }
}

/** Warnings: options without effect, and assumptions of the answer. */
function warningsOf({ threads, mod }: Settings): string[] {
  const warnings: string[] = [];
  if (threads !== null && threads > 1 && !canShareMemory())
    warnings.push(`threads: ${threads} were asked for, memory cannot be shared here: one thread runs`);
  if (!isPrimeProved(mod)) warnings.push('mod: beyond 3·10^23 a modulus is tested to be prime, not proved');
  return warnings;
}

/** The matrix of a rank question with its structural pivots, where a method is left that begins with them. */
function presolveQuestion({ verb, matrix, settings }: WordQuestion, onStart: () => void): Presolved | undefined {
  const { mod, method, block, formula } = settings;
  const begins = method !== 'wiedemann' && (method !== 'auto' || block === null);
  if (verb !== 'rank' || !(matrix instanceof SparseMatrix) || !begins || formula !== 'shifted') return undefined;
  onStart();
  const field = WordPrime.of(Number(mod));
  return presolve(field, matrix.residues(field.p), estimatesOver(field));
}

/** Of a run without pivots, or of a certificate. */
function secondsOf(matrix: SparseMatrix | Remote): number {
  if (!(matrix instanceof SparseMatrix)) return Number.POSITIVE_INFINITY;
  return secondsOfSequence(Math.min(matrix.rows, matrix.cols), matrix.nnz);
}

/** Whether threads help: beyond a word there is the reference alone. */
function isWord({ mod }: Settings): boolean {
  return mod <= BigInt(MAX_SIZE);
}
