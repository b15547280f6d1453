/**
 * A question answered, in the engine's thread: matrix → residues mod p → operator on an executor → algorithm → outcome.
 *
 * One set of compute threads serves all questions of an engine. Results do not depend on their number, so a question
 * takes whatever is there and asks for more only when it is large enough to gain.
 */
import { cores } from '#platform';
import { WordPrime } from '../../fields/word-prime.js';
import type { Executor } from '../../kernels/executor.js';
import { KernelMemory } from '../../kernels/memory.js';
import { EntryError, MAX_SIZE, SparseMatrix, StructureError } from '../../kernels/sparse-matrix.js';
import { Team } from '../../kernels/team.js';
import { compileKernels } from '../../kernels/wasm-module.js';
import { OptionError } from '../errors.js';
import type { InputMessage } from '../input.js';
import { readMatrix } from '../io/read-matrix.js';
import type { Settings } from '../options.js';
import { kindOfClaim, type Report } from '../outcome.js';
import { answerBig } from './answer-big.js';
import { answerWord, type WordQuestion } from './answer-word.js';
import type { Caller } from './engine-worker.js';
import { coreOf, determinantAtSight } from './idle-lines.js';
import type { Answer, Question } from './messages.js';

export type Remote = Extract<InputMessage, { kind: 'operator' }>;

/** What an algorithm found, before it becomes an Outcome. */
export interface Found {
  readonly value: number | bigint | Uint32Array | bigint[] | null;
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  readonly errorLog2: number | null;
  readonly reason?: string | undefined;
  readonly method: string;
  readonly block: readonly [number, number] | null;
  readonly seconds: Readonly<Record<string, number>>;
}

/** nnz · min(rows, cols), the cost of a run in all but a constant, below which one thread answers before a second one has started. */
const SHARED_WORK = 2e7;

/** More threads than this gain nothing that a matrix in one WebAssembly memory could feed. */
const MOST_THREADS = 32;

export class Answerer {
  readonly #caller: Caller;
  #team: Team | undefined;

  constructor(caller: Caller) {
    this.#caller = caller;
    // On V8's own threads, while the question's matrix is read; whoever needs the kernels hears of a failure.
    compileKernels().catch(() => undefined);
  }

  async answer({ verb, input, settings }: Question): Promise<Answer> {
    const start = performance.now();
    const matrix = input.kind === 'operator' ? input : await this.#matrix(input);
    const reading = (performance.now() - start) / 1000;
    if (verb !== 'rank' && matrix.rows !== matrix.cols) {
      throw new StructureError(`${verb}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
    }
    const { threads, ...found } = await this.#find({ verb, matrix, settings }).catch((error: unknown) => {
      // An entry without a residue is found when the file's lines are forgotten, but the file has a name.
      if (error instanceof EntryError && 'name' in input) throw new EntryError(`${input.name}: ${error.message}`);
      throw error;
    });
    const word = settings.mod <= BigInt(MAX_SIZE);
    const report: Report = {
      rows: matrix.rows,
      cols: matrix.cols,
      nnz: matrix instanceof SparseMatrix ? matrix.nnz : null,
      mod: settings.mod,
      lowerBound: found.lowerBound,
      upperBound: found.upperBound,
      method: found.method,
      device: word ? settings.device : 'reference',
      threads,
      block: found.block,
      seed: settings.seed,
      seconds: { reading, ...found.seconds, total: (performance.now() - start) / 1000 },
    };
    return { ...report, ...kindOfClaim(found.value, found) } as Answer;
  }

  async #find(question: WordQuestion): Promise<Found & { threads: number }> {
    const { verb, matrix, settings } = question;
    const word = settings.mod <= BigInt(MAX_SIZE);
    if (!(matrix instanceof SparseMatrix)) {
      if (!word) throw new OptionError(`an operator is served for primes below 2^31, not ${settings.mod}`);
      return this.#findWord(question);
    }
    const known = verb === 'det' ? determinantAtSight(matrix) : null;
    if (known !== null) return { ...known, threads: 1 };
    const core = coreOf(verb, matrix);
    if (!word) return { ...core.complete(answerBig(verb, core.matrix, settings.mod)), threads: 1 };
    const { threads, ...found } = await this.#findWord({ ...question, matrix: core.matrix });
    return { ...core.complete(found), threads };
  }

  async #findWord(question: WordQuestion): Promise<Found & { threads: number }> {
    const executor = await this.#executor(question.matrix, question.settings);
    const { threads } = executor;
    try {
      const team = executor.name === 'reference' ? undefined : this.#team;
      return { ...(await answerWord(question, executor, team, this.#caller)), threads };
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

  async #executor(matrix: SparseMatrix | Remote, settings: Settings): Promise<Executor> {
    const p = Number(settings.mod);
    const field = WordPrime.of(p);
    if (settings.device === 'reference') {
      const { ReferenceExecutor } = await import('../../kernels/reference.js');
      return new ReferenceExecutor(field);
    }
    const { CpuExecutor } = await import('../../kernels/cpu.js');
    return new CpuExecutor(field, await this.#teamOf(matrix, settings.threads));
  }

  /** Exactly the threads asked for; without a wish the threads there are, if they are enough. */
  async #teamOf(matrix: SparseMatrix | Remote, wish: number | null): Promise<Team> {
    const threads = wish ?? threadsFor(matrix);
    const have = this.#team?.threads ?? 0;
    if (this.#team !== undefined && (have === threads || (wish === null && have > threads))) return this.#team;
    await this.#team?.dispose();
    this.#team = undefined;
    this.#team = await Team.create(threads, new KernelMemory(), (data) => this.#caller.recruit(data));
    return this.#team;
  }
}

function threadsFor(matrix: SparseMatrix | Remote): number {
  const nnz = matrix instanceof SparseMatrix ? matrix.nnz : matrix.rows + matrix.cols;
  return nnz * Math.min(matrix.rows, matrix.cols) < SHARED_WORK ? 1 : Math.min(cores(), MOST_THREADS);
}
