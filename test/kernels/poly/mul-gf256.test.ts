/**
 * Additive transforms over GF(2^8) give the products that Kronecker's substitution gives, which are those of the
 * definition.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExtensionField } from '../../../fields/extension.js';
import { FieldError } from '../../../fields/field.js';
import { CounterRandom } from '../../../fields/random.js';
import { ExtensionProduct } from '../../../kernels/poly/mul-extension.js';
import { CodeProduct } from '../../../kernels/poly/mul-gf256.js';
import { allocZeroPoly, type PolyMatrix, readPoly, writePoly } from '../../../kernels/poly/poly-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

/** rows, inner, cols, coefficients of a and of b, first wanted, how many */
const SHAPES = [
  [1, 1, 1, 1, 1, 0, 1],
  [3, 2, 5, 4, 6, 0, 9],
  [4, 17, 16, 5, 3, 0, 7],
  [5, 16, 17, 9, 7, 2, 11],
  [7, 3, 33, 12, 60, 11, 40], // middle product
  [2, 2, 2, 9, 9, 12, 20], // reaches beyond the product
  [1, 1, 1, 128, 129, 0, 256], // all points of one variable
  [1, 1, 1, 129, 129, 0, 257], // two variables
  [2, 3, 2, 256, 1, 0, 256],
  [2, 3, 2, 256, 2, 0, 257],
  [2, 3, 2, 1, 700, 0, 700],
  [6, 5, 4, 300, 1000, 299, 701],
  [2, 2, 2, 1025, 1024, 0, 2048], // 17 terms of y
  [1, 2, 1, 1920, 129, 0, 2048], // 16 terms of y, and coefficients beyond them
  [1, 1, 1, 4097, 4200, 0, 8296], // a is cut, and so is the product
  [1, 1, 1, 5000, 9000, 4990, 9001],
] as const;

describe('products of polynomial matrices over GF(2^8)', () => {
  let team: Team;
  beforeAll(async () => {
    team = await Team.create(1);
  });
  afterAll(() => team.dispose());

  const field = new ExtensionField(2, 8);
  const matrix = (rows: number, cols: number, length: number, stream: number): PolyMatrix => {
    const a = allocZeroPoly(team.memory, rows, cols, length);
    const random = new CounterRandom(5n, stream);
    writePoly(team.memory, a, random.fillResidues(new Uint32Array(rows * cols * length), field.size));
    return a;
  };

  test.each(SHAPES)(
    '%i x %i x %i of %i and %i coefficients, from %i on %i',
    (rows, inner, cols, la, lb, from, count) => {
      const top = firstFree();
      const [fast, slow] = [new CodeProduct(team, field), new ExtensionProduct(team, field)];
      const [a, b] = [matrix(rows, inner, la, 1), matrix(inner, cols, lb, 2)];
      const [got, expected] = [fast, slow].map((product) => product.range(a, b, from, count));
      const [x, y] = [readPoly(team.memory, got!), readPoly(team.memory, expected!)];
      expect(x.findIndex((v, t) => v !== y[t])).toBe(-1);
      fast.addInto(got!, expected!);
      expect(readPoly(team.memory, got!).findIndex((v) => v !== 0)).toBe(-1);
      for (const { at } of [a, b, got!, expected!]) team.memory.release(at);
      for (const product of [fast, slow]) product.dispose();
      expect(firstFree()).toBe(top);
    },
  );

  /** Where room for a great deal begins: behind everything that is held. */
  const firstFree = (): number => {
    const at = team.memory.alloc(2 ** 26);
    team.memory.release(at);
    return at;
  };

  test('are refused over any other field', () => {
    expect(() => new CodeProduct(team, new ExtensionField(2, 7))).toThrow(FieldError);
    expect(() => new CodeProduct(team, new ExtensionField(3, 5))).toThrow(/expected GF\(2\^8\), got GF\(3\^5\)/);
  });
});
