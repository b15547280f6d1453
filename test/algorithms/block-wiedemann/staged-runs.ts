/** Runs in parts over one store, stage by stage, and what they have kept of a sequence. */
import { type RankOptions, rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { lengthOfParts, stageOfMatrix } from '../../../algorithms/block-wiedemann/stages.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { unseal } from '../../../algorithms/checkpoint/sealed.js';
import { type CheckpointStore, StoppedError } from '../../../algorithms/checkpoint/store.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { Team } from '../../../kernels/threads/team.js';
import { deficientMatrix } from './deficient-matrix.js';
import type { MemoryStore } from './memory-store.js';

export const SIZE = 110;
export const RANK = 83;
export const BLOCK = { m: 6, n: 3 };
const COUNT = 3;

export interface Asked {
  readonly stage?: number | 'generator' | 'rank';
  readonly most?: number; // batches of steps
  readonly slow?: boolean; // on the reference executor
  readonly parts?: { readonly count: number; readonly length: number } | undefined;
  /** What others do, once, before the third time that the run asks whether it is to end. */
  readonly beside?: () => Promise<unknown>;
  /** The same before the sixth time. */
  readonly later?: () => Promise<unknown>;
}

/** Keeps a run each time that it asks, however long that takes. */
class Eager extends Checkpoint {
  override async due(): Promise<'no' | 'keep' | 'stop'> {
    const due = await super.due();
    return due === 'no' ? 'keep' : due;
  }
}

/** The stage or the rest of a run; null where it was ended before. */
export async function go(
  team: Team,
  store: CheckpointStore,
  p: number,
  { stage = 'rank', most = Infinity, slow, parts, beside, later }: Asked,
) {
  const field = WordPrime.of(p);
  const executor = slow ? new ReferenceExecutor(field) : new CpuExecutor(field, team);
  let steps = 0;
  let asked = 0;
  const stops = async (): Promise<boolean> => {
    if (++asked === 3) await beside?.();
    if (asked === 6) await later?.();
    return steps >= most;
  };
  const checkpoint = new Eager(store, 'run', { interval: 0, stops, remark: () => {} });
  const threads = slow ? undefined : team;
  const onProgress = ({ phase }: { phase: string }): void => {
    if (phase === 'sequence') steps++;
  };
  const engines = orderBasisEngines(executor, threads);
  const context = { ...engines, executor, team: threads, seed: 5n, check: () => {}, checkpoint, onProgress };
  const options: RankOptions = { block: BLOCK };
  try {
    if (stage !== 'rank') {
      const staged = { ...context, parts: parts ?? partsFor(p, SIZE) };
      await stageOfMatrix(staged, deficientMatrix(SIZE, RANK, p), options, {
        part: stage === 'generator' ? null : stage,
      });
      return { steps };
    }
    const { rank, upperBound, errorLog2 } = await rankOfMatrix(
      { ...context, parts },
      deficientMatrix(SIZE, RANK, p),
      options,
    );
    return { rank, upperBound, errorLog2, steps };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return null;
  } finally {
    executor.dispose();
  }
}

export const partsFor = (p: number, rank: number) => ({ count: COUNT, length: lengthOfParts(rank, BLOCK, p) });

const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);

/** S and T of the arrays whose names begin so, from pieces 0…i, i…j, … */
export function sequenceOf(store: MemoryStore, prefix: string) {
  const pieces = new Map(
    [...store.arrays.keys()]
      .filter((name) => name.startsWith(`${prefix}blocks-`))
      .map((name) => [Number(name.split('-').at(-2)), name]),
  );
  const found = { s: [] as number[], t: [] as number[], pieces: 0 };
  for (let at = 0; pieces.has(at); found.pieces++) {
    const name = pieces.get(at)!;
    const { fields, bytes } = unseal(store.arrays.get(name)!)!;
    const words = wordsOf(bytes);
    found.s.push(...words.subarray(0, fields['split'] as number));
    found.t.push(...words.subarray(fields['split'] as number));
    at = Number(name.split('-').at(-1));
  }
  return found;
}
