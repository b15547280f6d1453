/**
 * Rows as instructions on vectors of 4 residues, 2^16 < p < 2^31: the sums of kernels/spmm/spmm-u32.as.ts.
 *
 *   ±1 entries    r, canonical after each      general ones    high·2^32 + acc, folded before acc could pass 2^64
 */
import type { ResidueStorage } from '../residues/storage.js';
import type { Encoder, Expression, ModuleBuilder } from './encoder.js';
import { MODULUS } from './jit-layout.js';
import { ARGS, FIRST_LOCAL, type RowCode, type RowPart, VECTOR_X, VECTOR_Y } from './row-code.js';
import { sortByClass, ZERO } from './vector-rows.js';

const LANES = 4;
const [P, LOADED, FACTOR, SUMS] = [FIRST_LOCAL, FIRST_LOCAL + 1, FIRST_LOCAL + 2, FIRST_LOCAL + 3];
const LOCALS = 5; // of a vector: r, two sums of products, two of what was folded
const MASK: readonly number[] = [255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0];

export function vectorRowsU32(
  { i32, v128, none }: Encoder,
  m: ModuleBuilder,
  p: number,
  residues: ResidueStorage,
  columns: number,
): RowCode {
  const vectors = Math.ceil(columns / LANES);
  const get = (index: number): Expression => m.local.get(index, v128);
  const word = (index: number): Expression => m.local.get(index, i32);
  const zero = (): Expression => m.v128.const(ZERO);
  const sum = (c: number): number => SUMS + LOCALS * c;
  const loadX = ({ columns: colIdx, stride }: RowPart, k: number, c: number): Expression =>
    m.v128.load(colIdx[k] * stride + 16 * c, 16, word(VECTOR_X));

  /** r ← r + e, canonical: the smaller of it and that less p. */
  const addTo = (r: number, e: Expression): Expression[] => [
    m.local.set(r, m.i32x4.add(get(r), e)),
    m.local.set(r, m.i32x4.min_u(get(r), m.i32x4.sub(get(r), get(P)))),
  ];
  /** r ← r − e likewise: the smaller of it and that and p. */
  const subtractFrom = (r: number, from: Expression, e: Expression): Expression[] => [
    m.local.set(r, m.i32x4.sub(from, e)),
    m.local.set(r, m.i32x4.min_u(get(r), m.i32x4.add(get(r), get(P)))),
  ];

  const addUnits = (part: RowPart, units: readonly number[], plus: number): Expression[] => {
    const out: Expression[] = [];
    units.forEach((k, n) => {
      for (let c = 0; c < vectors; c++) {
        const [r, x] = [sum(c), loadX(part, k, c)];
        if (n < plus) out.push(...(n === 0 ? [m.local.set(r, x)] : addTo(r, x)));
        else out.push(...subtractFrom(r, n === 0 ? zero() : get(r), x));
      }
    });
    return out;
  };

  /** high ← high + acc >> 32, acc ← acc mod 2^32, of both halves of vector c. */
  const fold = (c: number, isFirst: boolean): Expression[] => {
    const out: Expression[] = [];
    for (const acc of [sum(c) + 1, sum(c) + 2]) {
      const folded = m.i64x2.shr_u(get(acc), m.i32.const(32));
      out.push(m.local.set(acc + 2, isFirst ? folded : m.i64x2.add(get(acc + 2), folded)));
      out.push(m.local.set(acc, m.v128.and(get(acc), m.v128.const(MASK))));
    }
    return out;
  };

  const addGeneral = (part: RowPart, general: readonly number[]): Expression[] => {
    const out: Expression[] = [];
    const terms = residues.generalTerms;
    general.forEach((k, n) => {
      out.push(m.local.set(FACTOR, m.i32x4.splat(m.i32.const(residues.multiplier(part.values[k]) | 0))));
      for (let c = 0; c < vectors; c++) {
        if (n > 0 && n % terms === 0) out.push(...fold(c, n === terms));
        const [low, high] = [sum(c) + 1, sum(c) + 2];
        const x = m.local.tee(LOADED, loadX(part, k, c), v128);
        const [a, b] = [
          m.i64x2.extmul_low_i32x4_u(x, get(FACTOR)),
          m.i64x2.extmul_high_i32x4_u(get(LOADED), get(FACTOR)),
        ];
        out.push(m.local.set(low, n === 0 ? a : m.i64x2.add(get(low), a)));
        out.push(m.local.set(high, n === 0 ? b : m.i64x2.add(get(high), b)));
      }
    });
    return out;
  };

  return {
    locals: new Array(SUMS - FIRST_LOCAL + LOCALS * vectors).fill(v128),
    begin: () => [m.local.set(P, m.i32x4.splat(m.i32.load(MODULUS, 4, word(ARGS))))],
    row: (part) => {
      const { units, plus, general } = sortByClass(part, p);
      const out = [...addUnits(part, units, plus), ...addGeneral(part, general)];
      for (let c = 0; c < vectors; c++) {
        const r = sum(c);
        if (general.length > 0) {
          out.push(...fold(c, general.length <= residues.generalTerms));
          const reduced = m.call('jitReduceU32', [word(ARGS), get(r + 1), get(r + 2), get(r + 3), get(r + 4)], v128);
          out.push(...(units.length > 0 ? addTo(r, reduced) : [m.local.set(r, reduced)]));
        } else if (units.length === 0) out.push(m.local.set(r, zero()));
        const y = m.i32.add(word(VECTOR_Y), m.i32.const((part.at + 16 * c) | 0));
        const count = m.i32.const(Math.min(LANES, columns - LANES * c));
        out.push(m.call('jitEndU32', [word(ARGS), y, get(r), count, m.i32.const(Number(part.later))], none));
      }
      return out;
    },
  };
}
