/** A file of its own, so that what exports it declares no WebAssembly.Memory. */

/** Thrown when the 4 GiB that WebAssembly can address, or the host, do not hold what is asked for. */
export class MemoryError extends Error {
  override name = 'MemoryError';
}

/** What a GPU was allowed to take does not hold it. */
export class GpuBudgetError extends MemoryError {}
