/** One suite for every executor: the same integers as the reference executor, whatever the prime, width and shape. */

import { beforeEach, describe, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import { ShapeError } from '../../../kernels/checks.js';
import type { Projection } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { FORMAT_NAMES } from '../../../kernels/sparse/formats/index.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { skipOf } from '../../gpu.js';
import { share } from '../../share.js';
import { CASES, concat, extremes, filled, matrixOf, worstPair } from './cases.js';
import { EXECUTORS, fieldOf, joinReads, same } from './table.js';

/** Compiled rows are in test/kernels/jit/, as what is compiled for each width is slow to make. */
const STORAGES = [undefined, ...FORMAT_NAMES.filter((storage) => storage !== 'jit')];

/** Values of a matrix; the last kind for one format alone. */
const VALUES = ['mixed', 'unit', 'general'] as const;

describe.each(EXECUTORS)('%s', (name, make, primes, widths) => {
  beforeEach(skipOf(name));

  describe.each(primes)('order %d', (p) => {
    test.each(CASES.map((each, at) => ({ ...each, at })))('products with $name', async ({ matrix, at }) => {
      // Every case at every width, and every order at every width.
      for (const width of name === 'gpu' ? share([1, 8, 21], primes.indexOf(p) + at, 3) : [1, 8, 21]) {
        await same(make, p, async (executor) => {
          const a = executor.operator(matrix(p));
          const x = filled(executor, a.cols, width, 3);
          const y = filled(executor, a.rows, width, 4);
          await a.apply(y, x);
          await a.applyTransposed(x, y);
          return joinReads(executor, x, y);
        });
      }
    });

    test.each(widths)('formats at width %d, alpha and beta', async (width) => {
      const scalars = [
        [1, 0],
        [1, 1],
        [0, 1],
        [p - 1, 0],
        [p >> 1, p - 1],
      ];
      const [field, extension] = fieldOf(p);
      const executors = [await make(field, extension), new ReferenceExecutor(field, extension)];
      for (const storage of share(STORAGES, primes.indexOf(p) + widths.indexOf(width), name === 'gpu' ? 5 : 3)) {
        for (const values of storage === 'ell' ? VALUES : VALUES.slice(0, 2)) {
          const matrix = matrixOf(40, 30, p, values, (i) => 9 + (i % 4));
          const found: Uint32Array[] = [];
          for (const executor of executors) {
            const a = executor.operator(matrix, storage ? { storage } : {});
            const [x, y] = [filled(executor, a.cols, width, 5), filled(executor, a.rows, width, 6)];
            for (const [alpha, beta] of scalars) {
              await a.apply(y, x, alpha, beta);
              await a.applyTransposed(x, y, alpha, beta);
            }
            found.push(await joinReads(executor, x, y));
            a.free?.();
            for (const v of [x, y]) executor.release(v);
          }
          expect({ storage, values, same: Buffer.from(found[0].buffer).equals(Buffer.from(found[1].buffer)) }).toEqual({
            storage,
            values,
            same: true,
          });
        }
      }
      executors[0].dispose();
    });

    test.each(widths)('small dense blocks at width %d', async (width) => {
      const sizes = [
        [0, 2],
        [1, 1],
        [1100 /* three tasks */, 4],
        [3, 5],
        [1100, 5],
      ] as const;
      // Each has shaders of its own: every size at every width, and of every order.
      const at = primes.indexOf(p) + widths.indexOf(width);
      for (const [length, small] of name === 'gpu' ? share(sizes, at, sizes.length) : sizes) {
        await same(make, p, async (executor) => {
          const x = filled(executor, length, small, 7);
          const z = filled(executor, length, width, 8);
          const blocks = executor.blocks(3, small, width);
          executor.blockDot(blocks, 1, x, z);
          executor.blockAxpy(z, x, extremes(small * width, p, 9));
          executor.blockDot(blocks, 2, x, z);
          executor.scale(z, filled(executor, length, 1, 10));
          // x is only read, so that what is made of it may be kept.
          const program = executor.compile([{ do: 'blockDot', out: blocks, x, z }]);
          await program.run(0, 1);
          const sums = await executor.readBlocks(blocks, 0, 3);
          program.free();
          // Another vector may stand where x stood.
          executor.release(x);
          executor.blockDot(blocks, 2, filled(executor, length, small, 11), z);
          return concat(concat(sums, await executor.readBlocks(blocks, 2, 1)), await executor.read(z));
        });
      }
    });

    test('rows whose sums are as large as they can be', async () => {
      const cols = 40000; // p = 65521: 32776 terms of p − 1 pass 2^31
      const { x: large, v } = p < 2 ** 16 ? worstPair(p) : { x: p - 1, v: p >> 1 };
      const all = Array.from({ length: cols }, (_, j) => j);
      const rows: [number, number[]][] = [
        [1, all],
        [-1, all],
        [v, all.slice(0, 1000)],
        [p - v, all.slice(0, 1000)],
      ];
      const entries = rows.flatMap(([value, columns], i) =>
        columns.map((j): [number, number, number] => [i, j, value]),
      );
      // Everything at once: as many of each class as fit the columns.
      for (let j = 0; j < cols; j++) entries.push([4, j, [1, -1, v][j % 3]!]);
      const general = entries.filter(([i]) => i === 2 || i === 3); // alone
      const kinds = [
        [3, entries],
        [3, general],
        [17, general],
        [17, entries],
      ] as const;
      // Of two in a row, one: both widths and both kinds of every order.
      for (const [width, some] of name === 'gpu' ? share(kinds, primes.indexOf(p), 2) : kinds) {
        const matrix = SparseMatrix.fromTriplets(5, cols, some).residues(p);
        await same(make, p, async (executor) => {
          const a = executor.operator(matrix, { use: 'apply' });
          const [x, y] = [executor.vector(cols, width), executor.vector(5, width)];
          executor.write(
            x,
            new Uint32Array(cols * width).map((_, i) => (i % 2 === 0 ? large : p - 1)),
          );
          await a.apply(y, x);
          return executor.read(y);
        });
      }
      // The same for sums over coordinates and over the rows of a small block.
      await same(make, p, async (executor) => {
        const [x, z] = [executor.vector(1000, 300), executor.vector(1000, 9)];
        executor.fill(x, v);
        executor.fill(z, large);
        const out = executor.blocks(1, 300, 9);
        executor.blockDot(out, 0, x, z);
        executor.blockAxpy(z, x, new Uint32Array(300 * 9).fill(large));
        return concat(await executor.readBlocks(out, 0, 1), await executor.read(z));
      });
    });

    test('structured projections and their transposes, 1 to 3 layers', async () => {
      for (const [length, rows, layers, width] of [
        [1, 1, 1, 1],
        [5, 7, 1, 8],
        [1300, 2, 1, 16],
        [600, 6, 3, 5],
        [607, 3, 1, 4 /* rows in pairs */],
      ]) {
        const u: Projection = {
          rows,
          layers,
          bounds: Uint32Array.from({ length: rows + 1 }, (_, r) => Math.ceil((r * length) / rows)),
          coefficients: extremes(length * layers, p, 11),
        };
        await same(make, p, async (executor) => {
          const z = filled(executor, length, width, 12);
          const blocks = executor.blocks(2, rows * layers, width);
          executor.project(blocks, 0, u, z);
          executor.expand(z, u, await executor.readBlocks(blocks, 0, 1));
          executor.project(blocks, 1, u, z);
          return concat(await executor.readBlocks(blocks, 0, 2), await executor.read(z));
        });
      }
    });
  });

  const [narrow, wide] = name.includes('codes') ? [32, 256] : [65521, 2147483629];

  test('rows gathered from a vector that no cache holds', async () => {
    const cols = 70000;
    for (const p of [narrow, wide]) {
      // Row 33 alone has more entries than are fetched beforehand.
      const matrix = matrixOf(70, cols, p, 'mixed', (i) => (i === 33 ? 9000 : 40 + (i % 3)));
      for (const storage of [undefined, 'csr', 'ell-r'] as const) {
        await same(make, p, async (executor) => {
          const a = executor.operator(matrix, { use: 'apply', ...(storage && { storage }) });
          const [x, y] = [executor.vector(cols, 16), executor.vector(70, 16)];
          executor.write(
            x,
            new Uint32Array(cols * 16).map((_, i) => (i * 40503) % p),
          );
          await a.apply(y, x);
          return executor.read(y);
        });
      }
    }
  });

  test('views share storage; a vector fills, copies and keeps its neighbours', async () => {
    for (const p of [narrow, wide]) {
      await same(make, p, async (executor) => {
        const v = filled(executor, 7, 6, 1);
        const other = executor.vector(7, 6);
        executor.copy(other, v);
        executor.write(executor.view(v, 14, 3), extremes(6, p, 2), 12);
        executor.fill(executor.view(other, 42, 1), p - 1);
        return joinReads(executor, v, other);
      });
    }
  });

  test('views of odd width of a vector that may be stored in pairs', async () => {
    for (const p of [narrow, wide]) {
      await same(make, p, async (executor) => {
        const v = filled(executor, 20, 10, 1);
        const [x, z] = [executor.view(v, 40, 5), filled(executor, 40, 6, 2)];
        const out = executor.blocks(1, 5, 6);
        executor.blockDot(out, 0, x, z);
        executor.blockAxpy(z, x, extremes(30, p, 3));
        return concat(await executor.readBlocks(out, 0, 1), await executor.read(z));
      });
    }
  });

  test('an operator that was released is not used again', async () => {
    const executor = await make(...fieldOf(narrow));
    const a = executor.operator(matrixOf(4, 3, narrow, 'unit', () => 2));
    const [x, y] = [executor.vector(3, 2), executor.vector(4, 2)];
    await a.apply(y, x);
    a.free!();
    a.free!();
    expect(() => a.apply(y, x)).toThrow('apply: expected an operator, got one that was released');
    expect(() => a.applyTransposed(x, y)).toThrow('applyTransposed: expected an operator, got one that was released');
    executor.dispose();
  });

  test('what does not fit is refused by name', async () => {
    const p = name.includes('codes') ? 128 : 101;
    const executor = await make(...fieldOf(p));
    const a = executor.operator(
      matrixOf(4, 3, p, 'unit', () => 2),
      { use: 'apply' },
    );
    const [x, y] = [executor.vector(3, 2), executor.vector(4, 2)];
    const refused: [RegExp, () => unknown][] = [
      [/apply: expected 4 rows in y, 3 in x/, () => a.apply(x, y)],
      [new RegExp(`apply: expected residues below ${p}, got ${p}`), () => a.apply(y, x, p)],
      [/whose `use` leaves it out/, () => a.applyTransposed(x, y)],
      [new RegExp(`write: expected residues below ${p}, got 200`), () => executor.write(x, Uint32Array.of(200, 0))],
      [/write: expected whole rows of 2/, () => executor.write(x, new Uint32Array(3))],
      [/view: expected 6 residues/, () => executor.view(x, 2, 2)],
      [/blockDot: expected equal lengths/, () => executor.blockDot(executor.blocks(1, 2, 2), 0, x, y)],
      [/scale: expected 3 x 1/, () => executor.scale(x, executor.vector(4, 1))],
      [/expected two equal shapes/, () => executor.copy(x, y)],
    ];
    for (const [message, act] of refused) {
      expect(act).toThrow(ShapeError);
      expect(act).toThrow(message);
    }
    executor.dispose();
  });
});

test('a released vector of the cpu executor is not used again', async () => {
  const executor = await CpuExecutor.create(WordPrime.of(65521));
  const v = executor.vector(3, 1);
  executor.release(v);
  expect(() => executor.read(v)).toThrow('expected a vector, got one that was released');
});
