import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExtensionField } from '../../../fields/extension.js';
import { FieldError } from '../../../fields/field.js';
import { CounterRandom } from '../../../fields/random.js';
import { ExtensionProduct } from '../../../kernels/poly/mul-extension.js';
import { allocZeroPoly, type PolyMatrix, readPoly, writePoly } from '../../../kernels/poly/poly-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

/** rows, inner, cols, coefficients of a and of b, first wanted, how many */
const SHAPES = [
  [1, 1, 1, 1, 1, 0, 1],
  [3, 2, 5, 4, 6, 0, 9],
  [2, 3, 2, 30, 33, 0, 62],
  [4, 2, 1, 12, 60, 11, 40], // middle product
  [2, 2, 2, 9, 9, 12, 20], // reaches beyond the product
] as const;

describe('products of polynomial matrices over GF(p^k)', () => {
  let team: Team;
  beforeAll(async () => {
    team = await Team.create(1);
  });
  afterAll(() => team.dispose());

  const matrix = (field: ExtensionField, rows: number, cols: number, length: number, stream: number): PolyMatrix => {
    const a = allocZeroPoly(team.memory, rows, cols, length);
    const random = new CounterRandom(5n, stream);
    writePoly(team.memory, a, random.fillResidues(new Uint32Array(rows * cols * length), field.size));
    return a;
  };

  test.each([
    [2, 2],
    [2, 14],
    [2, 16],
    [3, 9],
    [5, 7],
    [7, 5],
    [127, 2],
    [127, 3],
    [1447, 2], // just below the largest tables
  ])('agree with the definition over GF(%i^%i)', (p, k) => {
    const field = new ExtensionField(p, k);
    const product = new ExtensionProduct(team, field);
    for (const [rows, inner, cols, la, lb, from, count] of SHAPES) {
      const a = matrix(field, rows, inner, la, 1);
      const b = matrix(field, inner, cols, lb, 2);
      const [x, y] = [readPoly(team.memory, a), readPoly(team.memory, b)];
      const wanted = new Uint32Array(count * rows * cols);
      for (let t = 0; t < wanted.length; t++) {
        const [at, i, j] = [from + Math.floor(t / (rows * cols)), Math.floor(t / cols) % rows, t % cols];
        let sum = 0;
        for (let s = Math.max(0, at - lb + 1); s <= Math.min(la - 1, at); s++) {
          for (let l = 0; l < inner; l++) {
            const term = field.mul(x[(s * rows + i) * inner + l]!, y[((at - s) * inner + l) * cols + j]!);
            sum = field.add(sum, term);
          }
        }
        wanted[t] = sum;
      }
      const c = product.range(a, b, from, count);
      expect(readPoly(team.memory, c)).toEqual(wanted);
      // c + c, by the kernel and by the field
      product.addInto(c, c);
      expect(readPoly(team.memory, c)).toEqual(wanted.map((w) => field.add(w, w)));
      for (const { at } of [a, b, c]) team.memory.release(at);
    }
    product.dispose();
  });

  test('blocks of rows and of columns give what one block gives', () => {
    const field = new ExtensionField(2, 14);
    const whole = new ExtensionProduct(team, field);
    const cut = new ExtensionProduct(team, field, 4096);
    const a = matrix(field, 9, 5, 40, 1);
    const b = matrix(field, 5, 11, 40, 2);
    const [c, d] = [whole, cut].map((product) => product.range(a, b, 3, 60));
    expect(readPoly(team.memory, d!)).toEqual(readPoly(team.memory, c!));
    for (const { at } of [a, b, c!, d!]) team.memory.release(at);
    for (const product of [whole, cut]) product.dispose();
  });

  test('a field without tables is refused', () => {
    expect(() => new ExtensionProduct(team, new ExtensionField(1451, 2))).toThrow(FieldError);
    expect(() => new ExtensionProduct(team, new ExtensionField(101, 1))).toThrow(FieldError);
  });
});
