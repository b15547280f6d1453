/**
 * Rows as instructions on vectors of 8 residues, p < 2^16: the sums of kernels/spmm/spmm-u16.as.ts.
 *
 *   ±1 entries    s = Σ words, o = Σ upper halves      general ones    low, high = Σ bytes·pair(v), by columns
 *
 * A row's ±1 entries come first: no more than the storage's `unitTerms`, as a part of a row has no more of any
 * (compile-matrix.ts). General ones are reduced after `generalTerms`.
 */
import type { ResidueStorage } from '../residues/storage.js';
import type { Encoder, Expression, ModuleBuilder } from './encoder.js';
import { ARGS, FIRST_LOCAL, type RowCode, type RowPart, sortByClass, VECTOR_X, VECTOR_Y, ZERO } from './row-code.js';

// s and low are one local, as are o and high.
const [LOADED, FACTOR, ONE, TWO] = [0, 1, 2, 3].map((index) => FIRST_LOCAL + index);

/** `count` ≤ 8 columns. */
export function vectorRowsU16(
  { i32, v128, none }: Encoder,
  m: ModuleBuilder,
  p: number,
  residues: ResidueStorage,
  count: number,
): RowCode {
  const get = (index: number): Expression => m.local.get(index, v128);
  const word = (index: number): Expression => m.local.get(index, i32);
  const upper = (e: Expression): Expression => m.i32x4.shr_u(e, m.i32.const(16));
  const call = (name: string, ...given: readonly Expression[]): Expression => m.call(name, given, v128);
  const clear = (): Expression[] => [ONE, TWO].map((sum) => m.local.set(sum, m.v128.const(ZERO)));

  const addUnits = ({ columns, stride }: RowPart, units: readonly number[], plus: number): Expression[] =>
    units.flatMap((k, n) => {
      const add = n < plus ? m.i32x4.add : m.i32x4.sub;
      const x = m.v128.load(columns[k] * stride, 16, word(VECTOR_X));
      if (n === 0 && plus > 0) return [m.local.set(ONE, x), m.local.set(TWO, upper(get(ONE)))];
      return [
        ...(n === 0 ? clear() : []),
        m.local.set(ONE, add(get(ONE), m.local.tee(LOADED, x, v128))),
        m.local.set(TWO, add(get(TWO), upper(get(LOADED)))),
      ];
    });

  const addGeneral = (part: RowPart, general: readonly number[], isFirst: boolean): Expression[] => {
    const { columns, values, stride } = part;
    const out: Expression[] = [];
    general.forEach((k, n) => {
      out.push(m.local.set(FACTOR, m.i32x4.splat(m.i32.const(residues.multiplier(values[k]) | 0))));
      const isFull = n > 0 && n % residues.generalTerms === 0;
      [ONE, TWO].forEach((sum, half) => {
        const x = m.v128.load8x8_u(columns[k] * stride + 8 * half, 8, word(VECTOR_X));
        const product = m.i32x4.dot_i16x8_s(x, get(FACTOR));
        const so = isFull ? call('jitReduceU16', word(ARGS), get(sum)) : get(sum);
        out.push(m.local.set(sum, isFirst && n === 0 ? product : m.i32x4.add(so, product)));
      });
    });
    return out;
  };

  /** low, high ← s, o */
  const reorder = (): Expression[] => [
    m.local.set(LOADED, call('jitLowU16', get(ONE), get(TWO))),
    m.local.set(TWO, call('jitHighU16', get(ONE), get(TWO))),
    m.local.set(ONE, get(LOADED)),
  ];

  return {
    locals: [v128, v128, v128, v128],
    begin: () => [],
    row: (part) => {
      const { units, plus, general } = sortByClass(part, p);
      const out = part.first === part.end ? clear() : addUnits(part, units, plus);
      if (units.length > 0 && general.length > 0) out.push(...reorder());
      out.push(...addGeneral(part, general, units.length === 0));
      const y = m.i32.add(word(VECTOR_Y), m.i32.const(part.at | 0));
      const given = [word(ARGS), y, get(ONE), get(TWO), m.i32.const(count), m.i32.const(Number(part.later))];
      out.push(m.call(general.length > 0 ? 'jitEndU16' : 'jitEndUnitsU16', given, none));
      return out;
    },
  };
}
