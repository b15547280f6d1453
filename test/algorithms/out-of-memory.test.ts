/**
 * Where the kernels' memory ends in the midst of things: whichever piece it is that there is no room for, nothing stays
 * taken.
 */

import { expect, test } from 'vitest';
import { KrylovSequence } from '../../algorithms/block-wiedemann/krylov.js';
import { gramFactor, hashFactor } from '../../algorithms/block-wiedemann/preconditioner.js';
import { Projections } from '../../algorithms/block-wiedemann/projections.js';
import { rankOfMatrix } from '../../algorithms/block-wiedemann/rank.js';
import type { LeftFactor } from '../../algorithms/block-wiedemann/sparse-factor.js';
import { WorkingField } from '../../algorithms/block-wiedemann/working-field.js';
import { denseSystem } from '../../algorithms/elimination/dense-system.js';
import { sampleFill } from '../../algorithms/elimination/fill.js';
import { factorize } from '../../algorithms/factor/factors.js';
import { estimatesOver } from '../../algorithms/methods/costs.js';
import { type Presolved, presolve } from '../../algorithms/presolve/presolve.js';
import { orderBasisEngines } from '../../algorithms/sigma-basis/create.js';
import { ExtensionPolyEngine, PolyEngine } from '../../algorithms/sigma-basis/pm-basis.js';
import { generate } from '../../data/families.js';
import { ExtensionField } from '../../fields/extension.js';
import { CounterRandom } from '../../fields/random.js';
import { WordPrime } from '../../fields/word-prime.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { Operator } from '../../kernels/executor.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { KernelMemory } from '../../kernels/threads/memory.js';
import { Team } from '../../kernels/threads/team.js';

/** Has room for so many pieces, and counts those that are out. */
class Scarce extends KernelMemory {
  left = Number.POSITIVE_INFINITY;
  out = 0;

  override alloc(bytes: number): number {
    if (this.left === 0) throw new MemoryError('no room');
    const at = super.alloc(bytes);
    this.left--;
    this.out++;
    return at;
  }

  override release(at: number): void {
    super.release(at);
    this.out--;
  }
}

/** Tries with room for 0, 1, 2, … further pieces, until it is enough; returns how many that was. */
async function everyEnd(memory: Scarce, work: () => unknown): Promise<number> {
  const before = memory.out;
  for (let room = 0; ; room++) {
    memory.left = room;
    try {
      await work();
      memory.left = Number.POSITIVE_INFINITY;
      return room;
    } catch (error) {
      expect(error).toBeInstanceOf(MemoryError);
    }
    expect(memory.out, `room for ${room}`).toBe(before);
  }
}

function matrixMod(p: number): Presolved {
  const { rows, cols, ...entries } = generate('random', [120, 130, 4, p, 1]);
  const field = WordPrime.of(p);
  return presolve(field, SparseMatrix.fromTriplets(rows, cols, entries).residues(p), estimatesOver(field));
}

const PRIMES = [65521, 2147483629];

test.each(PRIMES)('a Krylov sequence mod %d', async (p) => {
  const memory = new Scarce();
  const executor = await CpuExecutor.create(WordPrime.of(p), { memory });
  const a = executor.operator(matrixMod(p).at);
  const working = new WorkingField(executor, 'block');
  const c = hashFactor(executor, a.cols, a.rows, working, 5n);
  const shape = { m: 16, n: 8, s: 4, shift: 1 } as const;
  const made: { free(): void }[] = [];
  const left: Projections[] = [];
  const ends = await everyEnd(memory, async () => {
    left.push(await Projections.random(executor, a, working, shape, 7n));
  });
  expect(ends).toBeGreaterThan(p < 2 ** 16 ? 2 : 1); // W, Y and its pairs
  const create = (): KrylovSequence => new KrylovSequence(executor, a, c, working, shape, 7n, left[0]!);
  create().free(); // what the executor keeps of U, and for itself, stays
  expect(await everyEnd(memory, () => void made.push(create()))).toBeGreaterThan(4); // V, A·V and three lists of blocks
  const before = memory.out;
  for (const each of [...made, ...left]) each.free();
  expect(before - memory.out).toBeGreaterThan(6);
  executor.dispose();
});

test.each([3, ...PRIMES])('a rank mod %d', async (p) => {
  const memory = new Scarce();
  const executor = await CpuExecutor.create(WordPrime.of(p), { memory });
  const { team } = executor;
  const quiet = { check: () => {}, onProgress: () => {} };
  const context = { executor, team, seed: 3n, ...quiet, ...orderBasisEngines(executor, team) };
  const matrix = matrixMod(p).at;
  const { rank } = await rankOfMatrix(context, matrix);
  // The executor keeps what it has made of the last projections.
  for (let i = 0; i < 4; i++) await rankOfMatrix(context, matrix);
  const kept = memory.out;
  let ends = 0;
  for (let room = 0; ; room += 1 + (room >> 3)) {
    memory.left = room;
    const found = await rankOfMatrix(context, matrix).catch((error: unknown) => error);
    memory.left = Number.POSITIVE_INFINITY;
    expect(memory.out, `room for ${room}`).toBeLessThanOrEqual(kept);
    if (!(found instanceof MemoryError)) {
      expect(found).toMatchObject({ rank });
      break;
    }
    ends++;
  }
  expect(ends).toBeGreaterThan(15);
  executor.dispose();
});

