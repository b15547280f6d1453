/**
 * sigma-basis with its matrices on a GPU: the recursion of pm-basis.ts, with the products on the device from level to
 * level and sub-problems of few orders on the threads of the CPU, their series going down and their bases up.
 *
 *   G : R × n, sigma coefficients
 *
 * The base cases, one order after another on threads, take most of the time (test/bench/RESULTS.md#gpu-sigma-basis).
 * Every way of splitting gives the same P (pm-basis.ts), so these integers are the CPU's. Matrices beyond one binding
 * are in pieces (kernels/poly/gpu-series.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import { type GpuPolyOptions, GpuPolyProduct } from '../../kernels/poly/gpu-mul.js';
import { GpuPolyMemory } from '../../kernels/poly/gpu-poly-matrix.js';
import {
  type GpuSeries,
  GpuSeriesProduct,
  seriesCoefficients,
  seriesOf,
  seriesRows,
} from '../../kernels/poly/gpu-series.js';
import { allocPoly, groupsOf, type PolyMatrix, PolyShapeError } from '../../kernels/poly/poly-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { CROSSOVER } from './gpu-crossover.js';
import { degreeBound, PolyEngine } from './pm-basis.js';

export type { GpuSeries } from '../../kernels/poly/gpu-series.js';

export interface GpuPolyEngineOptions extends GpuPolyOptions {
  /** Orders up to which the CPU's engine takes a sub-problem. */
  readonly crossover?: number;
  /** Bytes of a piece of a matrix at most, fewer than the device binds. */
  readonly pieceBytes?: number;
}

export class GpuPolyEngine {
  readonly field: WordPrime;
  private readonly team: Team;
  private readonly gpu: GpuDevice;
  private readonly cpu: PolyEngine;
  private readonly memory: GpuPolyMemory;
  private readonly product: GpuPolyProduct;
  private readonly series: GpuSeriesProduct;
  /** Orders up to which the threads take a sub-problem. */
  readonly leaf: number;

  constructor(team: Team, gpu: GpuDevice, field: WordPrime, options: GpuPolyEngineOptions = {}) {
    this.team = team;
    this.gpu = gpu;
    this.field = field;
    this.cpu = new PolyEngine(team, field);
    this.memory = new GpuPolyMemory(gpu);
    this.product = new GpuPolyProduct(this.memory, field, options);
    this.series = new GpuSeriesProduct(this.product, options.pieceBytes);
    this.leaf = options.crossover ?? CROSSOVER;
  }

  /** A matrix of zeros. */
  create(rows: number, cols: number, length: number): GpuSeries {
    return this.series.create(rows, cols, length);
  }

  release(a: GpuSeries): void {
    this.series.release(a);
  }

  /** The first `count` coefficients, in the memory of a. */
  beginning(a: GpuSeries, count: number): GpuSeries {
    return seriesCoefficients(a, 0, count);
  }

  /** Coefficients first … of a ← blocks, each row-major and canonical. */
  write(a: GpuSeries, blocks: Uint32Array, first = 0): void {
    const count = a.rows * a.cols === 0 ? 0 : blocks.length / (a.rows * a.cols);
    if (!Number.isInteger(count) || first + count > a.length) {
      throw new PolyShapeError(`write: expected at most ${a.length - first} blocks, got ${count}`);
    }
    const size = a.rows * a.cols;
    for (const piece of seriesCoefficients(a, first, count).pieces) {
      const end = piece.first + piece.matrix.length;
      this.memory.write(piece.matrix, blocks.subarray(piece.first * size, end * size));
    }
  }

  async read(a: GpuSeries, first = 0, count = a.length - first): Promise<Uint32Array> {
    const { pieces } = seriesCoefficients(a, first, count);
    if (pieces.length === 1) return this.memory.read(pieces[0].matrix);
    const out = new Uint32Array(count * a.rows * a.cols);
    for (const { first: at, matrix } of pieces) out.set(await this.memory.read(matrix), at * a.rows * a.cols);
    return out;
  }

  /** a·b */
  mul(a: GpuSeries, b: GpuSeries): GpuSeries {
    return this.series.range(a, b, 0, Math.max(0, a.length + b.length - 1));
  }

