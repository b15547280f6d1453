/** Text as a source of bytes: whole, or cut into chunks of `size`, so that every line straddles two sooner or later. */

import { formatWide } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { readMatrix } from '../../src/io/read-matrix.js';

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** What a text holds, as `rows cols: i j v, …`, 1-based, in file order. */
export async function readText(text: string): Promise<string> {
  return listed(await readMatrix(bytesOf(text), { name: 'text', unterminated: true }));
}

/** A matrix as one line. */
export function listed({ rows, cols, rowIdx, colIdx, values, wide, nnz }: SparseMatrix): string {
  const value = new Map(wide.positions.map((position, w) => [position, formatWide(wide.entries[w])]));
  const entries = Array.from(
    { length: nnz },
    (_, k) => `${rowIdx[k] + 1} ${colIdx[k] + 1} ${value.get(k) ?? values[k]}`,
  );
  return `${rows} ${cols}: ${entries.join(', ')}`.trimEnd();
}
