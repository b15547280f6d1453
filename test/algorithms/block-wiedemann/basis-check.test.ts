/** The check of an order basis: it holds for what a search finds, and for nothing that differs from it in one word. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FactoredBasis } from '../../../algorithms/block-wiedemann/factored-basis.js';
import { GeneratorSearch } from '../../../algorithms/block-wiedemann/generator.js';
import { GrowingBlocks } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import type { Images } from '../../../algorithms/block-wiedemann/look.js';
import { sumProducts } from '../../../algorithms/block-wiedemann/sum-products.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { OrderBasisEngine, PolyMatrix } from '../../../algorithms/sigma-basis/order-basis.js';
import { ExtensionPolyEngine, PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const PRIMES = [2 /* codes of GF(2^8) */, 3 /* GF(3^5) */, 17, 65521, 2147483647];
const [M, N] = [4, 2];

function fieldOf(p: number): WorkingField {
  return new WorkingField({ field: WordPrime.of(p) }, 'block');
}

/** S_(k+r) = Σ_j F_j·S_(k+j): the sequence has a generator of degree M·r, and P rows of unequal degree behind it. */
function recurrent(working: WorkingField, r: number, orders: number): GrowingBlocks {
  const random = new CounterRandom(7n, 0);
  const draw = (count: number, at: number): Uint32Array => random.fillResidues(new Uint32Array(count), working.q, at);
  const blocks = new GrowingBlocks(M * N);
  for (let k = 0; k < r; k++) blocks.push(draw(M * N, 1000 + k * M * N));
  const factors = draw(r * M * M, 0);
  const shape = { count: r, rows: M, inner: M, cols: N };
  for (let k = r; k < orders; k++) blocks.push(sumProducts(working, factors, (j) => blocks.at(k - r + j), shape)!);
  return blocks;
}

/** What is private of a search: its factors and their degrees. */
interface Inside {
  readonly basis: { p: PolyMatrix; last: PolyMatrix | null; inner: Int32Array | null; images: Images[] };
  readonly degrees: Int32Array;
}

async function found(engine: OrderBasisEngine, working: WorkingField, looks: readonly number[], r = 6) {
  const blocks = recurrent(working, r, looks.at(-1)!);
  const search = new GeneratorSearch(engine, { m: M, n: N, s: 0 }, null, looks.at(-1)!, {
    working,
    executor: {},
    seed: 3n,
  });
  for (const to of looks) await search.advance(blocks, blocks, to, Number(working.elements.neg(working.elements.one)));
  return { search, blocks, inside: search as unknown as Inside };
}

/** In one part; in two factors; and in two of which the second has grown. */
const LOOKS = [[24], [20, 30], [24, 30, 36]].map((looks) => [looks]);

describe.each(PRIMES)('over the field of blocks mod %i', (p) => {
  const working = fieldOf(p);
  const engines = (): OrderBasisEngine[] => {
    const { field } = working;
    const threads = field instanceof WordPrime ? new PolyEngine(team, field) : new ExtensionPolyEngine(team, field);
    return [new NaiveEngine(field), threads];
  };

  test.each(LOOKS)('an order basis in parts: %j', async (looks) => {
    for (const engine of engines()) {
      const { search, blocks, inside } = await found(engine, working, looks);
      expect(inside.basis.last === null).toBe(looks.length === 1);
      expect(await search.holds(blocks)).toBe(true);
      const wrong = new GrowingBlocks(M * N);
      for (let k = 0; k < blocks.count; k++) wrong.push(blocks.at(k));
      wrong.at(9)[3] = (wrong.at(9)[3] + 1) % p;
      expect(await search.holds(wrong)).toBe(false);
      // A word that is no code.
      wrong.at(9)[3] = blocks.at(9)[3];
      expect(await search.holds(wrong)).toBe(true);
      wrong.at(9)[3] += 2 ** 31;
      expect(await search.holds(wrong)).toBe(false);
      search.free();
      engine.dispose?.();
    }
  });

  test('one word of a factor, of degrees, or of what is kept of the residual', async () => {
    // Before a generator stands: afterwards its rows may be added to others, which leaves an order basis.
    const { search, blocks, inside } = await found(new NaiveEngine(working.field), working, [24, 30, 36], 36);
    const engine = new NaiveEngine(working.field);
    const { basis, degrees } = inside;
    const withChanged = async (words: Uint32Array | Int32Array, at: number): Promise<boolean> => {
      const old = words[at];
      words[at] = (old + 1) % p;
      const holds = await search.holds(blocks);
      words[at] = old;
      return holds;
    };
    const { products, first: kept } = basis.images.at(-1)!;
    for (const matrix of [basis.p, basis.last!, products]) {
      const words = engine.read(matrix, 0, matrix.length);
      const first = matrix === products ? kept * products.rows * products.cols : 0;
      for (let at = first; at < words.length; at += 5) {
        const changed = words.slice();
        changed[at] = (changed[at] + 1) % p;
        engine.write(matrix, changed);
        expect(await search.holds(blocks), `word ${at}`).toBe(false);
      }
      engine.write(matrix, words);
    }
    for (const [words, count] of [
      [degrees, M + N],
      [basis.inner!, M + N],
    ] as const) {
      for (let at = 0; at < count; at++) expect(await withChanged(words, at), `${at}`).toBe(false);
    }
    expect(await search.holds(blocks)).toBe(true);
  });

  test('rows that are in the module, each within its degree, but dependent', async () => {
    const { search, blocks, inside } = await found(new NaiveEngine(working.field), working, [24]);
    const engine = new NaiveEngine(working.field);
    const { basis, degrees } = inside;
    const words = engine.read(basis.p, 0, basis.p.length);
    const size = M + N;
    const least = degrees.indexOf(Math.min(...degrees));
    const other = degrees.findIndex((degree, i) => i !== least && degree === degrees[least]);
    expect(other).toBeGreaterThanOrEqual(0);
    for (let at = 0; at < words.length; at += size * size) {
      words.copyWithin(at + other * size, at + least * size, at + (least + 1) * size);
    }
    engine.write(basis.p, words);
    expect(await search.holds(blocks)).toBe(false);
  });

  test('a row that is beyond its degree, though it is in the module', async () => {
    const { search, blocks, inside } = await found(new NaiveEngine(working.field), working, [24]);
    const engine = new NaiveEngine(working.field);
    const { p: matrix } = inside.basis;
    const words = engine.read(matrix, 0, matrix.length);
    // z^2·row 0, and row 0 again: the values stay 0.
    const size = M + N;
    const least = inside.degrees.indexOf(Math.min(...inside.degrees));
    for (let k = matrix.length - 1; k >= 2; k--) {
      const [to, from] = [(k * size + least) * size, ((k - 2) * size + least) * size];
      for (let j = 0; j < size; j++) words[to + j] = working.elements.add(words[to + j], words[from + j]);
    }
    engine.write(matrix, words);
    expect(await search.holds(blocks)).toBe(false);
  });
});

