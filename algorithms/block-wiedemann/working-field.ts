/**
 * GF(q), q = p^degree: the field in which the random choices of Wiedemann's algorithms are drawn.
 *
 * A run is low with probability about c/q, so small p needs an extension. Elements here are codes, sum c_i·p^i < q. An
 * executor over the extension holds them as they are; elsewhere one column over GF(q) is k = degree columns of residues
 * (kernels/executor.ts), which is enough for A, whose entries are in F_p. k = 1: what vectors hold are the codes.
 */
import { ExtensionField } from '../../fields/extension.js';
import type { Field } from '../../fields/field.js';
import type { CounterRandom } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { Executor } from '../../kernels/executor.js';
import { type Draw, workingDegree } from './extension-degree.js';

/**
 * Does `work` on an executor over the field of block Wiedemann where the device of `context` has one, else on its own:
 * `work` makes operators for the executor that it gets. Where other devices hold the matrix they
 * have residues, no codes.
 */
export async function overBlockField<C extends { readonly executor: Executor; readonly rowSplit?: unknown }, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  const { executor } = context;
  const degree = workingDegree(executor.field.p, 'block');
  const over =
    degree > 1 && context.rowSplit === undefined ? executor.over?.(ExtensionField.of(executor.field.p, degree)) : null;
  if (!over) return work(context);
  try {
    return await work({ ...context, executor: over });
  } finally {
    over.dispose();
  }
}

export class WorkingField {
  readonly base: WordPrime;
  readonly field: WordPrime | ExtensionField;
  readonly degree: number;
  /** Columns of a vector that are one column over GF(q). */
  readonly k: number;
  readonly q: number;
  private readonly powers: Uint32Array; // p^0 … p^(k−1)

  /** The field for `draw`, on vectors of `executor`; its own where it is over an extension. */
  constructor({ field, extension }: Pick<Executor, 'field' | 'extension'>, draw: Draw) {
    this.base = field;
    const degree = workingDegree(field.p, draw);
    this.field = extension ?? (degree === 1 ? field : ExtensionField.of(field.p, degree));
    this.degree = this.field.degree;
    this.k = extension ? 1 : this.degree;
    this.q = Number(this.field.order);
    this.powers = Uint32Array.from({ length: this.k }, (_, i) => field.p ** i);
  }

  get elements(): Field<number> {
    return this.field;
  }

  get log2q(): number {
    return Math.log2(this.q);
  }

  /** The k × k matrix of multiplication by a, row-major, on coordinate columns. */
  mulMatrix(a: number): ArrayLike<number> {
    return this.k === 1 ? [a] : (this.field as ExtensionField).mulMatrix(a);
  }

  /** Coordinates of codes: out[i·k + c] = coordinate c of codes[i]. */
  coordinates(codes: Uint32Array): Uint32Array {
    if (this.k === 1) return codes;
    const { k } = this;
    const out = new Uint32Array(codes.length * k);
    for (let i = 0; i < codes.length; i++) this.split(codes[i], out, i * k, 1);
    return out;
  }

  /** Rows of n elements as rows of k·n residues: coordinate 0 of the n columns, then coordinate 1, … */
  toResidues(codes: Uint32Array, n: number): Uint32Array {
    if (this.k === 1) return codes;
    const { k } = this;
    const out = new Uint32Array(codes.length * k);
    for (let i = 0; i < codes.length; i++) {
      const row = Math.floor(i / n);
      this.split(codes[i], out, row * n * k + (i - row * n), n);
    }
    return out;
  }

  /** The inverse of toResidues. */
  fromResidues(residues: Uint32Array, n: number): Uint32Array {
    if (this.k === 1) return residues;
    const { k, powers } = this;
    const codes = new Uint32Array(residues.length / k);
    for (let i = 0; i < codes.length; i++) {
      const at = Math.floor(i / n) * n * k + (i % n);
      for (let c = 0; c < k; c++) codes[i] += residues[at + c * n] * powers[c];
    }
    return codes;
  }

  /**
   * The product X·Z over GF(q) from its coordinate products over F_p: `block` is (rows·k) × (k·n), row r·k + a and
   * column b·n + j holding the sum of (coordinate a of X's row r)·(coordinate b of Z's column j), when `byRow`; with
   * `byRow` false X came as a block vector of k·rows columns, so that row a·rows + r is meant instead.
   *
   *   out[r, j] = Σ_{a, b} block·α^(a + b)
   */
  combine(block: Uint32Array, rows: number, n: number, byRow: boolean): Uint32Array {
    if (this.k === 1) return block;
    const { k, field: F } = this;
    const out = new Uint32Array(rows * n);
    const alpha = this.alphaPowers();
    const p = this.base.p;
    const sums = new Uint32Array(2 * k - 1);
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < n; j++) {
        sums.fill(0);
        for (let a = 0; a < k; a++) {
          const row = byRow ? r * k + a : a * rows + r;
          for (let b = 0; b < k; b++) sums[a + b] = (sums[a + b] + block[row * k * n + b * n + j]) % p;
        }
        let value = 0;
        for (let d = 0; d < sums.length; d++) if (sums[d] !== 0) value = F.add(value, F.mul(sums[d], alpha[d]));
        out[r * n + j] = value;
      }
    }
    return out;
  }

  /**
   * Rows α^a·c[r, ·] for a < k, as residues: what `expand` of a projection with k layers takes.
   * c is rows × s codes; the result is (rows·k) × (k·s).
   */
  layers(c: Uint32Array, s: number): Uint32Array {
    if (this.k === 1) return c;
    const { k, field: F } = this;
    const rows = c.length / s;
    const alpha = this.alphaPowers();
    const out = new Uint32Array(rows * k * k * s);
    for (let r = 0; r < rows; r++) {
      for (let a = 0; a < k; a++) {
        for (let j = 0; j < s; j++) this.split(F.mul(alpha[a], c[r * s + j]), out, (r * k + a) * k * s + j, s);
      }
    }
    return out;
  }

  /**
   * The coefficients of y += x·c over GF(q) as those of F_p: c is rows × cols codes, x has `rows` columns of elements,
   * so that row a·rows + r belongs to coordinate a of its column r.
   */
  blockFactors(c: Uint32Array, rows: number, cols: number): Uint32Array {
    if (this.k === 1) return c;
    const { k } = this;
    const byElement = this.layers(c, cols); // row r·k + a
    const out = new Uint32Array(byElement.length);
    const length = k * cols;
    for (let r = 0; r < rows; r++) {
      for (let a = 0; a < k; a++) {
        out.set(byElement.subarray((r * k + a) * length, (r * k + a + 1) * length), (a * rows + r) * length);
      }
    }
    return out;
  }

  random(source: CounterRandom, i: number): number {
    return source.residueAt(i, this.q);
  }

  randomNonzero(source: CounterRandom, i: number): number {
    return source.nonzeroAt(i, this.q);
  }

  /** α^0 … α^(2k−2) as codes, α the root of the modulus polynomial: code p. */
  private alphaPowers(): number[] {
    const powers = [1];
    while (powers.length < 2 * this.k - 1) powers.push(this.field.mul(powers.at(-1)!, this.base.p));
    return powers;
  }

  private split(code: number, out: Uint32Array, at: number, step: number): void {
    const p = this.base.p;
    for (let c = this.k - 1; c >= 0; c--) {
      const digit = Math.floor(code / this.powers[c]);
      out[at + c * step] = digit;
      code -= digit * this.powers[c];
    }
    if (code !== 0) throw new RangeError(`working field: code beyond ${p}^${this.k}`);
  }
}
