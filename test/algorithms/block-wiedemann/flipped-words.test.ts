/**
 * Memory that errs: one word changed in a vector, in the sequence or in the order basis, at moments all over a run.
 * Every one is met or harms nothing, and no wrong rank is called proved or verified.
 */
import { describe, expect, test } from 'vitest';
import { blockWiedemannRank, tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { lengthOfParts, stageOfMatrix } from '../../../algorithms/block-wiedemann/stages.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField, PolyMatrix } from '../../../algorithms/sigma-basis/order-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, Call, Program, SmallBlocks, Step } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

/** A word of something that is written, the `at`-th time that it is. */
interface Flip {
  readonly what: 'vectors' | 'blocks' | 'basis';
  readonly at: number;
  readonly word: number;
}

/** How often each is written in a whole run. */
type Counts = Record<Flip['what'], number>;

/** Changes a word of what calls write. */
class ErringExecutor extends ReferenceExecutor {
  readonly counts: Counts = { vectors: 0, blocks: 0, basis: 0 };
  flip: Flip | null = null;

  private errs(what: Flip['what']): boolean {
    return this.counts[what]++ === this.flip?.at && this.flip.what === what;
  }

  changed(words: Uint32Array): Uint32Array {
    const at = this.flip!.word % Math.max(1, words.length);
    if (words.length > 0) words[at] = (words[at]! + 1 + (this.flip!.word % (this.field.p - 1))) % this.field.p;
    return words;
  }

  private async after(v: BlockVector): Promise<void> {
    if (this.errs('vectors')) this.write(v, this.changed((await this.read(v)).slice()));
  }

  /** Each call by itself, so that a word changes between two of them. */
  override compile(step: Step): Program {
    const programs = step.map((call) => [call, super.compile([call])] as const);
    const written = (call: Call): BlockVector | null =>
      call.do === 'apply' ? call.y : call.do === 'copy' ? call.to : call.do === 'scale' ? call.v : null;
    return {
      run: async (first, end, check) => {
        for (let i = first; i < end; i++) {
          for (const [call, program] of programs) {
            await program.run(i, i + 1, check);
            const v = written(call);
            if (v !== null) await this.after(v);
          }
        }
      },
      free: () => {
        for (const [, program] of programs) program.free();
      },
    };
  }

  override readBlocks(out: SmallBlocks, first: number, count: number) {
    const words = super.readBlocks(out, first, count) as Uint32Array;
    return this.errs('blocks') ? this.changed(words.slice()) : words;
  }

  /** An engine whose order bases err. */
  engine(field: BasisField): NaiveEngine {
    const engine = new NaiveEngine(field);
    const { sigmaBasis, compose, read, write } = engine;
    const spoil = <M extends PolyMatrix>(p: M): M => {
      if (this.errs('basis')) write.call(engine, p, this.changed(read.call(engine, p, 0, p.length).slice()));
      return p;
    };
    engine.sigmaBasis = (...all) => spoil(sigmaBasis.apply(engine, all));
    engine.compose = (...all) => spoil(compose.apply(engine, all));
    return engine;
  }
}

/** Rows 0 … rank − 1 are triangular, the others sums of two of them. */
function matrixOf(p: number, rows: number, cols: number, rank: number) {
  const random = new CounterRandom(3n, 0);
  let at = 0;
  const below = (n: number): number => random.residueAt(at++, n);
  const base = Array.from({ length: rank }, (_, i) => {
    const others = [1, 2, 3].map(() => [i + 1 + below(cols - i), 1] as const);
    return [[i, 1] as const, ...others.filter(([j]) => j < cols)];
  });
  const sums = Array.from({ length: rows - rank }, () => [...base[below(rank)]!, ...base[below(rank)]!]);
  const triplets = [...base, ...sums].flatMap((row, i) => row.map(([j, value]) => [i, j, value] as const));
  return SparseMatrix.fromTriplets(rows, cols, triplets).residues(p);
}

