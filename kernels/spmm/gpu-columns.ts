/** A matrix by columns on the device: Y ← beta·Y, then a dispatch of spmm-columns.wgsl a value class. */
import type { GpuContext } from '../blocks/gpu-context.js';
import { type GpuVector, layoutOf } from '../blocks/gpu-vector.js';
import type { GpuBuffer } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import { isCsc } from '../sparse/formats/csc.js';
import type { Plan } from '../sparse/plan.js';
import { VALUE_CLASSES } from '../sparse/unit-split.js';
import type { StoredMatrix } from './gpu-operator.js';

export class GpuColumns implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly rows: number;
  private readonly cols: number;
  private readonly parts: readonly { valueClass: number; buffers: readonly GpuBuffer[] }[];
  private readonly owned: GpuBuffer[] = [];

  /** Of a plan all of whose parts are by columns. */
  constructor(context: GpuContext, plan: Plan) {
    this.context = context;
    this.rows = plan.rows;
    this.cols = plan.cols;
    const put = (words: Uint32Array): GpuBuffer => {
      const buffer = context.upload(words);
      this.owned.push(buffer);
      return buffer;
    };
    try {
      this.parts = plan.parts.flatMap(({ values: name, formats }) =>
        formats.filter(isCsc).map(({ colPtr, rowIdx, values }) => ({
          valueClass: VALUE_CLASSES.indexOf(name),
          buffers: [colPtr, rowIdx, values ?? new Uint32Array(1)].map(put),
        })),
      );
    } catch (error) {
      this.free();
      throw error;
    }
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): void {
    const { context, rows, cols } = this;
    const { gpu } = context;
    const layout = layoutOf(y.form, y.width);
    const words = rows * layout.count;
    gpu.run(context.kernel('rescale', layout), [y.buffer], [words, beta], Math.ceil(words / WORKGROUP));
    for (const { valueClass, buffers } of this.parts) {
      const kernel = context.kernel('spmm-columns', layout, { LANES: layout.count, CLASS: valueClass });
      const groups = Math.ceil((cols * layout.count) / WORKGROUP);
      gpu.run(kernel, [...buffers, x.buffer, y.buffer], [cols, alpha], groups);
    }
  }

  free(): void {
    for (const buffer of this.owned) this.context.free(buffer);
  }
}
