/**
 * Seeded matrices without structure: uniform positions, and row lengths by a power law.
 *
 *   random      r distinct uniform columns a row, values uniform in 1 … p − 1; of k rows chosen at random each is
 *               replaced by a random combination of two others, so that the rank mod p is min(rows, cols) − k with
 *               high probability only (no theorem), when rows ≤ cols and r is not tiny
 *   low-rank    row i is a random multiple of the i-th of k rows as of `random`, i taken mod k: for large matrices, of
 *               which no row has to be kept beside those. The rank mod p is min(rows, cols, k) as surely as there
 *   power-law   row length l with probability ~ l^(−1.6), 1 ≤ l ≤ cols/4; 60 % of the values ±1, the rest uniform
 *               in 2 … p − 2
 *   web         pages and their links: row length at least l with probability ~ l^(−1.7), and a link to the page of
 *               rank r with density ~ r^(−2/3), pages of high rank spread over all numbers; half of the values ±1
 *
 * Values are written as residues, so the same matrix over Q has another rank.
 */
import { CounterRandom } from '../../fields/random.js';
import { checkExtent, FamilyError, type Triplets, TripletWriter } from '../triplets.js';

const ZIPF_EXPONENT = 1.6;
const UNIT_PERCENT = 60;

/** Entries of one row: a set of numbers holds 2^24 of them. */
const MAX_IN_A_ROW = 2 ** 23;

/** Rows that are kept one by one, to be combined: some hundred bytes each beside their entries. */
const MAX_KEPT_ROWS = 2 ** 22;

/** Columns beyond which those that a row has taken are kept in a set of its own. */
const MANY_COLUMNS = 2 ** 24;

/** Random words taken one after the other, and rows of distinct columns made of them. */
class Draws {
  #next = 0;
  readonly #random: CounterRandom;
  readonly #cols: number;
  readonly #stamp: Uint32Array; // stamp[j] = the last row that took column j, 1-based

  constructor(seed: number, cols: number) {
    this.#random = new CounterRandom(seed, 0);
    this.#cols = cols;
    this.#stamp = new Uint32Array(cols > MANY_COLUMNS ? 0 : cols);
  }

  /** Uniform in 0 … n − 1. */
  below(n: number): number {
    return this.#random.residueAt(this.#next++, n);
  }

  /** Uniform in [0, 1), 32 bits. */
  unit(): number {
    return this.below(2 ** 32) / 2 ** 32;
  }

