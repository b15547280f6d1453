/**
 * Small dense operations on block vectors on the device: scaling, block AXPY and DOT, structured projections.
 *
 * DOT and projection are one kernel: left factors, one row a row of z, multiplied into z chunk by chunk of rows. One
 * dispatch adds up the chunks of consecutive blocks, as a Krylov sequence makes them, when a block is read; a workgroup
 * owns a word of a block. The first use of a projection uploads its arrays.
 */
import type { Projection } from '../executor.js';
import type { GpuBuffer } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import type { GpuContext } from './gpu-context.js';
import { type GpuBlocks, type GpuVector, layoutOf, type WordLayout } from './gpu-vector.js';

/**
 * Workgroups that keep a large device busy, and the rows that are worth one: near the first local minimum of the time
 * as their number rises (test/bench/RESULTS.md#workgroups-of-dot).
 */
const CHUNKS = 512;
const LEAST_CHUNK = 256;

/** Invocations that share a chunk: FAN² of block-dot.wgsl at most. */
const SHARERS = 64;

/** Rows 0 … length − 1 in block rows, these in chunks. */
interface Chunks {
  readonly count: number;
  readonly rows: GpuBuffer; // (first, end) each
  readonly bounds: GpuBuffer; // first chunk of each block row, and one more
}

interface StoredProjection {
  readonly chunks: Chunks;
  readonly bounds: GpuBuffer;
  readonly coefficients: GpuBuffer;
}

export class GpuBlockOps {
  private readonly context: GpuContext;
  private readonly projections = new Map<Projection, StoredProjection>();
  private readonly whole = new Map<number, Chunks>(); // by length, one block row
  private readonly partsOf = new WeakMap<GpuBlocks, GpuBuffer>();

  constructor(context: GpuContext) {
    this.context = context;
  }

  scale(v: GpuVector, d: GpuVector): void {
    const layout = layoutOf(v.form, v.width);
    const words = v.length * layout.count;
    const kernel = this.context.kernel('scale', layout);
    this.context.gpu.run(kernel, [d.buffer, v.buffer], [words, layout.count], Math.ceil(words / WORKGROUP));
  }

  blockAxpy(y: GpuVector, x: GpuVector, a: Uint32Array): void {
    const { context } = this;
    const layout = layoutOf(y.form, y.width);
    const words = y.length * layout.count;
    if (words === 0 || x.width === 0) return;
    const kernel = context.kernel('block-axpy', layout, { X_PAIRS: x.form === 'pairs' ? 1 : 0 });
    const { buffer, first } = this.operand(a, layout);
    const params = [words, layout.count, x.width, first];
    context.gpu.run(kernel, [buffer, x.buffer, y.buffer], params, Math.ceil(words / WORKGROUP));
  }

  expand(y: GpuVector, u: Projection, c: Uint32Array): void {
    const { context } = this;
    const layout = layoutOf(y.form, y.width);
    const words = y.length * layout.count;
    if (words === 0) return;
    const { bounds, coefficients } = this.store(u);
    const kernel = context.kernel('expand', layout);
    const { buffer, first } = this.operand(c, layout);
    const params = [words, layout.count, u.rows, u.layers, first];
    context.gpu.run(kernel, [buffer, bounds, coefficients, y.buffer], params, Math.ceil(words / WORKGROUP));
  }

  blockDot(out: GpuBlocks, index: number, x: GpuVector, z: GpuVector): void {
    let chunks = this.whole.get(x.length);
    if (!chunks) {
      chunks = this.chunksOf(Uint32Array.of(0, x.length));
      this.whole.set(x.length, chunks);
    }
    this.dot(out, index, chunks, 1, { left: x.width, buffer: x.buffer, pairs: x.form === 'pairs' }, z);
  }

  project(out: GpuBlocks, index: number, u: Projection, z: GpuVector): void {
    const { chunks, coefficients } = this.store(u);
    this.dot(out, index, chunks, u.rows, { left: u.layers, buffer: coefficients, pairs: false }, z);
  }

  /** Adds up what blocks have in parts. */
  settle(out: GpuBlocks): void {
    const { unsummed } = out;
    out.unsummed = null;
    if (unsummed) unsummed.sum(unsummed.first, unsummed.count);
  }

  releaseBlocks(out: GpuBlocks): void {
    const parts = this.partsOf.get(out);
    if (parts) this.context.free(parts);
    this.context.free(out.buffer);
  }

