/**
 * The left factor C of the square operator B = C·A that block Wiedemann iterates: A is m × N with m ≥ N, C is N × m.
 *
 *   hash : C = H. Each row of A goes, with a random nonzero coefficient, to 2 of the N rows: in each of 2 layers all
 *          rows are dealt out evenly in a random order. Coefficients of the first layer are from F_p, of the second
 *          from GF(q). One product with A a step; heuristic: rank(H·A) = rank(A) is not proved, but verification.ts
 *            holds whatever C is.
 *   gram : C = L·Aᵀ·M, L and M mixing: two products with A a step; the provable choice.
 *
 * Mixing is D + P·D': random nonzero diagonals over GF(q), P a cycle through all places in a random order. With both D'
 * = 0 it is the E·Aᵀ·D·A of the sources. That its characteristic polynomial shows the rank of A is a polynomial in D
 * and E which is not 0, nor is it then with the D'. For q near N diagonals alone would not do: where A falls apart, as
 * a diagonal with some lines repeated does, so does Aᵀ·D·A, into up to N parts each of which is singular for one D in
 * q, and N²/(2·mU) pairs of parts are under one row of U, which misses what they have in common: an eigenvalue, for one
 * pair in q. The cycle joins the parts: what D + P·D' becomes when lines that belong together are added up is fully
 * indecomposable, so its determinant has no factor besides itself that might vanish.
 *
 * A diagonal E to the right of A, as in H·A·E, is left out on purpose: E·(H·A·E)·E⁻¹ = (E·H)·A is similar to it, and
 * E·H is again a random nonzero coefficient at each of H's places. It would bring GF(q) to the first layer as well,
 * which hashEntries does without.
 * Sources: Eberly and Kaltofen 1997 and Chen et al. 2002 for diagonal preconditioners.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Call, Executor, Operator } from '../../kernels/executor.js';
import { KeptVectors } from './kept-vectors.js';
import { randomNonzero, randomNumbers } from './random-vectors.js';
import { type Entries, factorOf, type LeftFactor, sparseFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

export type Preconditioner = 'hash' | 'gram';

const LAYERS = 2;

// Below this many rows A·V stays in the second cache (32 bytes a row), and rows are dealt out one by one.
const RANDOM_ROWS = 2 ** 14;
const BLOCK = 64;
const GROUP = 8;

/**
 * The entries of H, N × m. For a square A they are two permutations, singular where along one of their cycles the
 * coefficients of one layer multiply out to those of the other: one layer of random elements of GF(q) makes that as
 * unlikely as two, and an element of F_p costs k multiplications of residues where one of GF(q) costs nearly k², or mod
 * 2 an exclusive or instead of look-ups.
 */
function hashEntries(executor: Executor, N: number, m: number, working: WorkingField, seed: bigint): Entries {
  if (N === 0) return { rows: 0, cols: m, row: new Uint32Array(0), col: new Uint32Array(0), code: new Uint32Array(0) };
  const row = new Uint32Array(LAYERS * m);
  const col = new Uint32Array(LAYERS * m);
  const code = new Uint32Array(LAYERS * m);
  for (let layer = 0; layer < LAYERS; layer++) {
    const order = dealOrder(m, dealingWords(executor, m, deriveSeed(seed, 'hash shuffle'), layer));
    const from = layer === 0 ? working.base.p : working.q;
    const drawn = randomNonzero(executor, m, from, deriveSeed(seed, 'hash values'), layer);
    fillLayer(layer, N, order, drawn, row, col, code);
  }
  return { rows: N, cols: m, row, col, code };
}

/** Position t of the shuffled rows goes to row floor(t·N/m): every row of H gets ⌊m/N⌋ or ⌈m/N⌉ of them. */
function fillLayer(
  layer: number,
  N: number,
  order: Uint32Array,
  drawn: Uint32Array,
  row: Uint32Array,
  col: Uint32Array,
  code: Uint32Array,
): void {
  const m = order.length;
  for (let t = 0; t < m; t++) row[LAYERS * order[t] + layer] = Math.floor((t * N) / m);
  for (let j = 0, at = layer; j < m; j++, at += LAYERS) {
    col[at] = j;
    code[at] = drawn[j];
  }
}

/**
 * The rows 0 … m − 1 in a random order: blocks of consecutive rows are shuffled, and GROUP blocks at a time are dealt
 * out row by row, each from a random row of its own on, in a random order at every turn. So neighbours in the order
 * come from unrelated places, while the products with H read GROUP sequential streams instead of one random row after
 * another (ch8-8-b4, width 16: about 6 ms a product instead of 13 or more).
 * Without the random beginnings and turns a row would keep its place modulo BLOCK in both layers: H would fall apart
 * into as many parts, and lose a third of the rank of a 1024 x 512 matrix whose even rows span little.
 */
