/**
 * A plan in the formats it names, CSR, ELL and ELL_R, one dispatch a part: the storage of the literature, for comparison.
 * Rectangles are stored column by column, as neighbouring invocations read them; coordinates become compressed rows.
 */

import { type GpuContext, WORKGROUP } from '../blocks/gpu-context.js';
import { type GpuVector, layoutOf } from '../blocks/gpu-vector.js';
import type { GpuBuffer } from '../gpu/device.js';
import { type Coo, fromCoo } from '../sparse/formats/coo.js';
import type { Csr } from '../sparse/formats/csr.js';
import type { Ell } from '../sparse/formats/ell.js';
import type { EllR } from '../sparse/formats/ell-r.js';
import type { Stored } from '../sparse/formats/index.js';
import type { Plan } from '../sparse/plan.js';
import { VALUE_CLASSES } from '../sparse/unit-split.js';
import type { StoredMatrix } from './gpu-operator.js';

const FORMATS = { csr: 0, ell: 1, 'ell-r': 2 } as const;

interface Piece {
  readonly format: number;
  readonly width: number;
  readonly valueClass: number;
  readonly arrays: readonly GpuBuffer[]; // starts, columns, values
}

export class GpuFormats implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly pieces: readonly Piece[];
  private readonly rows: number;
  private readonly owned: GpuBuffer[] = [];

  constructor(context: GpuContext, plan: Plan) {
    this.context = context;
    this.rows = plan.rows;
    try {
      this.pieces = plan.parts.flatMap(({ values, formats }) =>
        formats.map((format) => this.stored(format, VALUE_CLASSES.indexOf(values))),
      );
    } catch (error) {
      this.free();
      throw error;
    }
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): void {
    const { context, rows } = this;
    const { gpu } = context;
    const layout = layoutOf(y.form, y.width);
    const groups = Math.ceil((rows * layout.count) / WORKGROUP);
    if (this.pieces.length === 0) {
      const scale = context.kernel('rescale', layout);
      gpu.run(scale, [y.buffer], [rows * layout.count, beta], groups);
    }
    this.pieces.forEach(({ format, width, valueClass, arrays }, i) => {
      const constants = { LANES: layout.count, FORMAT: format, CLASS: valueClass };
      const kernel = context.kernel('spmm-plain', layout, constants);
      gpu.run(kernel, [...arrays, x.buffer, y.buffer], [rows, width, alpha, i === 0 ? beta : 1], groups);
    });
  }

  free(): void {
    for (const buffer of this.owned) this.context.free(buffer);
  }

  private stored(part: Stored, valueClass: number): Piece {
    const given = part as Coo | Csr | Ell | EllR;
    const format = given.kind === 'coo' ? fromCoo(given) : given;
    const put = (words: Uint32Array | null): GpuBuffer => {
      const buffer = this.context.uploaded(words ?? new Uint32Array(1));
      this.owned.push(buffer);
      return buffer;
    };
    if (format.kind === 'csr') {
      const arrays = [put(format.rowPtr), put(format.colIdx), put(format.values)];
      return { format: FORMATS.csr, width: 0, valueClass, arrays };
    }
    const { rows, width, colIdx, values } = format;
    const lengths = format.kind === 'ell-r' ? format.lengths : null;
    const arrays = [put(lengths), put(byColumns(colIdx, rows, width)), put(values && byColumns(values, rows, width))];
    return { format: FORMATS[format.kind], width, valueClass, arrays };
  }
}

function byColumns(a: Uint32Array, rows: number, width: number): Uint32Array {
  const out = new Uint32Array(a.length);
  for (let i = 0; i < rows; i++) for (let t = 0; t < width; t++) out[t * rows + i] = a[i * width + t];
  return out;
}
