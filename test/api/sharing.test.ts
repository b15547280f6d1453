/** Questions without an engine share one, and an operator that asks the engine that waits for it is told so. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CallerOperator, createEngine, det, EngineError, minpoly, rank, SparseMatrix } from 'wiedemann';
import { generate } from '../../data/families.js';

const small = SparseMatrix.fromTriplets(2, 2, [
  [0, 1, 1],
  [1, 0, 1],
]);
const { rows, cols, ...entries } = generate('ch', [7, 7, 4]);
const slow = SparseMatrix.fromTriplets(rows, cols, entries);

// Node announces every thread it starts; a question on one thread needs the engine's alone.
let started = 0;
const note = (): void => {
  started++;
};
beforeEach(() => {
  started = 0;
  process.on('worker', note);
});
afterEach(() => {
  process.removeListener('worker', note);
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The identity, with something done before each product. */
function identity(before: () => unknown, size = 4): CallerOperator {
  const apply = async (x: Uint32Array): Promise<Uint32Array> => {
    await before();
    return x;
  };
  return { rows: size, cols: size, apply, applyTransposed: apply };
}

describe('questions without an engine', () => {
  test('many at once start one engine thread, and each has its own options', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        rank(small, { mod: 7, device: i % 3 === 0 ? 'reference' : 'cpu', threads: 1 }),
      ),
    );
    expect(answers.map(({ value }) => value)).toEqual(Array(30).fill(2));
    expect(answers.map(({ device }) => device)).toEqual(
      Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 'reference' : 'cpu')),
    );
    expect(started).toBe(1);
    const [two, one] = await Promise.all([
      rank(small, { mod: 7, threads: 2, method: 'wiedemann' }),
      minpoly(small, { mod: 7, threads: 1 }),
    ]);
    expect([two.threads, one.threads]).toEqual([2, 1]);
  });

  test('one that is cancelled, at work or waiting, is rejected and leaves the others alone', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const atWork = rank(slow, { mod: 2147483629, method: 'wiedemann', signal: first.signal }).catch(String);
    const waiting = rank(small, { mod: 7, signal: second.signal }).catch(String);
    const other = det(small, { mod: 7 });
    setTimeout(() => second.abort('second'), 100);
    expect(await waiting).toBe('second');
    first.abort('first');
    expect(await atWork).toBe('first');
    expect((await other).value).toBe(6n);
  });

  test('what is wrong with one is said before its turn comes', async () => {
    const controller = new AbortController();
    const atWork = rank(slow, { mod: 2147483629, method: 'wiedemann', signal: controller.signal }).catch(String);
    await expect(rank(small, { mod: 6 })).rejects.toThrow('modulus 6 is not prime');
    controller.abort('enough');
    expect(await atWork).toBe('enough');
  });

  test('a stream that stands still holds nobody up', async () => {
    const controller = new AbortController();
    const still = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const standing = rank(still, { mod: 7, signal: controller.signal }).catch(String);
    expect((await rank(small, { mod: 7 })).value).toBe(2);
    controller.abort('enough');
    expect(await standing).toBe('enough');
  });

  test('one asked from inside an operator is answered, also one that the operator knows from elsewhere', async () => {
    const inner = async (): Promise<void> => {
      await pause(1);
      expect((await rank(small, { mod: 7 })).value).toBe(2);
    };
    expect((await minpoly(identity(inner), { mod: 7 })).value).toEqual(Uint32Array.of(6, 1));
    let later: Promise<unknown> | undefined;
    const outer = minpoly(
      identity(() => later),
      { mod: 7 },
    );
    later = rank(small, { mod: 7 });
    expect((await outer).value).toEqual(Uint32Array.of(6, 1));
  });

  test('a program ends by itself when nothing is pending', () => {
    const library = new URL('../../dist/src/index.js', import.meta.url);
    const program = `
      import { rank, SparseMatrix } from '${library}';
      const a = SparseMatrix.fromTriplets(2, 2, [[0, 1, 1]]);
      const answers = await Promise.all([7, 11, 13].map((mod) => rank(a, { mod })));
      console.log(answers.map(({ value }) => value).join());`;
    const file = join(mkdtempSync(join(tmpdir(), 'wiedemann-sharing-')), 'program.mjs');
    writeFileSync(file, program);
    const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 150_000 });
    rmSync(dirname(file), { recursive: true });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1,1,1\n' });
  });
});

