/**
 * The order basis of a search in a store, as it is between two looks (factored-basis.ts): what took long to find is not
 * found again.
 *
 *   basis i    P modulo z^i in its factors, codes of GF(q), the degrees of their rows, and what its check goes by
 *
 * It has (m + n)/m times the words of the sequence to that order, so that it is kept where finding it took far longer
 * than writing it takes, and at the end of the run where it took longer. The one before stays beside it: where both
 * are damaged the search begins anew, and what it keeps takes their place, however far they were. A word that changes
 * before it is sealed is met by the check of the basis (basis-check.ts).
 */
import { type Checkpoint, SHARE } from '../checkpoint/checkpoint.js';
import type { Sealed } from '../checkpoint/sealed.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import type { BasisState, FactoredBasis } from './factored-basis.js';

/** What a store takes in a second at least, with the digest. */
const BYTES_A_SECOND = 2 ** 27;

export class BasisKeeper {
  private readonly checkpoint: Checkpoint;
  private readonly name: string;
  private order = 0; // of the furthest that is kept
  private seconds = 0; // of the search since then

  /** `arrays` is what the names of all arrays of the attempt begin with. */
  constructor(checkpoint: Checkpoint, arrays: string) {
    [this.checkpoint, this.name] = [checkpoint, `${arrays}-basis-`];
  }

  /** The basis, which has no orders yet, goes on from the furthest that is whole. */
  async recall(basis: FactoredBasis): Promise<void> {
    [this.order, this.seconds] = [0, 0];
    for (const name of (await this.names()).reverse()) {
      const sealed = await this.checkpoint.recall(name);
      const state = sealed && readState(sealed);
      if (state && basis.goOnFrom(state)) {
        this.order = basis.order;
        return;
      }
      if (sealed) this.checkpoint.remark(`${name} has other sizes than this run`);
    }
  }

  /** Does `advance`, which brings the basis to further orders, and keeps it if it is time. */
  async goOn(basis: FactoredBasis, advance: () => Promise<void>): Promise<void> {
    const start = performance.now();
    await advance();
    this.seconds += (performance.now() - start) / 1000;
    const { interval } = this.checkpoint;
    if (this.seconds >= Math.max(interval, SHARE * this.writing(basis))) await this.keep(basis);
  }

  /** Where the run ends at a checkpoint: keeps what takes longer to find than to write. */
  async end(basis: FactoredBasis): Promise<void> {
    if (this.seconds >= this.writing(basis)) await this.keep(basis);
  }

  /** Seconds. */
  private writing({ bytes }: FactoredBasis): number {
    return bytes / BYTES_A_SECOND;
  }

  /** Keeps what is new. */
  async keep(basis: FactoredBasis): Promise<void> {
    if (basis.order === this.order) return;
    const state = await this.stateOf(basis);
    if (state === null) return;
    const { order, base, degrees, inner, p, last, images } = state;
    const lengths = [p, last ?? [], ...images.map(({ words }) => words)].map(({ length }) => length);
    const fields = { order, base, degrees: [...degrees], inner: inner && [...inner], lengths };
    const firsts = images.map(({ first }) => first);
    const words = [p, ...(last ? [last] : []), ...images.map((each) => each.words)];
    await this.checkpoint.settle();
    const good = [order, this.order].map((each) => this.nameAt(each));
    await this.checkpoint.keep(good[0], { ...fields, firsts }, ...words.map(bytesOf));
    [this.order, this.seconds] = [order, 0];
    for (const name of await this.names()) if (!good.includes(name)) await this.checkpoint.removeAll(name);
  }

  /** Of what nobody needs any more, or that is wrong. */
  async forget(): Promise<void> {
    this.order = 0;
    await this.checkpoint.removeAll(this.name);
  }

  /** In words of the host, where these have room: the search goes on without. */
  private async stateOf(basis: FactoredBasis): Promise<BasisState | null> {
    try {
      return await basis.state();
    } catch (error) {
      this.checkpoint.remark(`the order basis is not kept: ${(error as Error).message}`);
      return null;
    }
  }

  private nameAt(order: number): string {
    return this.name + String(order).padStart(9, '0');
  }

  private async names(): Promise<string[]> {
    return (await this.checkpoint.names(this.name)).sort();
  }
}

interface KeptFields {
  readonly order: number;
  readonly base: number;
  readonly degrees: readonly number[];
  readonly inner: readonly number[] | null;
  readonly lengths: readonly number[]; // of p, of `last` or 0, of the images
  readonly firsts: readonly number[];
}

/** null where its bytes are not as long as it says. */
function readState({ fields, bytes }: Sealed): BasisState | null {
  const { order, base, degrees, inner, lengths, firsts } = fields as unknown as KeptFields;
  if (bytes.length !== 4 * lengths.reduce((sum, length) => sum + length, 0)) return null;
  const words = wordsOf(bytes);
  let end = 0;
  const [p, last, ...images] = lengths.map((length) => {
    end += length;
    return words.subarray(end - length, end);
  });
  return {
    ...{ order, base, degrees: Int32Array.from(degrees), inner: inner && Int32Array.from(inner) },
    ...{ p, last: last.length > 0 ? last : null },
    images: images.map((each, i) => ({ first: firsts[i], words: each })),
  };
}
