/**
 * Kept runs of every question and method, small, in this thread, over whatever disk their folder is on; the answers are
 * known by elimination, or planted.
 *
 * A clock that stands still (`performance.now`) makes a checkpoint after every batch of steps.
 */
import { denseDeterminant, denseMinpoly, denseRank } from '../../algorithms/reference/dense-elimination.js';
import { denseRows } from '../../algorithms/reference/rows.js';
import { random } from '../../data/families/random.js';
import { trefethen } from '../../data/families/trefethen.js';
import type { Triplets } from '../../data/triplets.js';
import { SparseMatrix } from '../../dist/kernels/sparse/sparse-matrix.js';
import { RunFolder } from '../../dist/src/io/run-folder.js';
import { ask } from '../../dist/src/questions/asked.js';
import type { FromEngine } from '../../dist/src/questions/messages.js';
import type { AnyOptions } from '../../dist/src/questions/options.js';
import type { RightSides } from '../../dist/src/questions/right-sides.js';
import type { Verb } from '../../dist/src/questions/verbs.js';
import { Caller } from '../../dist/src/worker/caller.js';
import { Answerer } from '../../dist/src/worker/run-question.js';
import { WordPrime } from '../../fields/word-prime.js';
import type { LosingDisk } from './losing-disk.js';

/** Commands, one after another, of which the last one answers. */
export interface KeptQuestion {
  readonly name: string;
  readonly commands: readonly { readonly verb: Verb; readonly options: AnyOptions; readonly b?: RightSides }[];
  readonly matrix: SparseMatrix;
  /** Of its value, and of the vectors that it gave one by one. */
  isRight(value: unknown, vectors: readonly number[][]): boolean;
}

const WIDE = 2147483629;
const NARROW = 65521;

const sparse = (triplets: Triplets): SparseMatrix => SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);
const deficient = (p: number, size: number, seed: number): SparseMatrix =>
  sparse(random(size, size + 3, 4, p, seed, 5));

const rowsOf = (matrix: SparseMatrix, p: number): number[][] =>
  denseRows(WordPrime.of(p), matrix.residues(p)).map((row) => [...row]);

function times(rows: readonly number[][], x: readonly number[], p: number): number[] {
  return rows.map((row) => Number(row.reduce((sum, a, j) => sum + BigInt(a) * BigInt(x[j]!), 0n) % BigInt(p)));
}

function question(
  verb: Verb,
  matrix: SparseMatrix,
  options: AnyOptions,
  isRight: KeptQuestion['isRight'],
  b?: RightSides,
): KeptQuestion {
  const { method, mod } = options as { readonly method?: string; readonly mod: number };
  const commands = [{ verb, options, ...(b && { b }) }];
  return { name: `${verb} mod ${mod} by ${method ?? 'choice'}`, commands, matrix, isRight };
}

function rankQuestion(matrix: SparseMatrix, options: AnyOptions): KeptQuestion {
  const p = Number(options.mod);
  const rank = denseRank(WordPrime.of(p), rowsOf(matrix, p));
  return question('rank', matrix, options, (value) => value === rank);
}

function determinantQuestion(size: number, options: AnyOptions): KeptQuestion {
  const [matrix, p] = [sparse(trefethen(size)), Number(options.mod)];
  const det = denseDeterminant(WordPrime.of(p), rowsOf(matrix, p));
  return question('det', matrix, options, (value) => Number(value) === det);
}

function minpolyQuestion(size: number, mod: number): KeptQuestion {
  const matrix = sparse(trefethen(size));
  const wanted = denseMinpoly(WordPrime.of(mod), rowsOf(matrix, mod)).join();
  return question('minpoly', matrix, { mod }, (value) => Array.from(value as Uint32Array).join() === wanted);
}

function solveQuestion(size: number, options: AnyOptions): KeptQuestion {
  const [matrix, p] = [sparse(trefethen(size)), Number(options.mod)];
  const rows = rowsOf(matrix, p);
  const x = Array.from({ length: size }, (_, i) => (i * i + 1) % p);
  const b = times(rows, x, p);
  const isRight = (value: unknown): boolean =>
    value instanceof Uint32Array &&
    `${times(rows, [...value], p)}` === `${b}` &&
    (p === 2 || `${[...value]}` === `${x}`);
  return question('solve', matrix, options, isRight, b);
}

function kernelQuestion(matrix: SparseMatrix, options: AnyOptions): KeptQuestion {
  const p = Number(options.mod);
  const [F, rows] = [WordPrime.of(p), rowsOf(matrix, p)];
  const dimension = matrix.cols - denseRank(F, rows);
  return question('nullspace', matrix, options, (_, vectors) => {
    const isKernel = vectors.every((vector) => times(rows, vector, p).every((each) => each === 0));
    return isKernel && vectors.length === dimension && denseRank(F, vectors) === dimension;
  });
}

/** Two parts by commands of their own, the generator, and the rank. */
function partsQuestion(matrix: SparseMatrix, mod: number): KeptQuestion {
  const whole = rankQuestion(matrix, { mod, block: [4, 2] });
  const stages = [
    { kind: 'plan', parts: 2, rank: null, file: 'a.sms' },
    { kind: 'krylov', part: 0 },
    { kind: 'krylov', part: 1 },
    { kind: 'generator' },
  ];
  const options = whole.commands[0]!.options;
  const commands = stages.map((stage) => ({ verb: 'stage' as const, options: { ...options, stage } as AnyOptions }));
  return { ...whole, name: `rank mod ${mod} in parts`, commands: [...commands, ...whole.commands] };
}

