/** The order in which formats are tried: promising ones first, and a reason for each that is not tried. */
import { expect, test } from 'vitest';
import { searchOrder } from '../../../algorithms/tuning/formats.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { FORMAT_NAMES } from '../../../kernels/sparse/formats/index.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const field = WordPrime.of(65521);

/** n × n, entries at (i, places of i). */
function order(n: number, places: (i: number) => readonly number[], name: 'cpu' | 'gpu' = 'cpu') {
  const entries = Array.from({ length: n }, (_, i) => places(i).map((j) => [i, j % n, 3] as const)).flat();
  const { storages, leftOut } = searchOrder(SparseMatrix.fromTriplets(n, n, entries).residues(65521), { name, field });
  const why = Object.fromEntries(leftOut.map(({ storage, reason }) => [storage, reason]));
  expect([...storages.slice(1), ...Object.keys(why)].toSorted()).toEqual(FORMAT_NAMES.toSorted()); // each once
  return { storages, why };
}

const even = (i: number) => [7, 131, 1007].map((k) => i * k + (k >> 2));
const uneven = (i: number) => even(i).slice(0, 1 + (i % 3));
const blocks = (i: number) => [0, 1].flatMap((c) => Array.from({ length: 8 }, (_, j) => (i >> 3) * 24 + 400 * c + j));
const banded = (i: number) => [i, i + 5, i + 10];

test('rows that are even: ELL is what is chosen, and CSR and its kin follow', () => {
  const { storages, why } = order(1000, even);
  expect(storages.slice(0, 4)).toEqual(['auto', 'ell-r', 'csr', 'coo-s']);
  expect(why).toMatchObject({ ell: 'what auto takes', dense: '333 places an entry', 'bcsr-4': 'no dense blocks' });
  expect(why).toMatchObject({ coo: 'slower than csr wherever measured', dia: 'no diagonal is half full' });
});

test('rows that are not: sorted ones are what is chosen, and ELL comes late', () => {
  const { storages, why } = order(1000, uneven);
  expect(storages.slice(0, 4)).toEqual(['auto', 'csr', 'coo-s', 'sell-4']);
  expect(storages.indexOf('ell')).toBeGreaterThan(4);
  expect(why).toMatchObject({ 'csr-sorted': 'what auto takes' });
});

test('dense blocks: those of half their size come first', () => {
  const { storages, why } = order(960, blocks);
  expect(storages.slice(0, 2)).toEqual(['auto', 'bcsr-4']);
  expect(why).toMatchObject({ 'bcsr-8': 'what auto takes', 'bcsr-16': 'dense blocks are 8 x 8' });
  expect(order(960, blocks, 'gpu').storages.slice(0, 4)).toEqual(['auto', 'bcsr-8', 'bcsr-4', 'sliced-ell']);
});

test('diagonals, and columns that are full, are tried where there are some', () => {
  const { storages } = order(1000, (i) => [0, ...banded(i).slice(1)]);
  for (const format of ['dia', 'slices-dia', 'dense-columns'] as const) expect(storages).toContain(format);
});

test('on a GPU slices are what is chosen without blocks', () => {
  expect(order(1000, even, 'gpu').why).toMatchObject({ 'sliced-ell': 'what auto takes', jit: 'no format of a GPU' });
});
