/**
 * A process with a GPU, in this one: it runs to where it was told, and leaves a sequence that is not wanted at its next
 * step.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type SchurParts, type SequenceTask, startSequence } from '../../algorithms/block-wiedemann/krylov-columns.js';
import { searchedBlocks } from '../../algorithms/block-wiedemann/krylov-steps.js';
import { tallOperator } from '../../algorithms/block-wiedemann/rank.js';
import { WorkingField } from '../../algorithms/block-wiedemann/working-field.js';
import { structuralPivots } from '../../algorithms/presolve/structural-pivots.js';
import { SchurComplement } from '../../algorithms/schur/schur-complement.js';
import { generate } from '../../data/families.js';
import { WordPrime } from '../../fields/word-prime.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../kernels/threads/team.js';
import { arraysOf, sizesOf } from '../../src/gpus/poured-matrix.js';
import { type FromGpuProcess, serveGpu, type ToGpuProcess } from '../../src/gpus/process.js';
import { RemoteSequence } from '../../src/gpus/remote-sequence.js';
import { planted } from '../algorithms/expected/matrices.js';
import { gpuMissing } from '../gpu.js';

const [ROWS, COLS, P] = [60, 40, 65521];

/** What it says, as it comes; `until` waits for a message that says so. `poured`: the arrays that it is to read. */
async function served(options: Parameters<typeof serveGpu>[3] = {}) {
  const said: FromGpuProcess[] = [];
  const poured: Uint32Array[] = [];
  let onSaid = (): void => {};
  let tell: (message: ToGpuProcess) => void = () => {};
  const until = async (what: (message: FromGpuProcess) => boolean): Promise<FromGpuProcess> => {
    for (;;) {
      const failed = said.find(({ kind }) => kind === 'failure');
      if (failed) throw new Error(JSON.stringify(failed));
      const found = said.find(what);
      if (found) return found;
      await new Promise<void>((resolve) => {
        onSaid = resolve;
      });
    }
  };
  await serveGpu(
    async (message) => {
      said.push(message);
      onSaid();
    },
    (listener) => {
      tell = listener;
    },
    (bytes) => {
      const words = poured.shift()!;
      bytes.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    },
    options,
  );
  return { said, until, tell, poured };
}

function task(seed: bigint, length: number, moments: number): SequenceTask {
  return { preconditioner: 'hash', seed, shape: { m: 8, n: 4, s: 2, shift: 1 }, length, moments };
}

function blocks(said: readonly FromGpuProcess[]) {
  return said.flatMap((message) => (message.kind === 'blocks' ? [message] : []));
}

function giveMatrix(
  { tell, poured }: Pick<Awaited<ReturnType<typeof served>>, 'tell' | 'poured'>,
  matrix = SparseMatrix.fromTriplets(ROWS, COLS, planted(ROWS, COLS, 17, 4, 5)).residues(P),
  schur?: SchurParts,
): void {
  poured.push(...arraysOf(matrix, schur));
  tell({ kind: 'matrix', p: P, ...sizesOf(matrix, schur), use: 'sequence', maxBytes: null });
}

