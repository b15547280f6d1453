/**
 * Arguments of scanTriples, byte offsets: read as TypeScript by scan-triples.ts and as AssemblyScript by the kernel, so
 * it holds numbers alone.
 */
export const FIRST = 0; // byte
export const END = 4;
export const TO = 8; // three lists of ROOM words: rows, columns, values
export const ROOM = 12; // entries
export const ROWS = 16;
export const COLS = 20;
export const VALUED = 24; // 1 where lines have values
export const BELOW = 28; // least row − column
export const STOPPED = 32; // written: the first byte that was not read
export const COUNT = 36; // written: entries, one a line
export const BYTES = 40;
