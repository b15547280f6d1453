/**
 * Small matrices as they are now, one behind another in few arrays, in shared memory where the platform has it: those
 * that a lane takes next are a run of words, which is sent as one.
 */
import type { SmallMatrix } from '../../kernels/dense/small-matrix.js';
import { allocateUint32 } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import { type OutcomeData, toOutcome } from '../questions/outcome.js';
import { ANSWER, outcomeOfSmall, packedWords, packMatrix } from '../questions/packed-ranks.js';
import type { AnyOutcome } from '../questions/verbs.js';
import type { OpenedAnswers } from './open-answers.js';
import type { Session } from './session.js';

/** Words of an array, or those of its only matrix. */
const SLAB = 1 << 18;

/** Words `from` … `to` − 1 of an array are one matrix. */
export interface Packed {
  readonly words: Uint32Array;
  readonly from: number;
  readonly to: number;
}

export class MatrixSlab {
  #words: Uint32Array = new Uint32Array(0);
  #used = 0;

  add(matrix: SmallMatrix): Packed {
    const length = packedWords(matrix);
    if (this.#used + length > this.#words.length) {
      this.#words = allocateUint32(Math.max(SLAB, length));
      this.#used = 0;
    }
    const [words, from] = [this.#words, this.#used];
    this.#used = packMatrix(words, from, matrix);
    return { words, from, to: this.#used };
  }
}

/** The lane's answers about a run of matrices, and the seconds that they took. */
export async function askPacked(
  lane: Session,
  run: readonly Packed[],
  settings: readonly Settings[],
): Promise<OpenedAnswers> {
  const [{ words, from }, { to }] = [run[0]!, run.at(-1)!];
  const { numbers, empty, seconds } = await lane.askPacked({
    count: run.length,
    words: runOf(words, from, to),
    settings,
  });
  let at = 0;
  const outcome = ({ words, from }: Packed, none: OutcomeData<number>): { readonly outcome: AnyOutcome } => {
    const sizes = { rows: words[from]!, cols: words[from + 1]!, nnz: words[from + 2]! };
    const found = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!] as const;
    at += ANSWER;
    return { outcome: toOutcome(outcomeOfSmall(none, sizes, found, 0)) };
  };
  return { items: run.map((one) => ({ answers: empty.map((none) => outcome(one, none)) })), seconds };
}

/** Memory that is not shared is sent whole, whatever a view has of it. */
function runOf(words: Uint32Array, from: number, to: number): Uint32Array {
  return words.buffer instanceof ArrayBuffer ? words.slice(from, to) : words.subarray(from, to);
}

/** Whether `next` stands behind `one`. */
export function follows(one: Packed, next: Packed): boolean {
  return one.words === next.words && one.to === next.from;
}
