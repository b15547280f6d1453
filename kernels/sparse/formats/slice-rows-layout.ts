/**
 * Sizes of slices, and arguments of sliceWindows and sliceEntries, byte offsets: read as TypeScript and as
 * AssemblyScript, so it holds numbers alone.
 */
/** Rows side by side as a rule. */
export const SLICE = 32;
/**
 * Rows that are sorted together, as a rule and at most. Long enough that few slices mix lengths, and short enough that
 * what neighbours in storage read and write lies close together. Windows of 64 rows are slower
 * (test/bench/RESULTS.md#gpu-spmm).
 */
export const WINDOW = 16384;
/** Entries of a row beyond which a workgroup, not an invocation, sums it; no prime's sums are folded before. */
export const LONG = 255;
/** A slot without a row. */
export const VACANT = 1073741824;

export const STARTS = 0; // u32 a row: its first entry
export const ENDS = 4; // u32 a row
export const VALUES = 8; // u32 an entry
export const MODULUS = 12;
export const SLOTS = 16; // u32 a slot, from the first on
export const SLICES = 20; // two u32 a slice: words of units and of pairs, then where they begin
export const SLOT_COUNT = 24; // rows of the windows, or slots of one piece
export const WINDOW_ROWS = 60; // a power of two, at most WINDOW
export const SLICE_ROWS = 64; // a power of two, at most a window

// sliceWindows
export const MOST = 28; // entries of a row that has a slot
export const WORK = 32; // 2^LOG_WORK bytes a thread
export const LOG_WORK = 18;

// sliceEntries
export const FIRST = 36; // slots before the first, of all pieces
export const COL_IDX = 40; // u32 an entry
export const UNITS = 44; // of the piece
export const UNIT_WORDS = 48; // where those of the last slice end
export const PAIRS = 52;
export const PAIR_WORDS = 56;
