/**
 * Products of polynomial matrices over F_p: any range of the coefficients of a·b.
 *
 *   a : R × K, b : K × C     wanted: coefficients from … from + count − 1
 *
 * Short products follow the definition. Longer ones take transforms modulo several primes of 21 bits
 * (mul-ntt-u32.as.ts) or, for p < 2^16 and short transforms, of 14 bits (mul-ntt-u16.as.ts), as mul-plan.ts chooses.
 * Cyclic products wrap: of N points, coefficients k and k + N fall together. The window of b that the wanted
 * coefficients see is transformed alone, so that the wrapped part falls on unwanted coefficients (the middle product).
 * A full product a few coefficients longer than a good N wraps these onto its first ones, which are computed apart. The
 * columns of b come in blocks, for memory; where there is none for the transforms, a plan with fewer bytes is taken.
 *
 * Source: Hanrot, Quercia, Zimmermann 2004 (middle product).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { MemoryError } from '../errors/memory-error.js';
import type { KernelName } from '../generated/kernel-names.js';
import {
  ADD_COUNT,
  ADD_FIELD,
  ADD_SOURCE,
  ADD_SOURCE_STRIDE,
  ADD_TO,
  ADD_TO_STRIDE,
  ADD_VECTORS,
} from '../residues/add-layout.js';
import { polyField } from '../residues/field-words.js';
import { type Argument, argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './mul-layout.js';
import { type Schedule, schedule, type Transforms } from './mul-plan.js';
import { Transforms14Bit } from './ntt-primes-14bit.js';
import { Transforms21Bit } from './ntt-primes-21bit.js';
import {
  allocPoly,
  allocZeroPoly,
  clearPoly,
  coefficientsView,
  groupsOf,
  type PolyMatrix,
  PolyShapeError,
} from './poly-matrix.js';

/** Polynomial matrices over one field, as sigma-basis needs them. */
export interface PolyArithmetic {
  readonly field: number; // address of the field's constants, kernels/residues/field-words.ts
  /** Coefficients from … from + count − 1 of a·b, whose coefficients from `total` on vanish. */
  range(a: PolyMatrix, b: PolyMatrix, from: number, count: number, total?: number): PolyMatrix;
  /** to += a for matrices of one shape; a may have fewer coefficients. */
  addInto(to: PolyMatrix, a: PolyMatrix): void;
  dispose(): void;
}

/** Work that one thread ends before two have met: operations on vectors. */
const SMALL_WORK = 150_000;
const BLOCK_BYTES = 64 * 2 ** 20; // transforms of a block of columns of b and of a·b

export class PolyProduct implements PolyArithmetic {
  readonly team: Team;
  readonly field: number;
  private readonly modulus: bigint;
  private readonly transforms: readonly Transforms[];

  /** `transforms` are what the schedule may choose from; they become this product's own. */
  constructor(team: Team, field: WordPrime, transforms: readonly Transforms[] = allTransforms(team, field)) {
    this.team = team;
    this.field = polyField(team.memory, field);
    this.modulus = field.modulus;
    this.transforms = transforms;
  }

  dispose(): void {
    this.team.memory.release(this.field);
    for (const transforms of this.transforms) transforms.dispose();
  }

  range(a: PolyMatrix, b: PolyMatrix, from: number, count: number, total = a.length + b.length - 1): PolyMatrix {
    if (a.cols !== b.rows) throw new PolyShapeError(`product: expected ${a.cols} rows in b, got ${b.rows}`);
    const { memory } = this.team;
    const empty = a.length === 0 || b.length === 0 || a.cols === 0;
    const real = empty ? 0 : Math.max(0, Math.min(count, total - from, a.length + b.length - 1 - from));
    const out = (real < count ? allocZeroPoly : allocPoly)(memory, a.rows, b.cols, count);
    try {
      if (real > 0) this.rangeInto(coefficientsView(out, 0, real), a, b, from, total);
    } catch (error) {
      memory.release(out.at);
      throw error;
    }
    return out;
  }

  addInto(to: PolyMatrix, a: PolyMatrix): void {
    addPoly(this.team, 'polyAdd', this.field, to, a);
  }

