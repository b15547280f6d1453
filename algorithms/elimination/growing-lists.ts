/**
 * Many lists of words, or of pairs of words, that grow: places of one pool, which a list leaves for the end when it is
 * full.
 *
 *   list i : places start[i] … start[i] + length[i] − 1 of `index` and, where there are values, of `value`
 *
 * The writer of a list keeps its `length`, and calls `grow` before it exceeds `room`; `grow` replaces the arrays.
 */
export class GrowingLists {
  index: Uint32Array;
  value: Uint32Array; // empty where lists are of words alone
  readonly start: Uint32Array;
  readonly length: Uint32Array;
  private readonly room: Uint32Array;
  private end: number;

  /** The rows of a compressed matrix, whose arrays are copied. */
  constructor(rowPtr: Uint32Array, index: Uint32Array, value?: Uint32Array) {
    const count = rowPtr.length - 1;
    this.end = index.length;
    const size = roomy(this.end);
    this.index = new Uint32Array(size);
    this.index.set(index);
    this.value = new Uint32Array(value ? size : 0);
    if (value) this.value.set(value);
    this.start = rowPtr.slice(0, count);
    this.length = Uint32Array.from({ length: count }, (_, i) => rowPtr[i + 1] - rowPtr[i]);
    this.room = this.length.slice();
  }

  /** Of the arrays as they are now. */
  get bytes(): number {
    return 4 * (this.index.length + this.value.length + 3 * this.start.length);
  }

  /** Makes room for `size` entries in list i. */
  grow(i: number, size: number): void {
    if (size <= this.room[i]) return;
    const room = size + (size >> 1) + 2;
    if (this.end + room > this.index.length) this.tidy(room);
    const { start, length, end } = this;
    this.index.copyWithin(end, start[i], start[i] + length[i]);
    this.value.copyWithin(end, start[i], start[i] + length[i]);
    start[i] = end;
    this.room[i] = room;
    this.end += room;
  }

  /** All lists together at the beginning of a pool with room for `more` and as much again as there is. */
  private tidy(more: number): void {
    const { start, length, room } = this;
    let total = more;
    for (let i = 0; i < length.length; i++) total += length[i];
    const size = roomy(total);
    const index = new Uint32Array(size);
    const value = new Uint32Array(this.value.length > 0 ? size : 0);
    let to = 0;
    for (let i = 0; i < length.length; i++) {
      const [from, end] = [start[i], start[i] + length[i]];
      if (length[i] > 0) index.set(this.index.subarray(from, end), to);
      if (length[i] > 0 && value.length > 0) value.set(this.value.subarray(from, end), to);
      start[i] = to;
      room[i] = length[i];
      to += length[i];
    }
    this.index = index;
    this.value = value;
    this.end = to;
  }
}

function roomy(size: number): number {
  return 2 * size + 64;
}
