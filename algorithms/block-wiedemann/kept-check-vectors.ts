/**
 * The vectors D that check a sequence (check-vectors.ts) in a store: a run that goes on makes no products for them.
 *
 *   check i    D for intervals of i steps, N × w codes of GF(q), and a digest of what D follows from beside A and C
 *
 * Codes are the same on every device. The steps of an interval are a device's (check-interval.ts): each number of them
 * has an array of its own, so that a run goes on with those that suit the device, and devices that take turns leave
 * each other's. No answer hangs on D being right: a wrong one fits nothing, and is made again (sequence-check.ts). It
 * is kept where making it took longer than writing it takes, and elsewhere what was kept in its place is removed.
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { digestOfText } from '../checkpoint/sealed.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import { secondsToWrite } from '../checkpoint/writing-time.js';

/** What D follows from, beside A and C. */
export interface CheckKind {
  readonly seed: bigint;
  readonly interval: number;
  readonly width: number;
  readonly rows: number; // of a block
  readonly shift: number;
  readonly read: string;
  readonly q: number;
}

export interface KeptCheck {
  readonly d: Uint32Array; // N × w codes
  readonly seconds: number; // that making it took
}

export class CheckKeeper {
  private readonly checkpoint: Checkpoint;
  private readonly name: string;

  /** `name` is what the names of the sequence's arrays begin with. */
  constructor(checkpoint: Checkpoint, name: string) {
    [this.checkpoint, this.name] = [checkpoint, name];
  }

  /** Of N unknowns; null where there is none, or another. */
  async recall(kind: CheckKind, N: number): Promise<KeptCheck | null> {
    const name = this.nameOf(kind);
    const sealed = await this.checkpoint.recall(name);
    if (sealed === null) return null;
    const d = wordsOf(sealed.bytes);
    const isOfKind = sealed.fields['of'] === digestOf(kind) && d.length === N * kind.width;
    // No device takes what is no code.
    if (isOfKind && d.every((code) => code < kind.q)) return { d, seconds: Number(sealed.fields['seconds']) };
    this.checkpoint.remark(`${name} is not of this sequence, and is made again`);
    return null;
  }

  async keep(kind: CheckKind, { d, seconds }: KeptCheck): Promise<void> {
    const name = this.nameOf(kind);
    await this.checkpoint.settle();
    if (seconds < secondsToWrite(d.byteLength)) await this.checkpoint.remove(name);
    else await this.checkpoint.keep(name, { of: digestOf(kind), seconds }, bytesOf(d));
  }

  private nameOf({ interval }: CheckKind): string {
    return `${this.name}-check-${String(interval).padStart(9, '0')}`;
  }
}

function digestOf({ seed, interval, width, rows, shift, read, q }: CheckKind): string {
  return digestOfText(JSON.stringify([`${seed}`, interval, width, rows, shift, read, q]));
}
