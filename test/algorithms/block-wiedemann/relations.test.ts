/** What a search tells verification without its order basis: the same as read off the basis, by every engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseBlocks, stopGap } from '../../../algorithms/block-wiedemann/block-shape.js';
import { GeneratorSearch } from '../../../algorithms/block-wiedemann/generator.js';
import { GrowingBlocks, stacked } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import { KrylovSequence } from '../../../algorithms/block-wiedemann/krylov.js';
import { hashFactor } from '../../../algorithms/block-wiedemann/preconditioner.js';
import { othersSpan } from '../../../algorithms/block-wiedemann/spanning.js';
import { verificationWidth, verificationWords } from '../../../algorithms/block-wiedemann/verification.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { GpuPolyEngine } from '../../../algorithms/sigma-basis/gpu-pm-basis.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { OrderBasisEngine, PolyMatrix } from '../../../algorithms/sigma-basis/order-basis.js';
import { ExtensionPolyEngine, PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { ExtensionField } from '../../../fields/extension.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { planted } from '../expected/matrices.js';
import { combinedByDefinition } from './combined.js';

/** Small, and with a generator that takes most of the orders to find. */
const [ROWS, COLS, RANK] = [70, 60, 52];

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

/** A sequence of a matrix of rank 52, of as many blocks as any search here wants. */
async function sequence(p: number) {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const working = new WorkingField(executor, 'block');
  const a = executor.operator(SparseMatrix.fromTriplets(ROWS, COLS, planted(ROWS, COLS, RANK, 4, 5)).residues(p));
  const shape = { ...chooseBlocks(COLS, working.degree), s: verificationWidth(working.log2q), shift: 1 as const };
  const gap = stopGap(shape, working.log2q);
  const entry = Math.ceil(COLS / shape.m) + 3;
  const orders = entry + Math.ceil(COLS / shape.n) + gap + 2;
  const factor = hashFactor(executor, COLS, ROWS, working, 11n);
  const krylov = await KrylovSequence.create(executor, a, factor, working, shape, 5n);
  const nothing = (): void => {};
  await krylov.extend(orders, orders, nothing, nothing);
  return { working, shape, krylov, entry, orders };
}

type Found = Awaited<ReturnType<typeof found>>;

/**
 * What searches in as many parts find: of S and T one above the other, with combinations and columns of F as F itself
 * has them; and of S with T to its right.
 */
async function found(given: OrderBasisEngine, p: number, parts: number, change?: (T: GrowingBlocks) => GrowingBlocks) {
  const { engine, live } = counted(given);
  const { working, shape, krylov, entry, orders } = await sequence(p);
  const F = working.elements;
  const T = change ? change(krylov.t) : krylov.t;
  const [m, s] = [shape.m + shape.s, shape.s];
  const both = stacked(krylov.s, T);
  const search = new GeneratorSearch(engine, { m, n: shape.n, s: 0 }, null, orders);
  const right = new GeneratorSearch(engine, shape, entry, orders);
  for (let part = 1; part <= parts; part++) {
    const to = Math.ceil((orders * part) / parts);
    await search.advance(both, T, to, Number(F.neg(F.one)));
    await right.advance(krylov.s, T, to, Number(F.neg(F.one)));
  }
  const t = verificationWords(F, s * m, 9n);
  const reduced = await search.isReduced(F);
  const combined = await search.combine(t);
  const columns = await search.columns(F, shape.m);
  const generator = await search.generator(F);
  const c = await right.rhsRows();
  const spans = await othersSpan(engine, columns, 3);
  for (const each of [search, right]) each.free();
  krylov.free();
  expect(live.size).toBe(0);
  expect(reduced).toBe(generator.reduced);
  expect(combined).toEqual(combinedByDefinition(F, generator, { m, s }, t));
  expect([...columns.degrees].sort()).toEqual([...generator.degrees].sort());
  expect(columns.blocks).toEqual(generator.coefficients.filter((_, at) => at % m >= shape.m));
  return { generator, c, spans, order: search.order };
}

