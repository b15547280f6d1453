/**
 * Arguments of copyBytes and clearBytes, byte offsets: read as TypeScript by their hosts and as AssemblyScript by the
 * kernels, so it holds numbers alone.
 */
export const COPY_TO = 0;
export const COPY_SOURCE = 4; // of copyBytes
export const COPY_BYTES = 8;
