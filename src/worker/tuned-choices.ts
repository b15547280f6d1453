/**
 * Choices that `tune` has kept: for products on the same device, over a field of the same class, with a matrix of the
 * same pattern class. A storage, its sizes and a number of threads change no answer, only its time.
 */
import { cores } from '#platform';
import type { RunContext, TunedBlock, TunedOperator } from '../../algorithms/block-wiedemann/run-context.js';
import { MethodError } from '../../algorithms/method-error.js';
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { patternClass } from '../../algorithms/tuning/pattern-class.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { describeSizes } from '../../kernels/sparse/formats/product-sizes.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import { tableOf } from '../questions/tuned.js';
import { type KeptChoice, parseChoice, stringifyChoice } from '../questions/tuning-store.js';
import type { Caller } from './caller.js';
import { mayTakeGpu } from './devices.js';
import type { Hardware } from './found.js';
import { checkChosenStorage } from './room.js';
import type { WordQuestion } from './word.js';

/** Primes from here on are classed by their binary digits; below it each has an extension, and kernels, of its own. */
const CLASSED = 2 ** 8;

/** `matrix` without its empty lines, as it is given, not as its transpose. */
export function tuningKey(
  { device, adapter }: Pick<Hardware, 'device' | 'adapter'>,
  { threads, mod }: Pick<Settings, 'threads' | 'mod'>,
  matrix: ResidueMatrix,
): string {
  const p = Number(mod);
  const field = p < CLASSED ? `p ${p}` : `bits ${32 - Math.clz32(p)}`;
  const where = device === 'gpu' ? `gpu ${adapter}` : `cpu ${cpuName()} x ${cores()}, threads ${threads ?? 'all'}`;
  return [where, field, patternClass(matrix, p)].join(', ');
}

/** What is known of the processor: its model in Node, the browser's name in a page. */
function cpuName(): string {
  return nodeModule('node:os')?.cpus()[0]?.model ?? globalThis.navigator?.userAgent ?? '';
}

/** Warnings: why the choice is not kept. */
export async function keepChoice(caller: Caller, key: string, choice: KeptChoice): Promise<string[]> {
  try {
    await caller.call({ what: 'tuning', method: 'set', key, text: stringifyChoice(key, choice) });
    return [];
  } catch (error) {
    return [`the choice is not kept: ${(error as Error).message}`];
  }
}

/** The lines that say how a kept choice was used are `explanation`. */
export class TunedChoices {
  readonly explanation: string[] = [];
  readonly #settings: Settings;
  readonly #caller: Caller;
  readonly #found = new Map<string, KeptChoice | null>();

  constructor(settings: Settings, caller: Caller) {
    [this.#settings, this.#caller] = [settings, caller];
  }

  /** What block Wiedemann takes of them on the executor of this hardware. */
  on(hardware: Pick<Hardware, 'device' | 'adapter'>): Pick<RunContext, 'tunedOperator' | 'tunedBlock'> {
    return { tunedOperator: this.#operatorOn(hardware), tunedBlock: this.#blockOn(hardware) };
  }

  /** The operator of a kept storage with its sizes. */
  #operatorOn(hardware: Pick<Hardware, 'device' | 'adapter'>): TunedOperator {
    return async (executor, matrix, options) => {
      const kept = await this.#find(hardware, matrix);
      if (kept === null) return null;
      const { storage, sizes } = kept;
      const isOwn = storage === 'auto';
      if (isOwn && describeSizes(sizes).length === 0) return null;
      try {
        if (!isOwn) checkChosenStorage(storage, matrix, this.#settings);
        return executor.operator(matrix, { ...options, ...(isOwn ? {} : { storage }), sizes });
      } catch (error) {
        const isExpected = [MemoryError, MethodError, RangeError].some((kind) => error instanceof kind);
        if (!isExpected) throw error;
        this.explanation.push(`tuned: storage ${storage} is not used: ${(error as Error).message}`);
        return null;
      }
    };
  }

  /**
   * The block shape of a kept choice, which its storage goes with; not where memory is limited, since more columns take
   * more of it.
   */
  #blockOn(hardware: Pick<Hardware, 'device' | 'adapter'>): TunedBlock {
    return async (matrix) => {
      const { storage, words, maxMemory } = this.#settings;
      if ([storage, words, maxMemory].some((asked) => asked !== null)) return undefined;
      const block = (await this.#find(hardware, matrix))?.block;
      return block && { m: block[0], n: block[1] };
    };
  }

  /** The threads beyond which the products of a matrix were found to gain nothing; undefined where nothing is known. */
  async threads(matrix: SparseMatrix): Promise<number | undefined> {
    const residues = dropEmptyLines(withoutIdleLines(matrix).residues(Number(this.#settings.mod)));
    return (await this.#find({ device: 'cpu', adapter: null }, residues))?.threads;
  }

  async #find(hardware: Pick<Hardware, 'device' | 'adapter'>, matrix: ResidueMatrix): Promise<KeptChoice | null> {
    const key = tuningKey(hardware, this.#settings, dropEmptyLines(matrix));
    const before = this.#found.get(key);
    if (before !== undefined) return before;
    const kept = await this.#recall(key);
    this.#found.set(key, kept);
    if (kept !== null) {
      const threads = hardware.device === 'gpu' ? '' : `, threads ${kept.threads}`;
      const block = kept.block === undefined ? '' : `, block ${kept.block.join('x')}`;
      const storage = [kept.storage, ...describeSizes(kept.sizes)].join(', ');
      this.explanation.push(`tuned: storage ${storage}${threads}${block}, as was kept for ${key}`);
      this.explanation.push(...tableOf(kept.products, matrix.colIdx.length));
    }
    return kept;
  }

  async #recall(key: string): Promise<KeptChoice | null> {
    try {
      const bytes = await this.#caller.call({ what: 'tuning', method: 'get', key });
      if (bytes === null) return null;
      const kept = parseChoice(key, new TextDecoder().decode(bytes));
      if (kept !== null) return kept;
      this.explanation.push('tuned: a choice that was kept is damaged or of another version, and dropped');
      await this.#caller.call({ what: 'tuning', method: 'delete', key });
    } catch (error) {
      this.explanation.push(`tuned: no choice can be read: ${(error as Error).message}`);
    }
    return null;
  }
}

/** Whether products with the matrix itself, by threads, are most of the run. */
export function isOfProducts(question: WordQuestion): question is WordQuestion & { readonly matrix: SparseMatrix } {
  const { verb, matrix, settings } = question;
  const { method, device, block } = settings;
  const byThreads = device !== 'reference' && !mayTakeGpu(matrix, device);
  const bySequence = verb === 'minpoly' || method === 'wiedemann' || (verb === 'rank' && block !== null);
  return byThreads && bySequence && matrix instanceof SparseMatrix;
}
