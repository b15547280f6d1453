/** The sizes that a storage has on a device, and the values of them that make a difference for a matrix. */
import { expect, test } from 'vitest';
import type { Storage } from '../../../algorithms/tuning/formats.js';
import { degreesOf } from '../../../algorithms/tuning/sizes.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { ProductSizes } from '../../../kernels/sparse/formats/product-sizes.js';
import { matrixOf } from '../../kernels/executors/cases.js';

const field = WordPrime.of(65521);
const UNEVEN = matrixOf(3000, 400, 65521, 'general', (i) => 3 + ((7 * i) % 20));
const LONG = matrixOf(500, 9000, 65521, 'general', (i) => (i % 100 === 3 ? 900 : 4));

interface On {
  readonly name?: 'cpu' | 'gpu';
  readonly threads?: number;
  readonly storage?: Storage;
  readonly chosen?: ProductSizes;
}

function degrees(matrix: typeof UNEVEN, { name = 'cpu', threads = 1, storage = 'auto', chosen = {} }: On) {
  const found = degreesOf(matrix, { name, field, threads }, storage, 16);
  return Object.fromEntries(found.map(({ name, values }) => [name, values(chosen)]));
}

test('on threads: windows of sorted rows, the cut of long ones, panels where there are some, chunks', () => {
  expect(degrees(UNEVEN, {})).toEqual({ cut: [], panelBytes: [], window: [64, 256, 4096] });
  expect(degrees(UNEVEN, { threads: 2 })).toMatchObject({ chunks: [1, 4, 64] });
  expect(degrees(UNEVEN, { storage: 'csr' })).toEqual({});
  const { cut, panelBytes } = degrees(LONG, {});
  expect(cut).not.toContain(48); // the usual one
  expect(panelBytes).toHaveLength(4);
  expect(degrees(LONG, { chosen: { cut: 2 ** 20 } })['panelBytes']).toEqual([]);
});

test('on a GPU: cuts that part other rows, windows, slices within them, and the launch', () => {
  const { cut, panelBytes, window, slice, workgroup, rowsEach, groups } = degrees(UNEVEN, { name: 'gpu' });
  expect(cut).toEqual([8, 16]); // rows have up to 22 entries
  expect(panelBytes).toEqual([]); // all of X is in one
  expect([window, slice]).toEqual([
    [64, 256, 1024, 4096],
    [8, 16, 64, 128],
  ]);
  expect(degrees(UNEVEN, { name: 'gpu', chosen: { window: 64 } })['slice']).toEqual([8, 16, 64]);
  expect([workgroup, rowsEach]).toEqual([
    [64, 128, 512],
    [2, 4, 8],
  ]);
  expect(groups).toEqual([]); // of 24 workgroups
  expect(degrees(UNEVEN, { name: 'gpu', chosen: { workgroup: 64 } })['groups']).toEqual([32, 64]);
  expect(Object.keys(degrees(UNEVEN, { name: 'gpu', storage: 'csr' }))).toEqual(['workgroup', 'rowsEach', 'groups']);
  expect(degrees(UNEVEN, { name: 'gpu', storage: 'csc' })).toEqual({});
});

test('a matrix too small for any of them has none that can differ', () => {
  const small = matrixOf(4, 4, 65521, 'general', () => 2);
  for (const name of ['cpu', 'gpu'] as const) {
    expect(Object.values(degrees(small, { name, threads: 2 })).flat()).toEqual([]);
  }
});
