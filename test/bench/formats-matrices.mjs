/**
 * The matrices of the study of formats, one pattern for all moduli.
 *
 *   size  : 'quick', 'more', 'big', which a GPU is for, or 'named', by --matrix alone
 *   block : of its dense blocks, where it has any              isTurned : whether it is the transpose of the family's
 *   shift : value v of the family's residues mod 65521 becomes 2 + v·32749 mod (p − 3), and ±1 stays ±1
 */
import { randomRows } from './products.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { SparseMatrix } = await ours('kernels/sparse/sparse-matrix.js');
const { generate } = await ours('data/families.js');

const P = 65521;

export const MATRICES = [
  { name: 'bibd_81_3', family: 'bibd 81 3', size: 'quick' },
  { name: 'ch8-8-b4', family: 'ch 8 8 4', size: 'quick' },
  { name: 'EX5', family: 'ex 5', size: 'quick' },
  { name: 'Trefethen_20000', family: 'trefethen 20000', size: 'quick' },
  { name: 'random_10000', family: `random 10000 10000 20 ${P} 1`, size: 'quick' },
  { name: 'delaunay_32768', family: 'delaunay 32768 1', size: 'quick' },
  { name: 'power-law_20000', family: `power-law 20000 20000 ${P} 3`, size: 'quick' },
  { name: 'web_100000', family: `web 100000 12 ${P} 1`, size: 'quick' },
  { name: 'blocks_64000_8', family: `block-structured 64000 8 7 ${P} 1`, size: 'quick', block: 8 },
  { name: 'blocks_30000_3', family: `block-structured 30000 3 27 ${P} 1`, size: 'more', block: 3 },
  { name: 'mk13-b5', family: 'mk 13 5', size: 'more' },
  { name: 'blocks_128000_16', family: `block-structured 128000 16 7 ${P} 1`, size: 'more', block: 16 },
  { name: 'blocks_216000_8', family: `block-structured 216000 8 7 ${P} 1`, size: 'more', block: 8 },
  { name: 'web_1000000', family: `web 1000000 12 ${P} 1`, size: 'more' },
  { name: 'mk14-b5', family: 'mk 14 5', size: 'more' },
  ...[8, 20, 40].map((r) => {
    const family = `random 20000 20000 ${r} ${P} 1`;
    return { name: `random_20000_${r}_transposed`, family, size: 'named', isTurned: true };
  }),
  { name: 'random_6M', random: [460261, 171375, 6080381], size: 'big' },
  { name: 'random_16M', random: [2410560, 2086560, 15707520], size: 'big' },
  { name: 'random_80M', random: [4000000, 4000000, 80000000], size: 'big' },
];

/** Below this share of ±1, ±2 stand in their places: parts of few entries are no part of the study. */
const FEW = 0.01;

/** The residues mod 65521 of a matrix. */
export function residuesOf({ family, random, isTurned }) {
  if (random) return randomRows(...random, P, 0);
  const [name, ...words] = family.split(' ');
  const made = generate(name, words);
  const whole = SparseMatrix.fromTriplets(made.rows, made.cols, made);
  const a = (isTurned ? whole.transpose() : whole).residues(P);
  const units = a.values.reduce((count, v) => count + (v === 1 || v === P - 1 ? 1 : 0), 0);
  return units < FEW * a.values.length ? withoutUnits(a, P) : a;
}

/** Entries for each row whose length is not that of the row before (kernels/sparse/uneven-rows.ts). */
export function entriesAChange({ rows, rowPtr, colIdx }) {
  let changes = 0;
  for (let i = 2; i <= rows; i++) if (rowPtr[i] - rowPtr[i - 1] !== rowPtr[i - 1] - rowPtr[i - 2]) changes++;
  return Number((colIdx.length / changes).toPrecision(3));
}

/** Residues mod p on the pattern of residues mod 65521: ±1 where they are, and nothing else there. */
export function overModulus(a, p) {
  if (p === P) return a;
  const general = (v) => (p <= 3 ? 1 : 2 + ((v * 32749) % (p - 3)));
  return { ...a, values: a.values.map((v) => (v === 1 ? 1 : v === P - 1 ? p - 1 : general(v))) };
}

/** The pattern without an entry ±1: ±2 in place of them. */
export function withoutUnits(a, p) {
  return { ...a, values: a.values.map((v) => (v === 1 ? 2 : v === p - 1 ? p - 2 : v)) };
}