  /** `room`: bytes of transforms of a at most. */
  private rangeInto(out: PolyMatrix, a: PolyMatrix, b: PolyMatrix, from: number, total: number, room?: number): void {
    const plan = schedule({ a, b, from, count: out.length, total, modulus: this.modulus }, this.transforms, room);
    switch (plan.kind) {
      case 'direct':
        this.direct('polyDirect', out, a, b, from, out.length);
        return;
      case 'cut': {
        // a = low + z^cut·high, each with its own range of the product
        const cut = Math.ceil(a.length / 2);
        clearPoly(this.team.memory, out);
        for (const first of [0, cut]) {
          const skip = Math.max(0, first - from);
          if (skip >= out.length) continue;
          const part = coefficientsView(a, first, Math.min(cut, a.length - first));
          const sum = this.range(part, b, Math.max(0, from - first), out.length - skip);
          this.addInto(coefficientsView(out, skip, out.length - skip), sum);
          this.team.memory.release(sum.at);
        }
        return;
      }
      case 'transforms':
        try {
          plan.transforms.prepare(plan.n);
          this.productInto(out, a, b, from, plan);
        } catch (error) {
          // All of its memory is taken before it writes.
          if (!(error instanceof MemoryError)) throw error;
          this.rangeInto(out, a, b, from, total, plan.bytes - 1);
        }
    }
  }

  private productInto(out: PolyMatrix, a: PolyMatrix, b: PolyMatrix, from: number, plan: Schedule): void {
    const { memory } = this.team;
    const { transforms, n, primes, extra, piece } = plan;
    const { lanes } = transforms;
    const [, pointwise, inverse] = transforms.kernels;
    const groups = groupsOf(b.cols);
    const aGroups = groupsOf(a.cols);
    const vectorsOf = (count: number): number => Math.ceil((count * 4) / lanes);
    // One cache line more than the points: the values of one point then fall into different sets of the cache.
    const stride = n + 4;
    const bytes = primes * stride * 16;
    const most = Math.max(1, Math.floor(BLOCK_BYTES / (bytes * (a.rows + b.rows))));
    const blocks = Math.ceil(vectorsOf(groups) / most);
    const block = (Math.ceil(vectorsOf(groups) / blocks) * lanes) / 4;
    const perThread = transforms.scratchBytes(a.rows, a.cols, 4 * block);
    const [left, right, values, scratch] = memory.orNothing(() => [
      memory.alloc(a.rows * vectorsOf(aGroups) * bytes),
      memory.alloc(b.rows * vectorsOf(block) * bytes),
      memory.alloc(a.rows * vectorsOf(block) * bytes),
      memory.alloc(perThread * this.team.threads),
    ]) as [number, number, number, number];
    this.forward(left, a, 0, aGroups, plan, stride);
    const inverseLengths = transforms.inverseLengths(n, primes);
    for (let done = 0; done < out.length; done += piece) {
      const count = Math.min(piece, out.length - done, n);
      // The coefficients of b that meet these ones of the product.
      const start = Math.max(0, from + done - a.length + 1);
      const window = coefficientsView(b, start, Math.min(b.length, from + done + count + extra) - start);
      for (let first = 0; first < groups; first += block) {
        const width = Math.min(block, groups - first);
        this.forward(right, window, first, width, plan, stride);
        const products =
          primes * n * (4 * (a.rows * aGroups + b.rows * width) + transforms.products * a.rows * a.cols * width);
        // biome-ignore format: a line a group of words
        launch(this.team, products, pointwise, argumentList(
          [L.POINT_C, values], [L.POINT_A, left], [L.POINT_B, right], [L.POINT_ROWS, a.rows], [L.POINT_INNER, a.cols],
          [L.POINT_A_GROUPS, vectorsOf(aGroups)], [L.POINT_B_GROUPS, vectorsOf(width)], [L.POINT_N, n],
          [L.POINT_STRIDE, stride], [L.POINT_PRIMES, primes], [L.POINT_TABLE, transforms.at],
          [L.POINT_SCRATCH, scratch], [L.POINT_SCRATCH_BYTES, perThread],
        ));
        // biome-ignore format: a line a group of words
        launch(this.team, primes * n * a.rows * width * (transforms.level * Math.log2(n) + 20), inverse, argumentList(
          [L.INVERSE_OUT, out.at + done * 16], [L.INVERSE_OUT_STRIDE, out.stride], [L.INVERSE_OUT_GROUPS, groups],
          [L.INVERSE_FIRST_GROUP, first], [L.INVERSE_VALUES, values], [L.INVERSE_ROWS, a.rows], [L.INVERSE_GROUPS, width],
          [L.INVERSE_N, n], [L.INVERSE_STRIDE, stride], [L.INVERSE_PRIMES, primes], [L.INVERSE_TABLE, transforms.at],
          [L.INVERSE_CONSTANTS, transforms.back], [L.INVERSE_START, from + done - start], [L.INVERSE_COUNT, count],
          ...inverseLengths.map((word, i): Argument => [L.INVERSE_LENGTHS + 4 * i, word]),
        ));
      }
    }
    for (const at of [left, right, values, scratch]) memory.release(at);
    if (extra > 0) this.direct('polyUnwrap', out, a, b, extra, n);
  }