  /** Coefficients from … from + count − 1 of P·G' with G's right-hand rows added to the last rows. */
  residual(basis: GpuSeries, g: GpuSeries, from: number, count: number): GpuSeries {
    const rhsRows = g.rows - basis.cols;
    if (basis.rows !== g.rows || rhsRows < 0) {
      throw new PolyShapeError(`residual: expected ${g.rows} rows in P, got ${basis.rows} × ${basis.cols}`);
    }
    const out = this.series.range(basis, seriesRows(g, 0, basis.cols), from, count);
    if (rhsRows > 0) {
      const kept = Math.max(0, Math.min(count, g.length - from));
      const own = seriesCoefficients(seriesRows(g, basis.cols, rhsRows), Math.min(from, g.length - kept), kept);
      this.series.addInto(seriesRows(out, basis.cols, rhsRows), own);
    }
    return out;
  }

  /**
   * [P2'·P1'; q2·P1' + q1]: first the operations of p1, then those of p2; at most `length` coefficients, all if absent.
   */
  compose(p2: GpuSeries, p1: GpuSeries, length = p2.length + p1.length - 1): GpuSeries {
    if (p1.rows !== p2.rows || p1.cols !== p2.cols) {
      throw new PolyShapeError(`compose: expected ${p2.rows} × ${p2.cols}, got ${p1.rows} × ${p1.cols}`);
    }
    const active = p1.cols;
    const full = Math.max(p1.length, p2.length + p1.length - 1);
    const count = Math.max(p1.length, Math.min(length, full));
    const out = this.series.range(p2, seriesRows(p1, 0, active), 0, count, count);
    const rhsRows = p1.rows - active;
    if (rhsRows > 0) this.series.addInto(seriesRows(out, active, rhsRows), seriesRows(p1, active, rhsRows));
    return out;
  }

  /**
   * The sigma-basis of g, sigma its length; degrees (one a row that is no right-hand row, or one a row) are raised in
   * place.
   */
  async sigmaBasis(g: GpuSeries, degrees: Int32Array, rhsRows = 0): Promise<GpuSeries> {
    const active = g.rows - rhsRows;
    if (active < 0 || (degrees.length !== active && degrees.length !== g.rows)) {
      throw new PolyShapeError(`sigmaBasis: expected ${active} degrees, got ${degrees.length}`);
    }
    const all = new Int32Array(g.rows);
    all.set(degrees);
    const basis = await this.recurse(g, all, rhsRows);
    degrees.set(all.subarray(0, degrees.length));
    return basis;
  }

  dispose(): void {
    this.cpu.dispose();
    this.product.dispose();
    this.memory.dispose();
  }

  private async recurse(g: GpuSeries, degrees: Int32Array, rhsRows: number): Promise<GpuSeries> {
    if (g.length <= this.leaf) return this.onThreads(g, degrees, rhsRows);
    const bound = degreeBound(degrees.subarray(0, g.rows - rhsRows));
    // Half of the orders, in whole sub-problems of the threads.
    const half = Math.ceil(g.length / 2 / this.leaf) * this.leaf;
    const p1 = await this.recurse(seriesCoefficients(g, 0, half), degrees, rhsRows);
    const rest = this.residual(p1, g, half, g.length - half);
    const p2 = await this.recurse(rest, degrees, rhsRows);
    this.release(rest);
    const basis = this.compose(p2, p1, bound());
    this.release(p1);
    this.release(p2);
    return basis;
  }

  /** By the CPU's engine. */
  private async onThreads(g: GpuSeries, degrees: Int32Array, rhsRows: number): Promise<GpuSeries> {
    const { memory } = this.team;
    const words = await this.vectors(g);
    const series = allocPoly(memory, g.rows, g.cols, g.length);
    memory.u32(series.at, words.length).set(words);
    const basis = this.cpu.sigmaBasis(series, degrees, rhsRows);
    this.cpu.release(series);
    const up = this.upload(basis);
    this.cpu.release(basis);
    return up;
  }

  /** A matrix of kernel memory, as it stands there. */
  private upload(a: PolyMatrix): GpuSeries {
    const up = this.memory.matrix(a.rows, a.cols, a.stride);
    // A copy: Dawn's binding for Node takes no shared memory.
    this.gpu.write(up.buffer, this.team.memory.u32(a.at, a.rows * groupsOf(a.cols) * a.stride * 4).slice());
    return seriesOf({ ...up, length: a.length });
  }

  /** The words of a, without gaps between groups. */
  private async vectors(a: GpuSeries): Promise<Uint32Array> {
    const dense = this.memory.matrix(a.rows, a.cols, a.length);
    this.series.copyInto(seriesOf(dense), a);
    const reading = this.gpu.read(dense.buffer, 0, a.rows * groupsOf(a.cols) * a.length * 16);
    this.memory.release(dense); // its next owner records behind the copy
    return reading;
  }
}
