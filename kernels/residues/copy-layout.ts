/**
 * Arguments of copyBytes, byte offsets: read as TypeScript by kernels/blocks/cpu-context.ts and as AssemblyScript by
 * the kernel, so it holds numbers alone.
 */
export const COPY_TO = 0;
export const COPY_SOURCE = 4;
export const COPY_BYTES = 8;