  /** Transforms of `width` groups of columns of x. */
  private forward(to: number, x: PolyMatrix, first: number, width: number, plan: Schedule, stride: number): void {
    const { transforms, primes, n } = plan;
    const [forward] = transforms.kernels;
    // biome-ignore format: a line a group of words
    launch(this.team, primes * n * x.rows * width * (transforms.level * Math.log2(n) + 5), forward, argumentList(
      [L.FORWARD_VALUES, to], [L.FORWARD_SOURCE, x.at], [L.FORWARD_ROWS, x.rows],
      [L.FORWARD_SOURCE_GROUPS, groupsOf(x.cols)], [L.FORWARD_FIRST_GROUP, first], [L.FORWARD_GROUPS, width],
      [L.FORWARD_SOURCE_STRIDE, x.stride], [L.FORWARD_COUNT, x.length], [L.FORWARD_N, n], [L.FORWARD_STRIDE, stride],
      [L.FORWARD_PRIMES, primes], [L.FORWARD_TABLE, transforms.at], [L.FORWARD_FIELD, this.field],
      [L.FORWARD_REDUCES, transforms.forwardWord],
    ));
  }

  private direct(
    kernel: 'polyDirect' | 'polyUnwrap',
    out: PolyMatrix,
    a: PolyMatrix,
    b: PolyMatrix,
    first: number,
    count: number,
  ): void {
    // biome-ignore format: a line a group of words
    launch(this.team, 14 * a.rows * a.cols * groupsOf(b.cols) * count * Math.min(a.length, b.length), kernel, argumentList(
      [L.DIRECT_OUT, out.at], [L.DIRECT_OUT_STRIDE, out.stride],
      [L.DIRECT_A, a.at], [L.DIRECT_ROWS, a.rows], [L.DIRECT_A_GROUPS, groupsOf(a.cols)], [L.DIRECT_A_STRIDE, a.stride],
      [L.DIRECT_A_LENGTH, a.length], [L.DIRECT_B, b.at], [L.DIRECT_B_GROUPS, groupsOf(b.cols)],
      [L.DIRECT_B_STRIDE, b.stride], [L.DIRECT_B_LENGTH, b.length], [L.DIRECT_INNER, a.cols], [L.DIRECT_FROM, first],
      [L.DIRECT_COUNT, count], [L.DIRECT_FIELD, this.field],
    ));
  }
}

function allTransforms({ memory }: Team, field: WordPrime): Transforms[] {
  const wide = new Transforms21Bit(memory, field);
  return Transforms14Bit.fits(field) ? [wide, new Transforms14Bit(memory, field)] : [wide];
}

/** Runs a kernel on all threads, or on this one when there is little to do: `work` operations on vectors. */
export function launch(team: Team, work: number, kernel: KernelName, args: readonly number[]): void {
  team.launch(kernel, args, work < SMALL_WORK);
}

/** to += a by the kernel of the field. */
export function addPoly(
  team: Team,
  kernel: 'polyAdd' | 'polyAddByTables',
  field: number,
  to: PolyMatrix,
  a: PolyMatrix,
): void {
  if (to.rows !== a.rows || to.cols !== a.cols || to.length < a.length) {
    throw new PolyShapeError(
      `add: expected at most ${to.rows} × ${to.cols} × ${to.length}, got ${a.rows} × ${a.cols} × ${a.length}`,
    );
  }
  const vectors = to.rows * groupsOf(to.cols);
  // biome-ignore format: a line a group of words
  launch(team, 8 * vectors * a.length, kernel, argumentList(
    [ADD_TO, to.at], [ADD_TO_STRIDE, to.stride], [ADD_SOURCE, a.at], [ADD_SOURCE_STRIDE, a.stride],
    [ADD_VECTORS, vectors], [ADD_COUNT, a.length], [ADD_FIELD, field],
  ));
}
