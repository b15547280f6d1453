/** A stream of answers that ends early, stands still, or never gets further than its reader. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine, EngineError, SparseMatrix } from 'wiedemann';
import { collect, mixed, valuesOf } from './many-answers.js';
import { denseRank } from './small-matrices.js';

let engine: Engine;
beforeAll(() => {
  engine = createEngine({ threads: 2 });
});
afterAll(() => engine.dispose());

describe('a stream of answers', () => {
  /** The source of 100 × 100 matrices without end, and how far it was drawn. */
  function endless() {
    const drawn = { count: 0, isClosed: false };
    const [matrix] = mixed(7).slice(6);
    function* source(): Generator<SparseMatrix> {
      try {
        for (;;) {
          drawn.count++;
          yield matrix!;
        }
      } finally {
        drawn.isClosed = true;
      }
    }
    return { drawn, source: source() };
  }

  test('that is left closes its source, and the engine serves on', async () => {
    const { drawn, source } = endless();
    let seen = 0;
    for await (const { index, outcome } of engine.ranks(source, { mod: 65521 })) {
      expect(index).toBe(seen);
      expect(outcome).not.toBeNull();
      if (++seen === 50) break;
    }
    expect(drawn.isClosed).toBe(true);
    expect(valuesOf(await collect(engine.ranks([SparseMatrix.fromDense([[1]])], { mod: 2 })))).toEqual([1]);
  });

  test('draws no further ahead than its bound', async () => {
    const { drawn, source } = endless();
    const answers = engine.ranks(source, { mod: 65521 });
    expect(drawn.count).toBe(0);
    await answers.next();
    // Until it stands still, or has gone too far.
    let reached = -1;
    while (reached < drawn.count && reached <= 1026) {
      reached = drawn.count;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(drawn.count).toBeGreaterThan(0);
    expect(drawn.count).toBeLessThanOrEqual(1026);
    await answers.return();
    expect(drawn.isClosed).toBe(true);
  });

  test('that is aborted ends with the reason, also while its source stands still', async () => {
    const reason = new Error('enough');
    const { drawn, source } = endless();
    const abort = new AbortController();
    let seen = 0;
    const reading = (async () => {
      for await (const _ of engine.ranks(source, { mod: 65521, signal: abort.signal })) {
        if (++seen === 20) abort.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(drawn.isClosed).toBe(true);

    const still = new AbortController();
    async function* standing(): AsyncGenerator<SparseMatrix> {
      yield SparseMatrix.fromDense([[1]]);
      await new Promise(() => {});
    }
    const answers = engine.ranks(standing(), { mod: 2, signal: still.signal });
    expect((await answers.next()).value).toMatchObject({ index: 0, outcome: { value: 1 } });
    const waiting = answers.next();
    still.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(() => engine.ranks([], { mod: 2, signal: still.signal })).toThrow(reason);
  });

  test('gives what its source gave before that threw', async () => {
    function* source(): Generator<SparseMatrix> {
      yield* mixed(40);
      throw new RangeError('no more');
    }
    let seen = 0;
    const reading = (async () => {
      for await (const _ of engine.ranks(source(), { mod: 2 })) seen++;
    })();
    await expect(reading).rejects.toThrow(new RangeError('no more'));
    expect(seen).toBe(40);
  });

  test('answers a slow source as it comes', async () => {
    async function* source(): AsyncGenerator<SparseMatrix> {
      for (const matrix of mixed(5)) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        yield matrix;
      }
    }
    expect(valuesOf(await collect(engine.ranks(source(), { mod: 3 })))).toEqual(
      mixed(5).map((matrix) => denseRank(matrix, 3n)),
    );
  });

  test('may run beside another, and ends with its engine', async () => {
    const own = createEngine({ threads: 1 });
    const [first, second] = [mixed(60), mixed(90)];
    const both = await Promise.all([first, second].map((some) => collect(own.ranks(some, { mod: 5 }))));
    expect(both.map((answers) => answers.length)).toEqual([60, 90]);
    const { source, drawn } = endless();
    const answers = own.ranks(source, { mod: 65521 });
    await answers.next();
    const rest = expect(collect(answers)).rejects.toThrow(EngineError);
    await own.dispose();
    await rest;
    expect(drawn.isClosed).toBe(true);
    expect(() => own.ranks([], { mod: 2 })).toThrow(EngineError);
  });
});
