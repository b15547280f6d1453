/**
 * Rows as instructions on single residues: for one column.
 *
 *   y[i] = (Σ v·x[j]) mod p      sum : i64      v : balanced, a constant, |v| ≤ p/2; ±1 are additions
 *
 * A sum is reduced before its entries' Σ |v| passes weightBeforeReduction of fields/reduction.ts: each row's own values
 * say where.
 */
import { weightBeforeReduction } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Encoder, Expression, ModuleBuilder } from './encoder.js';
import { AFFINE } from './jit-layout.js';
import { ARGS, FIRST_LOCAL, type RowCode, type RowPart, VECTOR_X, VECTOR_Y } from './row-code.js';

/** Terms of one expression: what is nested deeper takes stack of whoever reads it. */
const NESTED = 16;

const [SUM, MODE] = [FIRST_LOCAL, FIRST_LOCAL + 1];

export function wordRows(binaryen: Encoder, m: ModuleBuilder, field: WordPrime): RowCode {
  const { p } = field;
  const { i32, i64 } = binaryen;
  const bytes = field.isU16 ? 2 : 4;
  const modulus = BigInt(p);
  const budget = weightBeforeReduction(p);
  const load = field.isU16 ? m.i64.load16_u : m.i64.load32_u;
  const store = field.isU16 ? m.i64.store16 : m.i64.store32;
  const sum = (): Expression => m.local.get(SUM, i64);
  const local = (index: number): Expression => m.local.get(index, i32);

  /** sum ± x[j], sum + v·x[j]; `so` far is null at 0. */
  const addEntry = (so: Expression | null, v: number, at: number): Expression => {
    const x = load(at, bytes, local(VECTOR_X));
    if (v === -1) return m.i64.sub(so ?? m.i64.const(0n), x);
    const term = v === 1 ? x : m.i64.mul(x, m.i64.const(BigInt(v)));
    return so === null ? term : m.i64.add(so, term);
  };
  const reduce = (e: Expression): Expression => m.i64.rem_s(e, m.i64.const(modulus));

  const row = (part: RowPart): Expression[] => {
    const out: Expression[] = [];
    const { first, end, columns: colIdx, values, stride, at, later } = part;
    let so: Expression | null = null;
    let [nested, weight] = [0, 0];
    for (let k = first; k < end; k++) {
      const v = field.balance(values[k]);
      const size = Math.abs(v);
      if (weight + size > budget) {
        out.push(m.local.set(SUM, reduce(so!)));
        [so, nested, weight] = [sum(), 0, 0];
      } else if (nested === NESTED) {
        out.push(m.local.set(SUM, so!));
        [so, nested] = [sum(), 0];
      }
      so = addEntry(so, v, colIdx[k] * stride);
      nested++;
      weight += size;
    }
    // sum ← its remainder, and p more where that is negative
    out.push(m.local.set(SUM, reduce(so ?? m.i64.const(0n))));
    const negative = m.i64.shr_s(sum(), m.i64.const(63n));
    out.push(m.local.set(SUM, m.i64.add(sum(), m.i64.and(negative, m.i64.const(modulus)))));
    const old = m.i32.wrap(load(at, bytes, local(VECTOR_Y)));
    const ended = m.call('jitEndWord', [local(ARGS), m.i32.wrap(sum()), old, m.i32.const(Number(later))], i32);
    const affine = m.local.set(SUM, m.i64.extend_u(ended));
    out.push(later ? affine : m.if(local(MODE), affine));
    out.push(store(at, bytes, local(VECTOR_Y), sum()));
    return out;
  };

  return {
    locals: [i64, i32],
    begin: () => [m.local.set(MODE, m.i32.load(AFFINE, 4, local(ARGS)))],
    row,
  };
}
