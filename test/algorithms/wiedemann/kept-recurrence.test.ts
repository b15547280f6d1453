/** What follows the generator of a minimal polynomial, in processes that are asked to end before they begin. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { seal, unseal } from '../../../algorithms/checkpoint/sealed.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import type { BlockingOrderBasisEngine, PolyMatrix } from '../../../algorithms/sigma-basis/order-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { DAMAGES, MemoryStore } from '../block-wiedemann/memory-store.js';

const P = 65521;
const DEGREE = 1500; // beyond the orders of the register

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await team.dispose();
});

/** The coefficients of a random f, monic, and its companion matrix, of which f is the minimal polynomial. */
function companion() {
  const random = new CounterRandom(3n, 0);
  const f = Array.from({ length: DEGREE }, (_, i) => random.residueAt(i, P));
  const triplets = [
    ...Array.from({ length: DEGREE - 1 }, (_, i) => [i + 1, i, 1] as const),
    ...f.flatMap((x, i) => (x === 0 ? [] : [[i, DEGREE - 1, -x] as const])),
  ];
  return { f: [...f, 1], matrix: SparseMatrix.fromTriplets(DEGREE, DEGREE, triplets).residues(P) };
}

const { f, matrix } = companion();
const ANSWER = { answer: f, attempts: 1, errorLog2: -Infinity };

/** Products of elements that an engine makes, as if by schoolbook. */
function counted(engine: BlockingOrderBasisEngine, count: (work: number) => void): BlockingOrderBasisEngine {
  const { residual, compose, sigmaBasis } = engine;
  return Object.assign(engine, {
    residual(p: PolyMatrix, g: PolyMatrix, from: number, length: number) {
      count(p.rows * p.cols * g.cols * length);
      return residual.call(engine, p, g, from, length);
    },
    compose(a: PolyMatrix, b: PolyMatrix) {
      count(a.rows * a.cols * b.cols * (a.length + b.length));
      return compose.call(engine, a, b);
    },
    sigmaBasis(g: PolyMatrix, degrees: Int32Array, rhsRows: number) {
      count(g.rows * g.rows * g.cols * g.length);
      return sigmaBasis.call(engine, g, degrees, rhsRows);
    },
  });
}

/** A process that is asked to end once there is an array whose name begins so; its answer, and its engine's work. */
async function run(store: MemoryStore, from: string | null) {
  const executor = new CpuExecutor(WordPrime.of(P), team);
  let work = 0;
  const remarks: string[] = [];
  const stops = async () => from !== null && [...store.arrays.keys()].some((name) => name.startsWith(from));
  const checkpoint = new Checkpoint(store, 'run', {
    ...{ interval: 0, stops, remark: (line: string) => void remarks.push(line) },
  });
  const { orderBasisEngine } = orderBasisEngines(executor, team);
  const own = { executor, team, seed: 5n, check: () => {}, onProgress: () => {}, checkpoint };
  const count = (more: number): void => {
    work += more;
  };
  const context = {
    ...own,
    orderBasisEngine: (field: Parameters<typeof orderBasisEngine>[0]) => counted(orderBasisEngine(field), count),
  };
  try {
    const { coefficients, attempts, errorLog2 } = await minpolyOfMatrix(context, matrix);
    return { ended: { answer: Array.from(coefficients), attempts, errorLog2 }, work, remarks };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { ended: null, work, remarks };
  } finally {
    executor.dispose();
  }
}

function copyOf({ arrays }: MemoryStore): MemoryStore {
  const store = new MemoryStore();
  for (const [name, array] of arrays) store.arrays.set(name, array.slice());
  return store;
}

const GENERATOR = 'attempt-1-generator';

test('each process keeps a piece, and makes a small part of the work', async () => {
  const store = new MemoryStore();
  expect((await run(store, GENERATOR)).ended).toBeNull();
  const whole = await run(copyOf(store), null);
  expect(whole.ended).toEqual(ANSWER);
  const kinds = new Map<string, MemoryStore>();
  let turns = 0;
  let most = 0;
  let ended: object | null = null;
  for (; ended === null && turns < 300; turns++) {
    const before = copyOf(store);
    const turn = await run(store, GENERATOR);
    ({ ended } = turn);
    most = Math.max(most, turn.work);
    const isNew = (name: string) => name.startsWith('attempt-1-') && !before.arrays.has(name);
    const pieces = [...store.arrays.keys()].filter(isNew);
    if (ended === null) expect(pieces.length).toBeGreaterThan(0);
    for (const name of pieces) kinds.set(name.replace(/\d+/g, 'N'), copyOf(store));
  }
  expect(ended).toEqual(ANSWER);
  expect(most).toBeLessThan(whole.work / 5);
  const arrays = ['basis-N-N', 'basis-N-N-look-N', 'found'].map((each) => `attempt-N-recurrence-${each}`);
  expect([...kinds.keys()].sort()).toEqual(
    [...arrays, 'attempt-N-inverse-N', 'attempt-N-others-N', 'attempt-N-sequences-N'].sort(),
  );

  // Each kind damaged, or of another generator: what it holds is made again.
  for (const [kind, kept] of kinds) {
    const names = [...kept.arrays.keys()].filter((name) => name.replace(/\d+/g, 'N') === kind);
    const damaged = copyOf(kept);
    for (const name of names) DAMAGES['a bit flipped at its end']!(damaged, name);
    const again = await run(damaged, null);
    expect(again.ended, kind).toEqual(ANSWER);
    expect(again.remarks.join(), kind).toContain('is damaged');
    const foreign = copyOf(kept);
    for (const name of names) {
      const { fields, bytes } = unseal(foreign.arrays.get(name)!)!;
      const random = new CounterRandom(9n, 0);
      const words = random.fillResidues(new Uint32Array(bytes.length / 4), P);
      foreign.arrays.set(name, seal({ ...fields, of: 'f'.repeat(64) }, new Uint8Array(words.buffer)));
    }
    expect((await run(foreign, null)).ended, kind).toEqual(ANSWER);
  }
}, 300_000);
