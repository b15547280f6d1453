/**
 * The choices by which a kept run has come to the operator of its sequence.
 *
 * They depend on times that were measured, on threads and on GPUs, so that the run which goes on takes those of the
 * first start: it is to come to the same operator on any device. They are kept with the operator's digest, twice, since
 * they are nowhere else. Where they are lost, or lead elsewhere, whatever was kept of a sequence is removed before the
 * next one begins: arrays in a store are always of the operator that its way leads to. A way that goes on from the one
 * that is kept, since the operator there has not led to an answer, leaves its arrays behind alike.
 */
import type { Checkpoint } from './checkpoint.js';
import { type KeptTwice, keepTwice, recallTwice } from './twice.js';

export type Choice = string | number;

const NAMES = ['way.json', 'way-copy.json'] as const;

/** The choice of pieces on a disk; m and n of its blocks follow. */
const PIECES = 'pieces';

/** What the names of arrays begin with that are of one operator. */
const OF_OPERATOR = ['attempt-', 'outcome-'] as const;

export class Way {
  private readonly checkpoint: Checkpoint;
  private readonly kept: KeptTwice | null;
  private readonly onArrival: () => Promise<void>;

  private constructor(checkpoint: Checkpoint, kept: KeptTwice | null, onArrival: () => Promise<void>) {
    [this.checkpoint, this.kept, this.onArrival] = [checkpoint, kept, onArrival];
  }

  /** `onArrival` keeps what else has led to an operator. */
  static async recall(checkpoint: Checkpoint, onArrival = async (): Promise<void> => {}): Promise<Way> {
    return new Way(checkpoint, await recallTwice(checkpoint, NAMES), onArrival);
  }

  /** Those of the run that goes on; null where nothing is known. */
  get choices(): readonly Choice[] | null {
    return (this.kept?.fields['choices'] ?? null) as readonly Choice[] | null;
  }

  /** Before the sequence of the operator of that digest begins, or goes on. */
  async arrive(choices: readonly Choice[], digest: string): Promise<void> {
    await this.keepChoices(choices, digest);
    await this.onArrival();
  }

  private async keepChoices(choices: readonly Choice[], digest: string): Promise<void> {
    const isSame = this.kept?.fields['digest'] === digest;
    if (isSame && this.kept?.isTwice) return;
    if (!isSame) {
      if (this.kept !== null && !this.isPassedBy(choices))
        this.checkpoint.remark('the choices of the run lead to another operator: it begins again');
      for (const prefix of OF_OPERATOR) await this.checkpoint.removeAll(prefix);
    }
    await keepTwice(this.checkpoint, NAMES, { choices, digest });
  }

  /** Before the sequence by pieces on a disk, whose rows and columns are numbered by the run itself. */
  arriveByPieces({ m, n }: { readonly m: number; readonly n: number }): Promise<void> {
    return this.arrive([PIECES, m, n], PIECES);
  }

  private isPassedBy(choices: readonly Choice[]): boolean {
    const before = this.choices ?? [];
    return before.length < choices.length && before.every((choice, i) => choice === choices[i]);
  }
}

/** The blocks of a run by pieces on a disk, which the run goes on with; null of any other. */
export function blockOfPieces({ choices }: Way): { readonly m: number; readonly n: number } | null {
  if (choices?.[0] !== PIECES) return null;
  return { m: Number(choices[1]), n: Number(choices[2]) };
}
