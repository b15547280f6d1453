/**
 * A plan on the device, part by part in the formats that it names: one dispatch each of the same kernel, spmm-rows.wgsl
 * composed with the format's prelude, in integers or in f32.
 */
import { floatEntriesBeforeReduction } from '../../fields/reduction.js';
import type { GpuContext } from '../blocks/gpu-context.js';
import { type GpuVector, layoutOf, type WordLayout } from '../blocks/gpu-vector.js';
import type { Constants, GpuBuffer, GpuKernel } from '../gpu/device.js';
import { type WgslName, WORKGROUP } from '../gpu/shader.js';
import { type FloatName, floatBytes, floatFormat } from '../residues/words.js';
import type { GpuWalk } from '../sparse/formats/format.js';
import { formatOf, type Stored } from '../sparse/formats/index.js';
import type { ProductSizes } from '../sparse/formats/product-sizes.js';
import type { Plan } from '../sparse/plan.js';
import { VALUE_CLASSES, type ValueClass } from '../sparse/unit-split.js';
import type { StoredMatrix } from './gpu-operator.js';
import { RowLaunch } from './row-launch.js';

/** Longer runs without a reduction gain nothing. */
const LONGEST_RUN = 2 ** 16;

interface StoredPart {
  readonly prelude: WgslName;
  readonly valueClass: number;
  readonly extent: number;
  readonly listed: number; // slots
  readonly buffers: readonly GpuBuffer[]; // indices, values
}

export class GpuRows implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly parts: readonly StoredPart[];
  private readonly rows: number;
  private readonly launch: RowLaunch;
  private readonly words: FloatName | null;
  private readonly owned: GpuBuffer[] = [];

  /** `words`: f32 or f32-balanced in place of the integers. */
  constructor(context: GpuContext, plan: Plan, sizes: ProductSizes = {}, words: FloatName | null = null) {
    this.context = context;
    this.launch = new RowLaunch(context.gpu, sizes);
    this.rows = plan.rows;
    this.words = words;
    try {
      const parts = plan.parts.flatMap(({ values, formats }) => formats.map((part) => this.store(part, values)));
      this.parts = parts.sort((a, b) => b.listed - a.listed); // those of all rows first
    } catch (error) {
      this.free();
      throw error;
    }
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): void {
    const { context, rows } = this;
    const { gpu } = context;
    const layout = layoutOf(y.form, y.width);
    const isCleared = this.parts.every(({ listed }) => listed < rows);
    if (isCleared) {
      const scale = context.kernel('rescale', layout);
      const groups = Math.ceil((rows * layout.count) / WORKGROUP);
      gpu.run(scale, [y.buffer], [rows * layout.count, beta], groups);
    }
    this.parts.forEach(({ prelude, valueClass, extent, listed, buffers }, i) => {
      const { groups, constants } = this.launch.over(listed * layout.count);
      const kernel = this.kernel(prelude, layout, valueClass, constants);
      const keep = i === 0 && !isCleared ? beta : 1;
      gpu.run(kernel, [...buffers, x.buffer, y.buffer], [listed, extent, alpha, keep], groups);
    });
  }

  free(): void {
    for (const buffer of this.owned) this.context.free(buffer);
  }

  private kernel(prelude: WgslName, layout: WordLayout, valueClass: number, launch: Constants): GpuKernel {
    const { context, words } = this;
    const files: readonly WgslName[] = [prelude, 'spmm-rows', 'each-word'];
    const constants = { LANES: layout.count, CLASS: valueClass, ...launch };
    if (words === null) return context.kernel(files, layout, constants);
    const { accumulator, residues } = floatFormat(words);
    const { units, general } = floatEntriesBeforeReduction(context.field.p, accumulator, residues);
    const TERMS = Math.min(LONGEST_RUN, VALUE_CLASSES[valueClass] === 'general' ? general : units);
    return context.floatKernel(files, layout, words, { ...constants, TERMS });
  }

  private store(part: Stored, values: ValueClass): StoredPart {
    const { context, words } = this;
    const { prelude, arrays } = walkOf(part);
    const { indices, values: factors, extent, listed = part.rows } = arrays(part);
    const numbers = factors && words ? new Uint32Array(floatBytes(words, context.field.p, factors).buffer) : factors;
    const buffers = [...indices, numbers ?? new Uint32Array(1)].map((array) => {
      const buffer = context.upload(array);
      this.owned.push(buffer);
      return buffer;
    });
    return { prelude, valueClass: VALUE_CLASSES.indexOf(values), extent, listed, buffers };
  }
}

function walkOf(part: Stored): GpuWalk<Stored> {
  const { gpu } = formatOf(part);
  if (!gpu) throw new RangeError(`device gpu: ${part.kind} has no prelude`);
  return gpu;
}
