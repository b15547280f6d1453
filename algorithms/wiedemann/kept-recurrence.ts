/**
 * The recurrence of scalar sequences in a store: the order basis under way, and the recurrence once it is found.
 *
 *   f, monic, and the digest of what the sequences are made of: that of others is not taken up
 */

import { arraysOf } from '../block-wiedemann/kept-attempt.js';
import { BasisKeeper } from '../block-wiedemann/kept-basis.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import type { Sealed } from '../checkpoint/sealed.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import type { Recurrence } from './recurrence.js';

export class RecurrenceKeeper {
  /** Of the search. */
  readonly basis: BasisKeeper;
  private readonly checkpoint: Checkpoint;
  private readonly name: string;
  private readonly of: string;

  /** `of` : the digest of what the sequences of this attempt are made of. */
  constructor(checkpoint: Checkpoint, attempt: number, of: string) {
    this.checkpoint = checkpoint;
    this.of = of;
    const arrays = `${arraysOf(attempt)}-recurrence`;
    this.name = `${arrays}-found`;
    this.basis = new BasisKeeper(checkpoint, arrays, of);
  }

  /** The recurrence that was kept, or that of `search`, which is then kept. */
  async find(search: () => Promise<Recurrence>): Promise<Recurrence> {
    const kept = await this.checkpoint.recall(this.name);
    const known = kept && readRecurrence(kept, this.of);
    if (known !== null) return known;
    const found = await search();
    const { coefficients, degree, proved } = found;
    await this.checkpoint.settle();
    await this.checkpoint.keep(this.name, { of: this.of, degree, proved }, bytesOf(coefficients));
    await this.basis.forget();
    return found;
  }
}

/** null where it is not of these sequences. */
function readRecurrence({ fields, bytes }: Sealed, of: string): Recurrence | null {
  const { degree, proved } = fields;
  if (fields['of'] !== of || typeof degree !== 'number' || typeof proved !== 'boolean') return null;
  return bytes.length === 4 * (degree + 1) ? { coefficients: wordsOf(bytes), degree, proved } : null;
}
