/**
 * The classes of entries, by their integers or modulo a prime: 0 for +1, 1 for −1, 2 for any other value, ABSENT for 0.
 */
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import { WideEntries, type WideParts } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { ABSENT } from './raster.js';

/** Entries of a matrix that are looked at together. */
const BATCH = 1 << 14;

/** A run of entries; `wide` counts from its first. */
export interface Batch {
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
  readonly wide: WideParts;
}

/** The entries of a matrix in their order. */
export function* batchesOf({ rowIdx, colIdx, values, wide }: SparseMatrix): Generator<Batch> {
  for (let from = 0, w = 0; from < values.length; from += BATCH) {
    const to = Math.min(from + BATCH, values.length);
    const first = w;
    while (w < wide.size && wide.positions[w] < to) w++;
    const positions = wide.positions.slice(first, w).map((k) => k - from);
    yield {
      rowIdx: rowIdx.subarray(from, to),
      colIdx: colIdx.subarray(from, to),
      values: values.subarray(from, to),
      wide: { positions, entries: wide.entries.slice(first, w) },
    };
  }
}

/** Writes the classes of a batch; `p` is a prime, or 0 for the integers. EntryError where p divides a denominator. */
export function classifyInto(classOf: Uint8Array, { rowIdx, colIdx, values, wide }: Batch, p: bigint): void {
  // Beyond 2^31 no 32-bit value but ±1 is ±1 mod p.
  if (p === 0n || p > BigInt(MAX_SIZE)) classify(values, classOf);
  else classifyModulo(values, Number(p), classOf);
  if (p === 0n) {
    // Values beyond 32 bits are neither 0 nor ±1.
    for (const k of wide.positions) classOf[k] = 2;
  } else if (wide.positions.length > 0) {
    const residues = new WideEntries(wide).residues(p, (k) => `(${rowIdx[k] + 1}, ${colIdx[k] + 1})`);
    residues.forEach((residue, w) => {
      classOf[wide.positions[w]] = residue === 0n ? ABSENT : residue === 1n ? 0 : residue === p - 1n ? 1 : 2;
    });
  }
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function classify(values: Int32Array, classOf: Uint8Array): void {
  for (let k = 0; k < values.length; k++) {
    const v = values[k];
    classOf[k] = v === 1 ? 0 : v === -1 ? 1 : v === 0 ? ABSENT : 2;
  }
}

function classifyModulo(values: Int32Array, p: number, classOf: Uint8Array): void {
  for (let k = 0; k < values.length; k++) {
    const v = values[k] % p;
    classOf[k] = v === 0 ? ABSENT : v === 1 || v === 1 - p ? 0 : v === -1 || v === p - 1 ? 1 : 2;
  }
}
