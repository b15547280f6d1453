/**
 * The structural pivots of a question about a rank, on the compute threads where the matrix is long enough for them.
 */
import { estimatesOver } from '../../algorithms/methods/costs.js';
import { type Presolved, presolve } from '../../algorithms/presolve/presolve.js';
import { WordPrime } from '../../fields/word-prime.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { residuesOnTeam } from '../../kernels/sparse/rows-on-team.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { KernelArrays } from '../../kernels/threads/kernel-arrays.js';
import type { Team } from '../../kernels/threads/team.js';
import { fileSize } from '../io/pipe-bytes.js';
import type { InputMessage } from '../questions/input.js';
import type { Settings } from '../questions/options.js';
import type { Verb } from '../questions/verbs.js';
import type { Caller } from './caller.js';
import type { Runner } from './runner.js';
import type { WordQuestion } from './word.js';

/** Entries and lines from which on threads gain. */
const WORTH_THREADS = 2 ** 18;

/** The same that leave most of the kernels' memory to the rest of the run: 16 bytes an entry are kept there. */
const MOST_THERE = 2 ** 25;

/** Entries and lines that a thread gains with: it starts in the time that they take. */
const SHARE = 2 ** 19;

/** Of a text; a compressed one has fewer. */
const BYTES_AN_ENTRY = 16;

export interface Pivoted {
  /** Undefined where no method is left that begins with pivots. */
  readonly presolved: Presolved | undefined;
  /** The end of the run. */
  release(): void;
}

/** `runner`: who has the threads, if there may be some. */
export async function presolveQuestion(
  { verb, matrix, settings }: WordQuestion,
  runner: Runner | null,
  caller: Caller,
): Promise<Pivoted> {
  const { mod, method, block, formula } = settings;
  const begins = method !== 'wiedemann' && (method !== 'auto' || block === null);
  if (verb !== 'rank' || !(matrix instanceof SparseMatrix) || !begins || formula !== 'shifted')
    return { presolved: undefined, release: () => undefined };
  caller.progress({ phase: 'pivots', done: 0, total: 1 });
  const field = WordPrime.of(Number(mod));
  const team = runner === null ? undefined : await teamFor(matrix, settings, runner);
  if (team !== undefined) {
    const arrays = new KernelArrays(team.memory);
    try {
      const residues = residuesOnTeam(team, arrays, matrix, field.p) ?? matrix.residues(field.p);
      const presolved = presolve(field, residues, estimatesOver(field), undefined, { team, arrays });
      return { presolved, release: () => arrays.release() };
    } catch (error) {
      arrays.release();
      // Plain code finds the same pivots in memory of its own.
      if (!(error instanceof MemoryError)) throw error;
    }
  }
  return {
    presolved: presolve(field, matrix.residues(field.p), estimatesOver(field)),
    release: () => undefined,
  };
}

/** The threads that a question is worth before its matrix is read. */
export function threadsAhead(verb: Verb, input: InputMessage): number {
  if (verb !== 'rank' || input.kind !== 'bytes') return 1;
  const { source } = input;
  const bytes =
    typeof source === 'string' ? fileSize(source) : source instanceof Uint8Array ? source.length : source.size;
  return threadsOfPivots(bytes / BYTES_AN_ENTRY);
}

/** The threads that a rank's pivots are worth, by entries and lines. */
function threadsOfPivots(size: number): number {
  return size < WORTH_THREADS || size > MOST_THERE ? 1 : 1 + Math.ceil(size / SHARE);
}

async function teamFor(matrix: SparseMatrix, settings: Settings, runner: Runner): Promise<Team | undefined> {
  const count = threadsOfPivots(matrix.nnz + matrix.rows + matrix.cols);
  if (settings.device === 'reference' || settings.threads === 1 || count === 1) return undefined;
  const team = await runner.pool.atMost(settings.threads, count);
  return team.threads > 1 ? team : undefined;
}
