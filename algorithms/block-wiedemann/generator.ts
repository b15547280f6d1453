/**
 * The left matrix generator of a block sequence, found while the sequence is still being computed.
 *
 *   S_i : m × n      F(x) = Σ F_j x^j, m × m, row i of degree δ_i:  Σ_j F_j·S_(k+j) = 0 for all k
 *   order basis P of G = [S(z); −I; z^e·T(z)] modulo z^σ, rows shifted by degrees (0^m, 1^n), the s rows of T
 *   right-hand rows
 *
 * A row (f | g) of P with f·S ≡ g and deg f ≤ δ, deg g < δ is a relation of length δ; f reversed by δ is a row of F.
 * F consists of the m rows of least degree. Reversal makes the leading matrix of F the matrix f(0), so F is
 * row-reduced, and deg det F = Σ δ_i, exactly when that m × m matrix is nonsingular.
 *
 * Lower bound. Where the rows x to the left lie in the row space of A, as U·B and W·A do, the minimal generator F* of
 * the infinite sequence x·B^i·V has deg det F* = dim span{x·B^j} at most, hence ≤ rank A. Its m rows reversed are
 * themselves order-σ relations of shifted degrees δ*_i, for every σ; P is shift-reduced, so its m least degrees are
 * termwise at most the sorted δ*_i. So Σ δ_i ≤ rank A at any σ.
 *
 * Right-hand rows: row i of T is entered at order e; q with q·[S; −I] + z^e·T ≡ 0 says Σ_j c_j·S_(k+j) = −T_k, where
 * c_j = coefficient e − j of q's S part, provided that part has degree ≤ e and the other degree < e.
 *
 * Sources: Beckermann and Labahn 1994; Giorgi, Jeannerod and Villard 2003; Villard 1997; Turner 2002 for rectangular
 * blocks.
 */
import type { Field } from '../../fields/field.js';
import { deriveSeed } from '../../fields/random.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import { basisHolds, checkColumns } from './basis-check.js';
import { FactoredBasis } from './factored-basis.js';
import type { GrowingBlocks } from './growing-blocks.js';
import type { Pause } from './look.js';
import type { RandomSource } from './random-products.js';
import { columnsOfGenerator, combineRelations, constantRows, type Factored, type Places } from './relations.js';
import { determinantOf } from './small-matrix.js';
import type { GeneratorColumns } from './spanning.js';
import type { WorkingField } from './working-field.js';

export interface GeneratorShape {
  readonly m: number;
  readonly n: number;
  readonly s: number;
}

export interface Generator {
  readonly degrees: Int32Array; // δ_i of the m rows
  readonly degree: number; // Σ δ_i = deg det F when reduced
  readonly reduced: boolean; // leading matrix nonsingular
  readonly coefficients: Uint32Array; // F_0, F_1, … F_max(δ), each m × m
}

/** That of vectors B^k·V (vector-generator.ts). */
export interface VectorGenerator extends Generator {
  /** D = N and F is the generator of the B^k·V, without any doubt. */
  readonly complete: boolean;
}

/** Why there is no generator. */
export interface NoGenerator {
  readonly reason: string;
  /** The operator has shown that it is none: fresh randomness is of no use. */
  readonly broken?: boolean;
  /** Memory or a processor erred more than could be mended: another attempt may do. */
  readonly lost?: boolean | undefined;
}

/** The randomness of a check of the order basis, and its field. */
export interface BasisCheck extends RandomSource {
  readonly working: WorkingField;
}

/** Words of G that the host writes at a time: few enough for caches, and far more than a write costs. */
const PIECE_WORDS = 2 ** 20;

/** The blocks of a sequence, by number. */
type Blocks = Pick<GrowingBlocks, 'at'>;

export class GeneratorSearch {
  readonly shape: GeneratorShape;
  /** The order at which T enters; null where there is none, and s = 0. */
  readonly entry: number | null;
  private readonly engine: OrderBasisEngine;
  private g: PolyMatrix | null;
  private readonly degrees: Int32Array; // of the rows of P; the m + n first may be pivots
  readonly basis: FactoredBasis; // P
  private readonly check: (BasisCheck & { readonly columns: Uint32Array; readonly onDevice: PolyMatrix }) | null;
  private host: { blocks: Uint32Array; size: number; length: number } | null = null;
  private written = 0; // coefficients of G
  private isFree = false;