export function dealOrder(m: number, words: Uint32Array): Uint32Array {
  const size = blockSize(m);
  const blocks = Uint32Array.from({ length: Math.ceil(m / size) }, (_, i) => i);
  shuffle(blocks, words, 0);
  if (size === 1) return blocks;
  const order = new Uint32Array(m);
  let [at, first] = [0, blocks.length];
  for (let group = 0; group < blocks.length; group += GROUP) {
    const streams = blocks.subarray(group, group + GROUP);
    at = dealGroup(order, at, streams, words, first);
    first += (1 + size) * streams.length;
  }
  return order;
}

/** The random words of `dealOrder`: one for a block's place, one for its beginning, and those of its turns. */
export function dealingWords(executor: Executor, m: number, seed: bigint, stream = 0): Uint32Array {
  const size = blockSize(m);
  const count = size === 1 ? m : (2 + size) * Math.ceil(m / size);
  return randomNumbers(executor, count, 2 ** 32, seed, stream);
}

function blockSize(m: number): number {
  return m < RANDOM_ROWS ? 1 : BLOCK;
}

/** The rows of blocks `streams` to places `at` … of the order, by words first …; returns the place after them. */
function dealGroup(order: Uint32Array, at: number, streams: Uint32Array, words: Uint32Array, first: number): number {
  const turn = new Uint32Array(streams.length);
  for (let k = 0; k < turn.length; k++) turn[k] = k;
  for (let offset = 0; offset < BLOCK; offset++) {
    shuffle(turn, words, first + (1 + offset) * turn.length);
    for (let k = 0; k < turn.length; k++) {
      const b = turn[k];
      const row = streams[b] * BLOCK + ((words[first + b] + offset) % BLOCK);
      if (row < order.length) order[at++] = row;
    }
  }
  return at;
}

/**
 * By words first … of as many as `a` is long. Fisher, Yates; a place is as likely as any other but for a.length/2^32.
 */
function shuffle(a: Uint32Array, words: Uint32Array, first: number): void {
  for (let j = a.length - 1; j > 0; j--) {
    const i = Math.floor((words[first + j] * (j + 1)) / 2 ** 32);
    const swapped = a[i];
    a[i] = a[j];
    a[j] = swapped;
  }
}

/** diag(d) over GF(q); d nonzero, drawn from `seed`. */
function diagonalEntries(executor: Executor, length: number, working: WorkingField, seed: bigint): Entries {
  const row = Uint32Array.from({ length }, (_, i) => i);
  const code = randomNonzero(executor, length, working.q, seed);
  return { rows: length, cols: length, row, col: row, code };
}

/** D + P·D': each place keeps what it has and takes some from the next one of the cycle. */
function mixingEntries(executor: Executor, size: number, working: WorkingField, seed: bigint): Entries {
  const cycle = dealOrder(size, dealingWords(executor, size, deriveSeed(seed, 'cycle')));
  const row = new Uint32Array(2 * size);
  const col = new Uint32Array(2 * size);
  for (let t = 0; t < size; t++) {
    row[t] = t;
    col[t] = t;
    row[size + t] = cycle[t];
    col[size + t] = cycle[(t + 1) % size];
  }
  const code = randomNonzero(executor, 2 * size, working.q, deriveSeed(seed, 'values'));
  return { rows: size, cols: size, row, col, code };
}

export function hashFactor(executor: Executor, N: number, m: number, working: WorkingField, seed: bigint): LeftFactor {
  return sparseFactor(executor, hashEntries(executor, N, m, working, seed), working);
}

/**
 * C = D, a random nonzero diagonal over GF(q), for a square A: D·A has no two equal invariant factors unless by bad
 * luck, which is frequent where A falls apart into many parts (solve/nonsingular.ts).
 */
export function diagonalFactor(executor: Executor, N: number, working: WorkingField, seed: bigint): LeftFactor {
  return sparseFactor(executor, diagonalEntries(executor, N, working, seed), working);
}

/** C = D + P·D', square. */
export function mixingFactor(executor: Executor, size: number, working: WorkingField, seed: bigint): LeftFactor {
  return sparseFactor(executor, mixingEntries(executor, size, working, seed), working);
}

export function gramFactor(executor: Executor, a: Operator, working: WorkingField, seed: bigint): LeftFactor {
  const mixing = (size: number, label: string): LeftFactor =>
    mixingFactor(executor, size, working, deriveSeed(seed, label));
  const l = mixing(a.cols, 'gram L');
  let m: LeftFactor;
  try {
    m = mixing(a.rows, 'gram M');
  } catch (error) {
    l.free();
    throw error;
  }
  const between = new KeptVectors(executor, [a.rows, a.cols]);
  const calls = (to: BlockVector, from: BlockVector, transposed: boolean): Call[] => {
    const [long, short] = between.of(from.width);
    const [first, second] = transposed ? [short, long] : [long, short];
    const [before, behind] = transposed ? [l, m] : [m, l];
    // C = L·Aᵀ·M and Cᵀ = Mᵀ·A·Lᵀ
    return [
      { do: 'apply', map: before, y: first, x: from, transposed },
      { do: 'apply', map: a, y: second, x: first, transposed: !transposed },
      { do: 'apply', map: behind, y: to, x: second, transposed },
    ];
  };
  return factorOf(executor, calls, () => {
    l.free();
    m.free();
    between.free();
  });
}