describe('an operator that asks its own engine', () => {
  const refused = /^rank: asked of an engine from inside an operator or stream that it is waiting for/;

  test.each([
    ['at once', 0],
    ['after a while', 5],
  ])('is refused, %s', async (_, ms) => {
    const engine = createEngine();
    const inside = async (): Promise<void> => {
      if (ms > 0) await pause(ms);
      await engine.rank(small, { mod: 7 });
    };
    const error = await engine.minpoly(identity(inside), { mod: 7 }).catch((e) => e);
    expect(error).toBeInstanceOf(EngineError);
    expect(error.message).toMatch(refused);
    expect((await engine.rank(small, { mod: 7 })).value).toBe(2);
    await engine.dispose();
  });

  test('so is a stream, and one that asks by way of another engine', async () => {
    await using engine = createEngine();
    await using between = createEngine();
    async function* text() {
      await engine.rank(small, { mod: 7 });
      yield new Uint8Array();
    }
    await expect(engine.rank(text(), { mod: 7 })).rejects.toThrow(refused);
    const back = identity(() => engine.rank(small, { mod: 7 }));
    const there = identity(() => between.minpoly(back, { mod: 7 }));
    await expect(engine.minpoly(there, { mod: 7 })).rejects.toThrow(refused);
  });

  test('what others ask meanwhile waits for its turn, and so does what an operator has left to be asked later', async () => {
    await using engine = createEngine();
    let isInside: () => void = () => {};
    const inside = new Promise<void>((resolve) => {
      isInside = resolve;
    });
    const left: Promise<unknown>[] = [];
    const work = async (): Promise<void> => {
      isInside();
      if (left.length === 0) left.push(pause(100).then(() => engine.rank(small, { mod: 7 })));
      await pause(10);
    };
    const asker = inside.then(() => {});
    const outer = engine.minpoly(identity(work), { mod: 7 });
    await asker;
    const meanwhile = engine.rank(small, { mod: 11 });
    expect(await outer).toMatchObject({ value: Uint32Array.of(6, 1) });
    expect(await meanwhile).toMatchObject({ value: 2 });
    expect(await Promise.all(left)).toMatchObject([{ value: 2 }]);
  });
});

test('code that a question given up has left behind says nothing of the next one', async () => {
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const size = { rows: 3, cols: 3 };
  const given = new AbortController();
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const first = rank(
    { ...size, apply: (x) => left.then(() => x), applyTransposed: (x) => x },
    { mod: 7, signal: given.signal },
  );
  await pause(50);
  given.abort(new Error('given up'));
  await expect(first).rejects.toThrow('given up');
  let third: Promise<unknown> | undefined;
  const waits = async (x: Uint32Array): Promise<Uint32Array> => {
    await pause(third === undefined ? 300 : 0);
    await third;
    return x;
  };
  const second = rank({ ...size, apply: waits, applyTransposed: (x) => x }, { mod: 7 });
  await pause(400); // it stands by now, or soon
  leave();
  third = rank({ rows: 1, cols: 1, entries: [[0, 0, 1]] }, { mod: 7 });
  expect(await second).toMatchObject({ value: 3 });
});

test('an engine disposed of as it ends a session answers nothing more', async () => {
  for (let k = 0; k < 3; k++) {
    const engine = createEngine();
    const given = new AbortController();
    const slow = new Promise<Uint32Array>(() => {});
    const first = engine.rank({ rows: 2, cols: 2, apply: () => slow }, { mod: 7, signal: given.signal }).catch(() => 0);
    const second = engine.rank({ rows: 1, cols: 1, entries: [[0, 0, 1]] }, { mod: 7 });
    const refused = expect(second).rejects.toThrow(/disposed/);
    await new Promise((resolve) => setTimeout(resolve, 200));
    given.abort();
    await first;
    await new Promise(setImmediate);
    await engine.dispose();
    await refused;
  }
});