  /** `capacity` is the highest order of all calls; `check` is for `holds`. */
  constructor(
    engine: OrderBasisEngine,
    shape: GeneratorShape,
    entry: number | null,
    capacity: number,
    check: BasisCheck | null = null,
  ) {
    const { m, n, s } = shape;
    this.engine = engine;
    this.shape = shape;
    this.entry = entry;
    const rows = m + n + s;
    this.g = engine.create(rows, n, capacity);
    this.degrees = new Int32Array(rows).fill(1, m);
    this.check = null;
    if (check) {
      const columns = checkColumns(check.working, n, deriveSeed(check.seed, 'columns'));
      this.check = { ...check, columns, onDevice: this.writeColumns(columns, this.g) };
    }
    this.basis = new FactoredBasis(engine, this.degrees, rows - m - n, this.check?.onDevice);
  }

  /** The columns of the check on the device; where they find no room there, G gives up its own. */
  private writeColumns(columns: Uint32Array, g: PolyMatrix): PolyMatrix {
    const { n } = this.shape;
    try {
      const onDevice = this.engine.create(n, columns.length / n, 1);
      this.engine.write(onDevice, columns);
      return onDevice;
    } catch (error) {
      this.engine.release(g);
      throw error;
    }
  }

  /** σ: the relations found so far hold modulo z^σ. */
  get order(): number {
    return this.basis.order;
  }

  /** Goes on to order `to`, with S known up to there and T up to to − e; also where `pause` has thrown before. */
  async advance(S: Blocks, T: Blocks, to: number, minusOne: number, pause?: Pause): Promise<void> {
    const g = this.g;
    if (!g) throw new RangeError('generator: the search is over');
    this.fill(g, S, T, to, minusOne);
    await this.basis.extend(g, to, pause);
  }

  /**
   * Rows of P by increasing degree: the first m are the generator, the others have been pivots ever since it was found.
   */
  private ranking(): number[] {
    const { m, n } = this.shape;
    return Array.from({ length: m + n }, (_, i) => i).sort((a, b) => this.degrees[a] - this.degrees[b] || a - b);
  }

  /** Σ of the m least degrees: never above the rank. */
  get degree(): number {
    return this.ranking()
      .slice(0, this.shape.m)
      .reduce((sum, i) => sum + this.degrees[i], 0);
  }

  /** Orders for which the m least rows have been left alone: the other rows have since grown by one an order. */
  get gap(): number {
    const order = this.ranking();
    return this.degrees[order[this.shape.m]] - this.degrees[order[this.shape.m - 1]];
  }

  get largestDegree(): number {
    return this.degrees[this.ranking()[this.shape.m - 1]];
  }

  /** Reads F off the order basis. */
  async generator(F: Field<number>): Promise<Generator> {
    const { m, n } = this.shape;
    const rows = this.ranking().slice(0, m);
    const degrees = Int32Array.from(rows, (i) => this.degrees[i]);
    const top = Math.max(0, ...degrees);
    const coefficients = new Uint32Array((top + 1) * m * m);
    const leading = new Uint32Array(m * m);
    const { blocks, size, length } = await this.readBasis();
    const have = Math.min(length, top + 1);
    for (let i = 0; i < m; i++) {
      for (let t = 0; t <= Math.min(degrees[i], have - 1); t++) {
        const from = t * size + rows[i] * (m + n);
        coefficients.set(blocks.subarray(from, from + m), (degrees[i] - t) * m * m + i * m);
      }
      leading.set(blocks.subarray(rows[i] * (m + n), rows[i] * (m + n) + m), i * m);
    }
    const degree = degrees.reduce((a, b) => a + b, 0);
    return { degrees, degree, reduced: determinantOf(F, leading, m) !== F.zero, coefficients };
  }

  /** Whether F is row-reduced, without F. */
  async isReduced(F: Field<number>): Promise<boolean> {
    const { places, factored } = this.relations();
    return determinantOf(F, await constantRows(this.engine, F, factored, places), this.shape.m) !== F.zero;
  }

