/**
 * The places of a matrix's entries in its transpose: the stable counting sort by column of residue-matrix.ts.
 *
 * Of a large matrix with many columns each entry's place is far from the one before, so that every entry waits for a
 * line of memory. Two sorts by one digit of the column each wait for few: the first writes to no more streams than
 * caches and translations of addresses hold, the second to the columns of one stream, which are near. Between them an
 * entry's place in `outIdx` holds the low digit of its column and its row in a run of 2^(32 − bits) rows, which fill 32
 * bits; where a stream's runs begin is kept apart. Source: Wassenberg, Sanders 2011, "Engineering a multi-core radix
 * sort", on streams and translations.
 */

/** Bits of the high digit, by which there are 128 to 256 streams. */
const HIGH = 8;

/** Columns and entries up to which one sort is quicker, since its places are in caches. */
const [FEW_COLUMNS, FEW_ENTRIES] = [2 ** 19, 2 ** 20];

/**
 * `outPtr`: where a column's entries begin, the number of all of them last. Rows increase within a column. `high`: bits
 * of the first digit, at most 13.
 */
export function dealColumns(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
  high = HIGH,
): void {
  const next = outPtr.slice();
  if (outPtr.length <= FEW_COLUMNS || colIdx.length <= FEW_ENTRIES) {
    dealEntries(rowPtr, colIdx, values, next, outIdx, outValues);
    return;
  }
  const [rows, cols] = [rowPtr.length - 1, outPtr.length - 1];
  const bits = 32 - Math.clz32(cols - 1) - high;
  const streams = Math.ceil(cols / 2 ** bits);
  const begin = Uint32Array.from({ length: streams + 1 }, (_, s) => outPtr[Math.min(cols, s * 2 ** bits)]);
  const runs = Math.ceil(rows / 2 ** (32 - bits));
  const ends = new Uint32Array(runs * streams);
  const at = begin.slice(0, streams);
  for (let run = 0; run < runs; run++) {
    const row = run * 2 ** (32 - bits);
    const last = Math.min(rows, row + 2 ** (32 - bits));
    dealHigh(rowPtr, colIdx, values, row, last, bits, at, outIdx, outValues);
    ends.set(at, run * streams);
  }
  for (let s = 0; s < streams; s++) {
    const words = outIdx.slice(begin[s], begin[s + 1]);
    const numbers = outValues.slice(begin[s], begin[s + 1]);
    const own = next.subarray(s * 2 ** bits);
    for (let run = 0, from = 0; run < runs; run++) {
      const end = ends[run * streams + s] - begin[s];
      dealLow(words, numbers, from, end, run * 2 ** (32 - bits), bits, own, outIdx, outValues);
      from = end;
    }
  }
}

// Loops of their own: residue-matrix.ts.

/** Every entry to the next place of its column, with its row. */
function dealEntries(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  next: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): void {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const at = next[colIdx[k]]++;
      outIdx[at] = i;
      outValues[at] = values[k];
    }
  }
}

/** The entries of rows `first` … `last` − 1 to the next places of their streams. */
function dealHigh(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  first: number,
  last: number,
  bits: number,
  next: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): void {
  const low = 2 ** bits - 1;
  for (let i = first; i < last; i++) {
    const row = (i - first) << bits;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const j = colIdx[k];
      const at = next[j >>> bits]++;
      outIdx[at] = row | (j & low);
      outValues[at] = values[k];
    }
  }
}

/** Entries `from` … `end` − 1 of a stream, of rows from `first` on, to the next places of their columns. */
function dealLow(
  words: Uint32Array,
  numbers: Uint32Array,
  from: number,
  end: number,
  first: number,
  bits: number,
  next: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): void {
  const low = 2 ** bits - 1;
  for (let k = from; k < end; k++) {
    const word = words[k];
    const at = next[word & low]++;
    outIdx[at] = first + (word >>> bits);
    outValues[at] = numbers[k];
  }
}
