/**
 * Rows as instructions on vectors of 4 residues, 2^16 < p < 2^31: the sums of kernels/spmm/spmm-u32.as.ts.
 *
 *   ±1 entries    r, canonical after each      general ones    high·2^32 + acc, folded before acc could pass 2^64
 */
import type { ResidueStorage } from '../residues/storage.js';
import type { Encoder, Expression, ModuleBuilder } from './encoder.js';
import { MODULUS } from './jit-layout.js';
import { ARGS, FIRST_LOCAL, type RowCode, type RowPart, sortByClass, VECTOR_X, VECTOR_Y, ZERO } from './row-code.js';

const [P, LOADED, FACTOR, R] = [0, 1, 2, 3].map((index) => FIRST_LOCAL + index);
/** acc and high of columns 0 and 1, and of 2 and 3. */
const SUMS = [4, 6].map((index) => ({ acc: FIRST_LOCAL + index, high: FIRST_LOCAL + index + 1 }));
const MASK: readonly number[] = [255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0];

/** `count` ≤ 4 columns. */
export function vectorRowsU32(
  { i32, v128, none }: Encoder,
  m: ModuleBuilder,
  p: number,
  residues: ResidueStorage,
  count: number,
): RowCode {
  const get = (index: number): Expression => m.local.get(index, v128);
  const word = (index: number): Expression => m.local.get(index, i32);
  const zero = (): Expression => m.v128.const(ZERO);
  const loadX = ({ columns, stride }: RowPart, k: number): Expression =>
    m.v128.load(columns[k] * stride, 16, word(VECTOR_X));

  /** r ← r + e, canonical: the smaller of it and that less p. */
  const add = (e: Expression): Expression[] => [
    m.local.set(R, m.i32x4.add(get(R), e)),
    m.local.set(R, m.i32x4.min_u(get(R), m.i32x4.sub(get(R), get(P)))),
  ];
  /** r ← from − e likewise: the smaller of it and that and p. */
  const subtract = (from: Expression, e: Expression): Expression[] => [
    m.local.set(R, m.i32x4.sub(from, e)),
    m.local.set(R, m.i32x4.min_u(get(R), m.i32x4.add(get(R), get(P)))),
  ];

  const addUnits = (part: RowPart, units: readonly number[], plus: number): Expression[] =>
    units.flatMap((k, n) => {
      const x = loadX(part, k);
      if (n < plus) return n === 0 ? [m.local.set(R, x)] : add(x);
      return subtract(n === 0 ? zero() : get(R), x);
    });

  /** high ← high + acc >> 32, acc ← acc mod 2^32 */
  const fold = (isFirst: boolean): Expression[] =>
    SUMS.flatMap(({ acc, high }) => {
      const folded = m.i64x2.shr_u(get(acc), m.i32.const(32));
      return [
        m.local.set(high, isFirst ? folded : m.i64x2.add(get(high), folded)),
        m.local.set(acc, m.v128.and(get(acc), m.v128.const(MASK))),
      ];
    });

  const addGeneral = (part: RowPart, general: readonly number[]): Expression[] => {
    const terms = residues.generalTerms;
    return general.flatMap((k, n) => {
      const out = n > 0 && n % terms === 0 ? fold(n === terms) : [];
      out.push(m.local.set(FACTOR, m.i32x4.splat(m.i32.const(residues.multiplier(part.values[k]) | 0))));
      out.push(m.local.set(LOADED, loadX(part, k)));
      [m.i64x2.extmul_low_i32x4_u, m.i64x2.extmul_high_i32x4_u].forEach((multiply, half) => {
        const { acc } = SUMS[half];
        const product = multiply(get(LOADED), get(FACTOR));
        out.push(m.local.set(acc, n === 0 ? product : m.i64x2.add(get(acc), product)));
      });
      return out;
    });
  };

  return {
    locals: new Array(8).fill(v128),
    begin: () => [m.local.set(P, m.i32x4.splat(m.i32.load(MODULUS, 4, word(ARGS))))],
    row: (part) => {
      const { units, plus, general } = sortByClass(part, p);
      const out = [...addUnits(part, units, plus), ...addGeneral(part, general)];
      if (general.length > 0) {
        out.push(...fold(general.length <= residues.generalTerms));
        const sums = [...SUMS.map(({ acc }) => get(acc)), ...SUMS.map(({ high }) => get(high))];
        const reduced = m.call('jitReduceU32', [word(ARGS), ...sums], v128);
        out.push(...(units.length > 0 ? add(reduced) : [m.local.set(R, reduced)]));
      } else if (units.length === 0) out.push(m.local.set(R, zero()));
      const y = m.i32.add(word(VECTOR_Y), m.i32.const(part.at | 0));
      out.push(m.call('jitEndU32', [word(ARGS), y, get(R), m.i32.const(count), m.i32.const(Number(part.later))], none));
      return out;
    },
  };
}