describe('where an engine fails', () => {
  const working = fieldOf(65521);

  /** What it has not released, and an error in place of a call after `left` of them. */
  function failing() {
    const inner = new NaiveEngine(working.field);
    const kept = new Set<PolyMatrix>();
    const state = { left: Number.POSITIVE_INFINITY, releasedTwice: 0 };
    const ask = (): void => {
      if (state.left-- <= 0) throw new Error('expected a device, got none');
    };
    const making =
      <A extends unknown[]>(make: (...all: A) => PolyMatrix) =>
      (...all: A): PolyMatrix => {
        ask();
        const made = make.apply(inner, all);
        kept.add(made);
        return made;
      };
    const { create, mul, residual, compose, sigmaBasis } = inner;
    const engine: OrderBasisEngine = {
      leaf: inner.leaf,
      beginning: (...all) => inner.beginning(...all),
      create: making(create),
      mul: making(mul),
      residual: making(residual),
      compose: making(compose),
      sigmaBasis: making(sigmaBasis),
      write(...all) {
        ask();
        inner.write(...all);
      },
      read(...all) {
        ask();
        return inner.read(...all);
      },
      release(matrix) {
        if (!kept.delete(matrix)) state.releasedTwice++;
      },
    };
    return { engine, kept, state };
  }

  test('the check of a basis leaves nothing on it', async () => {
    const { engine, kept, state } = failing();
    const { search, blocks } = await found(engine, working, [24, 30, 36]);
    const before = [...kept];
    let calls = 0;
    for (let done = false; !done && calls < 1000; calls++) {
      state.left = calls;
      done = await search.holds(blocks).catch(() => false);
      expect([...kept]).toEqual(before);
    }
    expect(calls).toBeGreaterThan(20);
    expect(state.releasedTwice).toBe(0);
    state.left = Number.POSITIVE_INFINITY;
    search.free();
  });

  test.each([[[20]], [[20, 30]], [[24, 30, 36]]])('nor does a basis that grows: %j', async (looks) => {
    const blocks = recurrent(working, 6, 36);
    const random = new CounterRandom(9n, 0);
    let calls = 0;
    for (let done = false; !done; calls++) {
      const { engine, kept, state } = failing();
      const [g, y] = [engine.create(M + N, N, 36), engine.create(N, 4, 1)];
      for (let k = 0; k < 36; k++)
        engine.write(g, Uint32Array.of(...blocks.at(k), ...(k ? [0, 0, 0, 0] : [1, 0, 0, 1])), k);
      engine.write(y, random.fillResidues(new Uint32Array(4 * N), working.q));
      const basis = new FactoredBasis(engine, Int32Array.of(0, 0, 0, 0, 1, 1), 0, y);
      for (const to of looks.slice(0, -1)) await basis.extend(g, to);
      state.left = calls;
      done = await basis.extend(g, looks.at(-1)!).then(
        () => true,
        () => false,
      );
      basis.free();
      expect([...kept]).toEqual([g, y]);
      expect(state.releasedTwice).toBe(0);
    }
    expect(calls).toBeGreaterThan(3);
  });
});

test('a search that finds no room for its check gives back what it has taken', () => {
  const working = fieldOf(65521);
  const held = new Set<object>();
  const engine = {
    create: () => {
      if (held.size > 0) throw new RangeError('no room');
      const made = {};
      held.add(made);
      return made;
    },
    release: (matrix: object) => held.delete(matrix),
  } as unknown as OrderBasisEngine;
  const check = { working, executor: {}, seed: 3n };
  expect(() => new GeneratorSearch(engine, { m: M, n: N, s: 0 }, null, 24, check)).toThrow('no room');
  expect(held.size).toBe(0);
});
