/**
 * Products of polynomial matrices over GF(2^8) by additive transforms (kernels/poly/additive-fft.as.ts): all 2^8
 * elements are points, and longer polynomials are taken in two variables.
 *
 *   a : R × K, b : K × C     wanted: coefficients from … from + count − 1
 */
import type { ExtensionField } from '../../fields/extension.js';
import { FieldError } from '../../fields/field.js';
import { polyExtensionField } from '../residues/field-words.js';
import { argumentList } from '../threads/argument-list.js';
import type { KernelMemory } from '../threads/memory.js';
import type { Team } from '../threads/team.js';
import * as L from './additive-fft-layout.js';
import { addPoly, launch, type PolyArithmetic } from './mul.js';
import { allocZeroPoly, coefficientsView, groupsOf, type PolyMatrix, PolyShapeError } from './poly-matrix.js';

const LOG_POINTS = 8;
const TABLE_BYTES = 32;

/** Longer polynomials are cut, for memory. */
const LONGEST = 4096; // of a
const MOST = 8192; // coefficients of a product

/** Points for z and y, and the coefficients that go into z. */
interface Grid {
  readonly logZ: number;
  readonly logY: number;
  readonly block: number;
}

interface Values {
  readonly at: number;
  readonly stride: number; // vectors
  readonly vectors: number;
}

/** Whether it is a field of 2^8 elements: smaller ones have too few points, and not all a basis like Cantor's. */
export function hasCodeProducts(field: ExtensionField): boolean {
  return field.size === 2 ** LOG_POINTS && field.p === 2;
}

export class CodeProduct implements PolyArithmetic {
  readonly team: Team;
  readonly field: number;
  private readonly addresses: number[];
  private readonly tables: number;
  private readonly twiddles: number;

  constructor(team: Team, field: ExtensionField) {
    if (!hasCodeProducts(field)) throw new FieldError(`CodeProduct: expected GF(2^8), got ${field.representation}`);
    this.team = team;
    this.addresses = polyExtensionField(team.memory, field);
    this.field = this.addresses[0]!;
    this.tables = this.addresses.at(-1)!;
    const words = twiddles(field).map((c) => this.tables + TABLE_BYTES * c);
    this.twiddles = team.memory.alloc(words.byteLength);
    team.memory.u32(this.twiddles, words.length).set(words);
    this.addresses.push(this.twiddles);
  }

  dispose(): void {
    for (const at of this.addresses) this.team.memory.release(at);
  }

  addInto(to: PolyMatrix, a: PolyMatrix): void {
    addPoly(this.team, 'polyAddByTables', this.field, to, a);
  }

  range(a: PolyMatrix, b: PolyMatrix, from: number, count: number, total = a.length + b.length - 1): PolyMatrix {
    if (a.cols !== b.rows) throw new PolyShapeError(`product: expected ${a.cols} rows in b, got ${b.rows}`);
    const { memory } = this.team;
    return memory.orNothing(() => {
      const out = allocZeroPoly(memory, a.rows, b.cols, count);
      const real = Math.max(0, Math.min(count, total - from, a.length + b.length - 1 - from));
      if (real > 0 && a.cols > 0) this.addRange(coefficientsView(out, 0, real), a, b, from);
      return out;
    });
  }

  /** out, which is 0 so far, ← coefficients from … from + out.length − 1 of a·b. */
  private addRange(out: PolyMatrix, a: PolyMatrix, b: PolyMatrix, from: number): void {
    for (let done = 0; done < out.length; done += MOST) {
      const piece = coefficientsView(out, done, Math.min(MOST, out.length - done));
      for (let low = 0; low < a.length; low += LONGEST) {
        // z^low·(a part of a)·b: these of its coefficients are in the piece.
        const part = coefficientsView(a, low, Math.min(LONGEST, a.length - low));
        const first = Math.max(0, from + done - low);
        const skip = Math.max(0, low - from - done);
        const real = Math.min(piece.length - skip, part.length + b.length - 1 - first);
        if (real <= 0) continue;
        const target = coefficientsView(piece, skip, real);
        if (low === 0) {
          this.productInto(target, part, b, first);
          continue;
        }
        const sum = allocZeroPoly(this.team.memory, out.rows, out.cols, real);
        this.productInto(sum, part, b, first);
        this.addInto(target, sum);
        this.team.memory.release(sum.at);
      }
    }
  }

