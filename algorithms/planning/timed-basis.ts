/**
 * The order basis of block Wiedemann for N unknowns, timed as a run makes it: the search of a generator of random
 * blocks, look by look, and the relations that are verified.
 */
import { CounterRandom } from '../../fields/random.js';
import { type BlockShape, checkpoints, sequenceLengths, stopGap } from '../block-wiedemann/block-shape.js';
import { GeneratorSearch } from '../block-wiedemann/generator.js';
import { GrowingBlocks } from '../block-wiedemann/growing-blocks.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { othersSpan } from '../block-wiedemann/spanning.js';
import { verificationWidth, verificationWords } from '../block-wiedemann/verification.js';
import { overBlockField, WorkingField } from '../block-wiedemann/working-field.js';
import { generatorEngine } from '../sigma-basis/order-basis.js';
import type { Look, TimedBasis } from './machine-rates.js';

/** By the engine that serves `of` unknowns. */
export function timeBasis(context: RunContext, unknowns: number, shape: BlockShape, of: number): Promise<TimedBasis> {
  return overBlockField(context, async (own) => {
    const working = new WorkingField(own.executor, 'block');
    const { n } = shape;
    const s = verificationWidth(working.log2q);
    const gap = stopGap(shape, working.log2q);
    const lengths = sequenceLengths(unknowns, shape, s, gap);
    const { bound, capacity } = lengths;
    const m = shape.m + s;
    const orders = sequenceLengths(of, shape, s, gap).bound;
    const engine = await generatorEngine(own, working.field, { rows: m + n, cols: n, orders });
    const S = randomBlocks(m * n, bound, working.q, 0);
    const F = working.elements;
    const search = new GeneratorSearch(engine, { m, n, s: 0 }, null, capacity, {
      ...{ working, executor: own.executor, seed: 0n },
    });
    try {
      const looks: Look[] = [];
      const start = performance.now();
      for (const order of checkpoints(bound)) {
        await search.advance(S, S, order, F.neg(F.one));
        looks.push({ order, seconds: since(start) });
        context.check();
      }
      const checked = performance.now();
      await search.holds(S);
      const checking = since(checked);
      const combined = performance.now();
      await search.isReduced(F);
      await othersSpan(engine, await search.columns(F, shape.m), gap);
      await search.combine(verificationWords(F, s * m, 0n));
      return { unknowns, m: shape.m, n, looks, checking, combining: since(combined) };
    } finally {
      search.free();
      engine.dispose?.();
    }
  });
}

function randomBlocks(size: number, count: number, q: number, stream: number): GrowingBlocks {
  const blocks = new GrowingBlocks(size);
  const source = new CounterRandom(0n, stream);
  const block = new Uint32Array(size);
  for (let i = 0; i < count; i++) blocks.push(source.fillResidues(block, q, i * size));
  return blocks;
}

function since(start: number): number {
  return (performance.now() - start) / 1000;
}