  private dot(
    out: GpuBlocks,
    index: number,
    chunks: Chunks,
    blockRows: number,
    l: { left: number; buffer: GpuBuffer; pairs: boolean },
    z: GpuVector,
  ): void {
    const { context } = this;
    const { gpu } = context;
    const layout = layoutOf(z.form, z.width);
    const pairs = l.left * layout.count;
    if (pairs === 0 || blockRows === 0) return;
    // Of lᵀ, an invocation's. Rows of a view of odd width in a vector of pairs do not all begin at words.
    const rows = l.left >= 3 && !(l.pairs && l.left % 2 === 1) ? 4 : 1;
    const units = Math.ceil(l.left / rows) * layout.count;
    const splits = Math.max(1, Math.floor(SHARERS / units));
    const tiles = Math.ceil(units / Math.floor(SHARERS / splits));
    const key = [chunks.count, chunks.bounds.id, blockRows, l.left, layout.form, layout.words].join();
    const sum = context.kernel(['workgroup-sum', 'sum-parts'], layout, { WORKGROUP: SHARERS });
    const parts = this.partsFor(out, index, key, 4 * chunks.count * pairs * layout.words, (buffer, first, count) => {
      const words = blockRows * pairs; // of a block
      const params = [count * words, words, pairs, chunks.count, first * words];
      gpu.run(sum, [chunks.bounds, buffer, out.buffer], params, count * words);
    });
    const dot = context.kernel('block-dot', layout, { L_PAIRS: l.pairs ? 1 : 0, ROWS: rows, WORKGROUP: SHARERS });
    const params = [chunks.count, l.left, layout.count, tiles, splits, parts.place * chunks.count * pairs];
    gpu.run(dot, [chunks.rows, l.buffer, z.buffer, parts.buffer], params, chunks.count * tiles);
  }

  /** Where the parts of a block go: behind those of the block before it, if both have one shape. */
  private partsFor(
    out: GpuBlocks,
    index: number,
    key: string,
    bytes: number,
    sum: (parts: GpuBuffer, first: number, count: number) => void,
  ): { buffer: GpuBuffer; place: number } {
    const { context } = this;
    const last = out.unsummed;
    if (last && last.key === key && index === last.first + last.count && last.count < last.capacity) {
      last.count++;
      return { buffer: last.parts, place: last.count - 1 };
    }
    this.settle(out);
    const capacity = Math.max(1, Math.min(out.count, Math.floor(context.gpu.maxBindingBytes / Math.max(bytes, 1))));
    let parts = this.partsOf.get(out);
    if (!parts || parts.bytes < capacity * bytes) {
      if (parts) context.free(parts);
      parts = context.buffer(capacity * bytes);
      this.partsOf.set(out, parts);
    }
    const buffer = parts;
    out.unsummed = { key, first: index, count: 1, capacity, parts, sum: (first, count) => sum(buffer, first, count) };
    return { buffer, place: 0 };
  }

  /** Small blocks from the host, in the arena and in the form of the vector they meet: `first` counts lanes. */
  private operand(residues: Uint32Array, layout: WordLayout): { buffer: GpuBuffer; first: number } {
    const { buffer, offset } = this.context.gpu.operand(residues, layout.form === 'pairs' ? 2 : 4);
    return { buffer, first: offset / (4 * layout.words) };
  }

  private store(u: Projection): StoredProjection {
    const known = this.projections.get(u);
    if (known) return known;
    const made = {
      chunks: this.chunksOf(u.bounds),
      bounds: this.context.upload(u.bounds),
      coefficients: this.context.upload(u.coefficients),
    };
    this.projections.set(u, made);
    return made;
  }

  /** Of so many rows in all. */
  private chunkRows(length: number): number {
    return LEAST_CHUNK * Math.ceil(length / (LEAST_CHUNK * CHUNKS));
  }

  private chunksOf(bounds: Uint32Array): Chunks {
    const length = bounds[bounds.length - 1];
    const size = this.chunkRows(length);
    const rows: number[] = [];
    const first = [0];
    for (let r = 0; r + 1 < bounds.length; r++) {
      for (let i = bounds[r]; i < bounds[r + 1]; i += size) rows.push(i, Math.min(i + size, bounds[r + 1]));
      first.push(rows.length / 2);
    }
    return {
      count: rows.length / 2,
      rows: this.context.upload(Uint32Array.from(rows)),
      bounds: this.context.upload(Uint32Array.from(first)),
    };
  }
}
