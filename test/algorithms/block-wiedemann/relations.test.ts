/** What a search tells verification without its order basis: the same as read off the basis, by every engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseBlocks, stopGap } from '../../../algorithms/block-wiedemann/blocks.js';
import { GeneratorSearch } from '../../../algorithms/block-wiedemann/generator.js';
import { GrowingBlocks } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import { hashFactor } from '../../../algorithms/block-wiedemann/hashing.js';
import { KrylovSequence } from '../../../algorithms/block-wiedemann/krylov.js';
import { NaiveEngine } from '../../../algorithms/block-wiedemann/naive-engine.js';
import type { OrderBasisEngine } from '../../../algorithms/block-wiedemann/order-basis-engine.js';
import { verificationWidth, verificationWords } from '../../../algorithms/block-wiedemann/verification.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { ExtensionPolyEngine, PolyEngine } from '../../../algorithms/sigma-basis/engine.js';
import { GpuPolyEngine } from '../../../algorithms/sigma-basis/gpu-engine.js';
import { ExtensionField } from '../../../fields/extension.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/reference.js';
import { SparseMatrix } from '../../../kernels/sparse-matrix.js';
import { Team } from '../../../kernels/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { planted } from '../expected/matrices.js';
import { combinedByDefinition } from './combined.js';

const [ROWS, COLS, RANK] = [40, 30, 17];

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

/** A sequence of a matrix of rank 17, of as many blocks as any search here wants. */
async function sequence(p: number) {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const working = new WorkingField(executor, 'block');
  const a = executor.operator(SparseMatrix.fromTriplets(ROWS, COLS, planted(ROWS, COLS, RANK, 4, 5)).residues(p));
  const shape = { ...chooseBlocks(COLS, working.degree), s: verificationWidth(working.log2q), shift: 1 as const };
  const gap = stopGap(shape, working.log2q);
  const early = Math.ceil(COLS / shape.m) + 3;
  const orders = early + Math.ceil(COLS / shape.n) + 3 * gap + 20;
  const factor = hashFactor(executor, COLS, ROWS, working, 11n);
  const krylov = await KrylovSequence.create(executor, a, factor, working, shape, 5n);
  const nothing = (): void => {};
  await krylov.extend(orders, orders, nothing, nothing);
  return { working, shape, krylov, early, orders };
}

/** A search in as many parts, asked for c + t·F, then for F and c themselves. */
async function compared(engine: OrderBasisEngine, p: number, parts: number, later: number, lost = false) {
  const { working, shape, krylov, early, orders } = await sequence(p);
  const F = working.elements;
  const entry = early + later;
  const T = lost ? noise(krylov.t, shape.s * shape.n) : krylov.t;
  const search = new GeneratorSearch(engine, shape, [entry], orders);
  for (let part = 1; part <= parts; part++) {
    await search.advance(krylov.s, T, Math.ceil((orders * part) / parts), Number(F.neg(F.one)));
  }
  const t = verificationWords(F, shape.s * shape.m, 9n);
  const reduced = await search.isReduced(F);
  const combined = await search.combined(F, t);
  const generator = await search.generator(F);
  const c = await search.passengers();
  search.free();
  krylov.free();
  expect(generator.degree).toBeGreaterThan(RANK / 2); // mod 2 the rank is lower
  expect(reduced).toBe(generator.reduced);
  expect(combined).toEqual(c && combinedByDefinition(F, generator, c, shape, t));
  return combined;
}

/** As many blocks, of moments that no row space has. */
function noise(blocks: GrowingBlocks, size: number): GrowingBlocks {
  const out = new GrowingBlocks(size);
  for (let k = 0; k < blocks.count; k++)
    out.push(Uint32Array.from({ length: size }, (_, i) => (i * k * k + 7 * i) % 2));
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
  test.each([2, 3, 7, 65521, 2147483629])('mod %i, in one part and in several, T early and late', async (p) => {
    const engine = await engineFor(kind, p);
    for (const parts of [1, 2, 3, 8]) {
      for (const later of [0, 5]) expect(await compared(engine, p, parts, later)).not.toBeNull();
    }
    engine.dispose?.();
  });

  test('null where T is not in the span of S', async () => {
    const engine = await engineFor(kind, 65521);
    for (const parts of [1, 2]) expect(await compared(engine, 65521, parts, 0, true)).toBeNull();
    engine.dispose?.();
  });
});

describe.skipIf(gpuMissing)('by the engine on the GPU', () => {
  test.each([65521, 2147483629])('mod %i', async (p) => {
    const engine = new GpuPolyEngine(team, await testGpu(), WordPrime.of(p), { crossover: 4 });
    for (const parts of [1, 2]) expect(await compared(engine, p, parts, 0)).not.toBeNull();
    engine.dispose();
  });
});