test.each(PRIMES)('an operator and the left factors mod %d', async (p) => {
  const memory = new Scarce();
  const executor = await CpuExecutor.create(WordPrime.of(p), { memory });
  const working = new WorkingField(executor, 'block');
  const matrix = matrixMod(p).at;
  const made: { free?(): void }[] = [];
  const keep = (each: { free?(): void }): void => void made.push(each);
  const out = memory.out;
  expect(await everyEnd(memory, () => keep(executor.operator(matrix)))).toBeGreaterThan(6); // A and Aᵀ
  const [a] = made as Operator[];
  expect(await everyEnd(memory, () => keep(gramFactor(executor, a!, working, 5n)))).toBeGreaterThan(4); // L and M
  const c = made[1] as LeftFactor;
  const [y, v] = [executor.vector(a!.rows, 4), executor.vector(a!.cols, 4)];
  // What a product keeps for the next ones goes with its factor.
  memory.left = Number.POSITIVE_INFINITY;
  await c.apply(v, y);
  await c.applyTransposed(y, v);
  for (const each of [y, v]) executor.release(each);
  for (const each of made) each.free?.();
  expect(memory.out).toBe(out);
  executor.dispose();
});

const FIELDS = [
  WordPrime.of(2),
  ...PRIMES.map((p) => WordPrime.of(p)),
  new ExtensionField(2, 8),
  new ExtensionField(5, 4),
];

test.each(FIELDS)('an order basis, and what it leaves over, over $order elements', async (field) => {
  const memory = new Scarce();
  const team = await Team.create(1, memory);
  const engine = field instanceof WordPrime ? new PolyEngine(team, field) : new ExtensionPolyEngine(team, field);
  const [rows, cols, orders] = [12, 4, 140]; // more than a base case
  const g = engine.create(rows, cols, 2 * orders);
  const codes = new CounterRandom(1n, 0).fillResidues(new Uint32Array(rows * cols * 2 * orders), Number(field.order));
  engine.write(g, codes);
  const work = (): void => {
    const basis = engine.sigmaBasis({ ...g, length: orders }, new Int32Array(rows).fill(1, cols));
    try {
      engine.release(engine.residual(basis, g, orders, orders));
    } finally {
      engine.release(basis);
    }
  };
  work(); // tables stay
  expect(await everyEnd(memory, work)).toBeGreaterThan(8);
  engine.release(g);
  engine.dispose();
  expect(memory.out).toBe(0);
  await team.dispose();
});

test.each([2, ...PRIMES])('the dense system of a Schur complement, and its fill, mod %d', async (p) => {
  const memory = new Scarce();
  const team = await Team.create(1, memory);
  const F = WordPrime.of(p);
  const known = matrixMod(p);
  const { a, at, pivots } = known;
  const before = memory.out;
  const ends = await everyEnd(memory, () => denseSystem(team, F, a, at, pivots, () => {}));
  expect(ends).toBeGreaterThan(8);
  expect(await everyEnd(memory, () => sampleFill(team, F, a, known))).toBeGreaterThan(6);
  expect(memory.out).toBe(before);
  await team.dispose();
});

test.each([2, ...PRIMES])('factors, systems and kernels mod %d', async (p) => {
  const memory = new Scarce();
  const executor = await CpuExecutor.create(WordPrime.of(p), { memory });
  const { team } = executor;
  const quiet = { check: () => {}, onProgress: () => {} };
  const context = { executor, team, seed: 3n, ...quiet, ...orderBasisEngines(executor, team) };
  const matrix = matrixMod(p).at;
  const factors = await factorize(context, matrix);
  expect(await everyEnd(memory, () => factorize(context, matrix))).toBeGreaterThan(8);
  let ends = 0;
  for (const transposed of [false, true]) {
    const ones = new Uint32Array(2 * (transposed ? matrix.cols : matrix.rows)).fill(1);
    expect(await everyEnd(memory, () => factors.solve(context, ones, 2, { transposed }))).toBeGreaterThan(8);
    for (const vectors of [undefined, 3]) {
      const { batches } = await factors.nullspace(context, { left: transposed, vectors });
      const drain = async (): Promise<void> => {
        for await (const { count } of batches()) expect(count).toBeGreaterThan(0);
      };
      ends += await everyEnd(memory, drain);
    }
  }
  expect(ends).toBeGreaterThan(20);
  executor.dispose();
});
