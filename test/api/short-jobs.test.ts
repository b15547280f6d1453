/** Kept runs of processes that are asked to end before they begin: each keeps something new, and all come to an end. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckpointStore, createEngine, type Engine, SparseMatrix } from '../../dist/src/index.js';
import { CounterRandom } from '../../fields/random.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ threads: 2 });
});
afterAll(() => engine.dispose());

const P = 65521;
const N = 400;
const random = new CounterRandom(17n, 0);

/** Random entries, `weight` a row, and those of a diagonal without the last `lacking`. */
function randomMatrix(lacking: number, weight = 3): SparseMatrix {
  const place = (at: number): number => random.residueAt(at, N - lacking);
  const rows = Array.from({ length: N }, (_, i) => {
    const own = Array.from({ length: weight }, (_, k) => [place(4 * (weight * i + k)), 1 + (i % 7)] as const);
    return new Map(i < N - lacking ? [...own, [i, 5]] : own);
  });
  return SparseMatrix.fromTriplets(
    N,
    N,
    rows.flatMap((row, i) => [...row].map(([j, value]) => [i, j, value] as const)),
  );
}

class Store implements CheckpointStore {
  readonly arrays = new Map<string, Uint8Array>();
  read = async (name: string) => this.arrays.get(name)?.slice() ?? null;
  write = async (name: string, bytes: Uint8Array) => void this.arrays.set(name, bytes.slice());
  list = async () => [...this.arrays.keys()];
  remove = async (name: string) => void this.arrays.delete(name);
  /** Of what is kept beside where the run stands. */
  digest(): string {
    const hash = createHash('sha256');
    for (const [name, bytes] of [...this.arrays].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (name !== 'progress.json') hash.update(name).update(bytes);
    return hash.digest('hex');
  }
}

const regular = randomMatrix(0);
const singular = randomMatrix(3);
const right = SparseMatrix.fromTriplets(N, 1, [
  [3, 0, 1],
  [7, 0, 2],
]);

type Asked = { readonly mod: number; readonly seed: number; readonly checkpoint?: object };

const QUESTIONS: Readonly<Record<string, (asked: Asked) => Promise<object>>> = {
  'rank by wiedemann': (asked) => engine.rank(singular, { ...asked, method: 'wiedemann' }),
  'rank by hybrid': (asked) => engine.rank(singular, { ...asked, method: 'hybrid' }),
  minpoly: (asked) => engine.minpoly(regular, asked),
  'minpoly of a singular matrix': (asked) => engine.minpoly(singular, asked),
  'det by wiedemann': (asked) => engine.det(regular, { ...asked, method: 'wiedemann' }),
  'det by hybrid': (asked) => engine.det(regular, { ...asked, method: 'hybrid' }),
  'det of a singular matrix': (asked) => engine.det(singular, { ...asked, method: 'wiedemann' }),
  'solve by wiedemann': (asked) => engine.solve(regular, right, { ...asked, method: 'wiedemann' }),
  'solve by hybrid': (asked) => engine.solve(regular, right, { ...asked, method: 'hybrid' }),
  'solve by lanczos': (asked) => engine.solve(regular, right, { ...asked, method: 'lanczos' }),
  nullspace: (asked) => engine.nullspace(singular, { ...asked, method: 'lanczos', vectors: 2 }),
};

/** The answer alone, as JSON has it. */
async function answered(question: string, checkpoint?: object): Promise<unknown> {
  const outcome = await QUESTIONS[question]!({ mod: P, seed: 5, ...(checkpoint && { checkpoint }) });
  const { kind, value, method } = JSON.parse(JSON.stringify(outcome));
  return { kind, value, method };
}

test.each(Object.keys(QUESTIONS))('%s', async (question) => {
  const whole = await answered(question, { store: new Store() });
  const store = new Store();
  const stop = AbortSignal.abort();
  const seen = new Set<string>();
  for (;;) {
    try {
      expect(await answered(question, { store, stop, interval: 0 })).toEqual(whole);
      break;
    } catch (error) {
      if ((error as Error).name !== 'StoppedError') throw error;
    }
    // Something new is kept, nothing is lost, and so it ends.
    const digest = store.digest();
    expect(seen).not.toContain(digest);
    seen.add(digest);
    expect(seen.size).toBeLessThan(400);
  }
  expect(seen.size).toBeGreaterThan(1);
});
