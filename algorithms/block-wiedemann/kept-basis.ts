/**
 * The order basis of a search in a store, as it is between two looks (factored-basis.ts) or two base cases of one: what
 * took long to find is not found again.
 *
 *   basis i-b            P modulo z^i in its factors, of which the first reaches z^b, codes of GF(q), the degrees of
 *                        their rows, and what its check goes by
 *   basis i-b, look j    what is found of j orders beyond that (look.ts)
 *
 * It has (m + n)/m times the words of the sequence to that order, so that it is kept where finding it took far longer
 * than writing it takes, and at the end of the run where it took longer. The one before stays beside it: where both
 * are damaged the search begins anew, and what it keeps takes their place, however far they were. A damaged look is
 * made again. A word that changes before it is sealed is met by the check of the basis (basis-check.ts).
 */
import { type Checkpoint, SHARE } from '../checkpoint/checkpoint.js';
import type { Sealed } from '../checkpoint/sealed.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import { secondsToWrite } from '../checkpoint/writing-time.js';
import type { BasisState, FactoredBasis } from './factored-basis.js';
import type { LookState, Pause } from './look.js';

/** In the names of looks, behind that of their basis. */
const LOOK = '-look-';

interface State {
  readonly fields: object;
  readonly words: readonly Uint32Array[];
}

export class BasisKeeper {
  private readonly checkpoint: Checkpoint;
  private readonly name: string;
  private readonly of: string | null;
  private names: string[] = []; // of what is kept, the furthest first
  private reached = -1; // by the furthest look behind it that is kept, −1 for none
  private seconds = 0; // of the search since then

  /**
   * `arrays` is what the names of all arrays of the attempt begin with; `of` : a digest of what the series is made of,
   * where the attempt may make another one.
   */
  constructor(checkpoint: Checkpoint, arrays: string, of: string | null = null) {
    [this.checkpoint, this.name, this.of] = [checkpoint, `${arrays}-basis-`, of];
  }

  /** The basis, which has no orders yet, goes on from the furthest that is whole. */
  async recall(basis: FactoredBasis): Promise<void> {
    const names = (await this.all()).reverse();
    for (const isLook of [false, true]) {
      const looks = this.nameOf(basis) + LOOK;
      for (const name of names.filter((each) => (isLook ? each.startsWith(looks) : !each.includes(LOOK)))) {
        const sealed = await this.checkpoint.recall(name);
        if (sealed && (sealed.fields['of'] ?? null) !== this.of) continue;
        const state = sealed && readState(sealed);
        if (state && (isLook ? basis.goOnWith(state as LookState) : basis.goOnFrom(state as BasisState))) break;
        if (sealed) this.checkpoint.remark(`${name} has other sizes than this run`);
      }
    }
    [this.names, this.reached, this.seconds] = [[this.nameOf(basis)], reachedOf(basis), 0];
  }

  /** Does `advance`, which brings the basis to further orders; where that pauses, and behind it, keeps what is due. */
  async goOn(basis: FactoredBasis, advance: (pause: Pause) => Promise<void>): Promise<void> {
    let start = performance.now();
    const pause = async (): Promise<void> => {
      this.seconds += (performance.now() - start) / 1000;
      const { interval } = this.checkpoint;
      if (this.seconds >= Math.max(interval, SHARE * this.writing(basis))) await this.keep(basis);
      if ((await this.checkpoint.due()) === 'stop') {
        await this.end(basis);
        this.checkpoint.leave();
      }
      start = performance.now();
    };
    await advance(pause);
    await pause();
  }

  /** Where the run ends at a checkpoint: keeps what takes longer to find than to write. */
  async end(basis: FactoredBasis): Promise<void> {
    if (this.seconds >= this.writing(basis)) await this.keep(basis);
  }

  /** Seconds, for what is new. */
  private writing(basis: FactoredBasis): number {
    return secondsToWrite((this.has(basis) ? 0 : basis.bytes) + (basis.look?.bytes ?? 0));
  }

  /** Whether it is kept in these factors, without a look. */
  private has(basis: FactoredBasis): boolean {
    return basis.order === 0 || this.names[0] === this.nameOf(basis);
  }

  /** Keeps what is new. */
  async keep(basis: FactoredBasis): Promise<void> {
    const [name, reached, isNew] = [this.nameOf(basis), reachedOf(basis), !this.has(basis)];
    if (!isNew && reached === this.reached) return;
    this.seconds = 0;
    if (isNew) {
      if (!(await this.write(name, () => basis.state()))) return;
      [this.names, this.reached] = [[name, ...this.names.slice(0, 1)], -1];
    }
    const looks = [reached, this.reached].map((each) => name + LOOK + padded(each));
    if (await this.write(looks[0], async () => basis.look?.state())) this.reached = reached;
    const good = [...this.names, ...looks];
    const isOld = (each: string): boolean => !good.includes(each) && (isNew || each.includes(LOOK));
    for (const each of (await this.all()).filter(isOld)) await this.checkpoint.removeAll(each);
  }

  /** Whether there is such a state; in words of the host, where these have room: the search goes on without. */
  private async write(name: string, stateOf: () => Promise<State | null | undefined>): Promise<boolean> {
    let state: State | null | undefined;
    try {
      state = await stateOf();
    } catch (error) {
      this.checkpoint.remark(`the order basis is not kept: ${(error as Error).message}`);
    }
    if (!state) return false;
    const { words } = state;
    const fields = { ...state.fields, of: this.of ?? undefined, lengths: words.map(({ length }) => length) };
    await this.checkpoint.settle();
    await this.checkpoint.keep(name, fields, ...words.map(bytesOf));
    return true;
  }

  /** Of what nobody needs any more, or that is wrong. */
  async forget(): Promise<void> {
    [this.names, this.reached] = [[], -1];
    await this.checkpoint.removeAll(this.name);
  }

  private nameOf({ order, base }: FactoredBasis): string {
    return `${this.name}${padded(order)}-${padded(base)}`;
  }

  /** The names of all, also of damaged ones, in order. */
  private async all(): Promise<string[]> {
    return (await this.checkpoint.names(this.name)).sort();
  }
}

function padded(count: number): string {
  return String(count).padStart(9, '0');
}

function reachedOf({ look }: FactoredBasis): number {
  return look?.reached ?? -1;
}

/** null where its bytes are not as long as it says. */
function readState({ fields, bytes }: Sealed): State | null {
  const lengths = fields['lengths'] as readonly number[];
  if (bytes.length !== 4 * lengths.reduce((sum, length) => sum + length, 0)) return null;
  const words = wordsOf(bytes);
  let end = 0;
  const parts = lengths.map((length) => {
    end += length;
    return words.subarray(end - length, end);
  });
  return { fields, words: parts };
}
