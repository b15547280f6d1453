/** The lists of products on a device: in the order of the rows, and grouped by length for narrow tall blocks. */
import type { GpuBuffer } from '../gpu/device.js';
import type { BlockBatch } from './block-batch.js';
import { type BlockLists, groupByLength, rowLists, transposedLists } from './block-lists.js';

/** Residues that an invocation of a product owns: widths are multiples of it. */
export const EACH = 4;

/** Invocations of a SIMD group at most: 32 of NVIDIA's, 64 of AMD's. */
const SIMD = 64;

interface GpuLists {
  readonly ptr: GpuBuffer;
  readonly places: GpuBuffer;
  readonly others: GpuBuffer;
  readonly rows: GpuBuffer | null; // of the lists; null: list i is of block row i
}

/** Which lists may be grouped by length. */
interface Groups {
  readonly rows: boolean;
  readonly columns: boolean;
}

export class GpuBlockLists {
  /** Block rows in their order. */
  readonly rows: GpuLists;
  readonly #batch: BlockBatch;
  readonly #upload: (words: Uint32Array) => GpuBuffer;
  readonly #groups: Groups;
  #columns: GpuLists | null = null; // of the transpose
  readonly #grouped: (GpuLists | null)[] = []; // block rows and columns, null where grouping does not pay

  /** `upload` owns what it makes. */
  constructor(batch: BlockBatch, upload: (words: Uint32Array) => GpuBuffer, groups: Groups) {
    [this.#batch, this.#upload, this.#groups] = [batch, upload, groups];
    this.rows = this.#uploaded(rowLists(batch.pattern), null);
  }

  /** Of a product with A or A^T: with SIMD invocations or more a block row shares a group with one other at most. */
  of(transposed: boolean, width: number): GpuLists {
    const isNarrow = (this.#batch.b * width) / EACH < SIMD;
    const groups = isNarrow && (transposed ? this.#groups.columns : this.#groups.rows);
    return (groups ? this.#byLength(transposed) : null) ?? this.#inOrder(transposed);
  }

  #inOrder(transposed: boolean): GpuLists {
    if (!transposed) return this.rows;
    this.#columns ??= this.#uploaded(transposedLists(this.#batch.pattern), null);
    return this.#columns;
  }

  /** Problems share no row: the rows of all are grouped at once, as those of the narrowest tall block need it. */
  #byLength(transposed: boolean): GpuLists | null {
    const at = Number(transposed);
    if (this.#grouped[at] === undefined) {
      const { pattern, b } = this.#batch;
      const grouped = groupByLength(transposed ? transposedLists(pattern) : rowLists(pattern), SIMD / b);
      this.#grouped[at] = grouped && this.#uploaded(grouped, grouped.rows);
    }
    return this.#grouped[at];
  }

  #uploaded({ ptr, places, others }: BlockLists, rows: Uint32Array | null): GpuLists {
    return {
      ptr: this.#upload(ptr),
      places: this.#upload(places),
      others: this.#upload(others),
      rows: rows && this.#upload(rows),
    };
  }
}
