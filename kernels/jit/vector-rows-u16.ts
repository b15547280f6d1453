/**
 * Rows as instructions on vectors of 8 residues, p < 2^16: the sums of kernels/spmm/spmm-u16.as.ts.
 *
 *   ±1 entries    s = Σ words, o = Σ upper halves      general ones    low, high = Σ bytes·pair(v), by columns
 *
 * A row's ±1 entries come first. The bounds are the storage's: so many of both signs together, then so many others.
 */
import type { ResidueStorage } from '../residues/storage.js';
import type { Encoder, Expression, ModuleBuilder } from './encoder.js';
import { ARGS, FIRST_LOCAL, type RowCode, type RowPart, VECTOR_X, VECTOR_Y } from './row-code.js';
import { sortByClass, ZERO } from './vector-rows.js';

const LANES = 8;
const [LOADED, PAIR, SUMS] = [FIRST_LOCAL, FIRST_LOCAL + 1, FIRST_LOCAL + 2];

export function vectorRowsU16(
  { i32, v128, none }: Encoder,
  m: ModuleBuilder,
  p: number,
  residues: ResidueStorage,
  columns: number,
): RowCode {
  const vectors = Math.ceil(columns / LANES);
  const get = (index: number): Expression => m.local.get(index, v128);
  const word = (index: number): Expression => m.local.get(index, i32);
  const upper = (e: Expression): Expression => m.i32x4.shr_u(e, m.i32.const(16));
  // Vector c has two sums: of ±1 entries s and o, then of columns 0 … 3 and 4 … 7.
  const [one, two] = [(c: number) => SUMS + 2 * c, (c: number) => SUMS + 2 * c + 1];

  const addUnits = ({ columns: colIdx, stride }: RowPart, units: readonly number[], plus: number): Expression[] => {
    const out: Expression[] = [];
    units.forEach((k, n) => {
      const add = n < plus ? m.i32x4.add : m.i32x4.sub;
      const fold = n > 0 && n % residues.unitTerms === 0;
      for (let c = 0; c < vectors; c++) {
        if (fold) {
          out.push(m.local.set(one(c), m.call('jitFoldUnitsU16', [word(ARGS), get(one(c)), get(two(c))], v128)));
          out.push(m.local.set(two(c), upper(get(one(c)))));
        }
        const x = m.v128.load(colIdx[k] * stride + 16 * c, 16, word(VECTOR_X));
        if (n === 0 && plus > 0) {
          out.push(m.local.set(one(c), x), m.local.set(two(c), upper(get(one(c)))));
          continue;
        }
        const [s, o] = n === 0 ? [m.v128.const(ZERO), m.v128.const(ZERO)] : [get(one(c)), get(two(c))];
        out.push(m.local.set(one(c), add(s, m.local.tee(LOADED, x, v128))));
        out.push(m.local.set(two(c), add(o, upper(get(LOADED)))));
      }
    });
    return out;
  };

  const addGeneral = (part: RowPart, general: readonly number[], isFirst: boolean): Expression[] => {
    const { columns: colIdx, values, stride } = part;
    const out: Expression[] = [];
    general.forEach((k, n) => {
      const fold = n > 0 && n % residues.generalTerms === 0;
      const pair = m.i32x4.splat(m.i32.const(residues.multiplier(values[k]) | 0));
      out.push(m.local.set(PAIR, pair));
      for (let half = 0; half < 2 * vectors; half++) {
        const at = SUMS + half;
        const x = m.v128.load8x8_u(colIdx[k] * stride + 8 * half, 8, word(VECTOR_X));
        const product = m.i32x4.dot_i16x8_s(x, get(PAIR));
        const so = fold ? m.call('jitReduceU16', [word(ARGS), get(at)], v128) : get(at);
        out.push(m.local.set(at, isFirst && n === 0 ? product : m.i32x4.add(so, product)));
      }
    });
    return out;
  };

  /** Sums of ±1 entries in the order of columns. */
  const reorder = (): Expression[] => {
    const out: Expression[] = [];
    for (let c = 0; c < vectors; c++) {
      const sums = (): Expression[] => [get(one(c)), get(two(c))];
      out.push(m.local.set(LOADED, m.call('jitLowU16', sums(), v128)));
      out.push(m.local.set(two(c), m.call('jitHighU16', sums(), v128)));
      out.push(m.local.set(one(c), get(LOADED)));
    }
    return out;
  };

  return {
    locals: new Array(SUMS - FIRST_LOCAL + 2 * vectors).fill(v128),
    begin: () => [],
    row: (part) => {
      const { units, plus, general } = sortByClass(part, p);
      const out = addUnits(part, units, plus);
      if (units.length > 0 && general.length > 0) out.push(...reorder());
      out.push(...addGeneral(part, general, units.length === 0));
      const end = general.length > 0 ? 'jitEndU16' : 'jitEndUnitsU16';
      for (let c = 0; c < vectors; c++) {
        if (part.first === part.end) {
          out.push(m.local.set(one(c), m.v128.const(ZERO)), m.local.set(two(c), m.v128.const(ZERO)));
        }
        const y = m.i32.add(word(VECTOR_Y), m.i32.const((part.at + 16 * c) | 0));
        const count = m.i32.const(Math.min(LANES, columns - LANES * c));
        out.push(m.call(end, [word(ARGS), y, get(one(c)), get(two(c)), count, m.i32.const(Number(part.later))], none));
      }
      return out;
    },
  };
}