/** Made once: their answers take longer than they. */
export function keptQuestions(): KeptQuestion[] {
  return [
    rankQuestion(deficient(WIDE, 40, 3), { mod: WIDE, method: 'wiedemann', block: [2, 1] }),
    rankQuestion(sparse(random(150, 150, 12, NARROW, 4, 5)), { mod: NARROW, method: 'hybrid', block: 2 }),
    rankQuestion(deficient(2, 60, 5), { mod: 2, method: 'wiedemann' }),
    determinantQuestion(40, { mod: NARROW, method: 'wiedemann' }),
    determinantQuestion(50, { mod: WIDE, method: 'hybrid' }),
    minpolyQuestion(36, NARROW),
    solveQuestion(40, { mod: WIDE, method: 'wiedemann' }),
    solveQuestion(60, { mod: NARROW, method: 'hybrid' }),
    solveQuestion(60, { mod: NARROW, method: 'lanczos' }),
    kernelQuestion(deficient(NARROW, 50, 6), { mod: NARROW, method: 'lanczos' }),
    kernelQuestion(deficient(2, 300, 7), { mod: 2, method: 'lanczos' }),
    partsQuestion(deficient(NARROW, 40, 8), NARROW),
  ];
}

/** One whose files are written while a GPU makes steps. */
export function questionOnGpu(): KeptQuestion {
  const options = { mod: NARROW, method: 'wiedemann', block: [4, 2], device: 'gpu' } as const;
  return { ...rankQuestion(deficient(NARROW, 40, 9), options), name: 'rank on a GPU' };
}

export interface KeptRun {
  readonly isRight: boolean; // false where it ended with an error
  readonly error: unknown;
  readonly warnings: readonly string[];
  /**
   * Loops and what they came to, as they were kept and not removed, and as this run wrote them; steps of loops, null
   * of others.
   */
  readonly kept: ReadonlyMap<string, number | null>;
  readonly written: readonly (readonly [name: string, steps: number | null])[];
}

/** A loop's vectors are in two places by turns, which count as one. */
const loopOf = (name: string): string => name.replace(/-(vectors|lanczos|combination|verification)-\d$/, '-$1');

function stepsIn(bytes: Uint8Array): number | null {
  return JSON.parse(Buffer.from(bytes.subarray(0, bytes.indexOf(10))).toString()).steps ?? null;
}

/** Of arrays that say how far a run is; pieces of a sequence serve nobody before the vectors behind them are kept. */
const isCounted = (name: string): boolean => /^(attempt|outcome)-/.test(name) && !name.includes('-blocks-');

/** Commands on a disk as far as they come; they are to stop at a checkpoint after `mostKeeps` arrays of that name. */
export function answerOn(
  disk: LosingDisk,
  { commands, matrix, isRight }: KeptQuestion,
  mostKeeps = Number.POSITIVE_INFINITY,
): Promise<KeptRun> {
  const kept = new Map<string, number | null>();
  const written: [string, number | null][] = [];
  const [vectors, warnings]: [number[][], string[]] = [[], []];
  const { writePieces, remove } = RunFolder.prototype;
  RunFolder.prototype.writePieces = async function (name, pieces) {
    const [loop, steps] = [loopOf(name), stepsIn(pieces[0]!)];
    if (isCounted(name)) written.push([loop, steps]);
    await writePieces.call(this, name, pieces);
    if (isCounted(name)) kept.set(loop, steps);
  };
  RunFolder.prototype.remove = async function (name) {
    kept.delete(loopOf(name));
    await remove.call(this, name);
  };
  const caller: Caller = new Caller((message: FromEngine) => {
    if (message.kind !== 'call') return;
    const { call, request } = message;
    let value: Uint8Array | null = null;
    if (request.what === 'stop' && written.length >= mostKeeps) value = new Uint8Array(1);
    if (request.what === 'vectors') {
      const { count, length, rowPtr, colIdx, values } = request.batch;
      for (let i = 0; i < count; i++) {
        const vector = new Array<number>(length).fill(0);
        for (let k = rowPtr[i]!; k < rowPtr[i + 1]!; k++) vector[colIdx[k]!] = Number(values[k]);
        vectors.push(vector);
      }
    }
    queueMicrotask(() => caller.settle({ kind: 'reply', call, value }));
  });
  return disk.during(async () => {
    const answerer = new Answerer(caller);
    let value: unknown;
    let error: unknown = null;
    try {
      for (const { verb, options, b } of commands) {
        const own = { ...options, threads: 1, checkpoint: { directory: disk.folder, interval: 0 } };
        const { prepared, right, settings } = ask(verb, matrix, own as never, {}, b);
        const found = await answerer.answer({ verb, input: prepared.message, right, settings, watched: false });
        warnings.push(...(found as { readonly warnings: readonly string[] }).warnings);
        value = (found as { readonly value?: unknown }).value;
      }
    } catch (thrown) {
      error = thrown;
    } finally {
      await answerer.leaveGpu(); // as its thread does where it ends
      Object.assign(RunFolder.prototype, { writePieces, remove });
    }
    return { isRight: error === null && isRight(value, vectors), error, warnings, kept, written };
  });
}
