/**
 * 64 columns over F_2 on the device: a row is two words. bit-spmm.wgsl multiplies, bit-axpy.wgsl and bit-dot.wgsl are
 * AXPY and DOT.
 */
import type { GpuContext } from '../blocks/gpu-context.js';
import * as shapes from '../checks.js';
import type { BitColumns, BlockVector, Operator } from '../executor.js';
import type { GpuBuffer } from '../gpu/device.js';
import { type WgslName, WORKGROUP } from '../gpu/shader.js';
import { type ResidueMatrix, transpose } from '../sparse/residue-matrix.js';

const ROW_BYTES = 8;
const BLOCK_BYTES = 512;

/** Workgroups that keep a large device busy, and the rows that one takes at least. */
const CHUNKS = 2048;
const LEAST_CHUNK = 256;

class GpuBits implements BlockVector {
  readonly width = 64;
  readonly length: number;
  buffer: GpuBuffer | null; // null once released

  constructor(length: number, buffer: GpuBuffer) {
    this.length = length;
    this.buffer = buffer;
  }
}

function bufferOf(v: BlockVector): GpuBuffer {
  if (!(v instanceof GpuBits) || v.buffer === null) {
    throw new shapes.ShapeError('expected a vector of bits of the gpu executor');
  }
  return v.buffer;
}

export class GpuBitColumns implements BitColumns {
  private readonly context: GpuContext;
  private readonly owned = new Set<GpuBuffer>();

  constructor(context: GpuContext) {
    this.context = context;
  }

  vector(length: number): BlockVector {
    shapes.checkSize('vector', length);
    return new GpuBits(length, this.own(this.context.buffer(ROW_BYTES * length)));
  }

  write(v: BlockVector, words: Uint32Array): void {
    shapes.checkBits('write', v, words);
    this.context.gpu.write(bufferOf(v), words);
  }

  read(v: BlockVector): Promise<Uint32Array> {
    return this.context.gpu.read(bufferOf(v), 0, ROW_BYTES * v.length);
  }

  copy(to: BlockVector, from: BlockVector): void {
    shapes.checkSameShape('copy', to, from);
    this.context.gpu.copy(bufferOf(to), bufferOf(from), ROW_BYTES * to.length);
  }

  release(v: BlockVector): void {
    this.free(bufferOf(v));
    (v as GpuBits).buffer = null;
  }

  operator(matrix: ResidueMatrix): Operator {
    const { rows, cols } = matrix;
    const { gpu } = this.context;
    const kernel = this.kernel('bit-spmm');
    const [forward, backward] = [matrix, transpose(matrix)].map(({ rowPtr, colIdx }) =>
      [rowPtr, colIdx].map((words) => this.own(this.context.upload(words))),
    );
    const multiply = (stored: readonly GpuBuffer[], y: BlockVector, x: BlockVector) => {
      gpu.run(kernel, [...stored, bufferOf(x), bufferOf(y)], [y.length], Math.ceil(y.length / WORKGROUP));
      return gpu.keepPace();
    };
    const operator: Operator = {
      rows,
      cols,
      apply: (y, x) => {
        shapes.checkApply('apply', operator, false, y, x, y === x);
        return multiply(forward!, y, x);
      },
      applyTransposed: (y, x) => {
        shapes.checkApply('applyTransposed', operator, true, y, x, y === x);
        return multiply(backward!, y, x);
      },
      free: () => {
        for (const buffer of [...forward!, ...backward!]) this.free(buffer);
      },
    };
    return operator;
  }

  axpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    shapes.checkSameShape('axpy', y, x);
    const { gpu } = this.context;
    const kernel = this.kernel('bit-axpy');
    const { buffer, offset } = gpu.operand(a);
    const params = [y.length, offset / ROW_BYTES];
    gpu.run(kernel, [buffer, bufferOf(x), bufferOf(y)], params, Math.ceil(y.length / WORKGROUP));
  }

  dot(x: BlockVector, z: BlockVector): Promise<Uint32Array> {
    shapes.checkSameShape('dot', x, z);
    const { gpu } = this.context;
    const out = this.context.scratch('bit-dot', BLOCK_BYTES);
    gpu.clear(out);
    const chunk = LEAST_CHUNK * Math.ceil(x.length / (LEAST_CHUNK * CHUNKS));
    const groups = x.length === 0 ? 0 : Math.ceil(x.length / chunk);
    gpu.run(this.kernel('bit-dot'), [bufferOf(x), bufferOf(z), out], [x.length, chunk], groups);
    return gpu.read(out, 0, BLOCK_BYTES);
  }

  dispose(): void {
    for (const buffer of [...this.owned]) this.free(buffer);
  }

  private kernel(name: WgslName) {
    return this.context.plainKernel(name);
  }

  private own(buffer: GpuBuffer): GpuBuffer {
    this.owned.add(buffer);
    return buffer;
  }

  private free(buffer: GpuBuffer): void {
    if (this.owned.delete(buffer)) this.context.free(buffer);
  }
}
