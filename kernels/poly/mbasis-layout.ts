/**
 * Arguments of the M-basis, byte offsets, and sizes that host and kernel count alike: read as TypeScript by mbasis.ts
 * and as AssemblyScript by the kernel, so it holds numbers alone.
 */
export const P = 0;
export const P_GROUPS = 4;
export const P_STRIDE = 8;
export const G = 12;
export const G_STRIDE = 16;
export const ROWS = 20;
export const RHS_ROWS = 24;
export const N = 28;
export const ORDERS = 32; // L
export const DEGREES = 36;
export const LENGTH = 40; // address where the length of P is written
export const FIELD = 44;
export const SPIN = 48; // of a barrier
export const RUNS_OF_G = 52;
export const RUNS_OF_P = 56;

// Places.
export const WORK = 60; // vectors: rows·(L·w + 4) for G, then rows·(2·L + 1)·groups for P, w = groups of G
export const RUNS = 64;
export const RUN_BYTES = 68;
export const LISTS = 72; // 3·rows words
export const RECORDS = 76;
export const RECORD_BYTES = 80;
export const PLAN = 84;
export const OWN = 88; // OWN_BYTES a thread
export const OWN_BYTES = 92;

/** Bytes before the lists: of a thread's own, and of a run or of all runs together. */
export const BASIS_HEAD = 128;
export const RUN_HEAD = 64;

/** Vectors of a row that dot-u16.as.ts takes at a time: pairs of 16 rows are 4 KB. */
export const TILE = 32;
