/**
 * A matrix in sliced ELLPACK on the device: a dispatch a piece of short rows, then the long ones segment by segment.
 */
import type { GpuContext } from '../blocks/gpu-context.js';
import { type GpuVector, layoutOf } from '../blocks/gpu-vector.js';
import type { Constants, GpuBuffer } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import type { ProductSizes } from '../sparse/formats/product-sizes.js';
import type { SlicedEll } from '../sparse/formats/sliced-ell.js';
import type { SegmentPiece } from '../sparse/formats/sliced-ell-segments.js';
import type { RowPiece } from '../sparse/formats/sliced-ell-slices.js';
import type { StoredMatrix } from './gpu-operator.js';
import { RowLaunch } from './row-launch.js';

/** How a product ends, in spmm-sliced.wgsl: Y ← A·X and Y ← A·X + Y are 0 and 1. */
const ANY_END = 2;

/**
 * Invocations that sum a small segment, where there are so many segments times lanes: fewer are sooner done by a
 * workgroup each (test/bench/RESULTS.md#teams-of-long-rows).
 */
const SMALL_TEAM = 32;
const MANY = 3072;

export class GpuSlicedEll implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly launch: RowLaunch;
  private readonly pieces: readonly { first: number; slots: number; constants: Constants; arrays: Arrays }[];
  private readonly segmentPieces: readonly { first: number; count: number; small: number; arrays: Arrays }[];
  private readonly longRows: { count: number; segments: number; buffer: GpuBuffer } | null;
  private readonly owned: GpuBuffer[] = [];

  /** `waiting`: where pieces wait for their turn; each has buffers of its own where it is absent. */
  constructor(
    context: GpuContext,
    a: SlicedEll,
    sizes: ProductSizes = {},
    waiting?: (arrays: Uint32Array[]) => Arrays,
  ) {
    this.context = context;
    this.launch = new RowLaunch(context.gpu, sizes);
    const put = (words: Uint32Array): GpuBuffer => {
      const buffer = context.upload(words);
      this.owned.push(buffer);
      return buffer;
    };
    const hold = (arrays: Uint32Array[]): Arrays => {
      if (waiting) return waiting(arrays);
      const buffers = arrays.map(put);
      return () => buffers;
    };
    try {
      this.pieces = a.pieces.map((piece) => ({
        ...{ first: piece.first, slots: piece.slots.length },
        constants: constantsOf(piece),
        arrays: hold(rowArrays(piece)),
      }));
      this.segmentPieces = a.segmentPieces.map(({ first, count, small, ...arrays }) => ({
        ...{ first, count, small },
        arrays: hold(segmentArrays(arrays)),
      }));
      const long = a.longRows.length / 2 - 1;
      this.longRows = long > 0 ? { count: long, segments: a.segmentCount, buffer: put(a.longRows) } : null;
    } catch (error) {
      this.free();
      throw error;
    }
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): void {
    for (const _ of this.record(y, x, alpha, beta));
  }

  /** Records the product, piece by piece. */
  *record(y: GpuVector, x: GpuVector, alpha: number, beta: number): Generator<void> {
    const { context, longRows } = this;
    const { gpu } = context;
    const layout = layoutOf(y.form, y.width);
    const LANES = layout.count;
    const end = alpha !== 1 || beta > 1 ? ANY_END : beta;
    for (const { first, slots, constants, arrays } of this.pieces) {
      const launch = this.launch.over(slots * LANES);
      const own = { LANES, ...constants, END: end, ...launch.constants };
      const kernel = context.kernel(['spmm-sliced', 'each-word'], layout, own);
      gpu.run(kernel, [...arrays(), x.buffer, y.buffer], [first, slots, alpha, beta], launch.groups);
      yield;
    }
    if (!longRows) return;
    const parts = context.scratch('segments', 4 * longRows.segments * LANES * layout.words);
    for (const { first, count, small, arrays } of this.segmentPieces) {
      const held = [...arrays(), x.buffer, parts];
      const sums = (begin: number, end: number, team: number): void => {
        const abreast = lanesAbreast(LANES, WORKGROUP / team);
        const teams = { LANES, TEAM: team, ABREAST: abreast };
        const kernel = context.kernel(['workgroup-sum', 'spmm-segments'], layout, teams);
        const invocations = (end - begin) * Math.ceil(LANES / abreast) * abreast * team;
        if (end > begin) gpu.run(kernel, held, [begin, end, first], Math.ceil(invocations / WORKGROUP));
      };
      const apart = small * LANES >= MANY ? small : 0;
      sums(0, apart, SMALL_TEAM);
      sums(apart, count, WORKGROUP);
      yield;
    }
    const sum = context.kernel('spmm-long', layout, { LANES });
    const groups = Math.ceil((longRows.count * LANES) / WORKGROUP);
    gpu.run(sum, [longRows.buffer, parts, y.buffer], [longRows.count, alpha, beta], groups);
  }

  free(): void {
    for (const buffer of this.owned) this.context.free(buffer);
  }
}

/** The buffers of a piece, for the next dispatch. */
export type Arrays = () => GpuBuffer[];

/** Lanes that a team takes side by side: a power of two, up to `most`. */
function lanesAbreast(lanes: number, most: number): number {
  return Math.min(most, 2 ** Math.floor(Math.log2(lanes)));
}

/** Those of spmm-sliced.wgsl that a piece sets. */
function constantsOf({ slice, window, units, pairs }: RowPiece): Constants {
  return { SLICE: slice, WINDOW: window, UNITS: Math.sign(units.length), PAIRS: Math.sign(pairs.length) };
}

/** In the order of the bindings. */
function rowArrays({ slots, slices, units, pairs }: RowPiece): Uint32Array[] {
  return [slots, slices, units, pairs];
}

function segmentArrays({ segments, units, generals }: Omit<SegmentPiece, 'first' | 'count' | 'small'>): Uint32Array[] {
  return [segments, units, generals];
}
