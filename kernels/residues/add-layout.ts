/**
 * Arguments of polyAdd and polyAddByTables, byte offsets: read as TypeScript by the host (kernels/poly/mul.ts) and as
 * AssemblyScript by the kernels, so it holds numbers alone.
 */
export const ADD_TO = 0;
export const ADD_TO_STRIDE = 4;
export const ADD_SOURCE = 8;
export const ADD_SOURCE_STRIDE = 12;
export const ADD_VECTORS = 16; // rows·groups
export const ADD_COUNT = 20;
export const ADD_FIELD = 24;