  /** `count` distinct columns for row i, ascending. Each row number is used once. */
  columns(i: number, count: number): Uint32Array {
    const out = new Uint32Array(count);
    const taken = new Set<number>();
    for (let k = 0; k < count; ) {
      const j = this.below(this.#cols);
      if (this.#cols > MANY_COLUMNS) {
        if (taken.has(j)) continue;
        taken.add(j);
      } else {
        if (this.#stamp[j] === i + 1) continue;
        this.#stamp[j] = i + 1;
      }
      out[k++] = j;
    }
    return out.sort();
  }
}

function checkRow(name: string, cols: number, entries: number): void {
  if (entries > cols / 2 && entries > 1) {
    throw new FamilyError(`${name}: expected at most ${Math.floor(cols / 2)} entries a row of ${cols}, got ${entries}`);
  }
  if (entries > MAX_IN_A_ROW) throw new FamilyError(`${name}: expected at most 2^23 entries a row, got ${entries}`);
}

export function random(rows: number, cols: number, perRow: number, p: number, seed: number, deficiency = 0): Triplets {
  checkExtent('random', rows, cols, rows * perRow + deficiency * perRow);
  checkRow('random', cols, perRow);
  if (deficiency > 0 && rows - deficiency < 2) {
    throw new FamilyError(`random: expected two of ${rows} rows to stay independent, got ${deficiency} planted`);
  }
  if (deficiency > 0 && rows > MAX_KEPT_ROWS)
    throw new FamilyError(`random: expected at most 2^22 rows where some are planted, got ${rows}`);
  const draws = new Draws(seed, cols);
  const builder = new RowBuilder('random', rows, cols);
  if (perRow === 0) return builder.finish(); // however many rows
  const free: [Uint32Array, Int32Array][] = [];
  const planted = new Uint8Array(rows);
  for (let k = 0; k < deficiency; ) {
    const i = draws.below(rows);
    if (planted[i]) continue;
    planted[i] = 1;
    k++;
  }
  for (let i = 0; i < rows; i++) {
    const columns = draws.columns(i, planted[i] ? 0 : perRow);
    const row: [Uint32Array, Int32Array] = [columns, Int32Array.from(columns, () => 1 + draws.below(p - 1))];
    // Without planted rows nothing is kept: a large matrix goes straight into the builder.
    if (deficiency === 0) builder.push(i, ...row);
    else if (!planted[i]) free.push(row);
  }
  if (deficiency > 0) {
    for (let i = 0, at = 0; i < rows; i++) builder.push(i, ...(planted[i] ? combination(draws, free, p) : free[at++]));
  }
  return builder.finish();
}

export function lowRank(rows: number, cols: number, perRow: number, p: number, seed: number, rank: number): Triplets {
  checkExtent('low-rank', rows, cols, rows * perRow);
  checkRow('low-rank', cols, perRow);
  const own = random(Math.min(rows, rank), cols, perRow, p, seed);
  const writer = new TripletWriter('low-rank', rows, cols, rows * perRow);
  const factors = new CounterRandom(seed, 1);
  for (let i = 0; i < rows; i++) {
    const factor = i < rank ? 1 : 1 + factors.residueAt(i, p - 1);
    const first = (i % rank) * perRow;
    for (let k = first; k < first + perRow; k++) {
      writer.push(i, own.colIdx[k], timesMod(factor, own.values[k], p));
    }
  }
  return writer.finish();
}

function timesMod(a: number, b: number, p: number): number {
  return a * b <= Number.MAX_SAFE_INTEGER ? (a * b) % p : Number((BigInt(a) * BigInt(b)) % BigInt(p));
}

/** c·r + d·s mod p for two different rows r, s of `rows` and random c, d ≠ 0. */
function combination(draws: Draws, rows: readonly [Uint32Array, Int32Array][], p: number): [Uint32Array, Int32Array] {
  const first = draws.below(rows.length);
  const second = (first + 1 + draws.below(rows.length - 1)) % rows.length;
  const sum = new Map<number, bigint>();
  for (const which of [first, second]) {
    const factor = BigInt(1 + draws.below(p - 1));
    const [columns, values] = rows[which];
    columns.forEach((j, k) => {
      sum.set(j, ((sum.get(j) ?? 0n) + factor * BigInt(values[k])) % BigInt(p));
    });
  }
  const columns = Uint32Array.from([...sum.keys()].filter((j) => sum.get(j) !== 0n)).sort();
  return [columns, Int32Array.from(columns, (j) => Number(sum.get(j)!))];
}

export function powerLaw(rows: number, cols: number, p: number, seed: number): Triplets {
  if (p < 5) throw new FamilyError(`power-law: expected p of 5 or more (values in 2…p-2), got ${p}`);
  const longest = Math.max(1, Math.floor(cols / 4));
  if (longest > MAX_IN_A_ROW) throw new FamilyError(`power-law: expected at most 2^25 columns, got ${cols}`);
  // cumulative[l − 1] = Σ_{λ ≤ l} λ^(−1.6)
  const cumulative = new Float64Array(longest);
  let mean = 0; // Σ l·l^(−1.6), and over the last cumulative the mean length
  for (let l = 1, sum = 0; l <= longest; l++) {
    cumulative[l - 1] = sum += l ** -ZIPF_EXPONENT;
    mean += l ** (1 - ZIPF_EXPONENT);
  }
  checkExtent('power-law', rows, cols, Math.ceil((rows * mean) / cumulative[longest - 1]));
  const draws = new Draws(seed, cols);
  const builder = new RowBuilder('power-law', rows, cols);
  for (let i = 0; i < rows; i++) {
    const length = 1 + firstAbove(cumulative, draws.unit() * cumulative[longest - 1]);
    const columns = draws.columns(i, length);
    const values = Int32Array.from(columns, () =>
      draws.below(100) < UNIT_PERCENT ? 1 - 2 * draws.below(2) : 2 + draws.below(p - 3),
    );
    builder.push(i, columns, values);
  }
  return builder.finish();
}

const LENGTH_EXPONENT = 1.7; // of a power law of lengths with density l^(−2.7)

export function web(n: number, degree: number, p: number, seed: number): Triplets {
  if (p < 5) throw new FamilyError(`web: expected p of 5 or more (values in 2…p-2), got ${p}`);
  checkExtent('web', n, n, n * degree);
  const longest = Math.min(Math.floor(n / 16), MAX_IN_A_ROW);
  if (degree > longest)
    throw new FamilyError(
      `web: expected a degree of at most ${longest}, the most entries of a row of ${n}, got ${degree}`,
    );
  const least = (degree * (LENGTH_EXPONENT - 1)) / LENGTH_EXPONENT; // of a Pareto law of mean `degree`
  const stride = strideOf(n);
  const draws = new Draws(seed, 0);
  const builder = new RowBuilder('web', n, n);
  for (let i = 0; i < n; i++) {
    const length = Math.min(longest, Math.floor(least * (1 - draws.unit()) ** (-1 / LENGTH_EXPONENT) + draws.unit()));
    const links = new Set<number>();
    while (links.size < length) links.add((Math.floor(n * draws.unit() ** 3) * stride) % n);
    const columns = Uint32Array.from(links).sort();
    const values = Int32Array.from(columns, () =>
      draws.below(2) === 0 ? 1 - 2 * draws.below(2) : 2 + draws.below(p - 3),
    );
    builder.push(i, columns, values);
  }
  return builder.finish();
}

/** A number near the golden section of n and coprime to it: its multiples are spread over 0 … n − 1. */
function strideOf(n: number): number {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  let stride = Math.max(1, Math.floor(0.618 * n));
  while (gcd(stride, n) > 1) stride++;
  return stride;
}

/** The first index whose value exceeds x; x is below the last value. */
function firstAbove(ascending: Float64Array, x: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Rows of lengths not known beforehand, gathered in arrays that double. */
class RowBuilder {
  readonly #name: string;
  readonly #rows: number;
  readonly #cols: number;
  #rowIdx = new Uint32Array(1024);
  #colIdx = new Uint32Array(1024);
  #values = new Int32Array(1024);
  #length = 0;

  constructor(name: string, rows: number, cols: number) {
    this.#name = name;
    this.#rows = rows;
    this.#cols = cols;
  }

  push(i: number, columns: Uint32Array, values: Int32Array): void {
    const end = this.#length + columns.length;
    if (end > this.#values.length) this.#grow(end);
    this.#rowIdx.fill(i, this.#length, end);
    this.#colIdx.set(columns, this.#length);
    this.#values.set(values, this.#length);
    this.#length = end;
  }

  #grow(needed: number): void {
    checkExtent(this.#name, this.#rows, this.#cols, needed);
    const capacity = Math.max(needed, Math.ceil(1.5 * this.#values.length));
    const copyInto = <T extends Uint32Array | Int32Array>(out: T, from: T): T => {
      out.set(from);
      return out;
    };
    this.#rowIdx = copyInto(new Uint32Array(capacity), this.#rowIdx);
    this.#colIdx = copyInto(new Uint32Array(capacity), this.#colIdx);
    this.#values = copyInto(new Int32Array(capacity), this.#values);
  }

  finish(): Triplets {
    return {
      rows: this.#rows,
      cols: this.#cols,
      rowIdx: this.#rowIdx.slice(0, this.#length),
      colIdx: this.#colIdx.slice(0, this.#length),
      values: this.#values.slice(0, this.#length),
    };
  }
}
