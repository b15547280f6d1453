/**
 * Digests of the blocks of a sequence that fitted their check: what changes behind it is met by them, in the memory of
 * a run and, kept with the blocks, in what another run reads, which a seal made later says nothing of.
 */
import { type BlockList, digestOf, stacked } from './growing-blocks.js';

/** Which blocks of a sequence are read: S, T, or S with T below it. */
export type BlocksRead = 'S' | 'T' | 'both';

/** Of blocks one after another, in intervals of so many. */
export interface KnownBlocks {
  readonly read: BlocksRead;
  readonly interval: number;
  readonly digests: readonly number[];
}

/** The same of a piece that begins with that block. */
export interface KnownPiece extends KnownBlocks {
  readonly first: number;
}

/** Of `count` blocks from number `first` on. */
export interface KnownInterval {
  readonly first: number;
  readonly count: number;
  readonly digest: number;
}

export class BlockDigests {
  private readonly read: BlocksRead;
  private readonly interval: number;
  private readonly known: KnownInterval[] = [];

  constructor(read: BlocksRead, interval: number) {
    [this.read, this.interval] = [read, interval];
  }

  /** Of blocks from number `first` on. */
  add(first: number, { count, at }: BlockList): void {
    this.known.push({ first, count, digest: digestOf(at, count) });
  }

  /** Of all blocks, interval by interval. */
  addAll(blocks: BlockList): void {
    for (let first = 0; first < blocks.count; first += this.interval) {
      const count = Math.min(this.interval, blocks.count - first);
      this.add(first, { count, at: (i) => blocks.at(first + i) });
    }
  }

  /** As they were kept with a piece. */
  addKnown({ first, interval: count, digests }: KnownPiece): void {
    for (const [k, digest] of digests.entries()) this.known.push({ first: first + k * count, count, digest });
  }

  /** As another process has them. */
  take(known: readonly KnownInterval[]): void {
    for (const each of known) this.known.push(each);
  }

  /** Of the intervals within blocks first … end − 1. */
  within(from: number, end: number): KnownInterval[] {
    return this.known.filter(({ first, count }) => first >= from && first + count <= end);
  }

  /** Those of whole intervals, from that block on. */
  from(block: number): KnownBlocks {
    const digests = this.known.filter(({ first }) => first >= block).map(({ digest }) => digest);
    return { read: this.read, interval: this.interval, digests };
  }

  /** Whether blocks are still what they were. */
  agreeWith(blocks: BlockList): boolean {
    return this.known.every(({ first, count, digest }) => digestOf((i) => blocks.at(first + i), count) === digest);
  }
}

export function blocksRead(read: BlocksRead, s: BlockList, t: BlockList): BlockList {
  return read === 'both' ? stacked(s, t) : read === 'S' ? s : t;
}

/** Whether S and T are those blocks, all of them. */
export function areKnown({ read, interval, digests }: KnownBlocks, s: BlockList, t: BlockList): boolean {
  const blocks = blocksRead(read, s, t);
  if (blocks.count !== interval * digests.length) return false;
  return digests.every((digest, k) => digestOf((i) => blocks.at(k * interval + i), interval) === digest);
}
