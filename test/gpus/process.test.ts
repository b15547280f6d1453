/**
 * A process with a GPU, in this one: it runs to where it was told, and leaves a sequence that is not wanted at its next
 * step.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SequenceTask } from '../../algorithms/block-wiedemann/krylov-columns.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { type FromGpuProcess, serveGpu, type ToGpuProcess } from '../../src/gpus/process.js';
import { planted } from '../algorithms/expected/matrices.js';
import { gpuMissing } from '../gpu.js';

const [ROWS, COLS, P] = [60, 40, 65521];

/** What it says, as it comes; `until` waits for a message that says so. */
async function served(piece?: number) {
  const said: FromGpuProcess[] = [];
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
    piece,
  );
  return { said, until, tell };
}

function task(seed: bigint, length: number, moments: number): SequenceTask {
  return { preconditioner: 'hash', seed, shape: { m: 8, n: 4, s: 2, shift: 1 }, length, moments };
}

function blocks(said: readonly FromGpuProcess[]) {
  return said.flatMap((message) => (message.kind === 'blocks' ? [message] : []));
}

type Tell = (message: ToGpuProcess) => void;

function giveMatrix(tell: Tell): void {
  const matrix = SparseMatrix.fromTriplets(ROWS, COLS, planted(ROWS, COLS, 17, 4, 5)).residues(P);
  tell({ kind: 'matrix', p: P, rows: ROWS, cols: COLS, nnz: matrix.colIdx.length, use: 'sequence', maxBytes: null });
  for (const array of ['rowPtr', 'colIdx', 'values'] as const)
    tell({ kind: 'piece', array, at: 0, data: matrix[array] });
  tell({ kind: 'held' });
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
      giveMatrix(whole.tell);
      whole.tell({ kind: 'start', task: task(5n, 50, 10), kept });
      whole.tell({ kind: 'stop' });
      await whole.until(({ kind }) => kind === 'stopped');
      const expected = wordsOf(whole.said);
      const count = expected[0]!.length / size;
      expect(count).toBeGreaterThan(20);
      expect(expected[1]).toHaveLength(10 * tSize);

      const piece = 3 * (size + tSize) + 1;
      const again = await served(piece);
      giveMatrix(again.tell);
      again.tell({ kind: 'start', task: task(5n, count, 10), kept });
      again.tell({ kind: 'stop' });
      await again.until(({ kind }) => kind === 'stopped');
      expect(wordsOf(again.said)).toEqual(expected);
      expect(Math.max(...blocks(again.said).map(({ s, t }) => s.length + t.length))).toBeLessThanOrEqual(piece);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test('ends a sequence of which nothing more is wanted, and begins the next', async () => {
    const { said, until, tell } = await served();
    giveMatrix(tell);
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
