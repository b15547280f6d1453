/**
 * The rank of a matrix that memory does not hold, by pieces on the disk: entries are logged there, dealt out to runs of
 * rows, packed a run at a time, and read again by every product of block Wiedemann (kernels/spmm/cpu-pieces.ts). A run
 * that is kept keeps what every other one does; pieces are made again by the process that goes on.
 *
 *   memory = vectors, order basis and what else does not grow with the entries + lines + a piece
 */
import type { BlockShape } from '../../algorithms/block-wiedemann/block-shape.js';
import { rankOfPieces } from '../../algorithms/block-wiedemann/rank.js';
import { runDigest } from '../../algorithms/certificate/run-digest.js';
import { LOGGED } from '../../algorithms/checkpoint/manifest.js';
import { blockOfPieces, Way } from '../../algorithms/checkpoint/way.js';
import { MethodError } from '../../algorithms/method-error.js';
import { tooMuch, whyNarrow } from '../../algorithms/methods/feasible.js';
import { blocksWithin, wiedemannBytes } from '../../algorithms/methods/memory-estimate.js';
import { WordPrime } from '../../fields/word-prime.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { hostBytes } from '../../kernels/platform/host-memory.js';
import type { Scratch } from '../../kernels/platform/scratch.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import type { EntrySink } from '../io/entry-list.js';
import { EntryLog, type LoggedEntries } from '../io/entry-log.js';
import { digestOfLog, type LoggedPieces, piecesOfLog } from '../io/logged-pieces.js';
import { openScratch } from '../io/scratch-folder.js';
import type { Settings } from '../questions/options.js';
import type { AnyOutcomeData } from '../questions/verbs.js';
import type { Caller } from './caller.js';
import type { Found, Hardware, Remote } from './found.js';
import { type KeptRun, openKeptRun } from './kept-run.js';
import { outcomeOf } from './outcome-of.js';
import type { Runner } from './runner.js';
import { blockShape } from './word.js';

/**
 * Bytes of an entry of the piece that is being packed: as it was logged, in coordinates, as residues, turned, in the
 * kernels' format, and its share of the two buffers.
 */
const PIECE_ENTRY = 96;
const PACKED_ENTRY = 12;

/** Of a line: its count and number; and of a column the offsets of two buffers, by value class. */
const LINE = 4;
const BUFFER_COLUMN = 16;

/** Larger pieces gain nothing, and two buffers of them leave kernels' memory for vectors. */
const MOST_ENTRIES = 2 ** 25;
/** With smaller ones the files' calls would take longer than the products. */
const LEAST_ENTRIES = 2 ** 12;

/** A share of memory for counts of lines, and for dealing. */
const SHARE = 1 / 4;

/**
 * A rank in memory, or, where that has no room, by pieces. `read` gives entries that memory does not hold to a spill;
 * `answer` is that of a matrix in memory. The question began at `start`.
 */
export async function answerWithScratch(
  settings: Settings,
  runner: Runner,
  caller: Caller,
  read: (spill: EntrySink) => Promise<SparseMatrix | Remote>,
  answer: (matrix: SparseMatrix) => Promise<AnyOutcomeData>,
  start: number,
): Promise<AnyOutcomeData> {
  const inPieces = new RankInPieces(settings);
  const { log } = inPieces;
  try {
    let matrix: SparseMatrix | Remote | null = await read(log);
    const reading = (performance.now() - start) / 1000;
    if (!(matrix instanceof SparseMatrix)) throw new OptionError('scratch: expected a matrix, got an operator');
    let reason = 'the entries take more than memory allows';
    let sizes: Pick<SparseMatrix, 'rows' | 'cols' | 'nnz'> = log;
    let digest: string | null = null;
    if (!log.hasBegun) {
      try {
        return await answer(matrix);
      } catch (error) {
        if (!(error instanceof MemoryError || error instanceof MethodError)) throw error;
        reason = error.message;
        const { rows, cols, nnz } = matrix; // as the input has them
        sizes = { rows, cols, nnz };
        if (settings.checkpoint !== null) digest = await runDigest(matrix, log.p);
        log.takeMatrix(withoutIdleLines(matrix));
      }
    }
    matrix = null; // its room is for the pieces
    const logged = log.finish();
    const { rows, cols } = sizes;
    const whole = async () => ({ rows, cols, digest: digest ?? `${LOGGED}${await digestOfLog(logged, log.p)}` });
    const kept = await inPieces.keep(logged, async () => openKeptRun('rank', await whole(), settings, caller));
    const finding = inPieces.find(runner, logged, reason, kept);
    const found = await (kept?.told(finding) ?? finding);
    await kept?.end(found);
    const warnings = [...new Set([...(found.warnings ?? []), ...(kept?.remarks ?? [])])];
    const seconds = { reading, ...found.seconds, total: (performance.now() - start) / 1000 };
    return outcomeOf(sizes, { ...settings, ...kept?.settings }, { ...found, warnings, seconds });
  } finally {
    log.close();
  }
}