  /**
   * Whether P is an order basis of S, as the lower bound has it; wrong with probability 2^−60 at most. Where P is to be
   * read, `whole`, it is multiplied out before.
   */
  holds(S: Blocks, whole = false): Promise<boolean> {
    if (whole) this.basis.multiply();
    const { p: p1, last: p2, inner, order, base, images } = this.basis;
    const { degrees, shape, check } = this;
    if (!p1 || !check) throw new RangeError('generator: no order reached yet, the search is over, or has no check');
    const { working, executor, seed, columns } = check;
    const basis = { ...shape, p1, p2, inner, order, base, images, columns, degrees, all: degrees.length };
    return basisHolds(this.engine, working, basis, (i) => S.at(i), {
      executor,
      seed: deriveSeed(seed, 'weights', order),
    });
  }

  /** (t·F)_j for j = 0, 1, …, each s × m, with the F of generator(); t : s × m codes. Where there is no T. */
  combine(t: Uint32Array): Promise<Uint32Array> {
    const { places, factored } = this.relations();
    return combineRelations(this.engine, factored, places, t);
  }

  /** The columns `first` … m − 1 of F_j for j = 0, 1, …; and the degrees of F's rows. Where there is no T. */
  async columns(F: Field<number>, first: number): Promise<GeneratorColumns> {
    const { places, factored } = this.relations();
    const { m, degrees } = places;
    return { m, degrees, width: m - first, blocks: await columnsOfGenerator(this.engine, F, factored, places, first) };
  }

  private relations(): { places: Places; factored: Factored } {
    const { p: p1, last: p2 } = this.basis;
    if (!p1) throw new RangeError('generator: no order reached yet, or the search is over');
    const { m } = this.shape;
    const rows = this.ranking().slice(0, m);
    return { places: { m, rows, degrees: rows.map((i) => this.degrees[i]) }, factored: { p1, p2 } };
  }

  /**
   * c_0, c_1, … c_e, each s × m, with Σ_j c_j·S_(k+j) = −T_k; null when the right-hand rows' degrees show that T does
   * not lie in the span of S.
   */
  async rhsRows(): Promise<Uint32Array | null> {
    const { m, n, s } = this.shape;
    const [entry, first] = [this.entry ?? 0, m + n];
    const { blocks, size, length } = await this.readBasis();
    const c = new Uint32Array((entry + 1) * s * m);
    for (let t = 0; t < length; t++) {
      for (let i = 0; i < s; i++) {
        const at = t * size + (first + i) * (m + n);
        const row = blocks.subarray(at, at + m + n);
        if (t <= entry) c.set(row.subarray(0, m), (entry - t) * s * m + i * m);
        else if (row.subarray(0, m).some((x) => x !== 0)) return null;
        if (t >= entry && row.subarray(m).some((x) => x !== 0)) return null;
      }
    }
    return c;
  }

  free(): void {
    if (this.g) this.engine.release(this.g);
    this.g = null;
    if (this.check && !this.isFree) this.engine.release(this.check.onDevice);
    this.isFree = true;
    this.basis.free();
  }

  /** P on the host: the search is over, and its memory on the device is free. */
  private async readBasis(): Promise<{ blocks: Uint32Array; size: number; length: number }> {
    if (!this.host) {
      const p = this.basis.multiply();
      if (!p) throw new RangeError('generator: no order reached yet');
      const { rows, cols, length } = p;
      this.host = { blocks: await this.engine.read(p, 0, length), size: rows * cols, length };
      this.free();
    }
    return this.host;
  }

  /** Writes coefficients written … to − 1 of G = [S; −I; z^e·T], in pieces, so that no second copy of S exists. */
  private fill(g: PolyMatrix, S: Blocks, T: Blocks, to: number, minusOne: number): void {
    const { m, n } = this.shape;
    const size = this.degrees.length * n;
    const most = Math.max(1, Math.floor(PIECE_WORDS / size));
    const piece = new Uint32Array(Math.min(most, to - this.written) * size);
    while (this.written < to) {
      const end = Math.min(this.written + most, to);
      const blocks = piece.subarray(0, (end - this.written) * size).fill(0);
      for (let i = this.written, at = 0; i < end; i++, at += size) {
        blocks.set(S.at(i), at);
        if (i === 0) for (let j = 0; j < n; j++) blocks[at + (m + j) * n + j] = minusOne;
        if (this.entry !== null && i >= this.entry) blocks.set(T.at(i - this.entry), at + (m + n) * n);
      }
      this.engine.write(g, blocks, this.written);
      this.written = end;
    }
  }
}
