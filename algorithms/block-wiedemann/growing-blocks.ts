/** A growing list of equal blocks of numbers, in pieces so that none is ever copied. */

/** Blocks a piece. */
const PIECE = 64;

/** Equal blocks, to be read. */
export type BlockList = Pick<GrowingBlocks, 'count' | 'at'>;

/** The blocks of an array. */
export function blocksOf(words: Uint32Array, size: number): BlockList {
  return { count: size === 0 ? 0 : words.length / size, at: (i) => words.subarray(i * size, (i + 1) * size) };
}

/** Blocks with those of the same number of others below them, rows of as many elements; each until the next is read. */
export function stacked(upper: BlockList, lower: BlockList): BlockList {
  let block = new Uint32Array(0);
  const at = (i: number): Uint32Array => {
    const [above, below] = [upper.at(i), lower.at(i)];
    const length = above.length + below.length;
    if (block.length !== length) block = new Uint32Array(length);
    block.set(above);
    block.set(below, above.length);
    return block;
  };
  return { count: Math.min(upper.count, lower.count), at };
}

export class GrowingBlocks {
  readonly size: number;
  private readonly pieces: Uint32Array[] = []; // PIECE blocks each
  private used = 0;

  constructor(size: number) {
    this.size = size;
  }

  get count(): number {
    return this.used;
  }

  push(block: Uint32Array): void {
    if (this.used % PIECE === 0) this.pieces.push(new Uint32Array(PIECE * this.size));
    this.used++;
    this.at(this.used - 1).set(block);
  }

  /** Whole blocks, one after another. */
  append(blocks: Uint32Array): void {
    for (let at = 0; at < blocks.length; at += this.size) this.push(blocks.subarray(at, at + this.size));
  }

  /** The blocks from `first` on, before `end`, one after another. */
  copy(first: number, end = this.used): Uint32Array {
    const out = new Uint32Array((end - first) * this.size);
    for (let i = first; i < end; i++) out.set(this.at(i), (i - first) * this.size);
    return out;
  }

  /** The blocks from `first` on, before `end`, where they are: one after another, in pieces. */
  views(first: number, end: number): Uint32Array[] {
    const out: Uint32Array[] = [];
    for (let i = first; i < end; ) {
      const next = Math.min(end, i - (i % PIECE) + PIECE);
      const at = (i % PIECE) * this.size;
      out.push(this.pieces[Math.floor(i / PIECE)].subarray(at, at + (next - i) * this.size));
      i = next;
    }
    return out;
  }

  /** RangeError for a block that there is not. */
  at(i: number): Uint32Array {
    if (!(i >= 0 && i < this.used)) throw new RangeError(`blocks: expected one of ${this.used}, got number ${i}`);
    const at = (i % PIECE) * this.size;
    return this.pieces[Math.floor(i / PIECE)].subarray(at, at + this.size);
  }
}

/** Each word goes in by a bijection of the digest, so that one wrong word always changes it, several all but 2^−32. */
export function digestOf(blockAt: (i: number) => Uint32Array, count: number): number {
  let digest = 1;
  for (let i = 0; i < count; i++) digest = addWords(digest, blockAt(i));
  return digest;
}

function addWords(digest: number, words: Uint32Array): number {
  for (let i = 0; i < words.length; i++) digest = Math.imul(digest ^ words[i], 0x01000193);
  return digest;
}