async function rankWith(p: number, matrix: ReturnType<typeof matrixOf>, seed: bigint, flip: Flip | null) {
  const executor = new ErringExecutor(WordPrime.of(p));
  executor.flip = flip;
  const context = {
    executor,
    seed,
    selfChecks: true,
    orderBasisEngine: (field: BasisField) => executor.engine(field),
    check: () => {},
    onProgress: () => {},
  };
  const result = await blockWiedemannRank(context, tallOperator(executor.operator(matrix)), {});
  return { result, counts: executor.counts };
}

/** The arrays that one of two parts keeps, but for where it stands. */
async function partWith(p: number, matrix: ReturnType<typeof matrixOf>, flip: Flip | null) {
  const executor = new ErringExecutor(WordPrime.of(p));
  executor.flip = flip;
  const arrays = new Map<string, Uint8Array>();
  const store = {
    read: async (name: string) => arrays.get(name) ?? null,
    write: async (name: string, bytes: Uint8Array) => void arrays.set(name, bytes.slice()),
    list: async () => [...arrays.keys()],
    remove: async (name: string) => void arrays.delete(name),
  };
  const stops = async (): Promise<boolean> => false;
  const checkpoint = new Checkpoint(store, 'run', { interval: Number.POSITIVE_INFINITY, stops, remark: () => {} });
  const block = { m: 4, n: 2 };
  const parts = { count: 2, length: lengthOfParts(matrix.cols, block, p) };
  const orderBasisEngine = (field: BasisField) => executor.engine(field);
  const hooks = { check: () => {}, onProgress: () => {} };
  const context = { executor, seed: 1n, orderBasisEngine, ...hooks, checkpoint, parts };
  const { warnings } = await stageOfMatrix(context, matrix, { block }, { part: 1 });
  const kept = [...arrays].filter(([name]) => !name.includes('progress'));
  return { kept, warnings, counts: executor.counts };
}

const MOMENTS = Number(process.env['FLIPS'] ?? 24);

describe.each([
  [65521, 90, 60, 47],
  [2147483629, 60, 60, 60],
])('mod %i, %i x %i of rank %i', (p, rows, cols, rank) => {
  const matrix = matrixOf(p, rows, cols, rank);

  test.each(['vectors', 'blocks', 'basis'] as const)('a word of the %s', async (what) => {
    const { result, counts } = await rankWith(p, matrix, 1n, null);
    expect(result).toMatchObject({ rank, upperBound: rank, attempts: 1, checks: { failed: 0 } });
    expect(counts[what]).toBeGreaterThan(1);
    const random = new CounterRandom(11n, 0);
    let failed = 0;
    let later = 0;
    for (let i = 0; i < MOMENTS; i++) {
      const flip = { what, at: random.residueAt(2 * i, counts[what]), word: random.residueAt(2 * i + 1, 2 ** 31) };
      const { result } = await rankWith(p, matrix, 1n, flip);
      expect(result, JSON.stringify(flip)).toMatchObject({ rank, lowerBound: rank, upperBound: rank });
      failed += result.checks.failed;
      if (result.attempts > 1) later++;
    }
    // What is not met by a check changes nothing, or a verification that is then repeated.
    expect(failed + later).toBeGreaterThan(MOMENTS / 4);
  });

  test('a word of the vectors of a part', async () => {
    const { kept, warnings, counts } = await partWith(p, matrix, null);
    expect([kept.length, warnings]).toEqual([2, []]);
    const random = new CounterRandom(12n, 0);
    let met = 0;
    for (let i = 0; i < MOMENTS; i++) {
      const at = random.residueAt(2 * i, counts.vectors);
      const found = await partWith(p, matrix, { what: 'vectors', at, word: random.residueAt(2 * i + 1, 2 ** 31) });
      expect(found.kept, `${at}`).toEqual(kept);
      met += found.warnings.length;
    }
    expect(met).toBeGreaterThan(MOMENTS / 2);
  });
});
