/**
 * Products of polynomial matrices over GF(p^k), through products over F_p.
 *
 * An element is a polynomial in x of degree < k. With z = x^(2k−1) (Kronecker's substitution) a matrix over GF(p^k)[z]
 * becomes one over F_p[x] with 2k − 1 places a coefficient; products of elements fill a coefficient's places and do not
 * reach the next one's, so ranges of coefficients stay ranges. At the end every 2k − 1 places are reduced modulo f.
 * The matrices in between are 2k − 1 times as long: rows of a and groups of columns of b are taken in blocks.
 *
 * Source: Kronecker 1882; for matrices over extensions, Giorgi, Jeannerod, Villard 2003.
 */
import type { ExtensionField } from '../../fields/extension.js';
import { polyExtensionField } from '../residues/field-words.js';
import * as L from '../residues/spread-layout.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import { addPoly, launch, type PolyArithmetic, PolyProduct } from './mul.js';
import {
  allocPoly,
  allocZeroPoly,
  coefficientsView,
  groupsOf,
  type PolyMatrix,
  PolyShapeError,
  rowsView,
} from './poly-matrix.js';

const BLOCK_BYTES = 96 * 2 ** 20; // a block of spread rows of a, or of columns of b

export class ExtensionProduct implements PolyArithmetic {
  readonly team: Team;
  readonly field: number;
  private readonly blockBytes: number;
  private readonly addresses: readonly number[];
  private readonly places: number; // 2k − 1
  private readonly base: PolyProduct;

  constructor(team: Team, field: ExtensionField, blockBytes = BLOCK_BYTES) {
    this.team = team;
    this.blockBytes = blockBytes;
    this.addresses = polyExtensionField(team.memory, field);
    this.field = this.addresses[0]!;
    this.places = 2 * field.degree - 1;
    this.base = new PolyProduct(team, field.base);
  }

  dispose(): void {
    for (const at of this.addresses) this.team.memory.release(at);
    this.base.dispose();
  }

  addInto(to: PolyMatrix, a: PolyMatrix): void {
    addPoly(this.team, 'polyAddByTables', this.field, to, a);
  }

  range(a: PolyMatrix, b: PolyMatrix, from: number, count: number, total = a.length + b.length - 1): PolyMatrix {
    if (a.cols !== b.rows) throw new PolyShapeError(`product: expected ${a.cols} rows in b, got ${b.rows}`);
    const { memory } = this.team;
    const out = allocZeroPoly(memory, a.rows, b.cols, count);
    const real = Math.max(0, Math.min(count, total - from, a.length + b.length - 1 - from));
    if (real === 0 || a.cols === 0) return out;
    try {
      this.rangeInto(coefficientsView(out, 0, real), a, b, from, total);
    } catch (error) {
      memory.release(out.at);
      throw error;
    }
    return out;
  }

  private rangeInto(out: PolyMatrix, a: PolyMatrix, b: PolyMatrix, from: number, total: number): void {
    const { memory } = this.team;
    // Only these coefficients of b meet the wanted ones.
    const start = Math.max(0, from - a.length + 1);
    const window = coefficientsView(b, start, Math.min(b.length, from + out.length) - start);
    const groups = groupsOf(b.cols);
    const bytes = this.places * 16;
    const rowBlock = Math.max(1, Math.floor(this.blockBytes / (bytes * a.length * groupsOf(a.cols))));
    const groupBlock = Math.max(
      1,
      Math.floor(this.blockBytes / (bytes * Math.max(window.length * b.rows, out.length * a.rows))),
    );
    const [first, wanted, end] = [from - start, out.length, total - start].map((k) => k * this.places);
    /** What `work` does with a matrix, which is released then. */
    const using = (x: PolyMatrix, work: (x: PolyMatrix) => void): void => {
      try {
        work(x);
      } finally {
        memory.release(x.at);
      }
    };
    for (let row = 0; row < a.rows; row += rowBlock) {
      const rows = rowsView(a, row, Math.min(rowBlock, a.rows - row));
      const target = rowsView(out, row, rows.rows);
      using(this.spread(rows, 0, groupsOf(a.cols)), (left) => {
        for (let group = 0; group < groups; group += groupBlock) {
          using(this.spread(window, group, Math.min(groupBlock, groups - group)), (right) => {
            using(this.base.range({ ...left, cols: a.cols }, right, first!, wanted!, end!), (product) => {
              this.convert('polyFold', product, target, group);
            });
          });
        }
      });
    }
  }

  /** Some groups of columns of x as a matrix over F_p, all four columns of each. */
  private spread(x: PolyMatrix, group: number, width: number): PolyMatrix {
    const spread = allocPoly(this.team.memory, x.rows, 4 * width, x.length * this.places);
    this.convert('polySpread', spread, x, group);
    return spread;
  }

  private convert(kernel: 'polySpread' | 'polyFold', spread: PolyMatrix, codes: PolyMatrix, group: number): void {
    const width = groupsOf(spread.cols);
    // biome-ignore format: a line a group of words
    launch(this.team, 4 * spread.rows * width * spread.length, kernel, argumentList(
      [L.SPREAD, spread.at], [L.SPREAD_STRIDE, spread.stride], [L.CODES, codes.at], [L.CODES_STRIDE, codes.stride],
      [L.CODES_GROUPS, groupsOf(codes.cols)], [L.FIRST_GROUP, group], [L.GROUPS, width],
      [L.ROWS, codes.rows], [L.COUNT, codes.length], [L.FIELD, this.field],
    ));
  }
}