  /** out ← coefficients from … of a·b. */
  private productInto(out: PolyMatrix, a: PolyMatrix, b: PolyMatrix, from: number): void {
    const { memory } = this.team;
    // Only these coefficients of b meet the wanted ones.
    const start = Math.max(0, from - a.length + 1);
    const window = coefficientsView(b, start, Math.min(b.length, from + out.length) - start);
    const grid = gridOf(a.length, window.length);
    const left = this.forward(a, grid);
    const right = this.forward(window, grid);
    const product = allocValues(memory, out, grid);
    const points = 2 ** (grid.logZ + grid.logY);
    // biome-ignore format: a line a group of words
    launch(this.team, points * a.rows * a.cols * right.vectors * 3, 'additiveFftPointwise', argumentList(
      [L.OUT, product.at], [L.LEFT, left.at], [L.RIGHT, right.at],
      [L.OUT_STRIDE, product.stride], [L.LEFT_STRIDE, left.stride], [L.RIGHT_STRIDE, right.stride],
      [L.OUT_ROWS, a.rows], [L.INNER, a.cols], [L.LEFT_VECTORS, left.vectors], [L.RIGHT_VECTORS, right.vectors],
      [L.POINTS, points], [L.PRODUCT_TABLES, this.tables],
    ));
    this.transform('additiveFftInverse', product, out, grid, from - start);
    for (const { at } of [left, right, product]) memory.release(at);
  }

  private forward(x: PolyMatrix, grid: Grid): Values {
    const values = allocValues(this.team.memory, x, grid);
    this.transform('additiveFftForward', values, x, grid, 0);
    return values;
  }

  private transform(
    kernel: 'additiveFftForward' | 'additiveFftInverse',
    values: Values,
    x: PolyMatrix,
    { logZ, logY, block }: Grid,
    first: number,
  ): void {
    // biome-ignore format: a line a group of words
    launch(this.team, x.rows * values.stride * 6 * (logZ + logY), kernel, argumentList(
      [L.VALUES, values.at], [L.STRIDE, values.stride], [L.ROWS, x.rows], [L.VECTORS, values.vectors],
      [L.LOG_Z, logZ], [L.LOG_Y, logY], [L.TABLES, this.tables], [L.TWIDDLES, this.twiddles],
      [L.POLY, x.at], [L.POLY_STRIDE, x.stride], [L.POLY_GROUPS, groupsOf(x.cols)], [L.POLY_FIRST, first],
      [L.POLY_COUNT, x.length], [L.BLOCK, block],
    ));
  }
}

/** The fewest points for a product of polynomials of these lengths. */
function gridOf(a: number, b: number): Grid {
  const full = a + b - 1;
  if (full <= 2 ** LOG_POINTS) {
    const logZ = Math.ceil(Math.log2(full));
    return { logZ, logY: 0, block: 2 ** logZ };
  }
  const block = 2 ** (LOG_POINTS - 1);
  const terms = Math.ceil(a / block) + Math.ceil(b / block) - 1;
  return { logZ: LOG_POINTS, logY: Math.ceil(Math.log2(terms)), block };
}

/** Room for the values of a matrix; rows begin in different sets of the cache. */
function allocValues(memory: KernelMemory, { rows, cols }: PolyMatrix, { logZ, logY }: Grid): Values {
  const vectors = Math.ceil(cols / 16);
  const stride = 2 ** (logZ + logY) * vectors + 4;
  return { at: memory.alloc(16 * rows * stride), stride, vectors };
}

/** Σ t_b·β_(b+1) for t < 2^7, β Cantor's basis: β_0 = 1, β_(i+1) the lesser root of x² + x = β_i. */
function twiddles(field: ExtensionField): Uint32Array {
  const basis = [1];
  while (basis.length < LOG_POINTS) {
    let x = 2;
    while (field.add(field.mul(x, x), x) !== basis.at(-1)) x++;
    basis.push(x);
  }
  return Uint32Array.from({ length: 2 ** (LOG_POINTS - 1) }, (_, t) =>
    basis.slice(1).reduce((sum, beta, b) => ((t >> b) & 1 ? field.add(sum, beta) : sum), 0),
  );
}
