/**
 * A kept run whose disk loses power or room between any two of its operations, and one whose disk has changed a bit:
 * it goes on to the same rank, and nothing is lost but the steps since the last checkpoint.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rankOfMatrix } from '../../algorithms/block-wiedemann/rank.js';
import { Checkpoint } from '../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { orderBasisEngines } from '../../algorithms/sigma-basis/create.js';
import { CounterRandom } from '../../fields/random.js';
import { WordPrime } from '../../fields/word-prime.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { RunFolder } from '../../src/io/run-folder.js';
import { LosingDisk } from './losing-disk.js';

const FOLDER = '/losing-disk';
const [SIZE, RANK] = [14, 11];
const P = 2147483629;

/** Of the operations every so many-th, from a first one that differs by test; `npm run slow` takes all. */
const STRIDE = Number(process.env['STRIDE'] ?? 4);
const FLIPS = Number(process.env['FLIPS'] ?? 16);

// A checkpoint after every interval of steps, whatever the machine does.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

/** The first RANK rows are triangular, the others sums of two of them. */
function matrixOf() {
  const base = (i: number) =>
    [i, i + 3, i + 4].filter((j) => j < SIZE).map((j): readonly [number, number] => [j, 1 + ((i * j) % 5)]);
  const rows = Array.from({ length: SIZE }, (_, i) =>
    i < RANK ? base(i) : [...base(i - RANK), ...base(i - RANK + 1)],
  );
  const triplets = rows.flatMap((row, i) => row.map(([j, value]) => [i, j, value] as const));
  return SparseMatrix.fromTriplets(SIZE, SIZE, triplets).residues(P);
}

const matrix = matrixOf();

interface Run {
  readonly rank: number | null; // null where it ended with an error
  readonly upperBound: number | null;
  readonly error: unknown;
  readonly kept: number; // steps whose vectors a finished write has kept
  readonly first: number; // steps of the sequence when it made its first; Infinity for none
  readonly remarks: readonly string[];
}

/** A run on the disk, as far as it comes. */
function runOn(disk: LosingDisk, mostMarks = Number.POSITIVE_INFINITY): Promise<Run> {
  return disk.during(async () => {
    const remarks: string[] = [];
    let [kept, piece, first] = [0, 0, Number.POSITIVE_INFINITY];
    let marks = 0;
    const ended = (error: unknown): Run => ({ rank: null, upperBound: null, error, kept, first, remarks });
    try {
      const folder = await RunFolder.open(FOLDER);
      const store = {
        read: (name: string) => folder.read(name),
        list: () => folder.list(),
        remove: (name: string) => folder.remove(name),
        write: async (name: string, bytes: Uint8Array) => {
          await folder.write(name, bytes);
          if (name.includes('-blocks-')) piece = Number(name.split('-').at(-1));
          if (name.includes('-vectors-')) [kept, marks] = [piece, marks + 1];
        },
      };
      const stops = async (): Promise<boolean> => marks >= mostMarks;
      const checkpoint = new Checkpoint(store, 'run', { interval: 0, stops, remark: (line) => remarks.push(line) });
      const executor = new ReferenceExecutor(WordPrime.of(P));
      const onProgress = ({ phase, done }: { phase: string; done: number }): void => {
        if (phase === 'sequence') first = Math.min(first, done);
      };
      const context = { ...orderBasisEngines(executor, undefined), executor, seed: 5n, check: () => {}, checkpoint };
      const found = await rankOfMatrix({ ...context, onProgress }, matrix, { block: { m: 2, n: 1 } });
      return { ...ended(null), rank: found.rank, upperBound: found.upperBound };
    } catch (error) {
      return ended(error);
    }
  });
}

const right = { rank: RANK, upperBound: RANK, error: null, remarks: [] };

describe.each(['durable', 'newest'] as const)('the power goes, the names on the disk being the %s', (names) => {
  test('between any two operations of a run: it goes on from its last checkpoint', async () => {
    const whole = new LosingDisk(FOLDER);
    expect(await runOn(whole)).toMatchObject(right);
    expect(whole.operations).toBeGreaterThan(60);
    let wentOn = 0;
    let tried = 0;
    for (let at = names === 'newest' ? 1 : Math.min(3, STRIDE); at <= whole.operations; at += STRIDE) {
      const disk = new LosingDisk(FOLDER);
      disk.loss = { what: 'power', at };
      const { rank, kept } = await runOn(disk);
      expect(rank, `operation ${at}`).toBeNull();
      disk.restart(names);
      const again = await runOn(disk);
      expect(again, `operation ${at}`).toMatchObject(right);
      expect(again.first, `operation ${at}`).toBeGreaterThan(kept);
      if (kept > 0) wentOn++;
      tried++;
    }
    expect(wentOn).toBeGreaterThan(tried / 2);
  });
});

test('no room from any operation on: one line, and the run goes on when there is room', async () => {
  const whole = new LosingDisk(FOLDER);
  await runOn(whole);
  let refused = 0;
  let tried = 0;
  for (let at = Math.min(2, STRIDE); at <= whole.operations; at += STRIDE) {
    const disk = new LosingDisk(FOLDER);
    disk.loss = { what: 'room', at };
    const { error, kept, rank } = await runOn(disk);
    // What gives room back may be all that was left to do.
    if (error === null) expect(rank).toBe(RANK);
    else {
      expect(error, `operation ${at}`).toMatchObject({
        name: 'RunFolderError',
        message: `${FOLDER}: no space left on the disk`,
      });
      refused++;
    }
    tried++;
    disk.loss = null;
    const again = await runOn(disk);
    expect(again, `operation ${at}`).toMatchObject(right);
    expect(again.first, `operation ${at}`).toBeGreaterThan(kept);
  }
  expect(refused).toBeGreaterThan((3 * tried) / 4);
});

test('a bit of a file changes while a run is ended: it is met, and made again', async () => {
  const random = new CounterRandom(21n, 0);
  let met = 0;
  for (let i = 0; i < FLIPS; i++) {
    const disk = new LosingDisk(FOLDER);
    expect((await runOn(disk, 1 + (i % 2))).error).toBeInstanceOf(StoppedError);
    const files = [...disk.files()];
    const [name, file] = files[random.residueAt(3 * i, files.length)]!;
    const at = random.residueAt(3 * i + 1, file.bytes.length);
    file.bytes = file.bytes.slice();
    file.bytes[at]! ^= 1 << random.residueAt(3 * i + 2, 8);
    const again = await runOn(disk);
    expect(again, `byte ${at} of ${name}`).toMatchObject({ ...right, remarks: again.remarks });
    if (again.remarks.length > 0) met++;
  }
  // Where a run stands is not read to go on, and of two vectors the older ones neither.
  expect(met).toBeGreaterThan(FLIPS / 4);
});