describe.skipIf(gpuMissing)('a process with a GPU', () => {
  test('sends what was kept of its share in pieces', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'wiedemann-share-'));
    const kept = { directory, run: 'run', interval: 0, name: 'share' };
    const [size, tSize] = [8 * 4, 2 * 4];
    const wordsOf = (said: readonly FromGpuProcess[]): number[][] => [
      blocks(said).flatMap(({ s }) => [...s]),
      blocks(said).flatMap(({ t }) => [...t]),
    ];
    try {
      const whole = await served();
      giveMatrix(whole);
      whole.tell({ kind: 'start', task: task(5n, 50, 10), kept });
      whole.tell({ kind: 'stop' });
      await whole.until(({ kind }) => kind === 'stopped');
      const expected = wordsOf(whole.said);
      const count = expected[0]!.length / size;
      expect(count).toBeGreaterThan(20);
      expect(expected[1]).toHaveLength(10 * tSize);

      const piece = 3 * (size + tSize) + 1;
      const again = await served({ piece });
      giveMatrix(again);
      again.tell({ kind: 'start', task: task(5n, count, 10), kept });
      again.tell({ kind: 'stop' });
      await again.until(({ kind }) => kind === 'stopped');
      expect(wordsOf(again.said)).toEqual(expected);
      expect(Math.max(...blocks(again.said).map(({ s, t }) => s.length + t.length))).toBeLessThanOrEqual(piece);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test.each([
    ['both', { m: 8, n: 4, s: 2, shift: 1 as const }],
    ['T', { m: 1, n: 4, s: 8, shift: 0 as const }],
  ])('sends digests of the blocks that its check has confirmed, of %s', async (read, shape) => {
    const process = await served({ piece: 7 * 40 });
    const { said, until, tell } = process;
    giveMatrix(process);
    const checked = { ...task(5n, 50, 1000), shape, checked: true };
    tell({ kind: 'start', task: checked });
    await until(() => blocks(said).reduce((sum, { s }) => sum + s.length, 0) >= 50 * 4 * shape.m);
    const sequence = new RemoteSequence({ tell: async () => {}, ask: async () => {}, forget: () => {} }, checked);
    for (const message of blocks(said)) sequence.take(message);
    const known = blocks(said).flatMap(({ checks }) => checks.known);
    expect(known.map(({ first }) => first)).toEqual(known.map((_, k) => k * known[0]!.count));
    expect(known.reduce((sum, { count }) => sum + count, 0)).toBe(sequence.s.count);
    const holds = (): boolean => sequence.check.recheck(searchedBlocks(sequence));
    expect(holds()).toBe(true);
    sequence.s.at(49)[3]! ^= 1;
    expect(holds()).toBe(read === 'T');
    sequence.s.at(49)[3]! ^= 1;
    sequence.t.at(49)[7]! ^= 1;
    expect(holds()).toBe(false);
  });

  test.each([
    [90, 60, 'host'],
    [60, 90, 'host'],
    [90, 60, 'team'],
    [60, 90, 'team'],
  ] as const)('holds the Schur complement of pivots of %i x %i, brought by the %s', async (rows, cols, by) => {
    const { rows: _, cols: __, ...entries } = generate('random', [rows, cols, 8, P, 1]);
    const matrix = SparseMatrix.fromTriplets(rows, cols, entries).residues(P);
    const at = transpose(matrix) as ResidueMatrix;
    const { pivots } = structuralPivots(matrix, at);
    expect(pivots.rows.length).toBeGreaterThan(30);
    const executor = new ReferenceExecutor(WordPrime.of(P));
    const s = tallOperator(new SchurComplement(executor, matrix, at, pivots));
    const { krylov } = await startSequence(executor, s, new WorkingField(executor, 'block'), task(5n, 50, 10));
    await krylov.extend(
      50,
      10,
      () => {},
      () => {},
    );

    const team = by === 'team' ? await Team.create(1) : undefined;
    const asked: number[] = [];
    const taken = team && vi.spyOn(team, 'launch');
    const process = await served({
      team: async (nnz) => {
        asked.push(nnz);
        return team;
      },
    });
    const { said, until, tell } = process;
    giveMatrix(process, matrix, { at, pivots });
    tell({ kind: 'start', task: task(5n, 50, 10) });
    await until(() => blocks(said).reduce((sum, { s }) => sum + s.length, 0) >= 50 * 32);
    expect(blocks(said).flatMap(({ s }) => [...s])).toEqual([...krylov.s.copy(0)]);
    expect(blocks(said).flatMap(({ t }) => [...t])).toEqual([...krylov.t.copy(0)]);
    expect(asked).toEqual([matrix.colIdx.length]);
    expect(taken?.mock.calls.some(([name]) => name === 'takeRows')).toBe(team && true);
    await team?.dispose();
    expect(blocks(said).at(-1)!.adjoint).toBe(true);
  });

  test('ends a sequence of which nothing more is wanted, and begins the next', async () => {
    const process = await served();
    const { said, until, tell } = process;
    giveMatrix(process);
    const whole = async (seed: bigint): Promise<Uint32Array> => {
      said.length = 0;
      tell({ kind: 'start', task: task(seed, 50, 10) });
      tell({ kind: 'extend', count: 70, moments: 10 });
      await until(() => blocks(said).reduce((sum, { s }) => sum + s.length, 0) >= 70 * 32);
      tell({ kind: 'free' });
      expect(blocks(said).reduce((sum, { t }) => sum + t.length, 0)).toBe(10 * 8);
      const seconds = blocks(said).map((each) => each.seconds);
      expect(seconds).toEqual(seconds.toSorted((x, y) => x - y));
      return Uint32Array.from(blocks(said).flatMap(({ s }) => [...s]));
    };
    const expected = await whole(5n);

    said.length = 0;
    tell({ kind: 'start', task: task(6n, 1_000_000_000, 0) });
    await until(({ kind }) => kind === 'blocks');
    tell({ kind: 'free' });
    // What was said of the one before has been said when the next has begun; and it is what it was.
    said.length = 0;
    tell({ kind: 'start', task: task(5n, 0, 0) });
    await until(({ kind }) => kind === 'started');
    expect(await whole(5n)).toEqual(expected);
    expect(blocks(said).length).toBe(3); // nothing of the other: batches of 32, 18 and 20
  });
});