class RankInPieces {
  readonly #settings: Settings;
  readonly #scratch: Scratch;
  readonly log: EntryLog;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#scratch = openScratch(settings.scratch!);
    this.log = new EntryLog(this.#scratch, Number(settings.mod), SHARE * this.#allowed);
  }

  get #allowed(): number {
    return this.#settings.maxMemory ?? hostBytes();
  }

  /** The run that a store keeps, where that is asked for; whatever fails gives the room of the entries back. */
  async keep(logged: LoggedEntries, open: () => Promise<KeptRun>): Promise<KeptRun | null> {
    if (this.#settings.checkpoint === null) return null;
    try {
      return await open();
    } catch (error) {
      logged.file.close();
      throw error;
    }
  }

  /** Of what was logged; `reason`: why in pieces. */
  async find(runner: Runner, logged: LoggedEntries, reason: string, kept: KeptRun | null): Promise<Found & Hardware> {
    const start = performance.now();
    const settings = this.#settings;
    const field = WordPrime.of(Number(settings.mod));
    const { log } = this;
    const lines = LINE * (log.rows + log.cols);
    const way = kept && (await Way.recall(kept.checkpoint));
    const [rows, cols] = [logged.rowCounts, logged.colCounts].map(countUsed);
    const beside = lines + 2 * BUFFER_COLUMN * cols;
    // A piece has whole rows.
    const least = logged.rowCounts.reduce((most, count) => Math.max(most, count), LEAST_ENTRIES);
    const room = this.#allowed - beside - least * PIECE_ENTRY;
    const before = way && blockOfPieces(way);
    const asked = before ?? blockShape(settings);
    const block = asked ?? blocksWithin(field, rows, cols, 0, room);
    const usual = wiedemannBytes(field, rows, cols, 0);
    const remarks = asked === undefined && usual > room ? [whyNarrow(block, usual, room)] : [];
    const fixed = wiedemannBytes(field, rows, cols, 0, { block }) + beside;
    const entries = Math.min(MOST_ENTRIES, Math.floor((this.#allowed - fixed) / PIECE_ENTRY));
    if (entries < least) {
      logged.file.close();
      const need = fixed + least * PIECE_ENTRY;
      throw new MethodError(`method wiedemann: ${tooMuch('block Wiedemann by pieces', need, this.#allowed)}`);
    }
    const dealing = SHARE * PIECE_ENTRY * entries;
    const pieces = await piecesOfLog(logged, field.p, entries, dealing, this.#scratch);
    const setup = (performance.now() - start) / 1000;
    try {
      const buffer = PACKED_ENTRY * entries + BUFFER_COLUMN * cols;
      await way?.arriveByPieces(block);
      const why = before === null ? `since otherwise ${reason}` : 'as before';
      const found = await this.#run(runner, pieces, buffer, block, why, kept);
      const result = { ...found, explanation: [...(found.explanation ?? []), ...remarks] };
      return { ...result, seconds: { ...result.seconds, setup: result.seconds['setup']! + setup } };
    } finally {
      pieces.free();
    }
  }

  #run(
    runner: Runner,
    pieces: LoggedPieces,
    buffer: number,
    block: BlockShape,
    why: string,
    kept: KeptRun | null,
  ): Promise<Found & Hardware> {
    const settings = { ...this.#settings, ...kept?.settings };
    const { verify, atLeast } = settings;
    const options = { block, verify, atLeast: atLeast ?? undefined };
    return runner.onThreads(pieces, settings, async (context) => {
      const own = { ...context, checkpoint: kept?.checkpoint };
      const result = await rankOfPieces(own, pieces, this.#scratch, Math.ceil(buffer), options);
      const how = `${pieces.bounds.length - 1} pieces of ${pieces.nnz} entries in ${this.#scratch.name}, by two buffers of ${megabytes(buffer)} MB`;
      const explanation = [`wiedemann: in pieces, ${why}`, how, ...result.explanation];
      const { m, n } = result.block;
      return { ...result, value: result.rank, block: [m, n] as const, explanation };
    });
  }
}

function countUsed(counts: Uint32Array): number {
  let used = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i] > 0) used++;
  return used;
}