/** The engine, and its matrices that have not been released. */
function counted(given: OrderBasisEngine): { engine: OrderBasisEngine; live: Set<PolyMatrix> } {
  const live = new Set<PolyMatrix>();
  const kept = (matrix: PolyMatrix): PolyMatrix => {
    live.add(matrix);
    return matrix;
  };
  const engine: OrderBasisEngine = {
    create: (...sizes) => kept(given.create(...sizes)),
    write: (...args) => given.write(...args),
    read: (...args) => given.read(...args),
    release(a) {
      if (!live.delete(a)) throw new Error('released twice');
      given.release(a);
    },
    leaf: given.leaf,
    beginning: (...args) => given.beginning(...args),
    sigmaBasis: async (...args) => kept(await given.sigmaBasis(...args)),
    residual: (...args) => kept(given.residual(...args)),
    mul: (...args) => kept(given.mul(...args)),
    compose: (...args) => kept(given.compose(...args)),
  };
  return { engine, live };
}

/** The blocks with what `change` makes of block k. */
function changed(blocks: GrowingBlocks, change: (block: Uint32Array, k: number) => Uint32Array): GrowingBlocks {
  const out = new GrowingBlocks(blocks.size);
  for (let k = 0; k < blocks.count; k++) out.push(change(blocks.at(k), k));
  return out;
}

/** Engines of the elements that a run mod p chooses from. */
async function engineFor(kind: 'naive' | 'threads', p: number): Promise<OrderBasisEngine> {
  const { working } = await sequence(p);
  const F = working.elements;
  if (kind === 'naive') return new NaiveEngine(F);
  return F instanceof ExtensionField ? new ExtensionPolyEngine(team, F) : new PolyEngine(team, working.base);
}

describe.each(['naive', 'threads'] as const)('by the engine of %s', (kind) => {
  test.each([2, 3, 7, 65521, 2147483629])('mod %i, in one part as in several', async (p) => {
    const engine = await engineFor(kind, p);
    let whole: Found | undefined;
    for (const parts of [1, 2, 3, 8]) {
      const now = await found(engine, p, parts);
      whole ??= now;
      expect(now).toEqual(whole);
    }
    expect(whole!.c).not.toBeNull();
    expect(whole!.spans).toBe(true);
    expect(whole!.generator.reduced).toBe(true);
    if (p > 7) expect(whole!.generator.degree).toBe(RANK);
    engine.dispose?.();
  });

  test('null where T is not in the span of S, or is so from its second block on only', async () => {
    const engine = await engineFor(kind, 65521);
    const noise = (T: GrowingBlocks) => changed(T, (block, k) => block.map((_, i) => (i * k * k + 7 * i) % 2));
    const first = (T: GrowingBlocks) => changed(T, (block, k) => (k === 0 ? block.map((x) => x ^ 1) : block));
    for (const change of [noise, first]) {
      for (const parts of [1, 2]) {
        const { c, spans } = await found(engine, 65521, parts, change);
        expect([c, spans]).toEqual([null, false]);
      }
    }
    engine.dispose?.();
  });

  test('null where T enters too early for the degrees of F, and blocks of T that there are not are refused', async () => {
    const engine = await engineFor(kind, 65521);
    const { working, shape, krylov, orders } = await sequence(65521);
    const F = working.elements;
    const early = new GeneratorSearch(engine, shape, 2, orders - 6);
    await early.advance(krylov.s, krylov.t, orders - 6, Number(F.neg(F.one)));
    expect(await early.rhsRows()).toBeNull();
    early.free();
    const none = new GeneratorSearch(engine, shape, 2, orders);
    const few = new GrowingBlocks(krylov.t.size);
    await expect(none.advance(krylov.s, few, 4, Number(F.neg(F.one)))).rejects.toThrow(
      'expected one of 0, got number 0',
    );
    none.free();
    engine.dispose?.();
  });

  test('rows of an order before the generator’s are not row-reduced', async () => {
    const engine = await engineFor(kind, 65521);
    const { working, shape, krylov } = await sequence(65521);
    const F = working.elements;
    for (const orders of [[1], [1, 2]]) {
      const search = new GeneratorSearch(engine, { ...shape, s: 0 }, null, 2);
      for (const to of orders) await search.advance(krylov.s, krylov.t, to, Number(F.neg(F.one)));
      expect(await search.isReduced(F)).toBe(false);
      expect((await search.generator(F)).reduced).toBe(false);
      search.free();
    }
    engine.dispose?.();
  });
});

describe.skipIf(gpuMissing)('by the engine on the GPU', () => {
  test.each([65521, 2147483629])('mod %i, as on the threads', async (p) => {
    const engine = new GpuPolyEngine(team, await testGpu(), WordPrime.of(p), { crossover: 4 });
    const threads = await engineFor('threads', p);
    for (const parts of [1, 3]) expect(await found(engine, p, parts)).toEqual(await found(threads, p, parts));
    threads.dispose?.();
    engine.dispose();
  });
});
