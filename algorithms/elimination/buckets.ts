/**
 * Lines by their number of entries: the least is at hand, and a change costs a few words.
 *
 *   bucket c : a doubly linked list of the lines with c entries, the latest first; lines without entries are in none
 */
export class Buckets {
  /** Entries of a line. May run ahead of the buckets, until `change` is called with it. */
  readonly count: Uint32Array;
  private readonly filed: Uint32Array; // the bucket that a line is in, or 0
  private readonly head: Int32Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  private lowest = 1; // no bucket below it has a line

  constructor(count: Uint32Array, most: number) {
    this.count = count;
    this.filed = new Uint32Array(count.length);
    this.head = new Int32Array(most + 1).fill(-1);
    this.next = new Int32Array(count.length);
    this.previous = new Int32Array(count.length);
    for (let i = count.length - 1; i >= 0; i--) this.change(i, count[i]);
  }

  /** A line of the fewest entries; there is one. */
  least(): number {
    while (this.head[this.lowest] < 0) this.lowest++;
    return this.head[this.lowest];
  }

  change(i: number, count: number): void {
    const { head, next, previous, filed } = this;
    this.count[i] = count;
    const from = filed[i];
    if (from === count) return;
    if (from > 0) {
      if (previous[i] >= 0) next[previous[i]] = next[i];
      else head[from] = next[i];
      if (next[i] >= 0) previous[next[i]] = previous[i];
    }
    filed[i] = count;
    if (count === 0) return;
    next[i] = head[count];
    previous[i] = -1;
    if (head[count] >= 0) previous[head[count]] = i;
    head[count] = i;
    if (count < this.lowest) this.lowest = count;
  }
}
